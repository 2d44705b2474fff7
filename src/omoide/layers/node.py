"""The record that every kind of memory shares, and the draft it begins as."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from datetime import datetime
from typing import Any, ClassVar, Literal

from omoide.clock import micros
from omoide.layers.decay import Decay, Held, by_rate

VOUCHED_SOURCES = ("stated", "corrected")

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
        return {name: getattr(self, name) for name in own_fields(type(self))}

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
        return by_rate(rate)

    @property
    def decay(self) -> Decay:
        return self.ages(self.decay_rate, getattr(self, "predicate", None))

    def effective_confidence(self, now: datetime) -> float:
        """What is left of the confidence today: a closed form from the last confirmation or access."""
        held = Held(
            confidence=self.confidence,
            recorded_at=micros(self.recorded_at),
            confirmed_at=None if self.confirmed_at is None else micros(self.confirmed_at),
            accessed_at=None if self.last_accessed_at is None else micros(self.last_accessed_at),
            accesses=self.access_count,
        )
        return self.decay.left(held, micros(now))

    @property
    def protected(self) -> bool:
        """Whether neither time nor a full file may take it out of use before all others: a person stands behind it.

        What a tool, a document or an import says is data: saying it twice makes it no truer.
        """
        vouched = self.confirmed_at is not None or self.source_type in VOUCHED_SOURCES
        return self.decay_rate == 0 or (vouched and not is_data(self.origin))


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


def is_data(origin: str) -> bool:
    """Whether it is text that was merely found, nobody's word to us."""
    return origin in ("document", "import") or origin.startswith("tool:")


def own_fields(kind: type[Node]) -> tuple[str, ...]:
    """The names of the fields that a kind adds to what all share."""
    if kind.kind not in _OWN:
        shared = {item.name for item in fields(Node)}
        _OWN[kind.kind] = tuple(item.name for item in fields(kind) if item.name not in shared)
    return _OWN[kind.kind]


_OWN: dict[str, tuple[str, ...]] = {}
