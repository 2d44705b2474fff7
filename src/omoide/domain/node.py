"""The record that every kind of memory shares, and the draft it begins as."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from dataclasses import Field, dataclass, field, fields
from datetime import datetime
from difflib import get_close_matches
from reprlib import repr as shown
from typing import Any, ClassVar, Literal

from omoide.clock import to_micros
from omoide.domain.decay import ConfidenceState, Decay, decay_by_rate
from omoide.errors import InvalidInput

TRUSTED_SOURCE_TYPES = ("stated", "corrected")

State = Literal["live", "superseded", "archived", "expired", "erased"]
"""No stored node is erased: it is the answer to one who sends again what was forgotten on request."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """Anything remembered. A subclass adds what is peculiar to its kind; those fields rest in one JSON column."""

    kind: ClassVar[str] = ""
    decay_rate_at_birth: ClassVar[float | None] = None  # None: the setting's default
    tallies: ClassVar[tuple[str, ...]] = ()  # its own fields that count what happened to it, and say nothing else

    id: int
    ulid: str
    text: str
    summary: str | None
    details: Any

    event_at: datetime
    recorded_at: datetime
    updated_at: datetime
    valid_from: datetime | None
    valid_until: datetime | None
    expires_at: datetime | None

    importance: int
    confidence: float
    score: int
    access_count: int
    last_accessed_at: datetime | None
    last_hit_at: datetime | None
    confirmed_at: datetime | None
    decay_rate: float

    origin: str
    role: str | None
    speaker: str | None
    source_type: str
    session: str | None
    narrative_id: int | None
    task_id: str | None
    tags: tuple[str, ...]
    token_count: int

    sensitive: bool
    audience: str
    state: State
    state_at: datetime

    @property
    def attributes(self) -> dict[str, Any]:
        """What only this kind has."""
        return {name: getattr(self, name) for name in kind_fields(type(self))}

    @property
    def said(self) -> dict[str, Any]:
        """What its own fields say, without what they count."""
        return {name: value for name, value in self.attributes.items() if name not in self.tallies}

    @property
    def pinned(self) -> bool:
        """Whether its fields say all that its text says, so that two wordings of them mean the same."""
        return False

    @property
    def told(self) -> str:
        """The whole of it in one text, as a prompt shows it."""
        return self.text

    @classmethod
    def sought(cls, text: str, attributes: Mapping[str, Any]) -> tuple[str, ...]:
        """What it is to be found by beside its text, as tags: what its fields say and the text does not."""
        return ()

    @classmethod
    def ages(cls, rate: float, predicate: str | None) -> Decay:
        """How a node of this kind becomes doubtful with time: by its own rate, where its kind does not know better."""
        return decay_by_rate(rate)

    @property
    def decay(self) -> Decay:
        return self.ages(self.decay_rate, getattr(self, "predicate", None))

    def effective_confidence(self, now: datetime) -> float:
        """What is left of the confidence today: a closed form from the last confirmation or access."""
        held = ConfidenceState(
            confidence=self.confidence,
            recorded_at=to_micros(self.recorded_at),
            confirmed_at=None if self.confirmed_at is None else to_micros(self.confirmed_at),
            accessed_at=None if self.last_accessed_at is None else to_micros(self.last_accessed_at),
            accesses=self.access_count,
        )
        return self.decay.left(held, to_micros(now))

    @property
    def protected(self) -> bool:
        """Whether neither time nor a full file may take it out of use before all others: a person stands behind it.

        What a tool, a document or an import says is data: saying it twice makes it no truer.
        """
        vouched = self.confirmed_at is not None or self.source_type in TRUSTED_SOURCE_TYPES
        return self.decay_rate == 0 or (vouched and not is_data_origin(self.origin))


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A node that is not stored yet: checked at the door, times in microseconds, no identity."""

    kind: str
    text: str
    event_at: int
    origin: str
    source_type: str
    attributes: Mapping[str, Any] = field(default_factory=dict)
    summary: str | None = None
    details: Any = None
    valid_from: int | None = None
    valid_until: int | None = None
    expires_at: int | None = None
    importance: int = 5
    confidence: float = 1.0
    decay_rate: float = 0.0
    role: str | None = None
    speaker: str | None = None
    session: str | None = None
    channel: str | None = None
    parent: int | None = None
    task_id: str | None = None
    tags: tuple[str, ...] = ()
    token_count: int = 0
    sensitive: bool = False
    audience: str = "private"
    key: bytes | None = None
    entities: tuple[int, ...] = ()


