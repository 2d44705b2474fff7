"""What a nightly job is: a name, what it is for, and work in small steps that are each whole."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from omoide.providers.model_limits import ModelUsage
from omoide.providers.protocols import LanguageModel
from omoide.settings import Settings
from omoide.store import Store


@dataclass(frozen=True, slots=True, kw_only=True)
class JobContext:
    """What a job may use. `now` is one moment for the whole run, so that every job sees the same ages."""

    store: Store
    settings: Settings
    now: int
    dry_run: bool = False
    language_model: LanguageModel | None = None
    foretold: tuple[str, ...] = ()  # in a dry run, the jobs before this one, which have told what they would do


@dataclass(frozen=True, slots=True)
class JobStep:
    """What was done to one memory, and why; in a dry run, what would have been done."""

    verb: str
    kind: str
    text: str
    id: int | None
    why: str


@dataclass(frozen=True, slots=True)
class MaintenanceJob:
    """`run` yields a step only after the transaction that it tells of, and may be left at any yield: what was done is
    whole, and running again does the rest. A job that finds nothing to do yields nothing."""

    name: str
    does: str
    run: Callable[[JobContext], Iterator[JobStep]]
    takes_away: bool = False  # it acts by the age of things, and not before the clock is known to be right (steady.py)


# What a maintenance did, job by job, and why: for people, and for whoever wants to check.


JobOutcome = Literal["done", "skipped", "failed", "stopped"]
_MOST_STEPS = 10_000  # steps of one job that are kept whole; the others are counted


@dataclass(slots=True)
class JobReport:
    """One job: what it did, in the order it did it, and how it ended."""

    job: str
    does: str
    outcome: JobOutcome = "done"
    why: str = ""  # of one that was skipped, failed or stopped
    steps: list[JobStep] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)  # by verb; also of the steps that are not kept

    def add(self, step: JobStep) -> None:
        self.counts[step.verb] += 1
        if len(self.steps) < _MOST_STEPS:
            self.steps.append(step)


@dataclass(slots=True)
class MaintenanceReport:
    """Filled while jobs run. In a dry run, what would have been done."""

    started_at: datetime
    dry_run: bool = False
    jobs: list[JobReport] = field(default_factory=list)
    stopped: bool = False  # interrupted: what was done is whole, and running again does the rest
    bill: ModelUsage = field(default_factory=ModelUsage)  # what a language model took, if there was one

    @property
    def counts(self) -> dict[str, int]:
        return dict(sum((ran.counts for ran in self.jobs), Counter()))

    @property
    def failed(self) -> dict[str, str]:
        """Job → why."""
        return {ran.job: ran.why for ran in self.jobs if ran.outcome == "failed"}
