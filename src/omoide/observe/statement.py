"""From a sentence somebody wants kept to a draft: `remember` and `correct`."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from omoide import tokens
from omoide.clock import micros
from omoide.config import Settings
from omoide.errors import InvalidInput
from omoide.layers import Draft, Node, Preference, kind_of
from omoide.layers.attribute import validated
from omoide.observe import checked
from omoide.observe.echo import without_echo
from omoide.observe.redact import redact
from omoide.observe.turn import keyed
from omoide.store import Rewording
from omoide.text import clean

_SAID = ("object", "value")  # fields that repeat what the text says: other words make them false
SOURCE_TYPES = (
    "stated", "inferred", "observed", "corrected",
    "conversation", "tool_result", "extraction", "consolidation", "agent", "narrative", "migration",
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """Something to be kept as knowledge rather than as an event."""

    text: str
    kind: str = "fact"
    tags: Collection[str] = ()
    confidence: float = 1.0
    importance: int = 5
    origin: str = "user"
    source_type: str = "stated"
    session: str | None = None
    task: str | None = None
    at: datetime | str | None = None
    valid_from: datetime | str | None = None
    valid_until: datetime | str | None = None
    details: Any = None
    sensitive: bool = False
    audience: str = "private"
    key: str | None = None
    attributes: Mapping[str, Any] = field(default_factory=dict)


def drafted(statement: Statement, now: int, settings: Settings, mentioned: Callable[[str], tuple[int, ...]]) -> Draft:
    """The draft of a node of any kind but an episode: those happen, they are observed."""
    kind = kind_of(statement.kind)
    if kind.kind == "episode":
        raise InvalidInput("an episode is something that happened; use observe() for it")
    if statement.source_type not in SOURCE_TYPES:
        raise InvalidInput(f"source_type: expected one of {', '.join(SOURCE_TYPES)}, got {statement.source_type!r}")
    text = redact(without_echo(clean(statement.text, settings.max_text_bytes))).text
    at = now if statement.at is None else micros(statement.at)
    since = at if statement.valid_from is None else micros(statement.valid_from, "valid_from")
    until = None if statement.valid_until is None else micros(statement.valid_until, "valid_until")
    if statement.valid_from is not None and until is not None and until < since:
        raise InvalidInput("valid_until lies before valid_from; exchange them, or leave one out")
    born = kind.decay_rate_at_birth
    fields = checked.details(validated(kind, statement.attributes), "fields")
    return Draft(
        kind=kind.kind,
        text=text,
        details=checked.details(statement.details),
        attributes=fields,
        event_at=at,
        valid_from=since,
        valid_until=until,
        importance=checked.importance(statement.importance),
        confidence=checked.share(statement.confidence, "confidence"),
        decay_rate=settings.decay_rate_default if born is None else born,
        origin=checked.origin(statement.origin),
        source_type=statement.source_type,
        session=checked.name(statement.session, "session"),
        task_id=checked.name(statement.task, "task"),
        tags=tuple(dict.fromkeys((*checked.tags(statement.tags), *kind.sought(text, fields)))),
        token_count=tokens.estimate(text),
        sensitive=checked.yes_or_no(statement.sensitive, "sensitive"),
        audience=checked.audience(statement.audience),
        key=None if statement.key is None else keyed("statement", checked.name(statement.key, "key")),
        entities=mentioned(text),
    )


def corrected(old: Node, text: str, at: datetime | str | None, origin: str, attributes: Mapping[str, Any]) -> Statement:
    """What takes the place of a node: all that the new words do not make false, and what is given besides."""
    if old.kind == "episode":
        raise InvalidInput(f"node {old.id} is an episode: what happened, happened; remember() the right fact instead")
    return Statement(
        text=text,
        kind=old.kind,
        tags=old.tags,
        importance=old.importance,
        origin=origin,
        source_type="corrected",
        session=old.session,
        task=old.task_id,
        details=old.details,
        valid_from=at,
        sensitive=old.sensitive,
        audience=old.audience,
        attributes=still_true(old, text) | dict(attributes),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Update:
    """What is to be changed in place; None leaves what stands."""

    text: str | None = None
    tags: Collection[str] | None = None
    importance: int | None = None
    attributes: Mapping[str, Any] = field(default_factory=dict)


def reworded(
    held: Node, update: Update, settings: Settings, mentioned: Callable[[str], tuple[int, ...]]
) -> tuple[Rewording, dict[str, Any]]:
    """The new words of a node, and its other new values."""
    if held.kind == "episode" and update.text is not None:
        raise InvalidInput(f"node {held.id} is an episode: what was said stays as it was said")
    values: dict[str, Any] = {}
    if update.importance is not None:
        values["importance"] = checked.importance(update.importance)
    text = update.text
    if text is not None:
        text = redact(without_echo(clean(text, settings.max_text_bytes))).text
    if update.attributes or text is not None:
        kept = held.attributes if text is None else still_true(held, text)
        values["attributes"] = checked.details(validated(kind_of(held.kind), kept | dict(update.attributes)), "fields")
    if text is None and update.tags is None and not values:
        raise InvalidInput(f"nothing to update on node {held.id}; pass a text, tags, importance or a field of its kind")
    words = Rewording(
        text=text,
        token_count=None if text is None else tokens.estimate(text),
        tags=None if update.tags is None else checked.tags(update.tags),
        entities=() if text is None else mentioned(text),
    )
    return words, values


def more_evidence(held: Node, new: Draft) -> dict[str, Any] | None:
    """A preference that is stated again grows stronger; None when it now says something else."""
    assert isinstance(held, Preference)
    return held.stated_again(new.attributes.get("value"), new.text, new.attributes.get("strength", 0.0))


def _listed(value: Any) -> Any:
    """A list that was stored comes back as a tuple; they say the same."""
    return list(value) if isinstance(value, tuple) else value


def still_true(old: Node, text: str) -> dict[str, Any]:
    """What a corrected node keeps of its kind's fields: those that its new words still bear out."""
    lowered = text.casefold()
    kept = {name: _listed(value) for name, value in old.attributes.items() if value not in (None, ())}
    return {name: value for name, value in kept.items() if name not in _SAID or str(value).casefold() in lowered}
