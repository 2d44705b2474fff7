"""Turns what callers report into drafts: turns, statements, updates, imported records and entity profiles.

Everything is validated and redacted here, without a model and without I/O.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, fields, replace
from datetime import datetime
from difflib import get_close_matches
from typing import Any, TypedDict

from omoide.clock import DAY, to_local, to_micros
from omoide.domain import ENTITY_TYPES, Draft, Node, kind_of
from omoide.domain.entity import TYPE_ALIASES
from omoide.domain.importance import Retention, classify_importance
from omoide.domain.kinds import Episode
from omoide.domain.node import SOURCE_TYPES, mentioned_times, validate_attributes
from omoide.errors import Conflict, InvalidInput
from omoide.language import tokens
from omoide.language.sentences import states_preference
from omoide.language.statement_words import asks_for_privacy, sensitive_topics, topics_named
from omoide.observe import validate
from omoide.observe.redaction import allowed_by
from omoide.settings import Settings
from omoide.store import EntityProfile, TextChange
from omoide.store.tasks.task_lifecycle import FindEntities


@dataclass(frozen=True, slots=True, kw_only=True)
class ObservedTurn:
    """One turn, action, tool result or event, as reported to observe()."""

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
    def of(cls, given: Mapping[str, Any], number: int) -> ObservedTurn:
        """Builds a turn from a dictionary, the `number`th of a list. Raises InvalidInput for an unknown field."""
        try:
            return cls._from_mapping(given)
        except InvalidInput as error:
            error.index = number
            raise

    @classmethod
    def _from_mapping(cls, given: Mapping[str, Any]) -> ObservedTurn:
        if not isinstance(given, Mapping):
            raise InvalidInput(f"expected a dictionary with the fields of observe(), got {type(given).__name__}")
        for name in given:
            if name not in _TURN_FIELDS:
                near = get_close_matches(str(name), _TURN_FIELDS, n=1)
                raise InvalidInput(f"observe has no field {name!r}" + (f"; did you mean {near[0]}?" if near else ""))
        if "text" not in given:
            raise InvalidInput("observe needs a text")
        blank = {name for name in ("role", "tags", "audience", "sensitive") if given.get(name, ()) is None}
        return cls(**{name: value for name, value in given.items() if name not in blank})


_TURN_FIELDS = {item.name: item for item in fields(ObservedTurn)}


def draft_turn(
    turn: ObservedTurn, now: int, settings: Settings, mentioned: FindEntities, said: Counter[bytes]
) -> Draft:
    """Returns the draft of an episode.

    `said` counts identical turns of one batch by key, so that each of them is stored.
    """
    role = validate.role(turn.role)
    text = validate.text(turn.text, settings)
    tags = validate.tags(turn.tags)
    type = turn.type or _default_type(role)
    origin = role if turn.origin is None else validate.origin(turn.origin)
    preference = role == origin == "user" and states_preference(text)  # only the user states preferences of the user
    attributes = validate_attributes(Episode, {"type": type, "outcome": turn.outcome, "states_preference": preference})
    details = validate.details(turn.details, allowed=allowed_by(settings))
    longest = details if isinstance(details, str) and len(details) > len(text) else text
    weight = classify_importance(text, type=type, role=role, outcome=turn.outcome, tags=tags, length=len(longest))
    at = now if turn.at is None else to_micros(turn.at)
    retention = Retention(
        settings.retention_raw_days, settings.retention_raw_important_days, settings.retention_compressed_days
    )
    days = retention.days("raw", weight)
    speaker = validate.name(turn.speaker, "speaker")
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
        session=validate.name(turn.session, "session"),
        channel=validate.name(turn.channel, "channel"),
        parent=turn.parent,
        task_id=validate.name(turn.task, "task"),
        tags=tags,
        token_count=tokens.estimate(text),
        **_privacy(text, turn.sensitive, turn.audience, settings),
        key=_event_key(turn, [role, speaker, at, type, text], said),
        entities=mentioned(f"{speaker} {text}" if speaker else text),
        times=() if role.startswith("tool:") else mentioned_times(text, _said_at(turn.at, at, settings)),
    )


class _Privacy(TypedDict):
    sensitive: bool
    audience: str


def _privacy(text: str, sensitive: bool, audience: str, settings: Settings) -> _Privacy:
    """Who may read a text: what the caller says, or fewer if the text asks for it or speaks of a sensitive topic."""
    marked = validate.boolean(sensitive, "sensitive") or bool(
        sensitive_topics(text, topics_named(settings.sensitive_topics))
    )
    wanted = validate.audience(audience)
    return {"sensitive": marked, "audience": "private" if wanted == "shared" and asks_for_privacy(text) else wanted}


def _said_at(given: datetime | str | None, at: int, settings: Settings) -> datetime:
    """When it was said in the speaker's zone: that of the settings, else the one of the given time."""
    if given is None or settings.time_zone:
        return to_local(at, settings.time_zone)
    return datetime.fromisoformat(given) if isinstance(given, str) else given


