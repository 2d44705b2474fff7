"""What recall returns: hits with their reasons (`Hit.why`), and the trace, which says what each stage did
with every node and why it was dropped (`RecallTrace.explain_node`). Also a cache of recent results."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from shutil import get_terminal_size
from typing import Protocol

import numpy as np

from omoide.clock import to_micros
from omoide.domain import Node
from omoide.domain.changed import changed
from omoide.domain.entity import name_key
from omoide.domain.quotation import redaction_note
from omoide.language.text import shorten
from omoide.recall.candidates import ArmResult, Reason
from omoide.recall.question import NoEmbedding, Query, RecallQuestion, contained_terms
from omoide.recall.scoring import ScoreFactor
from omoide.store.search.node_columns import ScoredNodes

_MAX_PRINTED = 18  # hits; with the title and the last line they fit a screen


@dataclass(frozen=True, slots=True, repr=False)
class Hit:
    """A recalled memory, its score and the reason in words."""

    node: Node
    score: float
    why: str
    arms: tuple[str, ...]
    confidence: float = 1.0  # effective confidence at the time of asking
    probability: float | None = None  # of being relevant; None if it was not judged

    def judged(self, probability: float) -> Hit:
        return Hit(self.node, self.score, self.why, self.arms, self.confidence, probability)

    @property
    def id(self) -> int:
        return self.node.id

    @property
    def kind(self) -> str:
        return self.node.kind

    @property
    def text(self) -> str:
        return self.node.text

    @property
    def archived(self) -> bool:
        """Whether it is archived: its text is stored compressed."""
        return self.node.state == "archived"

    def __repr__(self) -> str:
        return f"Hit({self.id}, {self.kind}, {self.score:.3g}, {shorten(' '.join(self.text.split()), 60)!r})"


@dataclass(frozen=True, slots=True, repr=False)
class Recall:
    """The result of a recall: hits, best first, possibly none. `print(recall)` shows one line for each hit."""

    query: Query  # the question as it was understood
    hits: tuple[Hit, ...]
    trace: RecallTrace
    probability: float | None = None  # that the best hit is relevant; if it is low, there are no hits
    answered: float | None = None  # that the hits answer the question; None if it was not judged
    earlier: Mapping[int, int] = field(default_factory=dict)  # hit → the newer hit of the same matter
    why_not: Mapping[int, list[str]] = field(default_factory=dict)  # what happened to each memory that was asked about

    @property
    def question(self) -> str:
        return self.query.question.text

    @property
    def texts(self) -> list[str]:
        return [hit.text for hit in self.hits]

    @property
    def note(self) -> str:
        """Which secrets were redacted in the hits before they were stored, and how to allow them; mostly empty."""
        return redaction_note("\n".join(self.texts))

    def __iter__(self) -> Iterator[Hit]:
        return iter(self.hits)

    def __len__(self) -> int:
        return len(self.hits)

    def __getitem__(self, index: int) -> Hit:
        return self.hits[index]

    def __repr__(self) -> str:
        return f"Recall({shorten(self.question, 60)!r}, {len(self)} hits)"

    def __str__(self) -> str:
        width = max(40, get_terminal_size((100, 24)).columns)
        count = {0: "no hits", 1: "1 hit"}.get(len(self), f"{len(self)} hits")
        lines = [f"{count} for {self.question!r}"]
        lines += [f"[id:{hit.id}] {hit.kind} {hit.score:.2f}  {hit.text}" for hit in self.hits[:_MAX_PRINTED]]
        if len(self) > _MAX_PRINTED:
            lines.append(f"… and {len(self) - _MAX_PRINTED} more")
        return "\n".join(shorten(" ".join(line.split()), width) for line in lines)


def hits_in_order(hits: Sequence[Hit]) -> ArmResult:
    """Hits as the output of a stage."""
    ids, scores = np.array([hit.id for hit in hits], np.int64), np.array([hit.score for hit in hits], np.float64)
    return ArmResult("hits", ScoredNodes(ids, scores), lambda place: hits[place].why)


# ── trace ────────────────────────────────────────────────────────────────────────────────────────────────────────────


class StageOutput(Protocol):
    """What a stage hands on: the candidates of an arm, all candidates, or hits."""

    def __len__(self) -> int: ...
    def in_order(self) -> ScoredNodes: ...


class StageNotes(list[str]):
    """The notes of a running stage; `output` is what it hands on. When it ends without an error, it is recorded."""

    output: StageOutput | None = None

    def __init__(self, stage: str, steps: list[TraceStep]) -> None:
        self._stage, self._steps, self._start = stage, steps, time.perf_counter()

    def __enter__(self) -> StageNotes:
        return self

    def __exit__(self, error: type[BaseException] | None, *_: object) -> None:
        if error is None:
            elapsed = 1000 * (time.perf_counter() - self._start)
            self._steps.append(TraceStep(self._stage, "; ".join(self), elapsed, self.output))


@dataclass(slots=True)
class TraceStep:
    """One stage: its name, what it did, how long it took, what it handed on."""

    stage: str
    note: str
    milliseconds: float
    output: StageOutput | None = field(default=None, repr=False, compare=False)

    @property
    def candidates(self) -> list[tuple[int, float]]:
        """(node, score) of everything that the stage handed on, best first. Sorted on demand."""
        return [] if self.output is None else list(self.output.in_order())

    def place(self, id: int) -> tuple[int, float] | None:
        """The rank (from 1) and the score of a node after this stage."""
        for rank, (found, score) in enumerate(self.candidates, start=1):
            if found == id:
                return rank, score
        return None


@dataclass(slots=True)
class RecallTrace:
    """Filled while a question is answered. `print(trace)` shows a line for each stage."""

    steps: list[TraceStep] = field(default_factory=list)
    dropped: dict[int, str] = field(default_factory=dict)

    def stage(self, name: str) -> StageNotes:
        """Time a stage and record what it appends to the notes."""
        return StageNotes(name, self.steps)

    def copy(self) -> RecallTrace:
        return RecallTrace(list(self.steps), dict(self.dropped))

    @property
    def milliseconds(self) -> float:
        return sum(step.milliseconds for step in self.steps)

    @property
    def considered(self) -> list[int]:
        """Every node that any stage handed on; those that got furthest and ranked highest first."""
        seen: dict[int, None] = {}
        for step in reversed(self.steps):
            seen |= dict.fromkeys(id for id, _ in step.candidates)
        return list(seen)

    def explain_node(self, id: int, refusal: str | None = None) -> list[str]:
        """What happened to a node, a line for each stage, and at the end why it is not among the hits, if so.

        `refusal` says why the filter refuses the node; empty if it does not.
        """
        lines, last = [], None
        for step in self.steps:
            place = step.place(id)
            if place is not None:
                last = step.stage
                lines.append(f"{step.stage}: {ordinal(place[0])} of {len(step.candidates)}, score {place[1]:.3g}")
            elif step.output:
                lines.append(f"{step.stage}: not found")
        if refusal:
            lines.append(f"left out: {refusal}")
        elif id in self.dropped:
            lines.append(f"dropped: {self.dropped[id]}")
        elif last is None:
            filtered = f", or a filter left it out: recall(…, why_not=[{id}]) says which"
            lines.append("no search found it" + (filtered if refusal is None else ""))
        elif last not in ("rank", "rerank") and any(step.stage == "rank" for step in self.steps):
            lines.append("dropped: its score was too low to be read")
        return lines

    def __repr__(self) -> str:
        return f"RecallTrace({len(self.steps)} stages, {len(self.dropped)} dropped, {self.milliseconds:.1f} ms)"

    def __str__(self) -> str:
        lines = [f"{step.stage:13} {step.milliseconds:7.2f} ms  {step.note}" for step in self.steps]
        lines += [f"dropped [id:{id}]: {reason}" for id, reason in self.dropped.items()]
        return "\n".join(lines)


def ordinal(rank: int) -> str:
    """1st, 2nd, 3rd, 4th."""
    ending = "th" if 10 <= rank % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(rank % 10, "th")
    return f"{rank}{ending}"


def describe_query(query: Query) -> str:
    """What was understood of a question, for the trace."""
    found = [f"words {', '.join(query.terms) or 'none'}"]
    if query.phrases:
        found.append(f"phrases {', '.join(query.phrases)}")
    if query.entities:
        found.append(f"{len(query.entities)} entities")
    found += [str(typo) for typo in query.typos]
    if query.when is not None:
        found.append("time " + ", ".join(clue.phrase.text for clue in query.when.clues))
    found.append(f"intent: {query.intent}")
    found.append(f"complexity: {query.complexity}")
    if query.speaker is not None:
        found.append(f"said by: {query.speaker}")
    if query.recall_cue is not None:
        found.append(f"asks to remember: {query.recall_cue!r}")
    return " · ".join(found)


# ── the reason of a hit ───────────────────────────────────────────────────────────────────────────────────────────

_RANKED_ARMS = ("keyword", "vector", "late_interaction")  # arms whose rank is part of the reason
_NOTABLE = 0.05  # a factor that changes the score by less is not mentioned
# Factor → reason where it raises the score, reason where it lowers it.
_FACTOR_REASONS = {
    "time": ("in the time asked for", ""),
    "first": ("among the first", "among the first"),
    "latest": ("among the latest", "among the latest"),
    "speaker": ("said by whom it names", ""),
    "myself": ("said by yourself", ""),
    "confidence": ("not sure", "not sure"),
    "reinforcement": ("found useful before", "found unhelpful before"),
    "outcome": ("tasks that used it went well", "tasks that used it went badly"),
    "outdated": ("", "outdated summary"),
    "importance": ("important", "minor"),
    "recency": ("recent", "recency"),
}


def explain_hit(query: Query, node: Node, reasons: Sequence[Reason], factors: tuple[ScoreFactor, ...]) -> str:
    """Why a node was found, for example `words deploy, vercel (1st) · meaning 0.62 (3rd) · found useful before`."""
    parts = [_arm_reason(query, node, *reason) for reason in reasons]
    parts += [str(typo) for typo in query.typos if f" {name_key(typo.name)} " in f" {name_key(node.text)} "]
    notable = [each for each in factors if each.name != "agent" and abs(each.value - 1) >= _NOTABLE]
    parts += [_FACTOR_REASONS.get(each.name, (each.name,) * 2)[each.value <= 1] for each in notable]
    parts += [node.state] if node.state == "archived" else []
    return " · ".join(parts)


def _arm_reason(query: Query, node: Node, arm: str, rank: int, words: str) -> str:
    if arm not in _RANKED_ARMS:
        return words
    if arm == "keyword":
        shared = contained_terms(query.terms, " ".join((node.text, node.speaker or "", *node.tags)))[:6]
        words = f"words {', '.join(shared)}" if shared else "its words"
    return f"{words} ({ordinal(rank)})"


# ── cache ─────────────────────────────────────────────────────────────────────────────────────────────────────────

_MAX_CACHED = 100
_LIFETIME = timedelta(seconds=60)  # scores that depend on the time of asking hardly change within it


@dataclass(frozen=True, slots=True)
class _Cached:
    found: Recall
    state: Hashable
    since: datetime
    until: datetime

    def is_valid(self, at: datetime, next_end: Callable[[int], int | None]) -> bool:
        if not self.since <= at <= self.until:
            return False
        end = next_end(to_micros(self.since))
        return end is None or at == self.since or to_micros(at) < end


class RecallCache:
    """The most recently used results. Thread-safe.

    A result is stored with the state of the file it was read from. Any write, also by another process, changes that
    state, so a cached result is never older than the file.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._cached: OrderedDict[Hashable, _Cached] = OrderedDict()

    def __len__(self) -> int:
        return len(self._cached)

    def get(self, question: RecallQuestion, state: Hashable, next_end: Callable[[int], int | None]) -> Recall | None:
        """The cached result, if nothing was written since and it is still valid at the time of asking.

        `next_end` tells when the next fact ends after a time.
        """
        key = _cache_key(question)
        with self._lock:
            cached = self._cached.get(key)
            if cached is None or cached.state != state or not cached.is_valid(question.at, next_end):
                self._cached.pop(key, None)  # its texts may have been erased by another process
                return None
            self._cached.move_to_end(key)
        age = (question.at - cached.since).total_seconds()
        trace = cached.found.trace.copy()
        trace.steps.append(TraceStep("cache", f"answered {age:.0f} s ago, nothing was written since", 0.0))
        return replace(cached.found, trace=trace)

    def put(self, question: RecallQuestion, found: Recall, state: Hashable) -> None:
        """Store a result for a minute, or until the next fact ends.

        A question that names a time ("five minutes ago") is valid only for the same moment of asking. A result
        without an embedding because the embedder failed is not stored.
        """
        if isinstance(found.query.embedding, NoEmbedding) and found.query.embedding.failed:
            return
        until = question.at if found.query.when is not None else question.at + _LIFETIME
        key, own = _cache_key(question), replace(found, trace=found.trace.copy())  # the caller may extend its trace
        with self._lock:
            self._cached[key] = _Cached(own, state, question.at, until)
            self._cached.move_to_end(key)
            while len(self._cached) > _MAX_CACHED:
                self._cached.popitem(last=False)


def _cache_key(question: RecallQuestion) -> Hashable:
    """Everything except the time of asking (`valid_at` follows it)."""
    filter = changed(question.filter, valid_at=None)
    return question.text, question.limit, filter, question.recipe.name, question.at.tzinfo
