"""A file over its size limit."""

from __future__ import annotations

import os
from random import Random
from typing import Any

import pytest

from omoide import Memory
from omoide.clock import DAY, to_datetime
from omoide.maintain import retention_jobs
from omoide.maintain.retention_jobs import is_over_limit
from omoide.recall.scoring import HebbianMultipliers, RankingView, apply_factors
from omoide.settings import Settings
from tests.conftest import START, Open, unsound
from tests.maintain.store_dumps import run_job, states

NOW = START + 100 * DAY
_LONG = "all work and no play makes a dull memory " * 250


def _filled(memory: Memory, notes: int = 200) -> None:
    for n in range(notes):
        memory.remember(f"note {n}", kind="note", source_type="inferred", details=_LONG)


def test_a_file_within_its_limit_is_never_pruned(memory: Memory) -> None:
    worst = memory.remember("the worst of all")
    for _ in range(8):
        memory.review.demote(worst.id)
    assert run_job(retention_jobs.PRUNE_JOB, memory, NOW) == []
    assert run_job(retention_jobs.PRUNE_JOB, memory, NOW, max_size=0) == []


def test_a_file_over_its_limit_archives_a_share_per_run(memory: Memory) -> None:
    _filled(memory)
    memory.review.reinforce(1)
    memory.review.demote(150)
    assert is_over_limit(memory._store, Settings(max_size=1))
    steps = run_job(retention_jobs.PRUNE_JOB, memory, NOW, max_size=1)
    gone = [step.id for step in steps if step.verb == "archived"]
    assert gone == [150, 2]  # the demoted one first, then the oldest; 1 % of 200
    assert [
        step.id for step in run_job(retention_jobs.PRUNE_JOB, memory, NOW + 1, max_size=1) if step.id
    ] == []  # one night, one share
    assert (
        len([step for step in run_job(retention_jobs.PRUNE_JOB, memory, NOW + DAY, max_size=1) if step.id]) == 1
    )  # 1 % of 198
    assert unsound(memory) == []


def test_protected_memories_are_never_pruned_and_that_is_reported(memory: Memory) -> None:
    stated = [memory.remember(f"Otto wrote letter number {n}", details=_LONG).id for n in range(200)]
    guessed = memory.remember("Otto may own a boat", source_type="inferred")
    confirmed = memory.review.confirm(memory.remember("Otto owns a cat", source_type="inferred").id)
    told = [run_job(retention_jobs.PRUNE_JOB, memory, NOW + n * DAY, max_size=1, prune_percent=100.0) for n in range(3)]
    assert [step.id for step in told[0] if step.verb == "archived"] == [guessed.id]
    assert [step.verb for step in told[1]] == [step.verb for step in told[2]] == ["left"]
    assert "nothing can be pruned" in told[2][0].why
    assert {states(memory)[id] for id in (*stated, confirmed.id)} == {"live"}


def test_pruning_ends_when_live_data_fits(memory: Memory) -> None:
    chance = Random(1)
    for n in range(300):  # of words that cannot be packed well: the archive is nearly as large as they were
        memory.remember(f"note {n}", kind="note", source_type="inferred", details=chance.randbytes(3_000).hex())
    share: dict[str, Any] = {"max_size": 1, "prune_percent": 10.0}
    gone = [
        len([each for each in run_job(retention_jobs.PRUNE_JOB, memory, NOW + n * DAY, **share) if each.id])
        for n in range(12)
    ]
    space = memory._store.space.measure_space()
    assert space.in_use <= 1_000_000 < space.in_use + space.archive
    assert gone[-1] == 0
    assert 0 < sum(gone) < 200


@pytest.mark.parametrize(("score", "days"), [(0, 0), (3, 10), (-8, 400), (5, 4_000)])
def test_the_order_of_use_matches_recall(memory: Memory, score: int, days: int) -> None:
    node = memory.remember("anything", source_type="inferred")
    memory._store.nodes.adjust_score(node.id, score, hit=False)
    now = START + days * DAY
    found = memory._store.retention.least_used(now, 1)[0]
    assert found.measure == pytest.approx(
        apply_factors(1.0, HebbianMultipliers()(memory.get(node.id), RankingView(now=to_datetime(now)))), rel=1e-3
    )


def test_pruning_returns_pages_to_the_disk(opened: Open, path: str) -> None:
    memory = opened()
    _filled(memory, 500)
    memory.close()
    before = os.path.getsize(path)
    memory = opened()
    steps = run_job(retention_jobs.PRUNE_JOB, memory, NOW, max_size=1, prune_percent=90.0)
    assert steps[-1].verb == "shrunk"
    memory.observe("life goes on", session="t")
    assert unsound(memory) == []
    memory.close()
    assert os.path.getsize(path) < before / 2
    memory = opened()
    assert memory.get(1).details == _LONG
    assert memory._store.space.release_pages(1)  # from now on in pieces


def test_the_file_is_rewritten_only_the_first_time(opened: Open, path: str) -> None:
    memory = opened()
    memory._store.space.vacuum()
    _filled(memory, 500)
    before = memory._store.space.measure_space().bytes
    run_job(retention_jobs.PRUNE_JOB, memory, NOW, max_size=1, prune_percent=90.0)
    after = memory._store.space.measure_space()
    assert after.bytes < before * 0.8
    assert after.free == 0
    assert set(states(memory).values()) == {"archived", "live"}


def test_a_memory_that_fails_is_set_aside_and_the_others_are_pruned(memory: Memory) -> None:
    _filled(memory)
    memory.review.demote(150)
    refused = "UPDATE ON node WHEN OLD.id = 150 BEGIN SELECT RAISE(ABORT, 'poison'); END"
    memory._store._file.write(lambda db: db.execute(f"CREATE TRIGGER poison BEFORE {refused}"))
    steps = run_job(retention_jobs.PRUNE_JOB, memory, NOW, max_size=1)
    assert [(step.verb, step.id) for step in steps if step.id] == [("set aside", 150), ("archived", 1), ("archived", 2)]
    again = run_job(retention_jobs.PRUNE_JOB, memory, NOW + DAY, max_size=1)
    assert [step.verb for step in again if step.id] == ["set aside", "archived"]
