"""CrewAI: its own memory over our storage. Its tests of memory run with `make test-upstream`."""

from __future__ import annotations

import os
import warnings
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from omoide import Memory
from tests.adapters.needed import need

os.environ["CREWAI_DISABLE_TELEMETRY"] = "true"
with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # its own, while it is imported
    need("crewai", "crewai")
    import crewai
    from crewai.memory.storage.backend import EmbeddingDimensionMismatchError, StorageBackend
    from crewai.memory.types import MemoryRecord

from omoide.interfaces.adapters.crewai import MemoryStorage

pytestmark = pytest.mark.filterwarnings("ignore")


def record(content: str, **more: Any) -> MemoryRecord:
    return MemoryRecord(content=content, **{"embedding": [1.0, 0.0]} | more)


@pytest.fixture
def storage(memory: Memory) -> MemoryStorage:
    storage = MemoryStorage(memory)
    storage.save(
        [
            record("Otto deploys to Vercel", id="a", scope="/otto/work", categories=["deploy"], metadata={"by": "x"}),
            record("Otto grows tomatoes", id="b", scope="/otto/garden", embedding=[0.6, 0.8]),
            record("Ada plays chess", id="c", scope="/ada", embedding=[0.0, 1.0]),
        ]
    )
    return storage


def test_it_is_a_storage_backend(storage: MemoryStorage) -> None:
    assert isinstance(storage, StorageBackend)


def test_a_search_orders_by_similarity_within_scope_category_and_metadata(storage: MemoryStorage) -> None:
    assert [(found.id, round(score, 2)) for found, score in storage.search([1.0, 0.0])] == [
        ("a", 1.0),
        ("b", 0.6),
        ("c", 0.0),
    ]
    assert [found.id for found, _ in storage.search([1.0, 0.0], scope_prefix="/ot")] == []
    assert [found.id for found, _ in storage.search([1.0, 0.0], scope_prefix="/otto/")] == ["a", "b"]
    assert [found.id for found, _ in storage.search([0.0, 1.0], categories=["deploy"])] == ["a"]
    assert [found.id for found, _ in storage.search([0.0, 1.0], metadata_filter={"by": "x"})] == ["a"]
    assert [found.id for found, _ in storage.search([1.0, 0.0], min_score=0.5, limit=1)] == ["a"]


def test_vectors_of_another_embedder_are_refused(storage: MemoryStorage) -> None:
    with pytest.raises(EmbeddingDimensionMismatchError):
        storage.save([record("x", embedding=[1.0])])
    with pytest.raises(EmbeddingDimensionMismatchError):
        storage.search([1.0])


def test_scopes_and_categories_are_counted(storage: MemoryStorage) -> None:
    assert storage.list_scopes("/") == ["/ada", "/otto"]
    assert storage.get_scope_info("/otto").child_scopes == ["/otto/garden", "/otto/work"]
    assert (storage.count(), storage.count("/otto")) == (3, 2)
    assert storage.list_categories() == {"deploy": 1}


def test_deleting_needs_all_conditions_and_withdraws(storage: MemoryStorage, memory: Memory) -> None:
    tomorrow = datetime.now(UTC) + timedelta(days=1)
    assert storage.delete(scope_prefix="/ada", categories=["deploy"]) == 0
    assert storage.delete(record_ids=["c"], older_than=tomorrow) == 1
    assert storage.get_record("c") is None
    assert [node.text for node in memory.list(state="archived")] == ["Ada plays chess"]
    storage.reset()
    assert storage.list_records() == []


def test_erased_records_leave_nothing(memory: Memory) -> None:
    storage = MemoryStorage(memory, erase=True)
    storage.save([record("Ada plays chess")])
    storage.reset()
    assert list(memory.list(state="all")) == []


def test_an_update_keeps_the_earlier_wording_in_the_history(storage: MemoryStorage, memory: Memory) -> None:
    changed = storage.get_record("c")
    assert changed is not None
    storage.update(changed.model_copy(update={"content": "Ada plays go"}))
    found = storage.get_record("c")
    assert found is not None
    assert (found.content, found.embedding, found.created_at) == ("Ada plays go", [0.0, 1.0], changed.created_at)
    assert memory.recall("what does Ada play?").texts[0] == "Ada plays go"


def test_what_a_crew_remembers_every_other_door_recalls(memory: Memory) -> None:
    def embedder(texts: list[str]) -> list[list[float]]:
        return [[float("vercel" in each.lower()), 1.0] for each in texts]

    crew = crewai.Memory(storage=MemoryStorage(memory), embedder=embedder)
    crew.remember("The app is deployed to Vercel", scope="/work", categories=[], importance=0.5, metadata={})
    crew.remember("Ada grows tomatoes", scope="/work", categories=[], importance=0.5, metadata={})
    found = crew.recall("Vercel", depth="shallow", limit=1)
    crew.close()
    assert [each.record.content for each in found] == ["The app is deployed to Vercel"]
    assert memory.recall("where is the app deployed?").texts[0] == "The app is deployed to Vercel"
