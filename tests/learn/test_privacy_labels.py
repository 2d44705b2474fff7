"""Learned memories are as private as the most private of their sources."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from omoide import Memory
from omoide.clock import to_micros
from omoide.domain import Node
from tests.conftest import NOW, Open, Ticking, viewed_with_consent
from tests.learn.test_merge_and_split import talk
from tests.learn.whole import DEPLOY


@pytest.fixture
def memory(opened: Open) -> Memory:
    """Opened on the day of the actions: a habit is of the last fortnight."""
    return opened(clock=Ticking(to_micros(NOW)))


def did(memory: Memory, **odd: Any) -> Node:
    """The same three steps on three days, shared; `odd` is said of one step alone."""
    plain: dict[str, Any] = {"role": "user", "audience": "shared"}
    for day in range(3):
        for number, step in enumerate(DEPLOY):
            at = NOW - timedelta(days=3 - day) + timedelta(minutes=number)
            given = plain | (odd if (day, number) == (1, 1) else {})
            memory.observe(step, type="action", session=f"work {day}", at=at, **given)
    memory.learn()
    [habit] = [
        each for each in viewed_with_consent(memory).list(state="all", order="added") if each.kind == "procedure"
    ]
    return habit


def test_a_habit_of_shared_actions_is_shared(memory: Memory) -> None:
    habit = did(memory)
    assert (habit.audience, habit.sensitive, habit.origin) == ("shared", False, "user")


def test_one_private_action_makes_a_habit_private(memory: Memory) -> None:
    assert did(memory, audience="private").audience == "private"


def test_one_sensitive_action_makes_a_habit_sensitive(memory: Memory) -> None:
    assert did(memory, sensitive=True).sensitive
    assert memory.recall("git pull", audience="shared", kinds=["procedure"]).texts == []


def test_a_habit_with_an_action_of_the_agent_is_the_agents(memory: Memory) -> None:
    assert did(memory, role="agent").origin == "agent"


def test_what_a_tool_did_makes_no_habit(memory: Memory) -> None:
    for day in range(3):
        for number, step in enumerate(DEPLOY):
            at = NOW - timedelta(days=3 - day) + timedelta(minutes=number)
            memory.observe(step, role="tool:ci", type="action", session=f"work {day}", at=at)
    memory.learn()
    assert [
        each for each in viewed_with_consent(memory).list(state="all", order="added") if each.kind == "procedure"
    ] == []


def test_a_habit_seen_again_in_private_is_private_from_then_on(memory: Memory) -> None:
    habit = did(memory)
    for number, step in enumerate(DEPLOY):
        at = NOW + timedelta(minutes=number)
        memory.observe(step, type="action", session="again", at=at, audience="private", sensitive=True)
    memory.learn()
    again = viewed_with_consent(memory).get(habit.id)
    assert (again.audience, again.sensitive) == ("private", True)


def test_a_fact_said_again_in_private_is_private_from_then_on(memory: Memory) -> None:
    talk(memory, "a", "I live in Rome.", "2026-01-01", audience="shared")
    [fact] = memory.recall("Rome", kinds=["fact"]).hits
    assert fact.node.audience == "shared"
    talk(memory, "b", "I live in Rome.", "2026-01-02", sensitive=True)
    again = viewed_with_consent(memory).get(fact.id)
    assert (again.audience, again.sensitive) == ("private", True)


def test_a_summary_tells_nothing_sensitive_and_nobody_but_the_owner(memory: Memory) -> None:
    for day in range(1, 4):
        talk(memory, f"s{day}", "My sister Anna lives in Denver.", f"2026-01-0{day}")
    assert "Denver" in (memory.graph.entity("Anna").summary or "")
    assert "Denver" in memory.context("Anna").markdown
    assert "Denver" not in memory.context("Anna", audience="shared").markdown
    talk(memory, "s4", "My sister Anna lives in Denver.", "2026-01-05", sensitive=True)
    assert "Denver" not in (memory.graph.entity("Anna").summary or "")


def test_a_merge_makes_nothing_more_public(memory: Memory) -> None:
    memory.graph.entity("Bob", type="person", description="owes money")
    memory.graph.entity("Otto", type="person")
    secret = memory.remember("Bob owes money to Clara")
    memory.remember("Otto likes tulips", audience="shared")
    memory.graph.merge("Bob", "Otto")
    assert memory.get(secret.id).audience == "private"
    for question in ("Otto", "What of Bob?", "money"):
        assert "money" not in memory.context(question, audience="shared").markdown
        assert not any("money" in text for text in memory.recall(question, audience="shared").texts)
