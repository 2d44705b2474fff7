"""What is known: facts, opinions, notes, patterns and anti-patterns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
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

    @property
    def told(self) -> str:
        return _with(self.text, self.attributes, _PATTERN)

    @classmethod
    def sought(cls, text: str, attributes: Mapping[str, Any]) -> tuple[str, ...]:
        return tuple(said for _, said in _unsaid(text, attributes, _PATTERN))


@dataclass(frozen=True, slots=True, kw_only=True)
class AntiPattern(Node):
    """What fails, why, and what prevents it (Loki)."""

    kind: ClassVar[str] = "antipattern"

    what_fails: str | None = attribute(words)
    why: str | None = attribute(words)
    prevention: str | None = attribute(words)
    category: str | None = attribute(words)
    source: Any = attribute(words)

    @property
    def told(self) -> str:
        return _with(self.text, self.attributes, _MISTAKE)

    @classmethod
    def sought(cls, text: str, attributes: Mapping[str, Any]) -> tuple[str, ...]:
        return tuple(said for _, said in _unsaid(text, attributes, _MISTAKE))


# What a lesson's fields say of what to do, by the words that learned ones are told in.
_PATTERN = {"conditions": "When", "correct_approach": "Works", "incorrect_approach": "Fails"}
_MISTAKE = {"what_fails": "Fails", "why": "Why", "prevention": "Prevention"}


def _with(text: str, attributes: Mapping[str, Any], labels: Mapping[str, str]) -> str:
    """The text, then what the fields say beyond it: a lesson that does not say what to do is none."""
    parts = [f"{label}: {said}" for label, said in _unsaid(text, attributes, labels)]
    if not parts:
        return text
    return " ".join(part if part.endswith((".", "!", "?")) else f"{part}." for part in (text, *parts))


def _unsaid(text: str, attributes: Mapping[str, Any], labels: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    held = _flat(text)
    for name, label in labels.items():
        value = attributes.get(name)
        several = value if isinstance(value, list | tuple) else [value] if value else []
        said = [" ".join(str(each).split()) for each in several]
        new = [each for each in said if _flat(each) not in held]
        if new:
            yield label, "; ".join(new)


def _flat(text: str) -> str:
    return " ".join(text.casefold().split())
