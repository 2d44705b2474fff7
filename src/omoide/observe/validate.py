"""Recognising what we ourselves handed out when it comes back, so that memory does not feed on itself.

An audit of another system's store found 97.8 % junk, much of it recalled text that was stored again.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Collection
from reprlib import repr as shown
from typing import Any

from omoide.errors import InvalidInput
from omoide.language.text import validate_text
from omoide.observe.redaction import redact

PACK_OPEN_TAG, PACK_CLOSE_TAG = "<omoide-memory", "</omoide-memory>"
_PACK = re.compile(re.escape(PACK_OPEN_TAG) + r" note=[^>\n]*>(.*?)" + re.escape(PACK_CLOSE_TAG), re.DOTALL)
_PACK_ID = re.compile(r"\[id:(\d+)\]")


def remove_echo(text: str) -> str:
    """The text with every pack of ours replaced by the ids it held: nothing is stored twice, nothing is hidden.

    Only a whole pack: somebody who merely speaks of the tag keeps their words.
    """
    if PACK_OPEN_TAG not in text:
        return text
    return _PACK.sub(_id_list, text)


def _id_list(block: re.Match[str]) -> str:
    ids = dict.fromkeys(_PACK_ID.findall(block[1]))
    return f"[recalled: {' '.join(f'id:{id}' for id in ids) or 'nothing'}]"


# The fields that every write shares, checked once at the door: what comes back is what is stored.


_ROLE_ALIASES = {"human": "user"}  # what other programs, Yodoca among them, call them
_ROLE_ALIASES |= dict.fromkeys(("assistant", "ai", "bot", "orchestrator", "memory_agent"), "agent")
_TOOL_NAME = re.compile(r"tool:[^\s:][^\s]{0,99}")
_ORIGINS = ("user", "agent", "system", "document", "import")
_MAX_NAME_BYTES = 500
_MAX_DESCRIPTION_BYTES = 10_000
_MAX_DETAILS_BYTES = 1_000_000  # as of a text: what is larger is a document of its own


def role(given: str) -> str:
    """Who acted: user, agent, system or tool:NAME, with the names other programs use for them."""
    known = _ROLE_ALIASES.get(given, given) if isinstance(given, str) else given
    if known in ("user", "agent", "system") or _is_tool(known):
        return known
    raise InvalidInput(f"role: expected user, agent, system or tool:NAME, got {shown(given)}")


def origin(given: str) -> str:
    """Whose word it is; fixed for good when it is written."""
    if given in _ORIGINS or _is_tool(given):
        return given
    raise InvalidInput(f"origin: expected {', '.join(_ORIGINS)} or tool:NAME, got {shown(given)}")


def tags(given: Collection[str] | str | None) -> tuple[str, ...]:
    """Each tag once. A text with commas is taken apart, as Koshi writes them."""
    if given is None:
        return ()
    if isinstance(given, str):
        given = [tag for tag in given.split(",") if tag.strip()]
    if not isinstance(given, Collection):
        raise InvalidInput(f"tags: expected a list of texts, got {type(given).__name__}")
    named = (name(tag, "tags") for tag in given if tag != "")
    return tuple(dict.fromkeys(tag.strip() for tag in named if tag))


def name(given: str | None, field: str, limit: int = _MAX_NAME_BYTES) -> str | None:
    """A name of a session, a speaker, a task: a short text."""
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
    """What is said of an entity: some sentences, without secrets."""
    return name(given, field, _MAX_DESCRIPTION_BYTES)


def boolean(given: bool, field: str) -> bool:
    """A real bool: "false" is true to Python, and here that would disclose."""
    if not isinstance(given, bool):
        raise InvalidInput(f"{field}: expected True or False, got {shown(given)}")
    return given


def audience(given: str) -> str:
    if given not in ("private", "shared"):
        raise InvalidInput(f"audience: expected private or shared, got {shown(given)}")
    return given


def fraction(given: float, field: str) -> float:
    """A number from 0 to 1, such as a confidence."""
    if isinstance(given, bool) or not isinstance(given, int | float) or not 0 <= given <= 1:
        raise InvalidInput(f"{field}: expected a number from 0 to 1, got {shown(given)}")
    return float(given)


def importance(given: int) -> int:
    if isinstance(given, bool) or not isinstance(given, int) or not 1 <= given <= 10:
        raise InvalidInput(f"importance: expected a whole number from 1 to 10, got {shown(given)}")
    return given


def weight(given: float) -> float:
    """How strong a link is: any number from 0."""
    if isinstance(given, bool) or not isinstance(given, int | float) or not 0 <= given < math.inf:
        raise InvalidInput(f"weight: expected a number from 0, got {shown(given)}")
    return float(given)


def node_ids(given: Collection[int], field: str) -> tuple[int, ...]:
    """Node ids; whether there are such nodes is asked in the transaction."""
    if isinstance(given, str | bytes) or not isinstance(given, Collection):
        raise InvalidInput(f"{field}: expected a list of node ids, got {shown(given)}")
    return tuple(given)


def details(given: Any, field: str = "details") -> Any:
    """What JSON can hold, with secrets redacted wherever a text stands in it."""
    if given is None:
        return None
    try:
        size = len(json.dumps(given, allow_nan=False, ensure_ascii=False).encode())
        kept = _redacted(given)
    except (TypeError, ValueError, RecursionError) as error:  # ValueError: NaN, circles, lone surrogates
        raise InvalidInput(
            f"{field}: JSON cannot hold it ({error}); pass texts, numbers, lists and dictionaries"
        ) from None
    if size > _MAX_DETAILS_BYTES:
        raise InvalidInput(f"{field}: {size:,} bytes long, the limit is {_MAX_DETAILS_BYTES:,}; split it")
    return kept


def _is_tool(given: Any) -> bool:
    return isinstance(given, str) and _TOOL_NAME.fullmatch(given) is not None and name(given, "role") is not None


def _redacted_field(key: str, value: Any) -> Any:
    """A value is a secret also when only its name says so: {"password": "…"}."""
    if not isinstance(value, str):
        return _redacted(value)
    alone = redact(value).text
    front = f"{key}: "
    together = redact(front + value)
    return together.text.removeprefix(front) if together.found and together.text.startswith(front) else alone


def _redacted_names(fields: dict[str, Any]) -> dict[str, Any]:
    """A name can be a secret as well; two that become the same marker are numbered, so that no value is lost."""
    kept: dict[str, Any] = {}
    for key, value in fields.items():
        name = marked = redact(key).text
        number = 2
        while name in kept or (name != key and name in fields):
            name, number = f"{marked} {number}", number + 1
        kept[name] = value
    return kept


def _redacted(value: Any) -> Any:
    match value:
        case str():
            return redact(value).text
        case dict():
            return _redacted_names({str(key): _redacted_field(str(key), each) for key, each in value.items()})
        case list() | tuple():
            return [_redacted(each) for each in value]
        case _:
            return value
