"""The watch that runs the nightly maintenance when it is due, waits in between, and outlives what goes wrong.

It looks at the clock once a minute and at the file only when something is due: the timers of a machine stand still
while it sleeps, its clock does not.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta, tzinfo
from typing import Protocol

from omoide.clock import Clock, to_datetime
from omoide.errors import Busy, NotFound, OmoideError
from omoide.maintain.calendar import is_due, next_occurrence
from omoide.maintain.job import MaintenanceReport
from omoide.store import MaintenanceRun

PRUNE_JOB_NAME = "prune"  # the job with a schedule of its own
_POLL_SECONDS = 60.0  # seconds
_FIRST_RETRY, _LONGEST_RETRY = timedelta(minutes=1), timedelta(hours=1)


class MaintainedMemory(Protocol):
    """The memory that is looked after, opened for each visit: it may be moved or replaced in between."""

    def last_round(self) -> MaintenanceRun | None:
        """The last one that did every job of the night."""

    def last_pruned(self) -> datetime | None:
        """When the size of the file was last looked at."""

    def maintain(self, jobs: Sequence[str] | None) -> MaintenanceReport:
        """Without names, the night: every job but the one that looks at the size."""


@dataclass(slots=True)
class _Retry:
    """What failed is tried again after growing pauses; the next night is a new start."""

    jobs: list[str]
    at: datetime
    pause: timedelta


class Daemon:
    """Parts are passed in: the file, the clock, how to wait (True ends the watch) and how to speak."""

    def __init__(
        self,
        kept: MaintainedMemory,
        schedule: str,
        prune_schedule: str,
        *,
        clock: Clock,
        wait: Callable[[float], bool],
        say: Callable[[str], object],
        zone: tzinfo | None = None,
    ) -> None:
        self._kept = kept
        self._schedule = schedule
        self._prune_schedule = prune_schedule
        self._clock = clock
        self._wait = wait
        self._say = say
        self._zone = zone
        self._retry: _Retry | None = None
        self._last: datetime | None = None
        self._pruned: datetime | None = None
        self._said: set[str] = set()  # since the last run

    def watch(self) -> None:
        """Until it is told to stop."""
        while not self._wait(self.once()):
            pass

    def once(self) -> float:
        """Does what is due; returns for how many seconds there is nothing to do, at most a minute."""
        now = to_datetime(self._clock())
        try:
            self._visit(now)
        except NotFound as error:
            self._tell(f"{error}; waiting for it")
        except Busy as error:
            self._tell(f"{error}; waiting")
        except OmoideError as error:
            self._tell(f"cannot be maintained now: {error}; trying again")
        return self._pause(to_datetime(self._clock()))

    def _visit(self, now: datetime) -> None:
        if self._retry is not None and now >= self._retry.at:
            stopped = self._run(self._retry.jobs)
        elif self._owed(now):
            stopped = self._run(None)
        elif self._is_large_owed(now):
            self._run([PRUNE_JOB_NAME])
            return
        else:
            self._announce()
            return
        if not stopped and self._is_large_owed(now):
            self._run([PRUNE_JOB_NAME])

    def _is_large_owed(self, now: datetime) -> bool:
        """Whether the size is to be looked at; the file is asked as seldom as for the night."""
        if self._pruned is not None and not is_due(self._prune_schedule, self._pruned, now, self._zone):
            return False
        self._pruned = self._kept.last_pruned()
        return is_due(self._prune_schedule, self._pruned, now, self._zone)

    def _owed(self, now: datetime) -> bool:
        """The file is asked only if what it said last makes a run due: somebody may have run it by hand since."""
        if self._last is not None and not is_due(self._schedule, self._last, now, self._zone):
            return False
        last = self._kept.last_round()
        self._last = last.started_at if last else None
        return is_due(self._schedule, self._last, now, self._zone)

    def _run(self, jobs: list[str] | None) -> bool:
        """Whether it was stopped."""
        retried = self._retry is not None and jobs == self._retry.jobs
        what = "looking at the size" if jobs == [PRUNE_JOB_NAME] else "maintaining"
        self._tell(f"trying again: {', '.join(self._retry.jobs)}" if self._retry and retried else what)
        report = self._kept.maintain(jobs)
        for ran in report.jobs:
            done = ", ".join(f"{count:,} {verb}" for verb, count in ran.counts.items())
            self._say(
                f"{ran.job}: {ran.outcome}" + (f", {done}" if done else "") + (f" ({ran.why})" if ran.why else "")
            )
        self._after(report)
        return report.stopped

    def _after(self, report: MaintenanceReport) -> None:
        self._said = set()
        self._plan(report)
        if not report.stopped:
            self._announce()

    def _plan(self, report: MaintenanceReport) -> None:
        ran = {each.job for each in report.jobs}
        waiting = [job for job in (self._retry.jobs if self._retry else ()) if job not in ran]
        if not report.failed:
            self._retry = _Retry(waiting, self._retry.at, self._retry.pause) if self._retry and waiting else None
            return
        pause = _FIRST_RETRY if self._retry is None else min(self._retry.pause * 2, _LONGEST_RETRY)
        at = to_datetime(self._clock()) + pause
        if next_occurrence(self._schedule, to_datetime(self._clock()), self._zone) <= at:
            self._retry = None  # the next night is nearer
        else:
            self._retry = _Retry([*waiting, *report.failed], at, pause)

    def _announce(self) -> None:
        again = "" if self._retry is None else f", what failed is tried again at {self._local(self._retry.at)}"
        coming = next_occurrence(self._schedule, to_datetime(self._clock()), self._zone)
        self._tell(f"next maintenance at {self._local(coming)}{again}")

    def _pause(self, now: datetime) -> float:
        ends = [next_occurrence(each, now, self._zone) for each in (self._schedule, self._prune_schedule)]
        ends += [self._retry.at] if self._retry else []
        return max(0.1, min(_POLL_SECONDS, *((end - now).total_seconds() for end in ends)))

    def _local(self, at: datetime) -> str:
        return f"{at.astimezone(self._zone):%Y-%m-%d %H:%M}"

    def _tell(self, words: str) -> None:
        """What was said since the last run is not said again."""
        if words not in self._said:
            self._said.add(words)
            self._say(words)
