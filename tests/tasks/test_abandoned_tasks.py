"""Tasks that a crash left open are recorded as failed."""

from __future__ import annotations

import json

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
    assert gate.has_ended(gate.this_process()) is False
    gone = run("from omoide.store.engine import gate; import json; print(json.dumps(gate.this_process()))")

    assert gate.has_ended(json.loads(gone)) is True
    assert gate.has_ended(gate.this_process() | {"place": "elsewhere"}) is None
    assert gate.has_ended(gate.this_process() | {"born": "another time"}) is True  # its number was given again
