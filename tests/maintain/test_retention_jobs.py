"""Archiving by policy: low confidence, retention dates, old traces. Nothing is lost."""

from __future__ import annotations

import pytest

from omoide import Memory
from omoide.clock import DAY
from omoide.maintain import retention_jobs
from omoide.maintain.job import JobStep
from tests.conftest import START, Ticking, unsound
from tests.maintain.store_dumps import compress, learn_all, run_job, states

YEAR = START + 365 * DAY


def run_kira(memory: Memory, now: int) -> list[JobStep]:
    """Retention by age, as in Kira's design."""
    return run_job(retention_jobs.EXPIRE_JOB, memory, now, retention_policy="kira")


def test_inferred_memories_of_low_confidence_are_archived(memory: Memory) -> None:
    guess = memory.remember("Otto may own a boat", source_type="inferred", confidence=0.4)
    steps = run_job(retention_jobs.LOW_CONFIDENCE_JOB, memory, YEAR)
    assert [(step.verb, step.id) for step in steps] == [("archived", guess.id)]
    assert "below 0.05" in steps[0].why
    assert memory.get(guess.id).text == "Otto may own a boat"
    assert [hit.id for hit in memory.recall("boat")] == [guess.id]
    assert unsound(memory) == []


@pytest.mark.parametrize("source_type", ["stated", "corrected"])
def test_stated_corrected_and_confirmed_memories_are_never_archived(memory: Memory, source_type: str) -> None:
    memory.remember("Otto owns a boat", source_type=source_type, confidence=0.3)
    confirmed = memory.remember("Otto owns a car", source_type="inferred", confidence=0.3)
    memory.review.confirm(confirmed.id)
    memory.observe("I own a bike", session="s")
    assert run_job(retention_jobs.LOW_CONFIDENCE_JOB, memory, START + 10_000 * DAY) == []


def test_a_restored_memory_is_not_archived_again(memory: Memory) -> None:
    guess = memory.remember("Otto may own a boat", source_type="inferred")
    run_job(retention_jobs.LOW_CONFIDENCE_JOB, memory, YEAR)
    memory.admin.unarchive(guess.id)
    assert run_job(retention_jobs.LOW_CONFIDENCE_JOB, memory, YEAR + DAY) == []


def test_a_dry_run_reports_the_same_steps_and_writes_nothing(memory: Memory) -> None:
    for n in range(3):
        memory.remember(f"guess {n}", source_type="inferred")
    told = run_job(retention_jobs.LOW_CONFIDENCE_JOB, memory, YEAR, dry_run=True)
    assert set(states(memory).values()) == {"live"}
    assert run_job(retention_jobs.LOW_CONFIDENCE_JOB, memory, YEAR) == told


def test_a_raw_episode_expires_once_learned_from_and_compressed(memory: Memory) -> None:
    turn = memory.observe("I had soup today", session="s")
    now = START + 8 * DAY
    assert run_kira(memory, now) == []  # neither
    learn_all(memory, "s")
    assert run_kira(memory, now) == []  # not told shorter
    compress(memory, [turn], now=START + DAY)
    assert [(step.verb, step.id) for step in run_kira(memory, now)] == [("archived", turn.id)]
    assert memory.get(turn.id).text == "I had soup today"
    assert run_kira(memory, now) == []


def test_unlearned_episodes_never_expire(memory: Memory) -> None:
    turn = memory.observe("I live in Rome", session="s")
    alone = memory.observe("I live in Rome, said outside of any session")
    compress(memory, [turn, alone], now=START + DAY)
    assert run_kira(memory, START + 30 * DAY) == []


def test_an_important_turn_stays_a_month(memory: Memory) -> None:
    turn = memory.observe("Remember: this is important, never deploy on Friday", session="s", tags=["correction"])
    assert turn.importance >= 8
    learn_all(memory, "s")
    compress(memory, [turn], now=START + DAY)
    assert run_kira(memory, START + 29 * DAY) == []
    assert len(run_kira(memory, START + 31 * DAY)) == 1


def test_a_compressed_episode_expires_after_ninety_days_unless_it_matters(memory: Memory) -> None:
    turns = memory.observe_many([{"text": "soup", "session": "s"}, {"text": "bread", "session": "s"}])
    learn_all(memory, "s")
    minor = compress(memory, turns, now=START, importance=5)
    weighty = compress(memory, turns, now=START, importance=6)
    distilled = compress(memory, turns, now=START, form="distilled")
    run_kira(memory, START + 91 * DAY)
    assert [states(memory)[id] for id in (minor.id, weighty.id, distilled.id)] == ["archived", "live", "live"]
    assert memory.get(minor.id).text == minor.text
    assert memory.admin.unarchive(minor.id) == minor


def test_an_old_trace_stays_only_if_knowledge_refers_to_it(memory: Memory) -> None:
    used = memory.observe("ran the tests", role="agent", task="t1")
    idle = memory.observe("read a file", role="agent", task="t1")
    memory.observe("we had coffee")
    memory.remember("Run the tests before a deploy", kind="pattern", sources=[used.id])
    assert run_job(retention_jobs.TRACES_JOB, memory, START + 29 * DAY) == []
    assert [step.id for step in run_job(retention_jobs.TRACES_JOB, memory, START + 31 * DAY)] == [idle.id]


def test_every_id_is_accounted_for(memory: Memory, clock: Ticking) -> None:
    old = memory.remember("Otto lives in Rome", subject="Otto", predicate="lives_in", object="Rome")
    memory.correct(old.id, "Otto lives in Berlin")
    memory.remember("a guess", source_type="inferred")
    turn = memory.observe("soup", session="s")
    learn_all(memory, "s")
    compress(memory, [turn], now=START)
    for job in (retention_jobs.LOW_CONFIDENCE_JOB, retention_jobs.EXPIRE_JOB, retention_jobs.TRACES_JOB):
        run_job(job, memory, YEAR, retention_policy="kira")
    assert list(states(memory).values()) == ["superseded", "live", "archived", "archived", "archived"]
