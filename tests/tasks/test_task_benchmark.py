"""A small run of the task benchmark: clusters are pure and the right lesson is found."""

from __future__ import annotations

from pathlib import Path

import pytest

import task_memory
from omoide.providers.hashing import HashingEmbedder
from task_families import FAMILIES, NOISE


@pytest.mark.parametrize("embedder", [None, HashingEmbedder()], ids=["words", "hashing"])
def test_clusters_are_pure_and_the_right_lesson_is_among_the_first_five(tmp_path: Path, embedder: object) -> None:
    found = task_memory.measured(tmp_path / "tasks.db", embedder, seed=3, traces=260, noisy=36, asked=2)
    assert found.purity >= 0.95
    assert found.found["goal alone"] >= 0.95
    assert found.found["goal, type and files"] >= 0.95


def test_no_question_repeats_a_trace_and_families_share_vocabulary() -> None:
    assert len(FAMILIES) >= 20
    assert len({family.name for family in FAMILIES}) == len(FAMILIES)
    goals = {goal for family in FAMILIES for goal in family.goals} | set(NOISE)
    assert not goals & {goal for family in FAMILIES for goal in family.asked}
    words = [{word for text in (*f.goals, *f.fixes, *f.messages) for word in text.lower().split()} for f in FAMILIES]
    assert all(any(len(own & other) >= 8 for other in words if other is not own) for own in words)
