"""Memories are credited with the outcomes of the tasks that used them, and ranking uses the credit."""

from __future__ import annotations

from contextlib import suppress

from hypothesis import given
from hypothesis import strategies as st

from omoide import Memory
from omoide.clock import to_datetime
from omoide.domain.importance import (
    MAX_CREDIT_SHIFT,
    Credit,
    credit_effect,
    position_weight,
    success_interval,
    success_rate,
    usual_success_rate,
)
from omoide.recall.recipes import RECIPES
from omoide.recall.scoring import BoundedMultipliers
from tests.conftest import Open, Ticking

counts = st.floats(0, 1e6)
rates = st.floats(0.05, 0.95)


@given(counts, counts, rates)
def test_any_counts_give_a_rate_within_its_interval_and_a_bounded_effect(won: float, lost: float, base: float) -> None:
    credit = Credit(won, lost, 1)
    low, high = success_interval(credit, base)
    assert 0 <= low <= success_rate(credit, base) <= high <= 1
    assert -1 <= credit_effect(credit, base) <= 1


@given(st.integers(0, 1000), st.integers(0, 1000))
def test_the_base_rate_is_never_certain(won: int, lost: int) -> None:
    assert 0 < usual_success_rate(won, lost) < 1


def test_few_tasks_change_nothing_and_many_change_a_score_by_at_most_a_fifth() -> None:
    assert credit_effect(Credit(2, 0, 2), 0.5) == 0
    assert 0 < credit_effect(Credit(8, 0, 8), 0.5) < credit_effect(Credit(80, 0, 80), 0.5) <= 1
    assert credit_effect(Credit(0, 80, 80), 0.5) < 0
    assert BoundedMultipliers().outcome == MAX_CREDIT_SHIFT == 0.2


def test_a_memory_with_an_average_success_rate_is_neutral() -> None:
    assert credit_effect(Credit(90, 10, 100), 0.9) == 0


def test_a_lower_rank_counts_less() -> None:
    assert position_weight(1) == 1
    assert position_weight(1) > position_weight(2) > position_weight(10) > 0


def told(memory: Memory, goal: str, outcome: str) -> None:
    task = memory.task(goal)
    task.before()
    task.succeed() if outcome == "success" else task.fail("no")


def test_a_handed_out_memory_is_credited_once_by_its_rank(memory: Memory) -> None:
    other = memory.remember("Deploy on Mondays", kind="pattern")
    best = memory.remember("Deploy orders behind a flag", kind="pattern")  # the newest stands first
    task = memory.task("Deploy orders")
    briefing = task.before()
    assert task.before().ids == briefing.ids == [best.id, other.id]
    task.succeed()
    task.succeed()
    found = {each.node.id: each for each in memory.tasks.credit()}
    assert (found[best.id].tasks, found[best.id].succeeded, found[best.id].failed) == (1, 1.0, 0.0)
    assert found[other.id].succeeded == position_weight(2)


def test_credit_follows_the_final_outcome_of_a_block_and_counts_once(memory: Memory) -> None:
    fact = memory.remember("Deploy orders behind a flag", kind="pattern")
    how = memory.remember("Deploy to Vercel", kind="procedure", steps=["test", "deploy"], confidence=0.5)
    with suppress(RuntimeError), memory.task("Deploy orders") as task:
        task.before()
        task.use(how.id)
        task.succeed()
        raise RuntimeError("the disk is full")
    found = {each.node.id: each for each in memory.tasks.credit()}[fact.id]
    assert (found.tasks, found.succeeded > 0, found.failed > 0) == (1, False, True)
    after = memory.get(how.id).attributes
    assert (after["success_count"], after["failure_count"]) == (0, 1)
    with memory.task("Deploy invoices") as task:
        task.use(how.id)
        task.succeed()
    assert memory.get(how.id).attributes["success_count"] == 1


