"""A job that is interrupted at any step and run again ends like a clean run."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from itertools import islice
from operator import methodcaller
from pathlib import Path
from typing import Any

import pytest

from omoide import Memory
from omoide.clock import DAY
from omoide.maintain import retention_jobs
from omoide.maintain.job import MaintenanceJob
from omoide.store.entities.entities import EntityProfile
from tests.conftest import START, counted, inserted, ticking
from tests.maintain.store_dumps import compress, dump, job_context, learn_all

NOW = START + 400 * DAY


def _faded(memory: Memory) -> None:
    for n in range(250):  # more than one transaction
        memory.remember(f"guess {n}", source_type="inferred")


def _expired(memory: Memory) -> None:
    turns = memory.observe_many([{"text": f"turn {n} about soup", "session": f"s{n % 3}"} for n in range(8)])
    learn_all(memory, "s0", "s1", "s2")
    compress(memory, turns, now=START)


def _traced(memory: Memory) -> None:
    memory.observe_many([{"text": f"step {n}", "role": "agent", "task": f"t{n % 2}"} for n in range(6)])


def _large(memory: Memory) -> None:
    for n in range(250):
        memory.remember(f"note {n}", kind="note", source_type="inferred", details="many words " * 500)


def _twice(memory: Memory) -> None:
    for n in range(3):
        source = memory.observe(f"said {n}", session="s")
        for _ in range(3):
            memory.review.reinforce(inserted(memory, f"Otto owns {n} boats", sources=[source.id]).id)


def _orphaned(memory: Memory) -> None:
    for profile in (EntityProfile(name=name) for name in ("Zorblax", "Quux", "Frob")):
        memory._store.learning.transact(methodcaller("save_entity", profile))


CASES: list[Any] = [
    pytest.param(retention_jobs.LOW_CONFIDENCE_JOB, _faded, (1, 200, 201), {}, id="low_confidence"),
    pytest.param(retention_jobs.EXPIRE_JOB, _expired, range(1, 9), {}, id="expire"),
    pytest.param(retention_jobs.EXPIRE_JOB, _expired, range(1, 10), {"retention_policy": "kira"}, id="expire_kira"),
    pytest.param(retention_jobs.TRACES_JOB, _traced, range(1, 7), {}, id="traces"),
    pytest.param(retention_jobs.PRUNE_JOB, _large, (1, 200, 201), {"max_size": 1, "prune_percent": 90.0}, id="prune"),
    pytest.param(retention_jobs.DEDUPLICATE_JOB, _twice, range(1, 7), {}, id="deduplicate"),
    pytest.param(retention_jobs.ORPHANS_JOB, _orphaned, range(1, 4), {}, id="orphans"),
]


@pytest.mark.parametrize(("job", "fill", "stops", "settings"), CASES)
def test_interrupting_a_job_anywhere_and_running_again_gives_the_same_store(
    job: MaintenanceJob, fill: Callable[[Memory], None], stops: range, settings: dict[str, Any], tmp_path: Path
) -> None:
    made = tmp_path / "made.db"
    with Memory(made, embedder=None, clock=ticking(), ids=counted()) as memory:
        fill(memory)
    clean = _after(job, made, tmp_path / "clean.db", None, settings)
    assert clean != dump(str(made))
    for stop in stops:
        assert _after(job, made, tmp_path / f"{stop}.db", stop, settings) == clean


def _after(
    job: MaintenanceJob, made: Path, place: Path, stop: int | None, settings: dict[str, Any]
) -> dict[str, list[Any]]:
    shutil.copy(made, place)
    with Memory(place, embedder=None, clock=ticking(NOW), ids=counted()) as memory:
        if stop is not None:
            assert len(list(islice(job.run(job_context(memory, NOW, **settings)), stop))) == stop
        list(job.run(job_context(memory, NOW, **settings)))
        again = dump(str(place))
        list(job.run(job_context(memory, NOW, **settings)))
        assert dump(str(place)) == again  # running again changes nothing
    return again
