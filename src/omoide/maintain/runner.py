"""Runs maintenance jobs one after another: one runner per file across processes, interruptible after any step."""

from __future__ import annotations

import os
import socket
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext, suppress
from dataclasses import dataclass, replace
from difflib import get_close_matches

from omoide.clock import DAY, to_datetime, to_micros
from omoide.errors import InvalidInput, OmoideError, error_text
from omoide.maintain.job import (
    DAMAGE_FOUND,
    SET_ASIDE,
    JobContext,
    JobReport,
    MaintenanceJob,
    MaintenanceReport,
)
from omoide.store import LEASE_MICROSECONDS, Store

_LARGEST_GAP = 7 * DAY  # after a longer gap the machine may have slept or the clock may have jumped: wait a day
_NEARLY_A_DAY = DAY * 5 // 6  # schedules drift: clocks change and machines wake up late
_LONGEST_SETBACK = 31 * DAY  # allowed gap between two runs of a clock that was set back
_CURSOR = "clock_guard"


@dataclass(frozen=True, slots=True)
class ClockSightings:
    """`ran_at`: the last run that trusted the clock. `sighting`: the clock when it was last not trusted."""

    ran_at: int | None = None
    sighting: int | None = None


@dataclass(frozen=True, slots=True)
class ClockVerdict:
    """Whether to act, the reason, and what to remember for the next run."""

    ok: bool
    why: str
    sightings: ClockSightings


def judge_clock(sightings: ClockSightings, now: int, newest: int | None) -> ClockVerdict:
    """Compares the clock with the last run, or before the first run with the newest memory. Has no side effects.

    A clock before that time, or far after it, is only recorded. If it has moved on by at least a day at the next run,
    the time has really passed; if it has returned, nothing happened.
    """
    last = sightings.ran_at if sightings.ran_at is not None else newest
    if last is None or last <= now <= last + _LARGEST_GAP:
        return ClockVerdict(True, "the clock is plausible", ClockSightings(now))
    seen = sightings.sighting
    if seen is not None and seen <= now <= seen + _confirmation_window(last, seen):
        if now - seen >= _NEARLY_A_DAY:
            return ClockVerdict(True, "the clock jumped and has advanced normally for a day since", ClockSightings(now))
        why = "the clock jumped less than a day ago; nothing is archived or deleted yet"
        return ClockVerdict(False, why, sightings)
    since = "the last run" if sightings.ran_at is not None else "the newest memory"
    what = f"the clock is before {since}" if now < last else f"more than {_LARGEST_GAP // DAY} days since {since}"
    why = f"{what}; nothing is archived or deleted unless the next run is at least a day later"
    return ClockVerdict(False, why, ClockSightings(sightings.ran_at, now))


def _confirmation_window(last: int, sighting: int) -> int:
    """How long after a sighting the next run may confirm it: the gap before the sighting plus a week.

    A file maintained once a month sees a month pass each time. Two wrong clocks in a row rarely agree that well.
    """
    return _LARGEST_GAP + (sighting - last if sighting > last else _LONGEST_SETBACK)


def check_clock(store: Store, now: int, *, dry_run: bool = False) -> ClockVerdict:
    """Judges the clock at the start of a run and remembers the result, except in a dry run."""
    held = store.maintenance.get_cursor(_CURSOR)
    verdict = judge_clock(ClockSightings(*held) if held else ClockSightings(), now, store.retention.newest_recorded())
    if not dry_run and (held is None or ClockSightings(*held) != verdict.sightings):
        store.maintenance.set_cursor(_CURSOR, [verdict.sightings.ran_at, verdict.sightings.sighting])
    return verdict


MaintenanceProgress = Callable[[str, int], object]
"""Called with a job's name and step count, at its start and after each step. May raise KeyboardInterrupt to stop."""

_LONGEST_PAUSE = 0.05  # seconds


