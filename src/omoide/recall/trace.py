"""The trace of a recall: what each stage did, how long it took, why a node was kept or dropped; and the reason of a
hit in words."""

from __future__ import annotations

import time
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Protocol

from omoide.domain import Node
from omoide.domain.entity import name_key
from omoide.recall.question import Query, contained_terms
from omoide.recall.scoring import FusedScore, ScoreFactor


class ScoredItem(Protocol):
    """A candidate, a fused score or a hit: anything with an id and a score."""

    @property
    def id(self) -> int: ...
    @property
    def score(self) -> float: ...


class StageNotes(list[str]):
    """The notes of a running stage; `output` is what it hands on."""

    output: Collection[ScoredItem] = ()


@dataclass(frozen=True, slots=True)
class TraceStep:
    """One stage: its name, what it did, how long it took, what it handed on."""

    stage: str
    note: str
    milliseconds: float
    output: Collection[ScoredItem] = field(default=(), repr=False, compare=False)

    @property
    def candidates(self) -> list[tuple[int, float]]:
        """(node, score) of everything that the stage handed on, best first. Sorted on demand."""
        found = [(each.id, each.score) for each in self.output]
        return found if isinstance(self.output, Sequence) else sorted(found, key=lambda each: (-each[1], each[0]))

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

    @contextmanager
    def stage(self, name: str) -> Iterator[StageNotes]:
        """Time a stage and record what it appends to the notes."""
        notes = StageNotes()
        start = time.perf_counter()
        yield notes
        self.steps.append(TraceStep(name, "; ".join(notes), 1000 * (time.perf_counter() - start), notes.output))

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

    def explain_node(self, id: int) -> list[str]:
        """What happened to a node, a line for each stage, and at the end why it is not among the hits, if so."""
        lines, last = [], None
        for step in self.steps:
            place = step.place(id)
            if place is not None:
                last = step.stage
                lines.append(f"{step.stage}: {ordinal(place[0])} of {len(step.output)}, score {place[1]:.3g}")
            elif step.output:
                lines.append(f"{step.stage}: not found")
        if id in self.dropped:
            lines.append(f"dropped: {self.dropped[id]}")
        elif last is None:
            lines.append("no search found it")
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

_RANKED_ARMS = ("keyword", "vector", "late")  # arms whose rank is part of the reason
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


def explain_hit(query: Query, node: Node, fused: FusedScore, factors: tuple[ScoreFactor, ...]) -> str:
    """Why a node was found, for example `words deploy, vercel (1st) · meaning 0.62 (3rd) · found useful before`."""
    parts = [] if fused.id == node.id else [f"replaces [id:{fused.id}], which was found"]
    parts += [_arm_reason(query, node, *reason) for reason in fused.reasons]
    parts += [str(typo) for typo in query.typos if f" {name_key(typo.name)} " in f" {name_key(node.text)} "]
    notable = [each for each in factors if each.name != "agent" and abs(each.value - 1) >= _NOTABLE]
    parts += [_FACTOR_REASONS.get(each.name, (each.name,) * 2)[each.value <= 1] for each in notable]
    parts += [node.state] if node.state in ("archived", "expired") else []
    return " · ".join(parts)


def _arm_reason(query: Query, node: Node, arm: str, rank: int, words: str) -> str:
    if arm not in _RANKED_ARMS:
        return words
    if arm == "keyword":
        shared = contained_terms(query.terms, " ".join((node.text, node.speaker or "", *node.tags)))[:6]
        words = f"words {', '.join(shared)}" if shared else "its words"
    return f"{words} ({ordinal(rank)})"
