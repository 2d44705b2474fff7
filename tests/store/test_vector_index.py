"""The vector index: added vectors are found, removed ones are not, and changes are loaded incrementally."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from omoide.providers.hashing import HashingEmbedder
from omoide.store.search.vector_index import VectorIndex
from tests.conftest import Open, run
from tests.open_file import connect

SIZE = 16


def drawn(seed: int, rows: int = 1) -> NDArray[np.float16]:
    found = np.random.default_rng(seed).standard_normal((rows, SIZE))
    unit: NDArray[np.float16] = (found / np.linalg.norm(found, axis=1, keepdims=True)).astype(np.float16)
    return unit


@settings(max_examples=60)
@given(st.lists(st.tuples(st.booleans(), st.integers(1, 12), st.integers(0, 1_000)), max_size=40))
def test_the_index_holds_what_was_added_last_and_not_removed(deeds: list[tuple[bool, int, int]]) -> None:
    planes = VectorIndex(SIZE)
    held: dict[int, NDArray[np.float32]] = {}
    for adds, id, seed in deeds:
        planes.remove([id])
        held.pop(id, None)
        if adds:
            planes.add([id], drawn(seed))
            held[id] = drawn(seed)[0].astype(np.float32)
    query = drawn(7)[0].astype(np.float32)
    assert len(planes) == len(held)
    assert dict(planes.search(query, 99)) == pytest.approx({id: row @ query for id, row in held.items()}, abs=0.02)
    assert dict(planes.scores(query, range(20))) == dict(planes.search(query, 99))
    assert list(planes.search(query, 2)) == list(planes.search(query, 99))[:2]


def test_the_index_is_compacted_after_many_removals() -> None:
    planes = VectorIndex(SIZE)
    planes.add(range(10_000), drawn(1, 10_000))
    planes.remove(range(1, 10_000, 2))
    planes.remove(range(0, 9_000, 2))
    query = drawn(1, 10_000)[9_998].astype(np.float32)
    assert len(planes) == 500
    assert planes.search(query, 1).ids.tolist() == [9_998]
    assert {id for id, _ in planes.search(query, 1_000)} == set(range(9_000, 10_000, 2))
    planes.add([1], drawn(5))
    assert planes.search(drawn(5)[0].astype(np.float32), 1).ids.tolist() == [1]


def test_the_bit_scan_finds_what_a_full_scan_finds() -> None:
    planes, matrix = VectorIndex(SIZE), drawn(3, 20_000)
    planes.add(range(20_000), matrix)
    planes.remove(range(4_000))
    query = drawn(4)[0].astype(np.float32)
    exact = 4_000 + np.argsort(-(matrix[4_000:].astype(np.float32) @ query))[:10]
    assert len({id for id, _ in planes.search(query, 10)} & set(exact.tolist())) >= 8


def test_a_change_by_another_process_loads_only_that_vector(opened: Open, path: str) -> None:
    memory = opened(embedder=HashingEmbedder())
    for text in ("otto likes tea", "maria likes rain", "ines likes berlin"):
        memory.remember(text)
    memory.flush()
    planes = memory._store.search.vectors(1)
    run(
        """
        import sys
        from tests.open_file import connect
        from omoide import Memory
        from omoide.providers.hashing import HashingEmbedder
        with Memory(sys.argv[1], embedder=HashingEmbedder()) as memory:
            memory.review.update(1, "otto plays chess")
            memory.remember("jo bakes bread")
            memory.flush()
        connect(sys.argv[1], 1.0).execute("DELETE FROM node WHERE id = 2")
        """,
        path,
    )
    assert memory._store.search.vectors(1) is planes
    assert len(planes) == 3
    chess, rain = HashingEmbedder().embed(["otto plays chess", "maria likes rain"])
    assert dict(planes.search(chess, 1)) == {1: pytest.approx(1.0, abs=0.02)}
    assert 2 not in dict(planes.search(rain, 10))


def test_a_process_that_missed_changes_loads_all_vectors_again(opened: Open, path: str) -> None:
    memory = opened(embedder=HashingEmbedder())
    memory.remember("otto likes tea")
    memory.flush()
    planes = memory._store.search.vectors(1)
    db = connect(path, 1.0)
    db.execute("DELETE FROM vector")
    db.execute("DELETE FROM cache_invalidation")
    db.execute("INSERT INTO cache_invalidation (part, node_id) VALUES ('text', 99)")
    assert len(planes) == 1
    assert len(memory._store.search.vectors(1)) == 0
