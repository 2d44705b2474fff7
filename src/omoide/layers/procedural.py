"""How things are done: procedures, preferences and skills."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from omoide.layers import worth
from omoide.layers.attribute import attribute, count, document, items, one_of, share, words
from omoide.layers.decay import STEADY, TASTE, Decay
from omoide.layers.node import Node

PREFERENCE_CATEGORIES = ("communication", "formatting", "workflow", "tools", "scheduling", "other")


@dataclass(frozen=True, slots=True, kw_only=True)
class Procedure(Node):
    """Steps that were learned, and how often they worked."""

    kind: ClassVar[str] = "procedure"
    tallies: ClassVar[tuple[str, ...]] = ("success_count", "failure_count", "last_used", "last_outcome")

    name: str | None = attribute(words)
    trigger: str | None = attribute(words)
    steps: tuple[Any, ...] = attribute(items, ())
    context: str | None = attribute(words)
    success_count: int = attribute(count, 0)
    failure_count: int = attribute(count, 0)
    last_used: str | None = attribute(words)
    last_outcome: str | None = attribute(one_of("success", "failure", "partial"))

    @property
    def told(self) -> str:
        return _with_steps(self.text, self.steps)

    def after(self, outcome: str) -> float:
        """The confidence once this outcome is counted."""
        return worth.after_outcome(self.confidence, outcome)

    def counted(self, outcome: str, at: str) -> dict[str, Any]:
        """The fields once this outcome is counted."""
        return _told(self.attributes) | _one_more(self, outcome) | {"last_used": at, "last_outcome": outcome}


@dataclass(frozen=True, slots=True, kw_only=True)
class Preference(Node):
    """How the user wants things, by category and name (the seeds' `key`; ours is the key of an event)."""

    kind: ClassVar[str] = "preference"
    tallies: ClassVar[tuple[str, ...]] = ("strength", "evidence_count")

    category: str = attribute(one_of(*PREFERENCE_CATEGORIES), "other")
    name: str | None = attribute(words)
    value: Any = attribute(document)
    strength: float = attribute(share, 0.5)
    evidence_count: int = attribute(count, 1)

    @classmethod
    def ages(cls, rate: float, predicate: str | None) -> Decay:
        return TASTE if rate else STEADY

    def stated_again(self, value: Any, text: str, strength: float) -> dict[str, Any] | None:
        """Its fields once the same is stated again, which makes it stronger; None when something else is said now."""
        if _listed(value) != _listed(self.value) or (self.value is None and self.text != text):
            return None
        return {
            **{name: held for name, held in self.attributes.items() if held is not None},
            "strength": worth.strengthened(max(self.strength, strength)),
            "evidence_count": self.evidence_count + 1,
        }


def _listed(value: Any) -> Any:
    """A list that was stored comes back as a tuple; they say the same."""
    return list(value) if isinstance(value, tuple) else value


@dataclass(frozen=True, slots=True, kw_only=True)
class Skill(Node):
    """A reusable way of doing a kind of task (Loki's skill files)."""

    kind: ClassVar[str] = "skill"
    tallies: ClassVar[tuple[str, ...]] = ("success_count", "failure_count")

    name: str | None = attribute(words)
    prerequisites: tuple[str, ...] = attribute(items, ())
    steps: tuple[Any, ...] = attribute(items, ())
    common_errors: tuple[Any, ...] = attribute(items, ())
    exit_criteria: tuple[str, ...] = attribute(items, ())
    success_count: int = attribute(count, 0)
    failure_count: int = attribute(count, 0)

    @property
    def told(self) -> str:
        return _with_steps(self.text, self.steps)

    def after(self, outcome: str) -> float:
        """The confidence once this outcome is counted."""
        return worth.after_outcome(self.confidence, outcome)

    def counted(self, outcome: str, at: str) -> dict[str, Any]:
        """The fields once this outcome is counted."""
        return _told(self.attributes) | _one_more(self, outcome)


def _told(attributes: dict[str, Any]) -> dict[str, Any]:
    """The fields that say something, as they are stored."""
    return {name: value for name, value in attributes.items() if value not in (None, ())}


def _one_more(held: Procedure | Skill, outcome: str) -> dict[str, int]:
    return {
        "success_count": held.success_count + (outcome == "success"),
        "failure_count": held.failure_count + (outcome == "failure"),
    }


def _with_steps(text: str, steps: tuple[Any, ...]) -> str:
    """Kira-R: the name, then what to do in order. A step is a text, or has a detail or an action."""
    said = [
        str(step.get("detail") or step.get("action") or step) if isinstance(step, dict) else str(step) for step in steps
    ]
    if all(
        " ".join(each.split()) in text for each in said
    ):  # the text of a skill that was read from its file holds them
        return text
    return f"{text}: {' → '.join(said)}"
