"""The daemon runs what is due, waits, and survives errors. Time is passed in."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import pytest

from omoide.clock import to_micros
from omoide.errors import Busy, NotFound, OmoideError
from omoide.maintain.daemon import Daemon
from omoide.maintain.job import JobReport, MaintenanceReport
from omoide.store import MaintenanceRun

NOON = datetime(2026, 5, 3, 12, tzinfo=UTC)


class World:
    """A memory, a clock that goes on while the daemon waits, and everything it said and did."""

    def __init__(self) -> None:
        self.now = NOON
        self.end = NOON
        self.last: datetime | None = None
        self.said: list[str] = []
        self.ran: list[tuple[datetime, Sequence[str] | None]] = []
        self.waited: list[float] = []
        self.broken: list[str] = []  # jobs
        self.error: OmoideError | None = None
        self.looked = 0
        self.prune_schedule = "0 4 29 2 *"  # hardly ever
        self.pruned: datetime | None = NOON

    def last_run(self) -> MaintenanceRun | None:
        self.looked += 1
        if self.error:
            raise self.error
        return MaintenanceRun(1, self.last, self.last, True, "done") if self.last else None

    def last_pruned(self) -> datetime | None:
        return self.pruned

    def maintain(self, jobs: Sequence[str] | None) -> MaintenanceReport:
        if self.error:
            raise self.error
        self.ran.append((self.now, jobs))
        if jobs is None:
            self.last = self.now
        if jobs == ["prune"]:
            self.pruned = self.now
        report = MaintenanceReport(self.now)
        report.jobs = [
            JobReport(name, "", "failed", "no") if name in self.broken else JobReport(name, "") for name in "ab"
        ]
        return report

    def wait(self, seconds: float) -> bool:
        self.waited.append(seconds)
        self.now += timedelta(seconds=seconds)
        return self.now >= self.end

    def watch(self, **span: float) -> None:
        self.end = self.now + timedelta(**span)
        daemon = Daemon(
            self,
            "0 3 * * *",
            self.prune_schedule,
            clock=lambda: to_micros(self.now),
            wait=self.wait,
            say=self.said.append,
            zone=UTC,
        )
        daemon.watch()

    @property
    def hours(self) -> list[str]:
        return [f"{at:%d %H:%M}" for at, _ in self.ran]


@pytest.fixture
def world() -> World:
    return World()


def test_it_runs_every_night_once(world: World) -> None:
    world.last = NOON
    world.watch(days=3)
    assert world.hours == ["04 03:00", "05 03:00", "06 03:00"]


def test_it_sleeps_and_does_not_open_the_file_to_check_the_clock(world: World) -> None:
    world.last = NOON
    world.watch(hours=12)
    assert min(world.waited) > 1
    assert max(world.waited) <= 60
    assert world.looked == 1


def test_it_wakes_after_a_week_of_sleep_and_runs_once(world: World) -> None:
    world.last = NOON
    world.watch(hours=1)
    world.now += timedelta(days=7)
    world.watch(hours=2)
    assert world.hours == ["10 13:00"]


def test_a_job_that_fails_is_tried_again_after_growing_pauses_and_the_others_are_not(world: World) -> None:
    world.last, world.broken = NOON, ["b"]
    world.watch(hours=20)
    minutes = [int((at - world.ran[0][0]).total_seconds() / 60) for at, _ in world.ran]
    assert minutes == [0, 1, 3, 7, 15, 31, 63, 123, 183, 243]
    assert [jobs for _, jobs in world.ran] == [None, *[["b"]] * 9]


def test_a_job_that_succeeds_on_retry_is_not_tried_again(world: World) -> None:
    world.last, world.broken = NOON, ["b"]
    world.watch(hours=15, minutes=1.5)
    world.broken = []
    world.watch(hours=3)
    assert len(world.ran) == 2


@pytest.mark.parametrize("error", [NotFound("there is no memory at a.db"), Busy("process 7 has been maintaining")])
def test_a_missing_or_busy_file_is_reported_once(world: World, error: OmoideError) -> None:
    world.error = error
    world.watch(hours=1)
    assert [words for words in world.said if str(error) in words] == world.said[-1:]
    assert len(world.said) <= 2
    world.error = None
    world.watch(minutes=5)
    assert len(world.ran) == 1


def test_it_says_when_it_runs_next(world: World) -> None:
    world.last = NOON
    world.watch(minutes=5)
    assert world.said == ["next maintenance at 2026-05-04 03:00"]


def test_the_file_size_is_checked_on_its_own_schedule(world: World) -> None:
    world.last, world.prune_schedule = NOON, "0 4 * * 1"  # Mondays; the 4th is one
    world.watch(days=8.5)
    assert [f"{at:%d %H:%M}" for at, jobs in world.ran if jobs == ["prune"]] == ["04 04:00", "11 04:00"]
    assert [f"{at:%d %H:%M}" for at, jobs in world.ran if jobs is None][:2] == ["04 03:00", "05 03:00"]
    assert "checking the file size" in world.said


def test_the_first_run_checks_the_file_size(world: World) -> None:
    world.pruned = None
    world.watch(hours=1)
    assert [jobs for _, jobs in world.ran] == [None, ["prune"]]
