"""The recall cache returns a result only while it is valid."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from omoide import Memory
from omoide.clock import to_datetime
from omoide.providers.hashing import HashingEmbedder
from omoide.recall.results import Recall
from tests.conftest import START, Open, Ticking, run

ASKED = to_datetime(START)


def again(found: Recall) -> bool:
    """Whether it was answered from memory of the answer."""
    return any(step.stage == "cache" for step in found.trace.steps)


def test_the_same_question_is_answered_once(memory: Memory) -> None:
    memory.remember("Otto lives in Berlin")
    first, second = memory.recall("Where does Otto live?"), memory.recall("Where does Otto live?")
    assert not again(first)
    assert again(second)
    assert second.hits == first.hits


def test_another_limit_kind_recipe_or_audience_is_another_question(memory: Memory) -> None:
    memory.remember("Otto lives in Berlin", audience="shared")
    memory.recall("Otto")
    assert not again(memory.recall("Otto", limit=3))
    assert not again(memory.recall("Otto", kinds=["episode"]))
    assert not again(memory.recall("Otto", recipe="keyword"))
    assert not again(memory.recall("Otto", audience="shared"))
    assert not again(memory.recall("otto"))


def test_a_write_of_this_memory_invalidates_the_cache(memory: Memory) -> None:
    memory.remember("Otto lives in Berlin")
    memory.recall("Otto")
    memory.remember("Otto likes jazz")
    found = memory.recall("Otto")
    assert not again(found)
    assert len(found) == 2


def test_a_write_of_another_process_invalidates_the_cache(memory: Memory, path: str) -> None:
    memory.remember("Otto lives in Berlin")
    memory.recall("Otto")
    run("import sys; from omoide import Memory; Memory(sys.argv[1], embedder=None).remember('Otto likes jazz')", path)
    found = memory.recall("Otto")
    assert not again(found)
    assert len(found) == 2


def test_an_in_memory_store_invalidates_the_cache_after_its_own_writes(clock: Ticking) -> None:
    with Memory(":memory:", embedder=None, clock=clock) as memory:
        memory.remember("Otto lives in Berlin")
        memory.recall("Otto")
        assert again(memory.recall("Otto"))
        memory.remember("Otto likes jazz")
        assert len(memory.recall("Otto")) == 2


def test_an_answer_is_given_again_for_a_minute(memory: Memory, clock: Ticking) -> None:
    memory.remember("Otto lives in Berlin")
    memory.recall("Otto")
    assert again(memory.recall("Otto"))
    clock.advance(days=2 / 24 / 60)
    assert not again(memory.recall("Otto"))


def test_an_answer_does_not_outlive_a_fact_that_ceases_to_be_true(memory: Memory) -> None:
    memory.remember("Otto stays at the Ritz", valid_until="2026-05-03T12:00:00+00:00")
    before = memory.recall("Otto", at="2026-05-03T11:59:59+00:00")
    after = memory.recall("Otto", at="2026-05-03T12:00:01+00:00")
    assert (len(before), len(after), again(after)) == (1, 0, False)


def test_a_question_about_a_time_is_answered_anew_as_the_clock_moves(memory: Memory) -> None:
    memory.observe("Deployed Kira", at="2026-05-03T11:55:30+00:00")
    asked = "What did we do in the last five minutes?"
    memory.recall(asked, at="2026-05-03T12:00:00+00:00")
    assert again(memory.recall(asked, at="2026-05-03T12:00:00+00:00"))
    assert not again(memory.recall(asked, at="2026-05-03T12:00:31+00:00"))


def test_a_cached_answer_counts_as_an_access_too(memory: Memory) -> None:
    node = memory.remember("Otto lives in Berlin")
    memory.recall("Otto")
    memory.recall("Otto")
    memory.flush()
    assert memory.get(node.id).access_count == 2


def test_writing_access_counts_does_not_drop_answers(memory: Memory) -> None:
    node = memory.remember("Otto lives in Berlin")
    memory.recall("Otto")
    memory.flush()
    assert memory.get(node.id).access_count == 1
    assert again(memory.recall("Otto"))


def test_what_a_pack_notes_in_its_trace_is_not_found_in_the_next_answer(memory: Memory) -> None:
    memory.remember("Otto lives in Berlin")
    memory.context("Otto")
    assert "fit" not in [step.stage for step in memory.recall("Otto", limit=30).trace.steps]


def test_an_answer_without_the_embedder_that_failed_is_not_kept(opened: Open) -> None:
    class Moody(HashingEmbedder):
        sulks = False

        def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
            if self.sulks:
                raise RuntimeError("not now")
            return super().embed(texts)

    embedder = Moody()
    memory = opened(embedder=embedder)
    memory.remember("Otto lives in Berlin")
    memory.flush()
    embedder.sulks = True
    assert not again(memory.recall("Otto"))
    embedder.sulks = False
    found = memory.recall("Otto")
    assert not again(found)
    assert "vector" in found.hits[0].arms


def test_only_so_many_answers_are_kept(opened: Open) -> None:
    memory = opened()
    memory.remember("Otto lives in Berlin")
    for number in range(120):
        memory.recall(f"Otto {number}")
    assert memory._core.caches.answers is not None
    assert len(memory._core.caches.answers) == 100
