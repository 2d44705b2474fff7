"""A recall is recorded: access counts, times, and links between memories recalled together; never confidence."""

from __future__ import annotations

from omoide import Memory
from omoide.observe.background import PendingAccesses
from tests.conftest import Open, Ticking


def test_memories_recalled_together_are_linked_ever_stronger(memory: Memory) -> None:
    one = memory.remember("The payment API signs its requests with HMAC")
    other = memory.remember("The HMAC signature of the payment API has no trailing blank")
    for _ in range(3):
        memory.recall("payment HMAC signature")
    memory.flush()
    [link] = memory.graph.links(one.id)
    assert (link.type, link.source_id, link.target_id, link.weight) == ("recalled_with", one.id, other.id, 3.0)


def test_only_the_best_of_an_answer_are_linked(memory: Memory) -> None:
    for number in range(6):
        memory.remember(f"Deploy note {number}")
    hits = memory.recall("deploy note", limit=6).hits
    memory.flush()
    linked = [hit.id for hit in hits if memory.graph.links(hit.id)]
    assert linked == [hit.id for hit in hits[:3]]


def test_a_recall_does_not_raise_confidence(memory: Memory) -> None:
    unsure = memory.remember("Otto may like jazz", confidence=0.4)
    memory.remember("Otto may like blues", confidence=0.4)
    memory.recall("Otto jazz")
    memory.flush()
    after = memory.get(unsure.id)
    assert (after.confidence, after.score, after.access_count) == (0.4, 0, 1)


def test_a_memory_was_last_accessed_when_it_was_recalled_not_when_that_was_written(
    memory: Memory, clock: Ticking
) -> None:
    node = memory.remember("Otto lives in Berlin")
    asked = memory.recall("Otto").hits[0].node.recorded_at
    clock.advance(days=2)
    memory.flush()
    kept = memory.get(node.id).last_accessed_at
    assert kept is not None
    assert (kept - asked).days == 0


def test_a_memory_erased_before_links_are_written_is_no_error(opened: Open) -> None:
    memory = opened()
    memory._store.nodes.record_accesses({1: 1, 2: 1}, {1: 0, 2: 0}, {(1, 2): 1})
    assert memory.stats().edges == 0


def test_what_could_not_be_written_is_kept_for_the_next_try() -> None:
    recalled = PendingAccesses()
    recalled.add([1, 2], at=5)
    taken = recalled.take()
    assert taken is not None
    assert recalled.take() is None
    recalled.add([2, 3], at=9)
    recalled.put_back(taken)
    again = recalled.take()
    assert again is not None
    assert (again.counts, again.last, again.pairs) == ({1: 1, 2: 2, 3: 1}, {1: 5, 2: 9, 3: 9}, {(1, 2): 1, (2, 3): 1})
