"""The nightly job for tasks that a crash left open."""

from __future__ import annotations

import json

from omoide import Settings
from omoide.maintain.crashed import JOB
from omoide.maintain.job import Upkeep
from omoide.store import Store, process
from tests.conftest import Open, Ticking, run


def test_it_fails_what_was_abandoned_once_and_in_a_dry_run_only_tells(opened: Open, path: str, clock: Ticking) -> None:
    memory = opened()
    task = memory.task("Started by a hook", detached=True)
    going_on = memory.task("Mine")
    clock.advance(days=2)
    store = Store(path, clock, lambda at: "x", 5.0)
    dry = Upkeep(store=store, settings=Settings(), now=clock(), dry_run=True)
    assert [(step.id, step.text) for step in JOB.run(dry)] == [(task.id, "Started by a hook")]
    assert task.outcome == "pending"
    wet = Upkeep(store=store, settings=Settings(), now=clock())
    assert [step.id for step in JOB.run(wet)] == [task.id]
    assert list(JOB.run(wet)) == []
    assert (task.outcome, going_on.outcome) == ("failure", "pending")
    store.close()


def test_a_process_is_told_from_one_that_is_gone_and_one_of_another_machine() -> None:
    assert process.is_gone(process.this()) is False
    gone = run("from omoide.store import process; import json; print(json.dumps(process.this()))")

    assert process.is_gone(json.loads(gone)) is True
    assert process.is_gone(process.this() | {"place": "elsewhere"}) is None
    assert process.is_gone(process.this() | {"born": "another time"}) is True  # its number was given again
