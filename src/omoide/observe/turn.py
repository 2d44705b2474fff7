"""From what an agent reports to a draft of an episode: checked, redacted, labelled, weighed. No model, no file."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, fields
from datetime import datetime
from difflib import get_close_matches
from typing import Any

from omoide import tokens
from omoide.clock import DAY, micros
from omoide.config import Settings
from omoide.errors import InvalidInput
from omoide.layers import Draft
from omoide.layers.attribute import validated
from omoide.layers.episodic import Episode, Retention, importance
from omoide.layers.wish import is_wish
from omoide.observe import checked
from omoide.observe.echo import without_echo
from omoide.observe.redact import redact
from omoide.text import clean


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One turn, action, tool result or event, as it was reported."""

    text: str
    role: str = "user"
    speaker: str | None = None
    session: str | None = None
    channel: str | None = None
    at: datetime | str | None = None
    type: str | None = None
    tags: Collection[str] = ()
    outcome: str | None = None
    parent: int | None = None
    details: Any = None
    task: str | None = None
    origin: str | None = None
    sensitive: bool = False
    audience: str = "private"
    key: str | None = None

    @classmethod
    def of(cls, given: Mapping[str, Any], number: int) -> Turn:
        """From a dictionary; an unknown field is refused and the nearest known one is named."""
        try:
            return cls._of(given)
        except InvalidInput as error:
            error.index = number
            raise

    @classmethod
    def _of(cls, given: Mapping[str, Any]) -> Turn:
        if not isinstance(given, Mapping):
            raise InvalidInput(f"expected a dictionary with the fields of observe(), got {type(given).__name__}")
        for name in given:
            if name not in _FIELDS:
                near = get_close_matches(str(name), _FIELDS, n=1)
                raise InvalidInput(f"observe has no field {name!r}" + (f"; did you mean {near[0]}?" if near else ""))
        if "text" not in given:
            raise InvalidInput("observe needs a text")
        blank = {name for name in ("role", "tags", "audience", "sensitive") if given.get(name, ()) is None}
        return cls(**{name: value for name, value in given.items() if name not in blank})


_FIELDS = {item.name: item for item in fields(Turn)}


def drafted(
    turn: Turn, now: int, settings: Settings, mentioned: Callable[[str], tuple[int, ...]], said: Counter[bytes]
) -> Draft:
    """The draft of an episode. `said` counts what nothing tells apart in one batch: each of them was really said."""
    role = checked.role(turn.role)
    text = redact(without_echo(clean(turn.text, settings.max_text_bytes))).text
    tags = checked.tags(turn.tags)
    type = turn.type or _usual_type(role)
    origin = role if turn.origin is None else checked.origin(turn.origin)
    wish = role == origin == "user" and is_wish(text)  # nobody else's word is the user's preference
    attributes = validated(Episode, {"type": type, "outcome": turn.outcome, "wish": wish})
    details = checked.details(turn.details)
    effort = details if isinstance(details, str) and len(details) > len(text) else text
    weight = importance(text, type=type, role=role, outcome=turn.outcome, tags=tags, length=len(effort))
    at = now if turn.at is None else micros(turn.at)
    retention = Retention(
        settings.retention_raw_days, settings.retention_raw_important_days, settings.retention_compressed_days
    )
    days = retention.days("raw", weight)
    speaker = checked.name(turn.speaker, "speaker")
    return Draft(
        kind="episode",
        text=text,
        details=details,
        attributes=attributes,
        event_at=at,
        expires_at=None if days is None else at + days * DAY,
        importance=weight,
        origin=origin,
        role=role,
        speaker=speaker,
        source_type="tool_result" if role.startswith("tool:") else "conversation",
        session=checked.name(turn.session, "session"),
        channel=checked.name(turn.channel, "channel"),
        parent=turn.parent,
        task_id=checked.name(turn.task, "task"),
        tags=tags,
        token_count=tokens.estimate(text),
        sensitive=checked.yes_or_no(turn.sensitive, "sensitive"),
        audience=checked.audience(turn.audience),
        key=_key(turn, [role, speaker, at, type, text], said),
        entities=mentioned(f"{speaker} {text}" if speaker else text),
    )


def _key(turn: Turn, event: list[Any], said: Counter[bytes]) -> bytes | None:
    """What makes an event the same when it is sent again: its key, or else its content at its stated time."""
    if turn.key is not None:
        return keyed("key", checked.name(turn.key, "key"))
    if turn.at is None:
        return None
    first = keyed(turn.session, *event)
    said[first] += 1
    return first if said[first] == 1 else keyed(turn.session, *event, said[first])


def keyed(*parts: Any) -> bytes:
    return hashlib.blake2b(json.dumps(parts).encode(), digest_size=16).digest()


def _usual_type(role: str) -> str:
    """People and agents converse, tools report what they saw."""
    if role == "system":
        return "system"
    return "observation" if role.startswith("tool:") else "conversation"
