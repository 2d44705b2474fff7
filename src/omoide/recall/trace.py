"""Why each candidate was kept or dropped, stage by stage, and how long each stage took."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Step:
    """One stage: its name, what it did in words, how long it took."""

    stage: str
    note: str
    milliseconds: float


@dataclass(slots=True)
class Trace:
    """Filled while a question is answered; read by whoever asks why."""

    steps: list[Step] = field(default_factory=list)
    dropped: dict[int, str] = field(default_factory=dict)

    @contextmanager
    def stage(self, name: str) -> Iterator[list[str]]:
        """Times a stage; what it appends is its note."""
        notes: list[str] = []
        start = time.perf_counter()
        yield notes
        self.steps.append(Step(name, "; ".join(notes), 1000 * (time.perf_counter() - start)))

    def copy(self) -> Trace:
        return Trace(list(self.steps), dict(self.dropped))

    @property
    def milliseconds(self) -> float:
        return sum(step.milliseconds for step in self.steps)

    def __str__(self) -> str:
        lines = [f"{step.stage:12} {step.milliseconds:7.2f} ms  {step.note}" for step in self.steps]
        lines += [f"dropped [id:{id}]: {reason}" for id, reason in self.dropped.items()]
        return "\n".join(lines)
