"""What a maintenance did, job by job, and why: for people, and for whoever wants to check."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from omoide.maintain.job import Step
from omoide.providers.meter import Bill

Outcome = Literal["done", "skipped", "failed", "stopped"]
_MOST = 10_000  # steps of one job that are kept whole; the others are counted


@dataclass(slots=True)
class Ran:
    """One job: what it did, in the order it did it, and how it ended."""

    job: str
    does: str
    outcome: Outcome = "done"
    why: str = ""  # of one that was skipped, failed or stopped
    steps: list[Step] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)  # by verb; also of the steps that are not kept

    def add(self, step: Step) -> None:
        self.counts[step.verb] += 1
        if len(self.steps) < _MOST:
            self.steps.append(step)


@dataclass(slots=True)
class Report:
    """Filled while jobs run. In a dry run, what would have been done."""

    started_at: datetime
    dry_run: bool = False
    jobs: list[Ran] = field(default_factory=list)
    stopped: bool = False  # interrupted: what was done is whole, and running again does the rest
    bill: Bill = field(default_factory=Bill)  # what a language model took, if there was one

    @property
    def counts(self) -> dict[str, int]:
        return dict(sum((ran.counts for ran in self.jobs), Counter()))

    @property
    def failed(self) -> dict[str, str]:
        """Job → why."""
        return {ran.job: ran.why for ran in self.jobs if ran.outcome == "failed"}
