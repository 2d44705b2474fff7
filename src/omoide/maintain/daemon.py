"""Runs the nightly maintenance when it is due in local time, sleeps in between, and survives errors.

The daemon reads the clock once a minute because timers stand still while a machine sleeps. It opens the file only
when something is due.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from typing import Protocol

from omoide.clock import Clock, to_datetime, to_micros, zone_named
from omoide.errors import Busy, InvalidInput, NotFound, OmoideError
from omoide.maintain.job import MaintenanceReport
from omoide.store import MaintenanceRun

PRUNE_JOB_NAME = "prune"  # has its own schedule
_POLL_SECONDS = 60.0
_FIRST_RETRY, _LONGEST_RETRY = timedelta(minutes=1), timedelta(hours=1)


class MaintainedMemory(Protocol):
    """The memory to maintain, opened for each visit because the file may be moved or replaced in between."""

    def last_run(self) -> MaintenanceRun | None:
        """The last run that did every nightly job."""

    def last_pruned(self) -> datetime | None:
        """When the file size was last checked."""

    def maintain(self, jobs: Sequence[str] | None) -> MaintenanceReport:
        """Runs the named jobs; without names every job except pruning."""


@dataclass(slots=True)
class _Retry:
    """Failed jobs to run again, after growing pauses until the next nightly run."""

    jobs: list[str]
    at: datetime
    pause: timedelta


class Daemon:
    """The clock, the waiting function (True stops the daemon) and the output function are passed in."""

    def __init__(
        self,
        memory: MaintainedMemory,
        schedule: str,
        prune_schedule: str,
        *,
        clock: Clock,
        wait: Callable[[float], bool],
        say: Callable[[str], object],
        zone: tzinfo | None = None,
    ) -> None:
        self._memory = memory
        self._schedule = schedule
        self._prune_schedule = prune_schedule
        self._clock = clock
        self._wait = wait
        self._say = say
        self._zone = zone
        self._retry: _Retry | None = None
        self._last: datetime | None = None
        self._pruned: datetime | None = None
        self._reported: set[str] = set()  # messages since the last run

    def watch(self) -> None:
        """Runs until the waiting function returns True."""
        while not self._wait(self.once()):
            pass

    def once(self) -> float:
        """Does what is due and returns how many seconds to sleep, at most a minute."""
        now = to_datetime(self._clock())
        try:
            self._visit(now)
        except NotFound as error:
            self._report(f"{error}; waiting for it")
        except Busy as error:
            self._report(f"{error}; waiting")
        except OmoideError as error:
            self._report(f"cannot be maintained now: {error}; trying again")
        return self._pause(to_datetime(self._clock()))

    def _visit(self, now: datetime) -> None:
        if self._retry is not None and now >= self._retry.at:
            stopped = self._run(self._retry.jobs)
        elif self._is_run_due(now):
            stopped = self._run(None)
        elif self._is_prune_due(now):
            self._run([PRUNE_JOB_NAME])
            return
        else:
            self._announce()
            return
        if not stopped and self._is_prune_due(now):
            self._run([PRUNE_JOB_NAME])

    def _is_prune_due(self, now: datetime) -> bool:
        """Whether the size check is due. Asks the file only if the last known check is too old."""
        if self._pruned is not None and not is_due(self._prune_schedule, self._pruned, now, self._zone):
            return False
        self._pruned = self._memory.last_pruned()
        return is_due(self._prune_schedule, self._pruned, now, self._zone)

    def _is_run_due(self, now: datetime) -> bool:
        """Whether a run is due. Asks the file before deciding: someone may have run maintenance by hand."""
        if self._last is not None and not is_due(self._schedule, self._last, now, self._zone):
            return False
        last = self._memory.last_run()
        self._last = last.started_at if last else None
        return is_due(self._schedule, self._last, now, self._zone)

    def _run(self, jobs: list[str] | None) -> bool:
        """Runs jobs and prints the result; returns whether the run was stopped."""
        retried = self._retry is not None and jobs == self._retry.jobs
        what = "checking the file size" if jobs == [PRUNE_JOB_NAME] else "maintaining"
        self._report(f"retrying: {', '.join(self._retry.jobs)}" if self._retry and retried else what)
        report = self._memory.maintain(jobs)
        for ran in report.jobs:
            done = "".join(f", {count:,} {verb}" for verb, count in ran.counts.items())
            self._say(f"{ran.job}: {ran.outcome}{done}" + (f" ({ran.why})" if ran.why else ""))
        self._reported = set()
        self._plan_retry(report)
        if not report.stopped:
            self._announce()
        return report.stopped

    def _plan_retry(self, report: MaintenanceReport) -> None:
        ran = {each.job for each in report.jobs}
        waiting = [job for job in (self._retry.jobs if self._retry else ()) if job not in ran]
        if not report.failed:
            self._retry = _Retry(waiting, self._retry.at, self._retry.pause) if self._retry and waiting else None
            return
        pause = _FIRST_RETRY if self._retry is None else min(self._retry.pause * 2, _LONGEST_RETRY)
        at = to_datetime(self._clock()) + pause
        if next_occurrence(self._schedule, to_datetime(self._clock()), self._zone) <= at:
            self._retry = None  # the next nightly run comes first
        else:
            self._retry = _Retry([*waiting, *report.failed], at, pause)

    def _announce(self) -> None:
        again = "" if self._retry is None else f", failed jobs are retried at {self._local(self._retry.at)}"
        coming = next_occurrence(self._schedule, to_datetime(self._clock()), self._zone)
        self._report(f"next maintenance at {self._local(coming)}{again}")

    def _pause(self, now: datetime) -> float:
        ends = [next_occurrence(each, now, self._zone) for each in (self._schedule, self._prune_schedule)]
        ends += [self._retry.at] if self._retry else []
        return max(0.1, min(_POLL_SECONDS, *((end - now).total_seconds() for end in ends)))

    def _local(self, at: datetime) -> str:
        return f"{at.astimezone(self._zone):%Y-%m-%d %H:%M}"

    def _report(self, words: str) -> None:
        """Prints a message once per run."""
        if words not in self._reported:
            self._reported.add(words)
            self._say(words)


# Local days and weeks, and when the nightly maintenance is due (cron syntax in local time).


@dataclass(frozen=True, slots=True)
class LocalCalendar:
    """Days in a time zone; None is the machine's own zone."""

    zone: tzinfo | None = None

    @classmethod
    def of(cls, name: str) -> LocalCalendar:
        return cls(zone_named(name))

    def day(self, at: int) -> date:
        return to_datetime(at).astimezone(self.zone).date()

    def span(self, first: date, days: int = 1) -> tuple[int, int]:
        """(start, end) of some days: from midnight to midnight, in microseconds."""
        return self._midnight(first), self._midnight(first + timedelta(days=days))

    def _midnight(self, day: date) -> int:
        naive = datetime.combine(day, time.min)
        return to_micros(naive.astimezone() if self.zone is None else naive.replace(tzinfo=self.zone))