@dataclass(frozen=True, slots=True)
class MaintenanceRunner:
    """All jobs in order. `pause` and `elapsed` are passed in for tests."""

    jobs: Sequence[MaintenanceJob]
    pause: Callable[[float], object] = time.sleep
    elapsed: Callable[[], float] = time.monotonic

    def run(
        self, context: JobContext, names: Sequence[str] | None = None, progress: MaintenanceProgress | None = None
    ) -> MaintenanceReport:
        """Runs all jobs, or the named ones, in order. A failing job does not stop the others."""
        chosen = self.select(names)
        report = MaintenanceReport(to_datetime(context.now), context.dry_run)
        if context.dry_run:  # changes nothing, so it needs no lease and leaves no log
            self._run_all(chosen, context, report, progress, _NoRunLog(), lambda: True)
            return report
        with _held_lease(context.store) as is_lease_held:
            log = _RunLog(context.store, whole=names is None)
            report.night = log.night
            try:
                self._run_all(chosen, context, report, progress, log, is_lease_held)
            finally:
                log.close(report)
        return report

    def select(self, names: Sequence[str] | None) -> list[MaintenanceJob]:
        """Returns the jobs in running order. Raises InvalidInput for an unknown name."""
        known = [job.name for job in self.jobs]
        for name in names or ():
            if name not in known:
                near = get_close_matches(str(name), known, n=1)
                hint = f"; did you mean {near[0]}?" if near else f"; there are {', '.join(known)}"
                raise InvalidInput(f"no job is called {name!r}{hint}")
        return [job for job in self.jobs if names is None or job.name in names]

    def _run_all(
        self,
        jobs: Sequence[MaintenanceJob],
        context: JobContext,
        report: MaintenanceReport,
        progress: MaintenanceProgress | None,
        log: _RunLog | _NoRunLog,
        is_lease_held: Callable[[], bool],
    ) -> None:
        clock = check_clock(context.store, context.now, dry_run=context.dry_run)
        for job in jobs:
            entry = JobReport(job.name, job.does)
            report.jobs.append(entry)
            with log.kept(entry):
                if job.age_based and not clock.ok:
                    entry.outcome, entry.why = "skipped", clock.why
                    continue
                with log.recorded() if job.undoable else nullcontext():
                    self._run_job(job, context, entry, progress, is_lease_held)
            if context.dry_run:
                context = replace(context, previewed=(*context.previewed, job.name))
            if entry.outcome == "stopped":
                report.stopped = True
                return

    def _run_job(
        self,
        job: MaintenanceJob,
        context: JobContext,
        entry: JobReport,
        progress: MaintenanceProgress | None,
        is_lease_held: Callable[[], bool],
    ) -> None:
        try:
            with closing(job.run(context)) as steps:  # type: ignore[type-var]  # jobs are generator functions
                if progress is not None:
                    progress(job.name, 0)
                begun = self.elapsed()
                for step in steps:
                    entry.add(step)
                    if progress is not None:
                        progress(job.name, entry.counts.total())
                    if not is_lease_held():
                        entry.outcome, entry.why = "stopped", "another runner has taken over"
                        return
                    # Pause as long as the step took: live traffic gets at least half of the time.
                    self.pause(min(self.elapsed() - begun, _LONGEST_PAUSE))
                    begun = self.elapsed()
            _take_back_past_items(context, job.name)
            if damage := entry.counts[DAMAGE_FOUND]:
                entry.outcome, entry.why = "failed", f"{damage} damaged; run `omoide admin doctor`"
            if aside := [step for step in entry.steps if step.verb == SET_ASIDE]:
                first = f"{aside[0].kind} {aside[0].text}: {aside[0].why}"
                entry.outcome, entry.why = "failed", f"{entry.counts[SET_ASIDE]} set aside; {first}"
        except KeyboardInterrupt:
            entry.outcome, entry.why = "stopped", "interrupted; running again does the rest"
        except Exception as error:  # a failing job must not keep the others from running
            entry.outcome, entry.why = "failed", error_text(error)


def _take_back_past_items(context: JobContext, job: str) -> None:
    """Of what was set aside and is due, the job has done or set aside again all that is still to do."""
    for each in [] if context.dry_run else context.store.maintenance.list_set_aside(job):
        if to_micros(each.retry_at) <= context.now:
            context.store.maintenance.take_back(job, each.item)


_RUNNING: set[str] = set()  # the holders in this process


@contextmanager
def _held_lease(store: Store) -> Iterator[Callable[[], bool]]:
    """Holds the file's maintenance lease and renews it in a thread. Yields a function: is the lease still held?"""
    holder = f"process {os.getpid()} on {socket.gethostname()} ({os.urandom(3).hex()})"
    _RUNNING.add(holder)
    try:
        store.maintenance.take_lease(holder, _RUNNING)
    except BaseException:
        _RUNNING.discard(holder)
        raise
    lost, over = threading.Event(), threading.Event()

    def heartbeat() -> None:
        while not over.wait(LEASE_MICROSECONDS / 4 / 1e6):
            with suppress(OmoideError):  # busy: the next heartbeat comes before the lease ends
                if not store.maintenance.renew_lease(holder):
                    lost.set()
                    return

    thread = threading.Thread(target=heartbeat, name="omoide-lease", daemon=True)
    thread.start()
    try:
        yield lambda: not lost.is_set()
    finally:
        over.set()
        thread.join()
        _RUNNING.discard(holder)
        store.maintenance.release_lease(holder)


class _RunLog:
    """Logs every job in the file, when it begins and when it ends."""

    def __init__(self, store: Store, whole: bool) -> None:
        self._store = store
        self.night = store.maintenance.begin_run(whole)

    def recorded(self) -> AbstractContextManager[None]:
        return self._store.maintenance.recorded(self.night)

    @contextmanager
    def kept(self, entry: JobReport) -> Iterator[None]:
        id = self._store.maintenance.begin_job(self.night, entry.job)
        yield
        self._store.maintenance.end_job(id, entry.outcome, entry.counts, entry.why)

    def close(self, report: MaintenanceReport) -> None:
        outcome = "stopped" if report.stopped else "failed" if report.failed else "done"
        self._store.maintenance.end_run(self.night, outcome)


class _NoRunLog:
    def recorded(self) -> AbstractContextManager[None]:
        return nullcontext()

    @contextmanager
    def kept(self, entry: JobReport) -> Iterator[None]:
        yield
