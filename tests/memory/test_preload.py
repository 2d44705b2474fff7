"""Preloading loads what a question needs and counts no access."""

from __future__ import annotations

from omoide.providers.hashing import HashingEmbedder
from tests.conftest import Open, contents


def test_preloading_counts_no_access(opened: Open, path: str) -> None:
    memory = opened(embedder=HashingEmbedder())
    fact = memory.remember("What we know so far is that Otto lives in Berlin")
    memory.flush()
    before = contents(path)
    assert memory.admin.preload() is True
    memory.flush()
    assert memory.get(fact.id).access_count == 0
    assert contents(path) == before
    memory.recall("What do we know so far?")
    memory.flush()
    assert memory.get(fact.id).access_count == 1


def test_without_an_embedder_there_is_less_to_preload(opened: Open) -> None:
    assert opened().admin.preload() is False