def iso_week(day: date) -> str:
    """2026-W07 (ISO 8601)."""
    return f"{day.isocalendar().year}-W{day.isocalendar().week:02d}"


def monday_of(day: date) -> date:
    return day - timedelta(days=day.weekday())


# Occurrences are counted in local wall-clock time and then converted: a time that the clock skips runs when it has
# passed, a time that occurs twice runs the first time.
_MARGIN = timedelta(hours=3)  # more than any clock change
_EXAMPLE = "0 3 * * *"


def is_due(schedule: str, last_run: datetime | None, now: datetime, zone: tzinfo | None = None) -> bool:
    """Whether a run is due: one was scheduled since the last run began, or there was no run yet.

    A last run in the future comes from a wrong clock. If it is at most two occurrences ahead it counts as done;
    otherwise it is ignored and a run is due.
    """
    if last_run is None:
        return True
    if last_run <= now:
        return previous_occurrence(schedule, now, zone) > last_run
    return last_run > next_occurrence(schedule, next_occurrence(schedule, now, zone), zone)


def next_occurrence(schedule: str, after: datetime, zone: tzinfo | None = None) -> datetime:
    """The first occurrence after a time."""
    occurrences = _occurrences(schedule, _wall_clock(after, zone) - _MARGIN, reverse=False)
    return next(found for each in occurrences if (found := _moment(each, zone)) > after)


def previous_occurrence(schedule: str, upto: datetime, zone: tzinfo | None = None) -> datetime:
    """The last occurrence at or before a time."""
    occurrences = _occurrences(schedule, _wall_clock(upto, zone) + _MARGIN, reverse=True)
    return next(found for each in occurrences if (found := _moment(each, zone)) <= upto)


def validate_schedule(schedule: str, setting: str = "maintain_schedule") -> str:
    """Returns the schedule. Raises InvalidInput if it cannot be parsed or never occurs."""
    try:
        next_occurrence(schedule, datetime(2026, 1, 1, tzinfo=UTC), UTC)
    except InvalidInput as error:
        raise InvalidInput(f"{setting}: {error}") from None
    return schedule


def _wall_clock(at: datetime, zone: tzinfo | None) -> datetime:
    """Local time without a zone."""
    return at.astimezone(zone).replace(tzinfo=None, fold=0)


def _moment(wall: datetime, zone: tzinfo | None) -> datetime:
    return (wall.replace(tzinfo=zone) if zone else wall).astimezone(UTC)


def _occurrences(schedule: str, start: datetime, *, reverse: bool) -> Iterator[datetime]:
    from cronsim import CronSim, CronSimError  # only the daemon needs it

    if len(schedule.split()) != 5:
        raise InvalidInput(f"{schedule!r} does not have five fields like {_EXAMPLE!r}")
    try:
        yield from CronSim(schedule, start, reverse)
    except CronSimError as error:
        raise InvalidInput(f"{schedule!r} is not a cron schedule ({error}); {_EXAMPLE!r} is an example") from error
    raise InvalidInput(f"{schedule!r} never occurs")
