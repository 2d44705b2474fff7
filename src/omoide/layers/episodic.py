"""What happened: episodes, narratives and handoffs, with Kira-L's importance and retention."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any, ClassVar

from omoide.layers.attribute import attribute, flag, items, number, one_of, words
from omoide.layers.node import Node

EPISODE_TYPES = ("conversation", "action", "event", "observation", "system")
OUTCOMES = ("success", "failure", "partial", "pending")
COMPRESSIONS = ("raw", "compressed", "distilled")

_WEIGHTY = ("remember", "important", "never", "always")
_NOISE = ("ok", "thanks", "got it")
_EFFORT_CHARACTERS = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Episode(Node):
    """One turn, action, tool result or event; with Loki's fields when it is the trace of a task."""

    kind: ClassVar[str] = "episode"
    decay_rate_at_birth: ClassVar[float | None] = 0.0  # what happened does not become less true

    type: str = attribute(one_of(*EPISODE_TYPES), "conversation")
    outcome: str | None = attribute(one_of(*OUTCOMES))
    compression: str = attribute(one_of(*COMPRESSIONS), "raw")
    wish: bool = attribute(flag, False)  # it states a lasting preference or instruction

    agent: str | None = attribute(words)
    task_type: str | None = attribute(words)  # what kind of work: Loki's task.type; `type` is the episode's
    phase: str | None = attribute(words)
    goal: str | None = attribute(words)
    constraints: tuple[str, ...] = attribute(items, ())
    files_involved: tuple[str, ...] = attribute(items, ())
    duration_seconds: float | None = attribute(number)
    action_log: tuple[Any, ...] = attribute(items, ())
    errors_encountered: tuple[Any, ...] = attribute(items, ())
    artifacts_produced: tuple[str, ...] = attribute(items, ())
    git_commit: str | None = attribute(words)


@dataclass(frozen=True, slots=True, kw_only=True)
class Narrative(Node):
    """One sentence about where things stand; edges lead to the nodes it connects and the narrative before it."""

    kind: ClassVar[str] = "narrative"
    decay_rate_at_birth: ClassVar[float | None] = 0.0

    topic: str | None = attribute(words)


@dataclass(frozen=True, slots=True, kw_only=True)
class Handoff(Node):
    """Work passed from one agent to another, with Loki's fields."""

    kind: ClassVar[str] = "handoff"
    decay_rate_at_birth: ClassVar[float | None] = 0.0

    from_agent: str | None = attribute(words)
    to_agent: str | None = attribute(words)
    what_was_done: str | None = attribute(words)
    artifacts: tuple[str, ...] = attribute(items, ())
    git_state: str | None = attribute(words)
    needs_testing: tuple[str, ...] = attribute(items, ())
    known_issues: tuple[str, ...] = attribute(items, ())
    relevant_patterns: tuple[Any, ...] = attribute(items, ())
    accepted_at: str | None = attribute(words)
    accepted_by: str | None = attribute(words)

    def may_be_accepted_by(self, agent: str) -> bool:
        """Addressed to nobody in particular, to this agent, or to agents of such names (`qa-*`)."""
        return self.to_agent is None or fnmatchcase(agent, self.to_agent)


def importance(
    text: str,
    *,
    type: str = "conversation",
    role: str | None = None,
    outcome: str | None = None,
    tags: Collection[str] = (),
    length: int | None = None,
) -> int:
    """Kira-L's classifier, 1 to 10: corrections, weighty words, failures and effort raise; noise lowers."""
    lowered = text.lower()
    score = 5
    if type == "conversation" and "correction" in tags:
        score += 2
    if outcome == "failure":
        score += 1
    if any(word in lowered for word in _WEIGHTY):
        score += 2
    if role == "user" and (len(text) if length is None else length) > _EFFORT_CHARACTERS:
        score += 1
    if type == "system":
        score -= 2
    if lowered.strip(" .!\n\t") in _NOISE:
        score -= 3
    return max(1, min(10, score))


@dataclass(frozen=True, slots=True)
class Retention:
    """Kira-L's table: how many days an episode stays in its form, or None for ever."""

    raw_days: int = 7
    raw_important_days: int = 30
    compressed_days: int = 90

    def days(self, compression: str, importance: int) -> int | None:
        match compression:
            case "raw":
                return self.raw_important_days if importance >= 8 else self.raw_days
            case "compressed":
                return None if importance >= 6 else self.compressed_days
            case _:
                return None