def _event_key(turn: ObservedTurn, event: list[Any], said: Counter[bytes]) -> bytes | None:
    """Returns what identifies an event that is sent again: its key, or its content if it has a time."""
    if turn.key is not None:
        return content_key("key", validate.name(turn.key, "key"))
    if turn.at is None:
        return None
    first = content_key(turn.session, *event)
    said[first] += 1
    return first if said[first] == 1 else content_key(turn.session, *event, said[first])


def content_key(*parts: Any) -> bytes:
    return hashlib.blake2b(json.dumps(parts).encode(), digest_size=16).digest()


def _default_type(role: str) -> str:
    if role == "system":
        return "system"
    return "observation" if role.startswith("tool:") else "conversation"


_FIELDS_IN_TEXT = ("object", "value")  # fields that repeat the text, so a new text may contradict them


@dataclass(frozen=True, slots=True, kw_only=True)
class RememberedStatement:
    """Knowledge, as passed to remember(); events are passed to observe()."""

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


def draft_statement(statement: RememberedStatement, now: int, settings: Settings, mentioned: FindEntities) -> Draft:
    """Returns the draft of a node of any kind except episodes, which are observed."""
    kind = kind_of(statement.kind)
    if kind.kind == "episode":
        raise InvalidInput("an episode is an event; use observe() for it")
    if statement.source_type not in SOURCE_TYPES:
        raise InvalidInput(f"source_type: expected one of {', '.join(SOURCE_TYPES)}, got {statement.source_type!r}")
    text = validate.text(statement.text, settings)
    at = now if statement.at is None else to_micros(statement.at)
    since = at if statement.valid_from is None else to_micros(statement.valid_from, "valid_from")
    until = None if statement.valid_until is None else to_micros(statement.valid_until, "valid_until")
    if statement.valid_from is not None and until is not None and until < since:
        raise Conflict("valid_until is before valid_from; swap them, or leave one out")
    fields = validate.details(validate_attributes(kind, statement.attributes), "fields", allowed_by(settings))
    return Draft(
        kind=kind.kind,
        text=text,
        details=validate.details(statement.details, allowed=allowed_by(settings)),
        attributes=fields,
        event_at=at,
        valid_from=since,
        valid_until=until,
        importance=validate.importance(statement.importance),
        confidence=validate.fraction(statement.confidence, "confidence"),
        decay_rate=kind.first_decay_rate(settings.decay_rate_default),
        origin=validate.origin(statement.origin),
        source_type=statement.source_type,
        session=validate.name(statement.session, "session"),
        task_id=validate.name(statement.task, "task"),
        tags=tuple(dict.fromkeys((*validate.tags(statement.tags), *kind.search_texts(text, fields)))),
        token_count=tokens.estimate(text),
        **_privacy(text, statement.sensitive, statement.audience, settings),
        key=None if statement.key is None else content_key("statement", validate.name(statement.key, "key")),
        entities=mentioned(text),
        times=mentioned_times(text, to_local(at, settings.time_zone)),
    )


