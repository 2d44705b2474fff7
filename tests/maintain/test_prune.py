"""A file that has outgrown its limit."""

from __future__ import annotations

import os

import pytest

from omoide import Memory
from omoide.clock import DAY, moment
from omoide.config import Settings
from omoide.maintain import prune
from omoide.maintain.size import is_tight
from omoide.recall.weigh import Hebbian, View, weighted
from tests.conftest import START, Open, unsound
from tests.maintain.parts import ran, states

NOW = START + 100 * DAY
_LONG = "all work and no play makes a dull memory " * 250


def _filled(memory: Memory, notes: int = 200) -> None:
    for n in range(notes):
        memory.remember(f"note {n}", kind="note", source_type="inferred", details=_LONG)


def test_a_file_with_room_is_never_pruned(memory: Memory) -> None:
    worst = memory.remember("the worst of all")
    for _ in range(8):
        memory.demote(worst.id)
    assert ran(prune.JOB, memory, NOW) == []
    assert ran(prune.JOB, memory, NOW, max_size=0) == []


def test_a_file_too_large_archives_the_bottom_percent_a_night(memory: Memory) -> None:
    _filled(memory)
    memory.reinforce(1)
    memory.demote(150)
    assert is_tight(memory._store, Settings(max_size=1))
    steps = ran(prune.JOB, memory, NOW, max_size=1)
    gone = [step.id for step in steps if step.verb == "archived"]
    assert gone == [150, 2]  # the demoted one first, then the oldest; 1 % of 200
    assert [step.id for step in ran(prune.JOB, memory, NOW + 1, max_size=1) if step.id] == []  # one night, one share
    assert len([step for step in ran(prune.JOB, memory, NOW + DAY, max_size=1) if step.id]) == 1  # 1 % of 198
    assert unsound(memory) == []


def test_protected_memories_leave_last(memory: Memory) -> None:
    stated = memory.remember("Otto lives in Rome")
    _filled(memory)
    gone = [step.id for step in ran(prune.JOB, memory, NOW, max_size=1, prune_percent=99.0) if step.id]
    assert stated.id not in gone
    assert len(gone) == 198


@pytest.mark.parametrize(("score", "days"), [(0, 0), (3, 10), (-8, 400), (5, 4_000)])
def test_the_order_of_use_is_the_one_that_recall_multiplies_by(memory: Memory, score: int, days: int) -> None:
    node = memory.remember("anything")
    memory._store.adjust_score(node.id, score, hit=False)
    now = START + days * DAY
    found = memory._store.least_used(now, 1)[0]
    assert found.sign == pytest.approx(weighted(1.0, Hebbian()(memory.show(node.id), View(now=moment(now)))), rel=1e-3)


def test_pruning_gives_room_back_to_the_disk(opened: Open, path: str) -> None:
    memory = opened()
    _filled(memory, 500)
    memory.close()
    before = os.path.getsize(path)
    memory = opened()
    steps = ran(prune.JOB, memory, NOW, max_size=1, prune_percent=90.0)
    assert steps[-1].verb == "shrunk"
    memory.observe("life goes on", session="t")
    assert unsound(memory) == []
    memory.close()
    assert os.path.getsize(path) < before / 2
    memory = opened()
    assert memory.show(1).details == _LONG
    assert memory._store.give_back(1)  # from now on in pieces


def test_only_the_first_time_is_the_file_written_anew(opened: Open, path: str) -> None:
    memory = opened()
    memory._store.rewrite_file()
    _filled(memory, 500)
    before = memory._store.space().bytes
    ran(prune.JOB, memory, NOW, max_size=1, prune_percent=90.0)
    after = memory._store.space()
    assert after.bytes < before * 0.8
    assert after.free == 0
    assert set(states(memory).values()) == {"archived", "live"}
