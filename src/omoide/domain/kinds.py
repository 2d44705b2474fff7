"""What happened: episodes, narratives and handoffs, with Kira-L's importance and retention."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from fnmatch import fnmatchcase
from typing import Any, ClassVar

from omoide.domain import importance
from omoide.domain.decay import NO_DECAY, TASTE_DECAY, Decay, decay_by_predicate
from omoide.domain.node import (
    Node,
    attribute,
    boolean,
    fraction,
    json_list,
    json_value,
    non_empty_text,
    non_negative_number,
    one_of,
    whole_number,
)
from omoide.errors import InvalidInput

EPISODE_TYPES = ("conversation", "action", "event", "observation", "system")
EPISODE_OUTCOMES = ("success", "failure", "partial", "pending")
COMPRESSION_LEVELS = ("raw", "compressed", "distilled")

_IMPORTANT_WORDS = ("remember", "important", "never", "always")
_NOISE_PHRASES = ("ok", "thanks", "got it")
_EFFORT_CHARACTERS = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Episode(Node):
    """One turn, action, tool result or event; with Loki's fields when it is the trace of a task."""

    kind: ClassVar[str] = "episode"
    decay_rate_at_birth: ClassVar[float | None] = 0.0  # what happened does not become less true

    type: str = attribute(one_of(*EPISODE_TYPES), "conversation")
    outcome: str | None = attribute(one_of(*EPISODE_OUTCOMES))
    compression: str = attribute(one_of(*COMPRESSION_LEVELS), "raw")
    wish: bool = attribute(boolean, False)  # it states a lasting preference or instruction

    agent: str | None = attribute(non_empty_text)
    task_type: str | None = attribute(non_empty_text)  # what kind of work: Loki's task.type; `type` is the episode's
    phase: str | None = attribute(non_empty_text)
    goal: str | None = attribute(non_empty_text)
    constraints: tuple[str, ...] = attribute(json_list, ())
    files_involved: tuple[str, ...] = attribute(json_list, ())
    duration_seconds: float | None = attribute(non_negative_number)
    action_log: tuple[Any, ...] = attribute(json_list, ())
    errors_encountered: tuple[Any, ...] = attribute(json_list, ())
    artifacts_produced: tuple[str, ...] = attribute(json_list, ())
    git_commit: str | None = attribute(non_empty_text)


@dataclass(frozen=True, slots=True, kw_only=True)
class Narrative(Node):
    """One sentence about where things stand; edges lead to the nodes it connects and the narrative before it."""

    kind: ClassVar[str] = "narrative"
    decay_rate_at_birth: ClassVar[float | None] = 0.0

    topic: str | None = attribute(non_empty_text)


@dataclass(frozen=True, slots=True, kw_only=True)
class Handoff(Node):
    """Work passed from one agent to another, with Loki's fields."""

    kind: ClassVar[str] = "handoff"
    decay_rate_at_birth: ClassVar[float | None] = 0.0

    from_agent: str | None = attribute(non_empty_text)
    to_agent: str | None = attribute(non_empty_text)
    what_was_done: str | None = attribute(non_empty_text)
    artifacts: tuple[str, ...] = attribute(json_list, ())
    git_state: str | None = attribute(non_empty_text)
    needs_testing: tuple[str, ...] = attribute(json_list, ())
    known_issues: tuple[str, ...] = attribute(json_list, ())
    relevant_patterns: tuple[Any, ...] = attribute(json_list, ())
    accepted_at: str | None = attribute(non_empty_text)
    accepted_by: str | None = attribute(non_empty_text)

    def may_be_accepted_by(self, agent: str) -> bool:
        """Addressed to nobody in particular, to this agent, or to agents of such names (`qa-*`)."""
        return self.to_agent is None or fnmatchcase(agent, self.to_agent)


