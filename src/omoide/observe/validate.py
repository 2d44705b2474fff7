"""Validates and cleans the fields that all writes share. Functions return the value to store or raise InvalidInput.

Also the echo filter, which keeps recalled memories from being stored again: an audit of another memory system found
97.8 % junk, much of it recalled text.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Collection
from reprlib import repr as shown
from typing import Any, Literal, cast, get_args

from omoide.domain.importance import RetentionPolicy
from omoide.domain.node import ORIGINS, ROLE_ALIASES
from omoide.domain.quotation import FENCE_NAME
from omoide.errors import InvalidInput
from omoide.language.text import validate_text
from omoide.observe.redaction import allowed_by, redact
from omoide.settings import Settings

_PACK_START = f"<{FENCE_NAME}"
_PACK = re.compile(rf"{_PACK_START}(-[a-z]+)? note=[^>\n]*>(.*?)</{FENCE_NAME}\1?>", re.DOTALL)  # old ones have no mark
_PACK_ID = re.compile(r"\[id:(\d+)\]")


def remove_echo(text: str) -> str:
    """Replaces each context pack in a text by the ids of its memories, so that nothing is stored twice.

    Only complete packs are replaced; a text that merely mentions the tag stays as it is.
    """
    if _PACK_START not in text:
        return text
    return _PACK.sub(_id_list, text)


def _id_list(block: re.Match[str]) -> str:
    ids = dict.fromkeys(_PACK_ID.findall(block[2]))
    return f"[recalled: {' '.join(f'id:{id}' for id in ids) or 'nothing'}]"


_TOOL_NAME = re.compile(r"tool:[^\s:][^\s]{0,99}")
_MAX_NAME_BYTES = 2_000  # 500 characters of any script
_MAX_DESCRIPTION_BYTES = 10_000
_MAX_DETAILS_BYTES = 1_000_000  # the same limit as for texts; split larger documents


def text(given: str, settings: Settings) -> str:
    """Returns a text that is not too long, with recalled packs and secrets replaced."""
    return redact(remove_echo(validate_text(given, settings.max_text_bytes)), allowed_by(settings)).text


def role(given: str) -> str:
    """Returns user, agent, system or tool:NAME; understands the role names of other programs."""
    known = ROLE_ALIASES.get(given, given) if isinstance(given, str) else given
    if known in ("user", "agent", "system") or _is_tool(known):
        return redact(known).text
    raise InvalidInput(f"role: expected user, agent, system or tool:NAME, got {shown(given)}")


def origin(given: str) -> str:
    """Returns the source of a statement. It is fixed when the memory is written and never changes."""
    if given in ORIGINS or _is_tool(given):
        return redact(given).text
    raise InvalidInput(f"origin: expected {', '.join(ORIGINS)} or tool:NAME, got {shown(given)}")


def tags(given: Collection[str] | str | None) -> tuple[str, ...]:
    """Returns each tag once. A text is split at commas."""
    if given is None:
        return ()
    if isinstance(given, str):
        given = [tag for tag in given.split(",") if tag.strip()]
    if not isinstance(given, Collection):
        raise InvalidInput(f"tags: expected a list of texts, got {type(given).__name__}")
    named = (name(tag, "tags") for tag in given if tag != "")
    return tuple(dict.fromkeys(tag.strip() for tag in named if tag))


def name(given: str | None, field: str, limit: int = _MAX_NAME_BYTES) -> str | None:
    """Returns a short text, such as the name of a session, speaker or task, with secrets redacted."""
    if given is None:
        return None
    try:
        return redact(validate_text(given, limit)).text
    except InvalidInput as error:
        raise InvalidInput(f"{field}: {error}") from None


def required_name(given: str, field: str) -> str:
    found = name(given, field)
    if found is None:
        raise InvalidInput(f"{field}: a name is needed")
    return found


def description(given: str | None, field: str) -> str | None:
    """Returns the description of an entity: a few sentences, with secrets redacted."""
    return name(given, field, _MAX_DESCRIPTION_BYTES)


def boolean(given: bool, field: str) -> bool:
    """Returns a bool and refuses other values: the text "false" would be true and disclose private memories."""
    if not isinstance(given, bool):
        raise InvalidInput(f"{field}: expected True or False, got {shown(given)}")
    return given


def archive_scope(given: bool | str) -> Literal[True, False, "only"]:
    """Whether archived memories are searched: with the others, not at all, or alone."""
    if given == "only":
        return "only"
    if isinstance(given, bool):
        return given
    raise InvalidInput(f'archive: expected True, False or "only", got {shown(given)}')


def retention_policy(given: str) -> RetentionPolicy:
    for each in get_args(RetentionPolicy):
        if given == each:
            return cast(RetentionPolicy, each)
    raise InvalidInput(f"policy: expected carried, kira or kira_delete, got {shown(given)}")


def audience(given: str) -> str:
    if given not in ("private", "shared"):
        raise InvalidInput(f"audience: expected private or shared, got {shown(given)}")
    return given


def fraction(given: float, field: str) -> float:
    """Returns a number from 0 to 1, such as a confidence."""
    if isinstance(given, bool) or not isinstance(given, int | float) or not 0 <= given <= 1:
        raise InvalidInput(f"{field}: expected a number from 0 to 1, got {shown(given)}")
    return float(given)


def importance(given: int) -> int:
    if isinstance(given, bool) or not isinstance(given, int) or not 1 <= given <= 10:
        raise InvalidInput(f"importance: expected a whole number from 1 to 10, got {shown(given)}")
    return given


def weight(given: float) -> float:
    """Returns the strength of a link, any number from 0."""
    if isinstance(given, bool) or not isinstance(given, int | float) or not 0 <= given < math.inf:
        raise InvalidInput(f"weight: expected a number from 0, got {shown(given)}")
    return float(given)


def node_ids(given: Collection[int], field: str) -> tuple[int, ...]:
    """Returns node ids as a tuple. The transaction checks whether the nodes exist."""
    if isinstance(given, str | bytes) or not isinstance(given, Collection):
        raise InvalidInput(f"{field}: expected a list of node ids, got {shown(given)}")
    return tuple(given)


def details(given: Any, field: str = "details", allowed: Collection[str] = ()) -> Any:
    """Returns a JSON value with the secrets in all its texts redacted."""
    if given is None:
        return None
    try:
        size = len(json.dumps(given, allow_nan=False, ensure_ascii=False).encode())
        kept = without_secrets(given, allowed)
    except (TypeError, ValueError, RecursionError) as error:  # ValueError: NaN, cycles, lone surrogates
        raise InvalidInput(
            f"{field}: JSON cannot hold it ({error}); pass texts, numbers, lists and dictionaries"
        ) from None
    if size > _MAX_DETAILS_BYTES:
        raise InvalidInput(f"{field}: {size:,} bytes long, the limit is {_MAX_DETAILS_BYTES:,}; split it")
    return kept


def _is_tool(given: Any) -> bool:
    return isinstance(given, str) and _TOOL_NAME.fullmatch(given) is not None and name(given, "role") is not None


def _redacted_field(key: str, value: Any, allowed: Collection[str]) -> Any:
    """Redacts a value also if only its key shows that it is a secret, as in {"password": "…"}."""
    if not isinstance(value, str):
        return without_secrets(value, allowed)
    alone = redact(value, allowed).text
    front = f"{key}: "
    together = redact(front + value, allowed)
    return together.text.removeprefix(front) if together.found and together.text.startswith(front) else alone


def _redacted_keys(fields: dict[str, Any]) -> dict[str, Any]:
    """Redacts secrets in keys. Keys that become the same marker are numbered, so that no value is lost."""
    kept: dict[str, Any] = {}
    for key, value in fields.items():
        name = marked = redact(key).text
        number = 2
        while name in kept or (name != key and name in fields):
            name, number = f"{marked} {number}", number + 1
        kept[name] = value
    return kept


def without_secrets(value: Any, allowed: Collection[str] = ()) -> Any:
    """A JSON value with the secrets in all its texts and names redacted."""
    match value:
        case str():
            return redact(value, allowed).text
        case dict():
            return _redacted_keys({str(key): _redacted_field(str(key), each, allowed) for key, each in value.items()})
        case list() | tuple():
            return [without_secrets(each, allowed) for each in value]
        case _:
            return value
