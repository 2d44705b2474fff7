"""The runner: consistent at every step, one at a time, beside live traffic, and logged."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import apsw
import pytest

from omoide import Memory
from omoide.errors import Busy, InvalidInput, NotFound
from omoide.maintain.job import JobContext, JobStep, MaintenanceJob
from omoide.maintain.nightly import JOBS
from omoide.maintain.runner import MaintenanceRunner
from omoide.settings import Settings
from omoide.store import LEASE_MICROSECONDS
from omoide.store.engine.connection import connect
from tests.conftest import Open, Ticking, start, unsound
from tests.learn.whole import dump, fill
from tests.learn.whole import opened as whole

LATER = 100_000


def job_context(memory: Memory, **more: Any) -> JobContext:
    return JobContext(store=memory._store, settings=Settings(), now=memory._core.clock(), **more)


def job(name: str, *texts: str, raises: BaseException | None = None) -> MaintenanceJob:
    def run(given: JobContext) -> Iterator[JobStep]:
        for number, text in enumerate(texts):
            yield JobStep("done", "node", text, number, "since it is a test")
        if raises is not None:
            raise raises

    return MaintenanceJob(name, f"does {name}", run)


def runner(*jobs: MaintenanceJob, **more: Any) -> MaintenanceRunner:
    return MaintenanceRunner(jobs, pause=lambda seconds: None, **more)


def recorded(path: str) -> list[tuple[Any, ...]]:
    db = apsw.Connection(path, apsw.SQLITE_OPEN_READONLY)
    found = list(db.execute("SELECT job, outcome, counts, why FROM job_run ORDER BY id"))
    db.close()
    return found


# ── what a run is ─────────────────────────────────────────────────────────────────────────────────────────────────


def test_jobs_report_steps_and_a_failing_job_does_not_stop_the_others(memory: Memory, path: str) -> None:
    jobs = (job("a", "one", "two"), job("b", "three", raises=NotFound("no such thing")), job("c", "four"))
    report = runner(*jobs).run(job_context(memory))
    assert [(ran.job, ran.outcome, [step.text for step in ran.steps]) for ran in report.jobs] == [
        ("a", "done", ["one", "two"]),
        ("b", "failed", ["three"]),
        ("c", "done", ["four"]),
    ]
    assert report.failed == {"b": "no such thing"}
    assert report.counts == {"done": 4}
    assert recorded(path) == [
        ("a", "done", '{"done":2}', None),
        ("b", "failed", '{"done":1}', "no such thing"),
        ("c", "done", '{"done":1}', None),
    ]
    assert memory.stats().maintenance == "failed"


def test_an_unexpected_error_is_reported_with_its_type(memory: Memory) -> None:
    report = runner(job("a", raises=ZeroDivisionError("by zero"))).run(job_context(memory))
    assert report.failed == {"a": "ZeroDivisionError: by zero"}


def test_jobs_are_selected_by_name_and_run_in_order(memory: Memory) -> None:
    report = memory.maintain(["scrub", "learn"])
    assert [ran.job for ran in report.jobs] == ["learn", "scrub"]
    with pytest.raises(InvalidInput, match="did you mean learn"):
        memory.maintain(["lern"])


def test_selected_jobs_are_not_a_whole_run(memory: Memory) -> None:
    memory.maintain(["scrub"])
    assert memory.admin.last_maintenance() is not None
    assert memory.admin.last_maintenance(whole=True) is None
    memory.maintain()
    assert memory.admin.last_maintenance(whole=True) == memory.admin.last_maintenance()


def test_a_dry_run_changes_nothing_and_is_not_logged(tmp_path: Path) -> None:
    path = prepared(tmp_path)
    before = dump(path)
    with whole(path) as memory:
        report = memory.maintain(dry_run=True)
    assert report.counts["learned from"] == 5
    assert dump(path) == before


def test_an_interrupted_run_reports_and_starts_no_further_job(memory: Memory, path: str) -> None:
    def interrupt(name: str, steps: int) -> None:
        if steps == 2:
            raise KeyboardInterrupt

    report = runner(job("a", "one", "two", "three"), job("b", "four")).run(job_context(memory), None, interrupt)
    assert report.stopped
    assert [(ran.job, ran.outcome, len(ran.steps)) for ran in report.jobs] == [("a", "stopped", 2)]
    assert [row[:2] for row in recorded(path)] == [("a", "stopped")]
    assert memory.admin.last_maintenance(whole=True) is None
    assert runner(job("a")).run(job_context(memory)).jobs[0].outcome == "done"


def test_the_log_keeps_a_year_of_runs(memory: Memory, path: str) -> None:
    for _ in range(400):
        memory._store.maintenance.begin_job(memory._store.maintenance.begin_run(whole=True), "a")
    for _ in range(5):
        runner(job("a")).run(job_context(memory))
    assert len(recorded(path)) == 400


# ── one at a time ─────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_second_runner_learns_who_runs_and_since_when(memory: Memory, opened: Open) -> None:
    other = opened()
    heard: list[str] = []

    def run(given: JobContext) -> Iterator[JobStep]:
        with pytest.raises(Busy) as refused:
            other.maintain()
        heard.append(str(refused.value))
        yield JobStep("done", "", "", None, "")

    assert runner(MaintenanceJob("a", "", run)).run(job_context(memory)).failed == {}
    assert "has been maintaining this file since 2026-05-03T09:30" in heard[0]
    assert other.maintain().failed == {}


def test_the_lease_of_another_machine_ends_after_two_minutes(opened: Open, clock: Ticking) -> None:
    now = clock()
    store = opened(clock=lambda: now)._store
    store.maintenance.take_lease("the other one")
    store._file.write(lambda db: db.execute("UPDATE lease SET mark = '1-0123456789abcdef'"))
    with pytest.raises(Busy, match="the other one"):
        opened(clock=lambda: now + LEASE_MICROSECONDS - 1).maintain()
    assert opened(clock=lambda: now + LEASE_MICROSECONDS).maintain().failed == {}


def test_a_lease_of_a_clock_a_year_ahead_is_ignored(opened: Open, clock: Ticking) -> None:
    memory = opened()
    ahead = clock() + 365 * 86_400_000_000
    opened(clock=lambda: ahead)._store.maintenance.take_lease("the future")
    assert memory.maintain().failed == {}


def test_a_heartbeat_keeps_a_lease_and_reports_its_loss(opened: Open, clock: Ticking) -> None:
    store = opened()._store
    store.maintenance.take_lease("one")
    for _ in range(10):
        clock.advance(days=0.001)  # 86 s
        assert store.maintenance.renew_lease("one")
    with pytest.raises(Busy):
        store.maintenance.take_lease("two", {"one"})
    clock.advance(days=1)
    store.maintenance.take_lease("two", {"one"})
    assert not store.maintenance.renew_lease("one")


# ── cut off anywhere ──────────────────────────────────────────────────────────────────────────────────────────────


def prepared(folder: Path) -> str:
    path = str(folder / "whole.db")
    with whole(path) as memory:
        fill(memory)
    return path


def without_record(held: dict[str, list[Any]]) -> dict[str, list[Any]]:
    own = (
        "maintenance_run",
        "job_run",
        "lease",
        "sqlite_sequence",
        "known_copy",
        "night_change",
    )  # a copy is called after its file
    return {table: rows for table, rows in held.items() if table not in own}


def ran_whole(memory: Memory, settings: Settings, progress: Callable[[str, int], None] | None = None) -> bool:
    """A night in which nobody else wants the file; whether it was stopped."""
    job_context = JobContext(store=memory._store, settings=settings, now=memory._core.clock())
    return MaintenanceRunner(JOBS, pause=lambda seconds: None).run(job_context, progress=progress).stopped


def undisturbed(path: str, to: Path, settings: Settings) -> dict[str, list[Any]]:
    kept = str(shutil.copy(path, to))
    with whole(kept, first_id=LATER, settings=settings) as memory:
        ran_whole(memory, settings)
        assert unsound(memory) == []
    return without_record(dump(kept))


@pytest.mark.parametrize("every", [20, pytest.param(5, marks=pytest.mark.long)])
def test_a_run_interrupted_at_any_step_and_repeated_equals_a_clean_run(tmp_path: Path, every: int) -> None:
    path = prepared(tmp_path)
    settings = Settings(backup_folder=str(tmp_path / "copies"))
    expected = undisturbed(path, tmp_path / "clean.db", settings)
    leave = 1
    while True:
        leave += every  # every job is left at each of its steps in a test of its own
        torn = str(shutil.copy(path, tmp_path / "torn.db"))
        with whole(torn, first_id=LATER, settings=settings) as memory:
            stopped = ran_whole(memory, settings, _after(leave))
        with whole(torn, first_id=2 * LATER, settings=settings) as memory:
            ran_whole(memory, settings)
        assert without_record(dump(torn)) == expected, f"left at {leave}"
        if not stopped:
            break
    assert leave > 10


def _after(steps: int) -> Callable[[str, int], None]:
    left = steps

    def progress(name: str, done: int) -> None:
        nonlocal left
        left -= 1
        if left == 0:
            raise KeyboardInterrupt

    return progress


# ── beside live traffic ───────────────────────────────────────────────────────────────────────────────────────────

TRAFFIC = """
import sys
from omoide import Memory
with Memory(sys.argv[1], embedder=None) as memory:
    print("ready", flush=True)
    sys.stdin.readline()
    for number in range(30):
        {verb}
    print("done", flush=True)