def classify_importance(
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
    if any(word in lowered for word in _IMPORTANT_WORDS):
        score += 2
    if role == "user" and (len(text) if length is None else length) > _EFFORT_CHARACTERS:
        score += 1
    if type == "system":
        score -= 2
    if lowered.strip(" .!\n\t") in _NOISE_PHRASES:
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


# What is known: facts, opinions, notes, patterns and anti-patterns.


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact(Node):
    """Subject, predicate, object where they are known; always a sentence in `text`."""

    kind: ClassVar[str] = "fact"

    subject: str | None = attribute(non_empty_text)
    predicate: str | None = attribute(non_empty_text)
    object: str | None = attribute(non_empty_text)

    @property
    def pinned(self) -> bool:
        return None not in (self.subject, self.predicate, self.object)

    @classmethod
    def ages(cls, rate: float, predicate: str | None) -> Decay:
        return decay_by_predicate(predicate, rate)


@dataclass(frozen=True, slots=True, kw_only=True)
class Opinion(Node):
    """A judgement that somebody holds."""

    kind: ClassVar[str] = "opinion"

    holder: str | None = attribute(non_empty_text)
    about: str | None = attribute(non_empty_text)


@dataclass(frozen=True, slots=True, kw_only=True)
class Note(Node):
    """Knowledge kept as a linked note."""

    kind: ClassVar[str] = "note"

    title: str | None = attribute(non_empty_text)
    category: str | None = attribute(non_empty_text)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pattern(Node):
    """What works, generalised from several traces (Loki)."""

    kind: ClassVar[str] = "pattern"
    tallies: ClassVar[tuple[str, ...]] = ("usage_count", "last_used")

    category: str | None = attribute(non_empty_text)
    conditions: tuple[str, ...] = attribute(json_list, ())
    correct_approach: str | None = attribute(non_empty_text)
    incorrect_approach: str | None = attribute(non_empty_text)
    usage_count: int = attribute(whole_number, 0)
    last_used: str | None = attribute(non_empty_text)

    @property
    def told(self) -> str:
        return _with_labelled_fields(self.text, self.attributes, _PATTERN_LABELS)

    @classmethod
    def sought(cls, text: str, attributes: Mapping[str, Any]) -> tuple[str, ...]:
        return tuple(said for _, said in _fields_not_in_text(text, attributes, _PATTERN_LABELS))


@dataclass(frozen=True, slots=True, kw_only=True)
class AntiPattern(Node):
    """What fails, why, and what prevents it (Loki)."""

    kind: ClassVar[str] = "antipattern"

    what_fails: str | None = attribute(non_empty_text)
    why: str | None = attribute(non_empty_text)
    prevention: str | None = attribute(non_empty_text)
    category: str | None = attribute(non_empty_text)
    source: Any = attribute(non_empty_text)

    @property
    def told(self) -> str:
        return _with_labelled_fields(self.text, self.attributes, _ANTIPATTERN_LABELS)

    @classmethod
    def sought(cls, text: str, attributes: Mapping[str, Any]) -> tuple[str, ...]:
        return tuple(said for _, said in _fields_not_in_text(text, attributes, _ANTIPATTERN_LABELS))


# What a lesson's fields say of what to do, by the words that learned ones are told in.
_PATTERN_LABELS = {"conditions": "When", "correct_approach": "Works", "incorrect_approach": "Fails"}
_ANTIPATTERN_LABELS = {"what_fails": "Fails", "why": "Why", "prevention": "Prevention"}


def _with_labelled_fields(text: str, attributes: Mapping[str, Any], labels: Mapping[str, str]) -> str:
    """The text, then what the fields say beyond it: a lesson that does not say what to do is none."""
    parts = [f"{label}: {said}" for label, said in _fields_not_in_text(text, attributes, labels)]
    if not parts:
        return text
    return " ".join(part if part.endswith((".", "!", "?")) else f"{part}." for part in (text, *parts))


def _fields_not_in_text(
    text: str, attributes: Mapping[str, Any], labels: Mapping[str, str]
) -> Iterator[tuple[str, str]]:
    held = _flatten(text)
    for name, label in labels.items():
        value = attributes.get(name)
        several = value if isinstance(value, list | tuple) else [value] if value else []
        said = [" ".join(str(each).split()) for each in several]
        new = [each for each in said if _flatten(each) not in held]
        if new:
            yield label, "; ".join(new)


def _flatten(text: str) -> str:
    return " ".join(text.casefold().split())


# How things are done: procedures, preferences and skills.


PREFERENCE_CATEGORIES = ("communication", "formatting", "workflow", "tools", "scheduling", "other")


@dataclass(frozen=True, slots=True, kw_only=True)
class Procedure(Node):
    """Steps that were learned, and how often they worked."""

    kind: ClassVar[str] = "procedure"
    tallies: ClassVar[tuple[str, ...]] = ("success_count", "failure_count", "last_used", "last_outcome")

    name: str | None = attribute(non_empty_text)
    trigger: str | None = attribute(non_empty_text)
    steps: tuple[Any, ...] = attribute(json_list, ())
    context: str | None = attribute(non_empty_text)
    success_count: int = attribute(whole_number, 0)
    failure_count: int = attribute(whole_number, 0)
    last_used: str | None = attribute(non_empty_text)
    last_outcome: str | None = attribute(one_of("success", "failure", "partial"))

    @property
    def told(self) -> str:
        return _with_steps(self.text, self.steps)

    def after(self, outcome: str) -> float:
        """The confidence once this outcome is counted."""
        return importance.confidence_after_outcome(self.confidence, outcome)

    def counted(self, outcome: str, at: str) -> dict[str, Any]:
        """The fields once this outcome is counted."""
        return _non_empty(self.attributes) | _outcome_counts(self, outcome) | {"last_used": at, "last_outcome": outcome}


@dataclass(frozen=True, slots=True, kw_only=True)
class Preference(Node):
    """How the user wants things, by category and name (the seeds' `key`; ours is the key of an event)."""

    kind: ClassVar[str] = "preference"
    tallies: ClassVar[tuple[str, ...]] = ("strength", "evidence_count")

    category: str = attribute(one_of(*PREFERENCE_CATEGORIES), "other")
    name: str | None = attribute(non_empty_text)
    value: Any = attribute(json_value)
    strength: float = attribute(fraction, 0.5)
    evidence_count: int = attribute(whole_number, 1)

    @classmethod
    def ages(cls, rate: float, predicate: str | None) -> Decay:
        return TASTE_DECAY if rate else NO_DECAY

    def stated_again(self, value: Any, text: str, strength: float) -> dict[str, Any] | None:
        """Its fields once the same is stated again, which makes it stronger; None when something else is said now."""
        if _as_list(value) != _as_list(self.value) or (self.value is None and self.text != text):
            return None
        return {
            **{name: held for name, held in self.attributes.items() if held is not None},
            "strength": importance.strengthen(max(self.strength, strength)),
            "evidence_count": self.evidence_count + 1,
        }


def _as_list(value: Any) -> Any:
    """A list that was stored comes back as a tuple; they say the same."""
    return list(value) if isinstance(value, tuple) else value


@dataclass(frozen=True, slots=True, kw_only=True)
class Skill(Node):
    """A reusable way of doing a kind of task (Loki's skill files)."""

    kind: ClassVar[str] = "skill"
    tallies: ClassVar[tuple[str, ...]] = ("success_count", "failure_count")

    name: str | None = attribute(non_empty_text)
    prerequisites: tuple[str, ...] = attribute(json_list, ())
    steps: tuple[Any, ...] = attribute(json_list, ())
    common_errors: tuple[Any, ...] = attribute(json_list, ())
    exit_criteria: tuple[str, ...] = attribute(json_list, ())
    success_count: int = attribute(whole_number, 0)
    failure_count: int = attribute(whole_number, 0)

    @property
    def told(self) -> str:
        return _with_steps(self.text, self.steps)

    def after(self, outcome: str) -> float:
        """The confidence once this outcome is counted."""
        return importance.confidence_after_outcome(self.confidence, outcome)

    def counted(self, outcome: str, at: str) -> dict[str, Any]:
        """The fields once this outcome is counted."""
        return _non_empty(self.attributes) | _outcome_counts(self, outcome)


def _non_empty(attributes: dict[str, Any]) -> dict[str, Any]:
    """The fields that say something, as they are stored."""
    return {name: value for name, value in attributes.items() if value not in (None, ())}


def _outcome_counts(held: Procedure | Skill, outcome: str) -> dict[str, int]:
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


# Which kinds there are, and the layer of memory that each belongs to.


LAYERS: dict[str, tuple[type[Node], ...]] = {
    "episodic": (Episode, Narrative, Handoff),
    "semantic": (Fact, Opinion, Note, Pattern, AntiPattern),
    "procedural": (Procedure, Preference, Skill),
}
KINDS: dict[str, type[Node]] = {kind.kind: kind for kinds in LAYERS.values() for kind in kinds}


def kind_of(name: str) -> type[Node]:
    """The record class of a kind; an unknown one is refused with the nearest name."""
    if isinstance(name, str) and name in KINDS:
        return KINDS[name]
    near = get_close_matches(str(name), KINDS, n=1)
    hint = f"did you mean {near[0]!r}?" if near else f"known kinds are {', '.join(KINDS)}"
    raise InvalidInput(f"unknown kind {name!r}; {hint}")


def layer_of(kind: str) -> str:
    """episodic, semantic or procedural."""
    return next(layer for layer, kinds in LAYERS.items() if kind_of(kind) in kinds)
