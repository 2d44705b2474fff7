"""What is known: facts, opinions, notes, patterns and anti-patterns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from omoide.layers.attribute import attribute, count, items, words
from omoide.layers.decay import Decay, by_predicate
from omoide.layers.node import Node


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact(Node):
    """Subject, predicate, object where they are known; always a sentence in `text`."""

    kind: ClassVar[str] = "fact"

    subject: str | None = attribute(words)
    predicate: str | None = attribute(words)
    object: str | None = attribute(words)

    @property
    def pinned(self) -> bool:
        return None not in (self.subject, self.predicate, self.object)

    @classmethod
    def ages(cls, rate: float, predicate: str | None) -> Decay:
        return by_predicate(predicate, rate)


@dataclass(frozen=True, slots=True, kw_only=True)
class Opinion(Node):
    """A judgement that somebody holds."""

    kind: ClassVar[str] = "opinion"

    holder: str | None = attribute(words)
    about: str | None = attribute(words)


@dataclass(frozen=True, slots=True, kw_only=True)
class Note(Node):
    """Knowledge kept as a linked note."""

    kind: ClassVar[str] = "note"

    title: str | None = attribute(words)
    category: str | None = attribute(words)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pattern(Node):
    """What works, generalised from several traces (Loki)."""

    kind: ClassVar[str] = "pattern"
    tallies: ClassVar[tuple[str, ...]] = ("usage_count", "last_used")

    category: str | None = attribute(words)
    conditions: tuple[str, ...] = attribute(items, ())
    correct_approach: str | None = attribute(words)
    incorrect_approach: str | None = attribute(words)
    usage_count: int = attribute(count, 0)
    last_used: str | None = attribute(words)


@dataclass(frozen=True, slots=True, kw_only=True)
class AntiPattern(Node):
    """What fails, why, and what prevents it (Loki)."""

    kind: ClassVar[str] = "antipattern"

    what_fails: str | None = attribute(words)
    why: str | None = attribute(words)
    prevention: str | None = attribute(words)
    category: str | None = attribute(words)
    source: Any = attribute(words)
