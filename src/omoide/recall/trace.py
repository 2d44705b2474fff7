"""Why each candidate was kept or dropped, stage by stage, and how long each stage took."""

from __future__ import annotations

import time
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Protocol


class Scored(Protocol):
    """A candidate, a fused node, a hit: whatever has an id and a score."""

    @property
    def id(self) -> int: ...
    @property
    def score(self) -> float: ...


class Notes(list[str]):
    """What a stage says of itself while it works; `leaves` is what it hands on."""

    leaves: Collection[Scored] = ()


@dataclass(frozen=True, slots=True)
class Step:
    """One stage: its name, what it did in words, how long it took, what it handed on."""

    stage: str
    note: str
    milliseconds: float
    leaves: Collection[Scored] = field(default=(), repr=False, compare=False)

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
class Trace:
    """Filled while a question is answered; read by whoever asks why."""

    steps: list[Step] = field(default_factory=list)
    dropped: dict[int, str] = field(default_factory=dict)

    @contextmanager
    def stage(self, name: str) -> Iterator[Notes]:
        """Times a stage; what it appends is its note."""
        notes = Notes()
        start = time.perf_counter()
        yield notes
        self.steps.append(Step(name, "; ".join(notes), 1000 * (time.perf_counter() - start), notes.leaves))

    def copy(self) -> Trace:
        return Trace(list(self.steps), dict(self.dropped))

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
