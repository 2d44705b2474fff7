"""Lessons last as long as the work recurs: disuse neither fades nor archives them."""

from __future__ import annotations

import pytest

from omoide import Memory
from omoide.domain import Node
from tests.conftest import Ticking
from tests.learn.test_task_traces import express, held


def lessons(memory: Memory) -> list[Node]:
    return [*held(memory, "pattern"), *held(memory, "antipattern")]


def years_pass(memory: Memory, clock: Ticking, years: int = 2) -> None:
    """Nights now and then; the clock guard lets age-based jobs run on every second one."""
    for _ in range(8 * years):
        clock.advance(days=44)
        memory.maintain()
        clock.advance(days=1)
        memory.maintain()


def test_unused_lessons_stay_and_traces_may_be_packed_away(memory: Memory, clock: Ticking) -> None:
    traces = [express(memory, number) for number in range(3)]
    memory.tasks.learn()
    procedure = memory.remember(
        "Close the quarter", kind="procedure", name="quarter", steps=["export", "check", "send"]
    )
    memory.tasks.outcome(procedure.id, "success")
    before = {node.id: (node.state, node.confidence) for node in lessons(memory)}
    assert before
    years_pass(memory, clock)
    assert {node.id: (node.state, node.confidence) for node in lessons(memory)} == before
    kept = memory.get(procedure.id)
    assert (kept.state, kept.attributes["success_count"]) == ("live", 1)
    assert all(memory.get(trace.id).text for trace in traces)


def test_a_mistake_that_happens_again_is_confirmed(memory: Memory, clock: Ticking) -> None:
    express(memory, 0)
    express(memory, 1)
    memory.tasks.learn()
    [mistake] = held(memory, "antipattern")
    years_pass(memory, clock)
    express(memory, 2)
    report = memory.tasks.learn()
    assert ("confirmed", mistake.id) in [(entry.verb, entry.id) for entry in report.entries]
    assert len(memory.explain(mistake.id).evidence) == 3


@pytest.mark.parametrize("kind", ["pattern", "antipattern"])
def test_an_archived_lesson_comes_back_when_the_work_recurs(memory: Memory, kind: str) -> None:
    express(memory, 0)
    express(memory, 1)
    memory.tasks.learn()
    [lesson] = held(memory, kind)
    memory.admin.archive(lesson.id)
    express(memory, 2)
    memory.tasks.learn()
    assert memory.get(lesson.id).state == "live"
    assert [node.id for node in held(memory, kind)] == [lesson.id]
    assert len(memory.explain(lesson.id).evidence) == 3


def test_credit_survives_the_years(memory: Memory, clock: Ticking) -> None:
    express(memory, 0)
    express(memory, 1)
    memory.tasks.learn()
    [pattern] = held(memory, "pattern")
    for _ in range(3):
        with memory.task("Write the endpoint for new invoices") as task:
            task.before()
    before = {each.node.id: each.tasks for each in memory.tasks.credit()}
    assert pattern.id in before
    years_pass(memory, clock)
    assert {each.node.id: each.tasks for each in memory.tasks.credit()} == before
