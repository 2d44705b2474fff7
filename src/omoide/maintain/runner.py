"""Runs jobs one after the other: one runner at a time across processes, beside live traffic, stopped at any step."""

from __future__ import annotations

import os
import socket
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, replace
from difflib import get_close_matches

from omoide.clock import to_datetime
from omoide.errors import InvalidInput, OmoideError
from omoide.maintain.clock_guard import check_clock
from omoide.maintain.job import JobContext, JobReport, JobStep, MaintenanceJob, MaintenanceReport
from omoide.store import LEASE_MICROSECONDS, Store

MaintenanceProgress = Callable[[str, int], object]
"""Hears a job's name and how many steps it has done, at its start and after each. It may raise KeyboardInterrupt to
stop there."""

_LONGEST_PAUSE = 0.05  # seconds


@dataclass(frozen=True, slots=True)
class MaintenanceRunner:
    """The jobs of a night in their order, and how long to leave the file to others between two steps."""

    jobs: Sequence[MaintenanceJob]
    pause: Callable[[float], object] = time.sleep
    elapsed: Callable[[], float] = time.monotonic

    def run(
        self, upkeep: JobContext, names: Sequence[str] | None = None, progress: MaintenanceProgress | None = None
    ) -> MaintenanceReport:
        """All jobs, or those named, in the order of the night. One that fails does not stop the others."""
        chosen = self.chosen(names)
        report = MaintenanceReport(to_datetime(upkeep.now), upkeep.dry_run)
        if upkeep.dry_run:  # changes nothing, so it needs no turn and leaves no record
            self._all(chosen, upkeep, report, progress, _NoRunLog(), lambda: True)
            return report
        with _held_lease(upkeep.store) as still_ours:
            record = _RunLog(upkeep.store, whole=names is None)
            try:
                self._all(chosen, upkeep, report, progress, record, still_ours)
            finally:
                record.close(report)
        return report

    def chosen(self, names: Sequence[str] | None) -> list[MaintenanceJob]:
        known = [job.name for job in self.jobs]
        for name in names or ():
            if name not in known:
                near = get_close_matches(str(name), known, n=1)
                hint = f"; did you mean {near[0]}?" if near else f"; there are {', '.join(known)}"
                raise InvalidInput(f"no job is called {name!r}{hint}")
        return [job for job in self.jobs if names is None or job.name in names]

    def _all(
        self,
        jobs: Sequence[MaintenanceJob],
        upkeep: JobContext,
        report: MaintenanceReport,
        progress: MaintenanceProgress | None,
        record: _RunLog | _NoRunLog,
        still_ours: Callable[[], bool],
    ) -> None:
        clock = check_clock(upkeep.store, upkeep.now, dry_run=upkeep.dry_run)
        for job in jobs:
            ran = JobReport(job.name, job.does)
            report.jobs.append(ran)
            with record.kept(ran):
                if job.takes_away and not clock.ok:
                    ran.outcome, ran.why = "skipped", clock.why
                    continue
                self._one(job, upkeep, ran, progress, still_ours)
            if upkeep.dry_run:
                upkeep = replace(upkeep, foretold=(*upkeep.foretold, job.name))
            if ran.outcome == "stopped":
                report.stopped = True
                return

    def _one(
        self,
        job: MaintenanceJob,
        upkeep: JobContext,
        ran: JobReport,
        progress: MaintenanceProgress | None,
        still_ours: Callable[[], bool],
    ) -> None:
        try:
            with closing(_generator(job, upkeep)) as steps:
                if progress is not None:
                    progress(job.name, 0)
                begun = self.elapsed()
                for step in steps:
                    ran.add(step)
                    if progress is not None:
                        progress(job.name, ran.counts.total())
                    if not still_ours():
                        ran.outcome, ran.why = "stopped", "another runner has taken over"
                        return
                    # As long as the step took: half of the time is everybody else's, whatever a step costs.
                    self.pause(min(self.elapsed() - begun, _LONGEST_PAUSE))
                    begun = self.elapsed()
        except KeyboardInterrupt:
            ran.outcome, ran.why = "stopped", "interrupted; running again does the rest"
        except Exception as error:  # a job that fails must not keep the others from running
            ran.outcome, ran.why = "failed", _error_text(error)


def _generator(job: MaintenanceJob, upkeep: JobContext) -> _Closable:
    return job.run(upkeep)  # type: ignore[return-value]  # a generator, as the contract says


class _Closable(Iterator[JobStep]):
    def close(self) -> None: ...


def _error_text(error: Exception) -> str:
    return str(error) if isinstance(error, OmoideError) else f"{type(error).__name__}: {error}"


# ── one at a time ─────────────────────────────────────────────────────────────────────────────────────────────────


@contextmanager
def _held_lease(store: Store) -> Iterator[Callable[[], bool]]:
    """Holds the file's lease and renews it, also while a single step takes long. Yields: is it still ours?"""
    holder = f"process {os.getpid()} on {socket.gethostname()} ({os.urandom(3).hex()})"
    store.take_lease(holder)
    lost, over = threading.Event(), threading.Event()

    def heartbeat() -> None:
        while not over.wait(LEASE_MICROSECONDS / 4 / 1e6):
            with suppress(OmoideError):  # busy: the next beat comes before the lease runs out
                if not store.renew_lease(holder):
                    lost.set()
                    return

    thread = threading.Thread(target=heartbeat, name="omoide-lease", daemon=True)
    thread.start()
    try:
        yield lambda: not lost.is_set()
    finally:
        over.set()
        thread.join()
        store.give_lease_back(holder)


# ── the record ────────────────────────────────────────────────────────────────────────────────────────────────────


class _RunLog:
    """A line in the file for every job, written when it begins and when it ends."""

    def __init__(self, store: Store, whole: bool) -> None:
        self._store = store
        self._round = store.begin_round(whole)

    @contextmanager
    def kept(self, ran: JobReport) -> Iterator[None]:
        id = self._store.begin_run(self._round, ran.job)
        yield
        self._store.end_run(id, ran.outcome, ran.counts, ran.why)

    def close(self, report: MaintenanceReport) -> None:
        outcome = "stopped" if report.stopped else "failed" if report.failed else "done"
        self._store.end_round(self._round, outcome)


class _NoRunLog:
    @contextmanager
    def kept(self, ran: JobReport) -> Iterator[None]:
        yield
