"""One failing memory, session or job never blocks the others: it is set aside, shown, and tried again."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from omoide import Memory
from omoide.clock import DAY
from omoide.errors import CannotWrite
from omoide.maintain.job import JobContext, JobStep, MaintenanceJob, for_each
from omoide.maintain.retention_jobs import EXPIRE_JOB
from omoide.maintain.runner import MaintenanceRunner
from omoide.settings import Settings
from tests.conftest import Open, Ticking, start

STEPS = [{"action": "test", "detail": "npm test"}, {"action": "push", "detail": "git push"}]


def test_a_procedure_with_steps_of_action_and_detail_is_learned_with(memory: Memory) -> None:
    taught = memory.remember("Deploy the shop", kind="procedure", name="deploy", steps=STEPS)
    memory.observe("Please always use pnpm instead of npm. I live in Rome.", session="s")
    memory.end("s")
    report = memory.learn()
    assert report.failed == {}
    [changed] = [node for node in memory.list(["procedure"]).items if node.id != taught.id]
    assert [step["detail"] for step in changed.attributes["steps"]] == ["pnpm test", "git push"]
    assert memory.maintain().failed == {}
    assert "pnpm test → git push" in memory.context("How do I deploy the shop?").markdown


def test_a_day_that_no_calendar_has_is_no_date(memory: Memory) -> None:
    memory.observe("I will meet Anna on the 0th. I live in Rome.", session="s")
    memory.end("s")
    assert memory.learn().failed == {}
    assert memory.recall("Whom do I meet on the 0th?").hits


class Fragile:
    """A job over three memories that fails on the second while it is broken."""

    def __init__(self) -> None:
        self.broken = True
        self.seen: list[int] = []

    @property
    def job(self) -> MaintenanceJob:
        return MaintenanceJob("fragile", "fails on one memory", self.run)

    def run(self, context: JobContext) -> Iterator[JobStep]:
        return for_each(context, "fragile", [1, 2, 3], "memory {}".format, self.work)

    def work(self, id: int) -> Iterator[JobStep]:
        self.seen.append(id)
        if id == 2 and self.broken:
            raise KeyError("steps")
        yield JobStep("done", "node", "", id, "")


def run(memory: Memory, fragile: Fragile, **more: Any) -> Any:
    context = JobContext(store=memory._store, settings=Settings(), now=memory._core.clock(), **more)
    return MaintenanceRunner([fragile.job], pause=lambda seconds: None).run(context)


def maintenance_finding(memory: Memory) -> Any:
    return next(each for each in memory.admin.doctor() if each.check == "maintenance")


def test_a_failing_memory_is_set_aside_and_the_others_are_done(memory: Memory) -> None:
    fragile = Fragile()
    [ran] = run(memory, fragile).jobs
    assert [(step.verb, step.id) for step in ran.steps] == [("done", 1), ("set aside", 2), ("done", 3)]
    assert "KeyError: 'steps'" in ran.steps[1].why
    assert ran.outcome == "failed"
    assert memory.stats().set_aside == 1
    found = maintenance_finding(memory)
    assert not found.ok
    assert "fragile, memory 2: KeyError: 'steps'" in found.detail


def test_it_is_tried_again_after_growing_pauses_and_taken_back_when_done(memory: Memory, clock: Ticking) -> None:
    fragile = Fragile()
    run(memory, fragile)
    run(memory, fragile)
    assert fragile.seen == [1, 2, 3, 1, 3]
    pauses = []
    for _ in range(3):
        clock.advance(days=1)
        run(memory, fragile)
        [aside] = memory._store.maintenance.list_set_aside()
        pauses.append(aside.retry_at)
    gaps = [(later - earlier).total_seconds() - 86_400 for earlier, later in pairwise(pauses)]
    assert 0 < gaps[0] < gaps[1]
    fragile.broken = False
    clock.advance(days=1)
    assert run(memory, fragile).failed == {}
    assert memory.stats().set_aside == 0
    assert maintenance_finding(memory).ok


def test_a_dry_run_sets_nothing_aside(memory: Memory) -> None:
    [ran] = run(memory, Fragile(), dry_run=True).jobs
    assert [step.verb for step in ran.steps] == ["done", "set aside", "done"]
    assert memory.stats().set_aside == 0


HELD = """
import sys
from omoide import Memory
memory = Memory(sys.argv[1], embedder=None)
memory._store.maintenance.take_lease("the killed one")
print("held", flush=True)
sys.stdin.read()
"""


def test_a_killed_run_is_dead_at_once(path: str, opened: Open) -> None:
    killed = start(HELD, path)
    assert killed.stdout is not None
    assert killed.stdout.readline() == "held\n"
    killed.kill()
    killed.communicate()
    memory = Memory(path, embedder=None)
    assert memory.maintain(["scrub"]).failed == {}
    memory.close()


def test_a_memory_that_fails_is_set_aside_and_the_others_are_archived(memory: Memory) -> None:
    nodes = memory.observe_many(
        [{"text": "Ok, thanks!", "session": "s", "at": f"2026-01-0{day}T12:00:00Z"} for day in range(1, 6)]
    )
    memory.end("s")
    memory.learn()
    refused = f"UPDATE ON node WHEN OLD.id = {nodes[0].id} BEGIN SELECT RAISE(ABORT, 'poison'); END"
    memory._store._file.write(lambda db: db.execute(f"CREATE TRIGGER poison BEFORE {refused}"))
    context = JobContext(store=memory._store, settings=Settings(), now=memory._core.clock() + 400 * DAY)
    aside = [step.id for step in EXPIRE_JOB.run(context) if step.verb == "set aside"]
    assert aside == [nodes[0].id]
    assert [memory.get(node.id).state for node in nodes if node.id not in aside] == ["archived"] * 4


def test_a_disk_that_fails_is_no_fault_of_a_memory(memory: Memory) -> None:
    def full(id: int) -> Iterator[JobStep]:
        raise CannotWrite("the disk is full")

    job = MaintenanceJob("unlucky", "", lambda context: for_each(context, "unlucky", [1, 2], "memory {}".format, full))
    context = JobContext(store=memory._store, settings=Settings(), now=memory._core.clock())
    report = MaintenanceRunner([job], pause=lambda seconds: None).run(context)
    assert report.failed == {"unlucky": "the disk is full"}
    assert memory.stats().set_aside == 0
