"""Time, errors and retries of tasks, by type."""

from __future__ import annotations

import pytest

from omoide import Memory
from omoide.domain.task import count_retries
from omoide.errors import InvalidInput
from tests.conftest import Ticking


def test_figures_are_grouped_by_type_the_most_common_first(memory: Memory) -> None:
    failed = {"action": "run_test", "result": "fail"}
    again = {"action": "run_test", "result": "pass"}
    memory.tasks.record("a", "success", type="feature", seconds=10, actions=[failed, again])
    memory.tasks.record("b", "failure", type="feature", seconds=30, errors=[{"type": "E", "message": "m"}])
    memory.tasks.record("c", "partial", phase="review")
    feature, review = memory.tasks.efficiency()
    assert (feature.type, feature.tasks, feature.seconds, feature.success_rate) == ("feature", 2, 20.0, 0.5)
    assert (feature.errors, feature.retries, feature.by_day) == (0.5, 0.5, (0, 0, 0, 0, 0, 0, 2))
    assert (review.type, review.partial, review.success_rate, review.seconds) == ("review", 1, None, None)


def test_tasks_older_than_the_given_days_do_not_count(memory: Memory, clock: Ticking) -> None:
    memory.tasks.record("a", "success", type="feature")
    clock.advance(days=8)
    assert memory.tasks.efficiency() == []
    assert len(memory.tasks.efficiency(days=30)) == 1


def test_repeating_a_failed_action_is_a_retry() -> None:
    test = {"action": "run_test"}
    assert count_retries([test, test]) == 0
    assert count_retries([{**test, "error": "x"}, test, test]) == 1
    assert count_retries(["odd", {**test, "result": "fail"}, {"action": "other"}]) == 0


def test_too_many_days_are_refused(memory: Memory) -> None:
    with pytest.raises(InvalidInput, match="days: expected at most"):
        memory.tasks.efficiency(10**9)