def corrected_statement(
    old: Node, text: str, at: datetime | str | None, origin: str, attributes: Mapping[str, Any]
) -> RememberedStatement:
    """Returns the statement that replaces a node. Keeps fields that the new text does not contradict."""
    if old.kind == "episode":
        raise Conflict(f"node {old.id} is an episode: what happened, happened; use remember() for the right fact")
    return RememberedStatement(
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
        attributes=fields_still_true(old, text) | dict(attributes),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeUpdate:
    """Changes of a node in place; None keeps the current value."""

    text: str | None = None
    tags: Collection[str] | None = None
    importance: int | None = None
    sensitive: bool | None = None
    audience: str | None = None
    attributes: Mapping[str, Any] = field(default_factory=dict)


def draft_update(
    held: Node, update: NodeUpdate, settings: Settings, mentioned: FindEntities
) -> tuple[TextChange, dict[str, Any]]:
    """Returns the new text and tags of a node, and its other new values."""
    if held.kind == "episode" and update.text is not None:
        raise Conflict(
            f"node {held.id} is an episode: what was said stays unchanged; update its tags or importance only"
        )
    values: dict[str, Any] = {}
    if update.importance is not None:
        values["importance"] = validate.importance(update.importance)
    if update.sensitive is not None:
        values["sensitive"] = int(validate.boolean(update.sensitive, "sensitive"))
    if update.audience is not None:
        values["audience"] = validate.audience(update.audience)
    text = None if update.text is None else validate.text(update.text, settings)
    if update.attributes or text is not None:
        kept = held.attributes if text is None else fields_still_true(held, text)
        values["attributes"] = validate.details(
            validate_attributes(kind_of(held.kind), kept | dict(update.attributes)), "fields"
        )
    if text is None and update.tags is None and not values:
        raise Conflict(f"nothing to update on node {held.id}; pass a text, tags, importance or a field of its kind")
    change = TextChange(
        text=text,
        token_count=None if text is None else tokens.estimate(text),
        tags=None if update.tags is None else validate.tags(update.tags),
        entities=() if text is None else mentioned(text),
        times=() if text is None else mentioned_times(text, to_local(to_micros(held.event_at), settings.time_zone)),
    )
    return change, values


def _as_list(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def fields_still_true(old: Node, text: str) -> dict[str, Any]:
    """Returns the fields of a node that a new text does not contradict."""
    lowered = text.casefold()
    kept = {name: _as_list(value) for name, value in old.attributes.items() if value not in (None, ())}
    return {
        name: value for name, value in kept.items() if name not in _FIELDS_IN_TEXT or str(value).casefold() in lowered
    }


# Imported records have the origin `import`: they can be recalled, but never become preferences, procedures or protected
# facts. Only the owner can declare imported conversations as their own (`mine`).
IMPORT_ORIGIN = "import"
_IMPORT_CONFIDENCE = 0.8  # another system's summary: good enough to recall, weaker than what the user says
_MAX_KEY_CHARACTERS = 300  # longer keys are replaced by a digest


def draft_imported_turn(
    given: Mapping[str, Any], mine: bool, now: int, settings: Settings, mentioned: FindEntities
) -> Draft:
    """Returns the draft of an imported turn.

    It has the time of the conversation, but its retention counts from today: otherwise old conversations would expire
    in the first maintenance run.
    """
    origin = None if mine else IMPORT_ORIGIN
    turn = ObservedTurn(**{**given, "key": _bounded_key(given["key"]), "origin": origin})
    draft = draft_turn(turn, now, settings, mentioned, Counter())
    if draft.expires_at is None:
        return draft
    return replace(draft, expires_at=draft.expires_at + max(0, now - draft.event_at))


def draft_imported_statement(given: Mapping[str, Any], now: int, settings: Settings, mentioned: FindEntities) -> Draft:
    """Returns the draft of a memory of another system."""
    statement = RememberedStatement(
        **{**given, "key": _bounded_key(given["key"])},
        origin=IMPORT_ORIGIN,
        source_type="migration",
        confidence=_IMPORT_CONFIDENCE,
    )
    return draft_statement(statement, now, settings, mentioned)


def imported_statement_key(key: str) -> bytes:
    """Returns the key by which a memory of another system is recognized."""
    return content_key("statement", validate.name(_bounded_key(key), "key"))


def _bounded_key(key: str) -> str:
    return key if len(key) <= _MAX_KEY_CHARACTERS else f"{key[:100]} {content_key(key).hex()}"


def entity_profile(
    name: str,
    type: str | None = None,
    aliases: Collection[str] = (),
    description: str | None = None,
    summary: str | None = None,
    importance: int | None = None,
    attributes: Mapping[str, Any] | None = None,
) -> EntityProfile:
    """Returns a validated entity profile. Understands type names of other systems."""
    type = TYPE_ALIASES.get(type, type) if isinstance(type, str) else type
    if type is not None and type not in ENTITY_TYPES:
        raise InvalidInput(f"entity type: expected one of {', '.join(ENTITY_TYPES)}, got {type!r}")
    return EntityProfile(
        name=validate.required_name(name, "name"),
        type=type,
        aliases=validate.tags(aliases),
        description=validate.description(description, "description"),
        summary=validate.description(summary, "summary"),
        attributes=validate.details(dict(attributes or {}), "attributes"),
        importance=None if importance is None else validate.importance(importance),
    )
