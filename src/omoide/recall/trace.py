"""Why each candidate was kept or dropped, stage by stage, and how long each stage took."""

from __future__ import annotations

import time
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Protocol

from omoide.domain import Node
from omoide.domain.entity import name_key
from omoide.recall.question import Query
from omoide.recall.scoring import FusedScore, ScoreFactor


class ScoredItem(Protocol):
    """A candidate, a fused node, a hit: whatever has an id and a score."""

    @property
    def id(self) -> int: ...
    @property
    def score(self) -> float: ...


class StageNotes(list[str]):
    """What a stage says of itself while it works; `leaves` is what it hands on."""

    leaves: Collection[ScoredItem] = ()


@dataclass(frozen=True, slots=True)
class TraceStep:
    """One stage: its name, what it did in words, how long it took, what it handed on."""

    stage: str
    note: str
    milliseconds: float
    leaves: Collection[ScoredItem] = field(default=(), repr=False, compare=False)

    @property
    def candidates(self) -> list[tuple[int, float]]:
        """(node, score) of all that the stage handed on, best first. Put in order when somebody asks, not before."""
        found = [(each.id, each.score) for each in self.leaves]
        return found if isinstance(self.leaves, Sequence) else sorted(found, key=lambda each: (-each[1], each[0]))

    def place(self, id: int) -> tuple[int, float] | None:
        """Where a node stood after this stage: its rank from 1, and its score."""
        for rank, (found, score) in enumerate(self.candidates, start=1):
            if found == id:
                return rank, score
        return None


@dataclass(slots=True)
class RecallTrace:
    """Filled while a question is answered; read by whoever asks why."""

    steps: list[TraceStep] = field(default_factory=list)
    dropped: dict[int, str] = field(default_factory=dict)

    @contextmanager
    def stage(self, name: str) -> Iterator[StageNotes]:
        """Times a stage; what it appends is its note."""
        notes = StageNotes()
        start = time.perf_counter()
        yield notes
        self.steps.append(TraceStep(name, "; ".join(notes), 1000 * (time.perf_counter() - start), notes.leaves))

    def copy(self) -> RecallTrace:
        return RecallTrace(list(self.steps), dict(self.dropped))

    @property
    def milliseconds(self) -> float:
        return sum(step.milliseconds for step in self.steps)

    @property
    def considered(self) -> list[int]:
        """Every node that any stage handed on, those that came furthest and stood highest first."""
        seen: dict[int, None] = {}
        for step in reversed(self.steps):
            seen |= dict.fromkeys(id for id, _ in step.candidates)
        return list(seen)

    def fate(self, id: int) -> list[str]:
        """What became of a node, a line a stage, and in the end why it is not among the hits, if it is not."""
        lines, last = [], None
        for step in self.steps:
            place = step.place(id)
            if place is not None:
                last = step.stage
                lines.append(f"{step.stage}: {ordinal(place[0])} of {len(step.leaves)}, score {place[1]:.3g}")
            elif step.leaves:
                lines.append(f"{step.stage}: not there")
        if id in self.dropped:
            lines.append(f"dropped: {self.dropped[id]}")
        elif last is None:
            lines.append("no search found it")
        elif last not in ("rank", "rerank") and any(step.stage == "rank" for step in self.steps):
            lines.append("dropped: too far behind the best to be read")
        return lines

    def __str__(self) -> str:
        lines = [f"{step.stage:12} {step.milliseconds:7.2f} ms  {step.note}" for step in self.steps]
        lines += [f"dropped [id:{id}]: {reason}" for id, reason in self.dropped.items()]
        return "\n".join(lines)


def ordinal(rank: int) -> str:
    """1st, 2nd, 3rd, 4th."""
    ending = "th" if 10 <= rank % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(rank % 10, "th")
    return f"{rank}{ending}"


# A hit's reason in words that a person reads.


_RANKED_ARMS = ("keyword", "vector", "late")  # arms whose place says something; the others' words say all
_NOTABLE = 0.05  # a multiplier that moves less is not worth a word


def explain_hit(query: Query, node: Node, fused: FusedScore, factors: tuple[ScoreFactor, ...]) -> str:
    """For example: `words deploy, vercel (1st) · meaning 0.62 (3rd) · confirmed often`."""
    replaced = fused.id != node.id
    parts = [f"replaces [id:{fused.id}], which was found"] if replaced else []
    parts += [_arm_reason(query, node, *given) for given in fused.given]
    parts += [str(slip) for slip in query.slips if f" {name_key(slip.name)} " in f" {name_key(node.text)} "]
    parts += [_factor_reason(factor) for factor in factors if _is_notable(factor)]
    parts += [node.state] if node.state in ("archived", "expired") else []
    return " · ".join(parts)


def describe_query(query: Query) -> list[str]:
    """What was understood of a question, for the trace."""
    found = [f"words {', '.join(query.terms) or 'none'}"]
    if query.phrases:
        found.append(f"phrases {', '.join(query.phrases)}")
    if query.entities:
        found.append(f"{len(query.entities)} entities")
    found += [str(slip) for slip in query.slips]
    if query.when is not None:
        found.append("time " + ", ".join(clue.phrase.text for clue in query.when.clues))
    found.append(f"intent: {query.intent}")
    found.append(f"complexity: {query.complexity}")
    if query.speaker is not None:
        found.append(f"said by: {query.speaker}")
    if query.explicit is not None:
        found.append(f"asks to remember: {query.explicit!r}")
    return [" · ".join(found)]


def _is_notable(factor: ScoreFactor) -> bool:
    """A small move is not worth a word, and who said a turn is seen on it."""
    return factor.name != "agent" and abs(factor.value - 1) >= _NOTABLE


def _arm_reason(query: Query, node: Node, arm: str, rank: int, words: str) -> str:
    if arm not in _RANKED_ARMS:
        return words
    if arm == "keyword":
        shared = _shared_words(query, node)
        words = f"words {', '.join(shared)}" if shared else "its words"
    return f"{words} ({ordinal(rank)})"


def _shared_words(query: Query, node: Node) -> list[str]:
    """The words of the question that a reader will see in the hit, give or take an ending."""
    text = " ".join((node.text, node.speaker or "", *node.tags)).casefold()
    return [term for term in query.terms if term.casefold()[: max(3, len(term) - 2)] in text][:6]


def _factor_reason(factor: ScoreFactor) -> str:
    up = factor.value > 1
    match factor.name:
        case "time":
            return "in the time asked for"
        case "first" | "latest":
            return f"among the {factor.name}"
        case "speaker":
            return "said by whom it names"
        case "myself":
            return "said by yourself"
        case "confidence":
            return "not sure"
        case "reinforcement":
            return "found useful before" if up else "found unhelpful before"
        case "outcome":
            return "tasks that were told it went well" if up else "tasks that were told it went badly"
        case "over":
            return "tells what is over"
        case "importance":
            return "important" if up else "minor"
        case _:
            return "recent" if up else factor.name
