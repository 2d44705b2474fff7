"""Tasks that a crash left open are recorded as failed."""

from __future__ import annotations

from omoide import Settings
from omoide.maintain.job import JobContext
from omoide.maintain.nightly import CRASHED_TASKS_JOB
from omoide.store import Store
from omoide.store.engine import gate
from tests.conftest import Open, Ticking, run


def test_an_abandoned_task_fails_once_and_a_dry_run_only_reports_it(opened: Open, path: str, clock: Ticking) -> None:
    memory = opened()
    task = memory.task("Started by a hook", detached=True)
    going_on = memory.task("Mine")
    clock.advance(days=2)
    store = Store(path, clock, lambda at: "x", 5.0)
    dry = JobContext(store=store, settings=Settings(), now=clock(), dry_run=True)
    assert [(step.id, step.text) for step in CRASHED_TASKS_JOB.run(dry)] == [(task.id, "Started by a hook")]
    assert task.outcome == "pending"
    wet = JobContext(store=store, settings=Settings(), now=clock())
    assert [step.id for step in CRASHED_TASKS_JOB.run(wet)] == [task.id]
    assert list(CRASHED_TASKS_JOB.run(wet)) == []
    assert (task.outcome, going_on.outcome) == ("failure", "pending")
    store.close()


def test_a_running_process_differs_from_a_dead_one_and_one_on_another_machine() -> None:
    mark = gate.process_mark()
    assert gate.mark_has_ended(mark) is False
    gone = run("from omoide.store.engine import gate; print(gate.process_mark())").strip()
    pid, _, parts = mark.partition("-")

    assert gate.mark_has_ended(gone) is True
    assert gate.mark_has_ended(f"{pid}-{'0000' if parts[:4] != '0000' else '1111'}{parts[4:]}") is None  # elsewhere
    assert gate.mark_has_ended(f"{pid}-{parts[:12]}{'0000' if parts[12:] != '0000' else '1111'}") is True  # used again