"""


def test_other_processes_read_and_write_during_a_run(path: str, opened: Open) -> None:
    memory = opened()
    memory.observe_many([{"text": f"turn {number} about tea", "session": "s"} for number in range(50)])
    reader = start(TRAFFIC.format(verb='assert memory.recall("tea").hits'), path)
    writer = start(TRAFFIC.format(verb='memory.observe(f"live {number}")'), path)
    both = (reader, writer)
    for each in both:
        assert each.stdout is not None
        assert each.stdout.readline() == "ready\n"

    def run(given: JobContext) -> Iterator[JobStep]:
        for each in both:
            assert each.stdin is not None
            each.stdin.write("go\n")
            each.stdin.flush()
        number = 0
        while any(
            each.poll() is None for each in both
        ):  # busy until both are done: they could not be if it starved them
            given.store.nodes.confirm(number % 50 + 1)
            number += 1
            yield JobStep("confirmed", "episode", "", number, "")

    report = MaintenanceRunner((MaintenanceJob("busy", "", run),)).run(job_context(memory))
    for each in both:
        said, failed = each.communicate()
        assert said == "done\n", failed
    assert report.counts["confirmed"] > 0
    assert memory.stats().nodes == 80


# ── the jobs that are here ────────────────────────────────────────────────────────────────────────────────────────


def test_every_job_has_a_unique_name_and_a_description() -> None:
    assert len({each.name for each in JOBS}) == len(JOBS)
    assert all(each.does for each in JOBS)


def test_learning_runs_before_shortening_and_the_backup_last() -> None:
    assert JOBS[-1].name == "backup"
    names = [each.name for each in JOBS]
    later = [each.name for each in JOBS if each.age_based] + ["summaries", "compress", "shorten"]
    assert names.index("learn") < min(map(names.index, later))


def test_scrub_finds_a_changed_text_and_an_unindexed_row(memory: Memory, path: str) -> None:
    memory.observe_many([{"text": f"turn {number} about tea"} for number in range(5)])
    db = connect(path, 1.0)
    db.execute("UPDATE node SET text = 'turn 1 about coffee' WHERE id = 2")
    db.execute(
        """
        INSERT INTO nodes_fts (nodes_fts, rowid, text, speaker, tags)
        SELECT 'delete', * FROM indexed_text WHERE id = 4
        """
    )
    db.close()
    (ran,) = memory.maintain(["scrub"]).jobs
    assert [(step.id, step.why.split(";")[0]) for step in ran.steps if step.verb == "found"] == [
        (2, "its text differs from its hash"),
        (4, "it is missing from the text index"),
    ]


def test_scrub_continues_where_it_stopped(memory: Memory) -> None:
    memory.observe_many([{"text": f"turn {number}"} for number in range(10)])
    store = memory._store
    assert [(seen.first, seen.upto) for _ in range(2) if (seen := store.health.scrub_next(4, keep=True))] == [
        (1, 4),
        (5, 8),
    ]
    (ran,) = memory.maintain(["scrub"]).jobs
    assert [step.text for step in ran.steps] == ["9 to 10"]
    (ran,) = memory.maintain(["scrub"]).jobs
    assert [step.text for step in ran.steps] == ["1 to 10"]


def test_the_nightly_backup_keeps_the_last_few_days_and_touches_nothing_else(
    opened: Open, clock: Ticking, tmp_path: Path
) -> None:
    folder = tmp_path / "copies"
    folder.mkdir()
    (folder / "holiday-2026-05-01.db").write_text("not ours")
    (folder / "memory-2026-05-01.db").write_text("nor this")
    memory = opened(settings=Settings(backup_folder=str(folder), backup_keep=3))
    memory.observe("hello")
    for _ in range(5):
        memory.maintain(["backup"])
        memory.maintain(["backup"])  # twice a day pushes nothing out
        clock.advance(days=1)
    kept = sorted(each.name[-13:] for each in folder.iterdir())
    assert kept == ["2026-05-01.db", "2026-05-01.db", "2026-05-05.db", "2026-05-06.db", "2026-05-07.db"]
    with Memory(next(iter(sorted(folder.glob("memory-*-2026-05-07.db")))), embedder=None) as copy:
        assert copy.get(1).text == "hello"
        assert unsound(copy) == []


def test_without_a_folder_there_is_no_nightly_backup(memory: Memory) -> None:
    (ran,) = memory.maintain(["backup"]).jobs
    assert (ran.outcome, ran.steps) == ("done", [])


def test_the_report_is_serialisable(memory: Memory) -> None:
    from omoide.interfaces.documents import serialise

    memory.observe("I live in Berlin.", session="s")
    memory.end("s")
    found = serialise(memory.maintain())
    found["started_at"] = str(found["started_at"])
    assert json.loads(json.dumps(found))["jobs"][0]["job"] == JOBS[0].name
