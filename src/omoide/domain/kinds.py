"""The kinds of memory: one record class for each, grouped by layer (episodic, semantic, procedural)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any, ClassVar

from omoide.domain import importance
from omoide.domain.decay import NO_DECAY, TASTE_DECAY, Decay, decay_by_predicate, predicate_currency
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
from omoide.domain.slots import Currency
from omoide.errors import unknown_name

EPISODE_TYPES = ("conversation", "action", "event", "observation", "system")
EPISODE_OUTCOMES = ("success", "failure", "partial", "pending")
COMPRESSION_LEVELS = ("raw", "compressed", "distilled")
PREFERENCE_CATEGORIES = ("communication", "formatting", "workflow", "tools", "scheduling", "other")
FACT_FORMS = ("fact", "relation", "event", "plan")
PREFERENCE_FORMS = ("preference", "instruction")

# Labels under which `full_text` shows the attributes of a lesson.
_PATTERN_LABELS = {"conditions": "When", "correct_approach": "Works", "incorrect_approach": "Fails"}
_ANTIPATTERN_LABELS = {"what_fails": "Fails", "why": "Why", "prevention": "Prevention"}


# ── episodic ──


@dataclass(frozen=True, kw_only=True, repr=False)
class Episode(Node):
    """One turn, action, tool result or event. The trace of a task is an episode with the task attributes set."""

    kind: ClassVar[str] = "episode"
    initial_decay_rate: ClassVar[float | None] = 0.0  # what happened does not become less true

    type: str = attribute(one_of(*EPISODE_TYPES), "conversation")
    outcome: str | None = attribute(one_of(*EPISODE_OUTCOMES))
    compression: str = attribute(one_of(*COMPRESSION_LEVELS), "raw")
    states_preference: bool = attribute(boolean, False)  # it states a lasting preference or instruction

    agent: str | None = attribute(non_empty_text)
    task_type: str | None = attribute(non_empty_text)  # the kind of work; `type` is the episode's
    phase: str | None = attribute(non_empty_text)
    goal: str | None = attribute(non_empty_text)
    constraints: tuple[str, ...] = attribute(json_list, ())
    files_involved: tuple[str, ...] = attribute(json_list, ())
    duration_seconds: float | None = attribute(non_negative_number)
    action_log: tuple[Any, ...] = attribute(json_list, ())
    errors_encountered: tuple[Any, ...] = attribute(json_list, ())
    artifacts_produced: tuple[str, ...] = attribute(json_list, ())
    git_commit: str | None = attribute(non_empty_text)


@dataclass(frozen=True, kw_only=True, repr=False)
class Narrative(Node):
    """One sentence about the state of a session. Edges lead to the nodes it covers and to the previous narrative."""

    kind: ClassVar[str] = "narrative"
    initial_decay_rate: ClassVar[float | None] = 0.0

    topic: str | None = attribute(non_empty_text)


@dataclass(frozen=True, kw_only=True, repr=False)
class Handoff(Node):
    """Work passed from one agent to another."""

    kind: ClassVar[str] = "handoff"
    initial_decay_rate: ClassVar[float | None] = 0.0

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
        """Whether it is addressed to nobody, to this agent, or to a pattern that matches the agent (`qa-*`)."""
        return self.to_agent is None or fnmatchcase(agent, self.to_agent)


# ── semantic ──


@dataclass(frozen=True, kw_only=True, repr=False)
class Fact(Node):
    """A sentence in `text`, with subject, predicate and object where they are known."""

    kind: ClassVar[str] = "fact"

    subject: str | None = attribute(non_empty_text)
    predicate: str | None = attribute(non_empty_text)
    object: str | None = attribute(non_empty_text)
    form: str = attribute(one_of(*FACT_FORMS), "fact")
    matter: str | None = attribute(non_empty_text)  # what it is about, as a key of head words: "flight chennai"

    @property
    def is_structured(self) -> bool:
        return None not in (self.subject, self.predicate, self.object)

    @classmethod
    def decay_for(cls, rate: float, predicate: str | None) -> Decay:
        return decay_by_predicate(predicate, rate)

    @classmethod
    def currency_of(cls, predicate: str | None, form: str | None) -> Currency:
        if form == "event":
            return "permanent"  # it happened
        return "fast" if form == "plan" else predicate_currency(predicate)


@dataclass(frozen=True, kw_only=True, repr=False)
class Opinion(Node):
    """What somebody thinks of something."""

    kind: ClassVar[str] = "opinion"

    holder: str | None = attribute(non_empty_text)
    about: str | None = attribute(non_empty_text)


@dataclass(frozen=True, kw_only=True, repr=False)
class Note(Node):
    """Knowledge kept as a linked note."""

    kind: ClassVar[str] = "note"

    title: str | None = attribute(non_empty_text)
    category: str | None = attribute(non_empty_text)


@dataclass(frozen=True, kw_only=True, repr=False)
class _LabelledLesson(Node):
    """A lesson whose attributes are shown after its text, each under its label."""

    is_lesson: ClassVar[bool] = True
    labels: ClassVar[Mapping[str, str]]

    @property
    def full_text(self) -> str:
        return _with_labelled_fields(self.text, self.attributes, self.labels)

    @classmethod
    def search_texts(cls, text: str, attributes: Mapping[str, Any]) -> tuple[str, ...]:
        return tuple(value for _, value in _fields_not_in_text(text, attributes, cls.labels))


@dataclass(frozen=True, kw_only=True, repr=False)
class Pattern(_LabelledLesson):
    """What works, generalised from several task traces."""

    kind: ClassVar[str] = "pattern"
    labels = _PATTERN_LABELS
    counter_fields: ClassVar[tuple[str, ...]] = ("usage_count", "last_used")

    category: str | None = attribute(non_empty_text)
    conditions: tuple[str, ...] = attribute(json_list, ())
    correct_approach: str | None = attribute(non_empty_text)
    incorrect_approach: str | None = attribute(non_empty_text)
    usage_count: int = attribute(whole_number, 0)
    last_used: str | None = attribute(non_empty_text)


@dataclass(frozen=True, kw_only=True, repr=False)
class AntiPattern(_LabelledLesson):
    """What fails, why, and what prevents it."""

    kind: ClassVar[str] = "antipattern"
    labels = _ANTIPATTERN_LABELS

    what_fails: str | None = attribute(non_empty_text)
    why: str | None = attribute(non_empty_text)
    prevention: str | None = attribute(non_empty_text)
    category: str | None = attribute(non_empty_text)
    source: Any = attribute(non_empty_text)


def _with_labelled_fields(text: str, attributes: Mapping[str, Any], labels: Mapping[str, str]) -> str:
    """The text followed by `Label: value` for every attribute the text does not contain."""
    parts = [f"{label}: {value}" for label, value in _fields_not_in_text(text, attributes, labels)]
    if not parts:
        return text
    return " ".join(part if part.endswith((".", "!", "?")) else f"{part}." for part in (text, *parts))


def _fields_not_in_text(
    text: str, attributes: Mapping[str, Any], labels: Mapping[str, str]
) -> Iterator[tuple[str, str]]:
    flat_text = _flatten(text)
    for name, label in labels.items():
        value = attributes.get(name)
        several = value if isinstance(value, list | tuple) else [value] if value else []
        values = [" ".join(str(each).split()) for each in several]
        new = [each for each in values if _flatten(each) not in flat_text]
        if new:
            yield label, "; ".join(new)


def _flatten(text: str) -> str:
    return " ".join(text.casefold().split())


# ── procedural ──


class _LessonInSteps(Node):
    """A lesson that is carried out, with counts of how often it worked."""

    __slots__ = ()
    is_lesson: ClassVar[bool] = True

    @property
    def full_text(self) -> str:
        """`text: step → step`."""
        shown = [step_text(step) for step in self.attributes["steps"]]
        if all(" ".join(each.split()) in self.text for each in shown):  # as in the text of a skill file
            return self.text
        return f"{self.text}: {' → '.join(shown)}"

    def confidence_after(self, outcome: str) -> float:
        """The confidence once this outcome is counted."""
        return importance.confidence_after_outcome(self.confidence, outcome)

    def attributes_after(self, outcome: str, at: str) -> dict[str, Any]:
        """The attributes once this outcome is counted."""
        held = {name: value for name, value in self.attributes.items() if value not in (None, ())}
        counts = {"success": "success_count", "failure": "failure_count"}
        return held | {name: held[name] + (outcome == each) for each, name in counts.items()}


@dataclass(frozen=True, kw_only=True, repr=False)
class Procedure(_LessonInSteps):
    """Learned steps, with counts of how often they worked."""

    kind: ClassVar[str] = "procedure"
    counter_fields: ClassVar[tuple[str, ...]] = ("success_count", "failure_count", "last_used", "last_outcome")

    name: str | None = attribute(non_empty_text)
    trigger: str | None = attribute(non_empty_text)
    steps: tuple[Any, ...] = attribute(json_list, ())
    context: str | None = attribute(non_empty_text)
    success_count: int = attribute(whole_number, 0)
    failure_count: int = attribute(whole_number, 0)
    last_used: str | None = attribute(non_empty_text)
    last_outcome: str | None = attribute(one_of("success", "failure", "partial"))

    def attributes_after(self, outcome: str, at: str) -> dict[str, Any]:
        return _LessonInSteps.attributes_after(self, outcome, at) | {"last_used": at, "last_outcome": outcome}


@dataclass(frozen=True, kw_only=True, repr=False)
class Preference(Node):
    """What somebody likes or wants, identified by category and name. An instruction says how the agent should work."""

    kind: ClassVar[str] = "preference"
    counter_fields: ClassVar[tuple[str, ...]] = ("strength", "evidence_count")

    category: str = attribute(one_of(*PREFERENCE_CATEGORIES), "other")
    name: str | None = attribute(non_empty_text)
    value: Any = attribute(json_value)
    form: str = attribute(one_of(*PREFERENCE_FORMS), "preference")
    subject: str | None = attribute(non_empty_text)  # who wants it; None: the user
    scope: str | None = attribute(non_empty_text)  # where it applies: "commit messages"
    exceptions: tuple[str, ...] = attribute(json_list, ())  # where it does not: "throwaway scripts"
    strength: float = attribute(fraction, 0.5)
    evidence_count: int = attribute(whole_number, 1)

    @classmethod
    def decay_for(cls, rate: float, predicate: str | None) -> Decay:
        return TASTE_DECAY if rate else NO_DECAY

    def attributes_if_restated(self, value: Any, text: str, strength: float) -> dict[str, Any] | None:
        """The strengthened attributes if the same preference is stated again; None if a different one is stated."""
        if _as_list(value) != _as_list(self.value) or (self.value is None and self.text != text):
            return None
        return {
            **{name: held for name, held in self.attributes.items() if held is not None},
            "strength": importance.strengthen(max(self.strength, strength)),
            "evidence_count": self.evidence_count + 1,
        }


@dataclass(frozen=True, kw_only=True, repr=False)
class Skill(_LessonInSteps):
    """A reusable way of doing a kind of task."""

    kind: ClassVar[str] = "skill"
    counter_fields: ClassVar[tuple[str, ...]] = ("success_count", "failure_count")

    name: str | None = attribute(non_empty_text)
    prerequisites: tuple[str, ...] = attribute(json_list, ())
    steps: tuple[Any, ...] = attribute(json_list, ())
    common_errors: tuple[Any, ...] = attribute(json_list, ())
    exit_criteria: tuple[str, ...] = attribute(json_list, ())
    success_count: int = attribute(whole_number, 0)
    failure_count: int = attribute(whole_number, 0)


def _as_list(value: Any) -> Any:
    """A stored list is read back as a tuple; compare both as lists."""
    return list(value) if isinstance(value, tuple) else value


def step_text(step: Any) -> str:
    """A step in words. It is a string, or an object with an action and a detail."""
    return str(step.get("detail") or step.get("action") or step) if isinstance(step, Mapping) else str(step)


# ── registry ──

LAYERS: dict[str, tuple[type[Node], ...]] = {
    "episodic": (Episode, Narrative, Handoff),
    "semantic": (Fact, Opinion, Note, Pattern, AntiPattern),
    "procedural": (Procedure, Preference, Skill),
}
LESSONS: tuple[str, ...] = tuple(kind.kind for kinds in LAYERS.values() for kind in kinds if kind.is_lesson)
STATEMENT_KINDS = ("fact", "preference", "opinion", "procedure")  # what somebody states, compared when it is stored
KINDS: dict[str, type[Node]] = {kind.kind: kind for kinds in LAYERS.values() for kind in kinds}


def kind_of(name: str) -> type[Node]:
    """The record class of a kind. An unknown name raises InvalidInput with the nearest known one."""
    if isinstance(name, str) and name in KINDS:
        return KINDS[name]
    raise unknown_name("kind", name, KINDS)


def layer_of(kind: str) -> str:
    """episodic, semantic or procedural."""
    return next(layer for layer, kinds in LAYERS.items() if kind_of(kind) in kinds)
