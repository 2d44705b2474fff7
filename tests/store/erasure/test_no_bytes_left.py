"""After an erasure of any kind no byte of a planted marker is left, and nothing brings it back."""

from __future__ import annotations

from typing import Any

import pytest

from omoide import Memory
from tests.conftest import Open, unsound
from tests.store.erasure.planted_marker import MARK, OTTO, THEN, TURNS, keep, marker_locations, plant, word

WAYS: dict[str, dict[str, Any]] = {
    "ids": {"id": [1, 2, 3, 4, 5, 6]},
    "session": {"session": word("session")},
    "entity": {"entity": OTTO},
    "query": {"query": "wombat", "limit": 100},
    "origin": {"origin": "user"},
    "before": {"before": "2026-04-10T00:00:00+00:00"},
}


def test_the_marker_is_in_every_place_before_erasing(memory: Memory, path: str) -> None:
    plant(memory)
    seen = {place.split(":")[0] for place in marker_locations(path)}
    for place in (
        "node.text node.details node.tags node.speaker node.task_id node.attributes node.folded_text session.name "
        "session.channel session.summary session.learn_error entity.name entity.description entity.summary "
        "entity.attributes entity_name.key entity_name.name relation.type relation.properties edge.evidence "
        "edge.predicate change.before entity_change.before journal.proposal ledger.state ledger.context "
        "ledger.current_task embedding_queue.error nodes_fts_data.block"
    ).split():
        assert place in seen, place
    kinds = set(memory.stats().by_kind)
    assert {"episode", "fact", "opinion", "preference", "procedure", "narrative"} <= kinds


@pytest.mark.parametrize("way", WAYS)
def test_no_bytes_are_left(memory: Memory, path: str, way: str) -> None:
    plant(memory)
    memory.recall("wombat")
    receipt = memory.forget(**WAYS[way])
    assert marker_locations(path) == []
    assert receipt.clean
    assert receipt.scan.searched > 20
    assert unsound(memory) == []
    assert memory.admin.id_states().lost == 0
    assert set(memory.recall("kangaroo", limit=9).texts) >= {
        "The kangaroo sleeps.",
        "A kangaroo hops.",
        "Many a kangaroo eats grass.",
    }
    memory.close()
    assert marker_locations(path) == []


@pytest.mark.parametrize("way", WAYS)
def test_nothing_recalls_it_and_nothing_brings_it_back(opened: Open, path: str, way: str) -> None:
    memory, other = opened(), opened()
    plant(memory)
    assert other.recall("wombat")
    memory.forget(**WAYS[way])
    assert not memory.recall("wombat")
    assert not other.recall("wombat")
    again = memory.observe_many(
        {"text": text, "at": THEN.format(number), "session": "imported", "origin": "import"}
        for number, text in enumerate(TURNS)
    )
    assert {node.state for node in again} == {"erased"}
    assert memory.observe("other words", key=f"{word('key')} 0").state == "erased"
    memory.learn()
    assert not memory.recall("wombat")
    assert marker_locations(path) == []


@pytest.mark.parametrize("way", WAYS)
def test_the_preview_matches_the_erasure_and_changes_nothing(memory: Memory, way: str) -> None:
    plant(memory)
    before = memory.stats()
    preview = memory.forget(**WAYS[way], preview=True)
    assert memory.stats() == before
    receipt = memory.forget(**WAYS[way])
    assert sorted(node.id for node in preview.nodes) == list(receipt.ids)
    counts = {name: count for name, count in receipt.counts.items() if name != "full text"}
    assert counts == preview.counts
    assert OTTO in preview.entities
    assert word("session") in preview.sessions


def test_an_in_memory_database_is_scanned_too(opened: Open) -> None:
    with Memory(":memory:", embedder=None) as memory:
        marked = memory.observe(f"Something {MARK}", session="s")
        keep(memory, marked.id)
        receipt = memory.forget(marked.id)
    assert receipt.scan.files == (":memory:",)
    assert receipt.clean