def is_data_origin(origin: str) -> bool:
    """Whether it is text that was merely found, nobody's word to us."""
    return origin in ("document", "import") or origin.startswith("tool:")


def kind_fields(kind: type[Node]) -> tuple[str, ...]:
    """The names of the fields that a kind adds to what all share."""
    if kind.kind not in _KIND_FIELDS:
        shared = {item.name for item in fields(Node)}
        _KIND_FIELDS[kind.kind] = tuple(item.name for item in fields(kind) if item.name not in shared)
    return _KIND_FIELDS[kind.kind]


_KIND_FIELDS: dict[str, tuple[str, ...]] = {}


# Checked fields of a kind: what is peculiar to it is validated once, when it is written.


AttributeCheck = Callable[[Any], Any]
"""Returns the value as it is stored, or raises ValueError with what was expected."""


def attribute(check: AttributeCheck, default: Any = None) -> Any:
    """A field of a kind, absent from the file while it has its default."""
    return field(default=default, metadata={"check": check})


def validate_attributes(kind: type[Node], given: Mapping[str, Any]) -> dict[str, Any]:
    """The attributes of a kind, checked, without those that say nothing beyond the default."""
    known = _attribute_fields(kind)
    kept: dict[str, Any] = {}
    for name, value in given.items():
        if name not in known:
            near = get_close_matches(name, known, n=1)
            hint = f"; did you mean {near[0]}?" if near else f"; it has {', '.join(known) or 'none of its own'}"
            raise InvalidInput(f"a {kind.kind} has no field {name!r}{hint}")
        if value is None:
            continue
        try:
            checked = known[name].metadata["check"](value)
        except ValueError as error:
            raise InvalidInput(f"{kind.kind}.{name}: {error}, got {shown(value)}") from error
        if checked != known[name].default:
            kept[name] = checked
    return kept


_ATTRIBUTE_FIELDS: dict[str, dict[str, Field[Any]]] = {}


def _attribute_fields(kind: type[Node]) -> dict[str, Field[Any]]:
    if kind.kind not in _ATTRIBUTE_FIELDS:
        own = kind_fields(kind)
        _ATTRIBUTE_FIELDS[kind.kind] = {item.name: item for item in fields(kind) if item.name in own}
    return _ATTRIBUTE_FIELDS[kind.kind]


def non_empty_text(value: Any) -> str:
    if not isinstance(value, str) or not value.strip() or "\x00" in value:
        raise ValueError("expected a non-empty text")
    value.encode()  # half a surrogate pair is a ValueError too
    return value


def one_of(*choices: str) -> AttributeCheck:
    def check(value: Any) -> str:
        if value not in choices:
            raise ValueError(f"expected one of {', '.join(choices)}")
        return str(value)

    return check


def boolean(value: Any) -> bool:
    if not isinstance(value, bool):
        raise ValueError("expected True or False")
    return value


def whole_number(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise ValueError("expected a whole number from 0")
    return value


def non_negative_number(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < math.inf:
        raise ValueError("expected a number from 0")
    return float(value)


def fraction(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise ValueError("expected a number from 0 to 1")
    return float(value)


def json_value(value: Any) -> Any:
    """Anything JSON can hold."""
    try:
        json.dumps(value, allow_nan=False, ensure_ascii=False).encode()
    except (TypeError, ValueError, RecursionError) as error:
        raise ValueError(f"expected something JSON can hold ({error})") from error
    return value


def json_list(value: Any) -> tuple[Any, ...]:
    if isinstance(value, str) or not isinstance(value, list | tuple):
        raise ValueError("expected a list")
    return tuple(json_value(list(value)))


def stated_value(said: Mapping[str, Any]) -> str:
    """What may change about a fact or preference: of "Ana is the user's partner" it is Ana."""
    value = said.get("object") or said.get("value") or ""
    return str(said.get("subject") or "") if value == "user" else str(value)