def test_a_context_pack_of_a_task_is_credited_and_a_failure_debits_it(memory: Memory) -> None:
    fact = memory.remember("The staging cluster is in Frankfurt")
    task = memory.task("Deploy to staging")
    assert fact.id in memory.context("staging cluster", task=task.id).ids  # and its own trace, which is not credited
    task.fail("wrong region")
    (account,) = memory.tasks.credit()
    assert (account.node.id, account.succeeded) == (fact.id, 0.0)
    assert account.failed > 0.5  # by its place in the pack


def test_partial_and_crashed_tasks_give_no_credit(memory: Memory) -> None:
    memory.remember("Deploy orders behind a flag", kind="pattern")
    task = memory.task("Deploy orders")
    task.before()
    task.partial()
    assert memory.tasks.credit() == []


def test_the_report_says_which_memories_help_harm_or_are_unclear(memory: Memory) -> None:
    memory.remember("Deploy orders behind a flag", kind="pattern")
    memory.remember("Migrate invoices at noon", kind="pattern")
    memory.remember("Paginate reports by offset", kind="pattern")
    for _ in range(12):
        told(memory, "Deploy orders", "success")
        told(memory, "Migrate invoices", "failure")
    told(memory, "Paginate reports", "success")
    verdicts = {
        each.node.text.split()[0]: each.verdict for each in memory.tasks.credit() if each.node.kind == "pattern"
    }
    assert verdicts == {"Deploy": "helps", "Migrate": "harms", "Paginate": "unclear"}


def test_ranking_uses_credit_in_our_recipes_and_not_in_those_of_the_source_designs(opened: Open) -> None:
    memory = opened()
    good = memory.remember("restart the orders broker", kind="pattern")
    bad = memory.remember("restart the orders worker", kind="pattern")
    assert [hit.id for hit in memory.recall("restart orders")] == [bad.id, good.id]
    before = [(hit.id, hit.score) for hit in memory.recall("restart orders", recipe="koshi")]
    for _ in range(20):
        for node, end in ((good, "success"), (bad, "failure")):
            task = memory.task(f"restart {node.text.split()[-1]}")
            memory.context(node.text.split()[-1], task=task.id)
            task.succeed() if end == "success" else task.fail("no")
    hits = memory.recall("restart orders").hits
    assert [hit.id for hit in hits[:2]] == [good.id, bad.id]
    assert "tasks that used it went well" in hits[0].why
    assert [hit.id for hit in memory.recall("restart orders", recipe="koshi") if hit.kind == "pattern"] == [
        id for id, _ in before
    ]
    assert not any(
        isinstance(RECIPES[name].multipliers, BoundedMultipliers) for name in ("kira", "koshi", "yodoca", "loki")
    )


def test_a_used_procedure_gets_the_outcome_of_its_task(memory: Memory) -> None:
    how = memory.remember("Deploy to Vercel", kind="procedure", steps=["test", "deploy"], confidence=0.5)
    with memory.task("Deploy") as task:
        task.use(how.id)
    after = memory.get(how.id)
    assert after.attributes["success_count"] == 1
    assert after.confidence > how.confidence


def test_recall_as_of_a_past_time_ignores_later_credit(opened: Open, clock: Ticking) -> None:
    memory = opened()
    memory.remember("restart the orders broker", kind="pattern")
    then = to_datetime(clock())
    for _ in range(20):
        told(memory, "restart the orders", "success")
        told(memory, "something else", "failure")
    assert "went well" in memory.recall("restart the orders broker", kinds=["pattern"]).hits[0].why
    assert "went well" not in memory.recall("restart the orders broker", as_of=then).hits[0].why


def test_tasks_without_memories_do_not_change_the_base_rate(memory: Memory) -> None:
    memory.remember("Lock rows in id order when you backfill balances", kind="pattern")
    memory.remember("Drop the index before you backfill balances", kind="pattern")
    for number in range(12):
        told(memory, "Backfill balances", "success" if number % 2 else "failure")
    for _ in range(14):
        memory.task("Unrelated chore").fail("no")
    assert {each.verdict for each in memory.tasks.credit() if each.node.kind == "pattern"} == {"unclear"}
