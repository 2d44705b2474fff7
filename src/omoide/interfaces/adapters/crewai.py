"""CrewAI: a storage for its memory. The crew's records are documents, which every other door recalls too."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from functools import partial
from typing import Any

import numpy as np

from omoide.domain import Node
from omoide.errors import needs_extra
from omoide.interfaces.adapters.conversation import cosine, packed_vector, unpacked_vector
from omoide.memory import Memory

with needs_extra("a storage for CrewAI needs crewai", "crewai"):
    from crewai.memory.storage.backend import EmbeddingDimensionMismatchError
    from crewai.memory.types import MemoryRecord, ScopeInfo

_COLLECTION = "crewai"


class MemoryStorage:
    """`crewai.Memory(storage=MemoryStorage(memory), embedder=…)`; the crew's embedder compares its records.

    Deleting withdraws a record; with `erase` it is erased for good.
    """

    def __init__(self, memory: Memory, *, erase: bool = False) -> None:
        self._memory = memory
        self._erase = erase

    def save(self, records: list[MemoryRecord]) -> None:
        """Stores records under their ids."""
        given = [each.embedding for each in records if each.embedding]
        if given:
            self._check(given[0])
        for each in given:
            if len(each) != len(given[0]):
                raise EmbeddingDimensionMismatchError(len(given[0]), len(each))
        for record in records:
            self._put(record)

    def update(self, record: MemoryRecord) -> None:
        """Replaces the record of the same id; the earlier wording stays in its history."""
        self.save([record])

    def search(
        self,
        query_embedding: list[float],
        scope_prefix: str | None = None,
        categories: list[str] | None = None,
        metadata_filter: dict[str, Any] | None = None,
        limit: int = 10,
        min_score: float = 0.0,
    ) -> list[tuple[MemoryRecord, float]]:
        """Records by the cosine of their vectors, best first."""
        self._check(query_embedding)
        asked = np.asarray(query_embedding, np.float32)
        found = [
            (record, cosine(asked, np.asarray(record.embedding, np.float32)))
            for record in self._records(scope_prefix)
            if record.embedding and _passes(record, categories, metadata_filter)
        ]
        best = sorted(found, key=lambda each: -each[1])
        return [(record, score) for record, score in best if score >= min_score][:limit]

    def delete(
        self,
        scope_prefix: str | None = None,
        categories: list[str] | None = None,
        record_ids: list[str] | None = None,
        older_than: datetime | None = None,
        metadata_filter: dict[str, Any] | None = None,
    ) -> int:
        """Deletes what fulfils all conditions and returns how many; without conditions everything."""
        doomed = [
            record.id
            for record in self._records(scope_prefix)
            if _passes(record, categories, metadata_filter)
            and (not record_ids or record.id in record_ids)
            and (older_than is None or _aware(record.created_at) < _aware(older_than))
        ]
        for id in doomed:
            node = self._memory.documents.get(_COLLECTION, id)
            assert node is not None
            if self._erase:
                self._memory.forget(node.id)
            else:
                self._memory.admin.archive(node.id, withdraw=True)
        return len(doomed)

    def reset(self, scope_prefix: str | None = None) -> None:
        self.delete(scope_prefix)

    def touch_records(self, record_ids: list[str]) -> None:
        """Notes when records were recalled last, as the crew asks for after each recall."""
        for record in filter(None, map(self.get_record, record_ids)):
            record.last_accessed = datetime.now(UTC).replace(tzinfo=None)
            self._put(record)

    def get_record(self, record_id: str) -> MemoryRecord | None:
        node = self._memory.documents.get(_COLLECTION, record_id)
        return None if node is None or node.state != "live" else _record(node)

    def list_records(self, scope_prefix: str | None = None, limit: int = 200, offset: int = 0) -> list[MemoryRecord]:
        """Records of a scope, the newest first."""
        if limit <= 0 or offset < 0:
            return []
        found = sorted(self._records(scope_prefix), key=lambda each: _aware(each.created_at), reverse=True)
        return found[offset : offset + limit]

    def get_scope_info(self, scope: str) -> ScopeInfo:
        found = list(self._records(scope))
        times = [each.created_at for each in found]
        return ScopeInfo(
            path=_path(scope) or "/",
            record_count=len(found),
            categories=sorted({name for each in found for name in each.categories}),
            oldest_record=min(times, key=_aware, default=None),
            newest_record=max(times, key=_aware, default=None),
            child_scopes=_children(found, scope),
        )

    def list_scopes(self, parent: str = "/") -> list[str]:
        """The scopes right below another one."""
        return _children(self._records(parent), parent)

    def list_categories(self, scope_prefix: str | None = None) -> dict[str, int]:
        return dict(Counter(name for each in self._records(scope_prefix) for name in each.categories))

    def count(self, scope_prefix: str | None = None) -> int:
        return sum(1 for _ in self._records(scope_prefix))

    async def asave(self, records: list[MemoryRecord]) -> None:
        await asyncio.to_thread(self.save, records)

    async def asearch(self, query_embedding: list[float], **given: Any) -> list[tuple[MemoryRecord, float]]:
        return await asyncio.to_thread(partial(self.search, query_embedding, **given))

    async def adelete(self, **given: Any) -> int:
        return await asyncio.to_thread(partial(self.delete, **given))

    def _put(self, record: MemoryRecord) -> None:
        vector = packed_vector(record.embedding) if record.embedding else None
        body = {"record": record.model_dump(mode="json"), "vector": vector}
        self._memory.documents.save(_COLLECTION, record.id, record.content.strip() or record.id, body=body)

    def _records(self, scope: str | None) -> Iterator[MemoryRecord]:
        wanted = _path(scope or "/")
        for node in self._memory.documents.list(_COLLECTION):
            record = _record(node)
            own = _path(record.scope)
            if own == wanted or own.startswith(wanted + "/"):
                yield record

    def _check(self, vector: list[float]) -> None:
        """Vectors of another embedder cannot be compared."""
        stored = next((each for each in self._records(None) if each.embedding), None)
        if stored is not None and stored.embedding and len(stored.embedding) != len(vector):
            raise EmbeddingDimensionMismatchError(len(stored.embedding), len(vector))


def _record(node: Node) -> MemoryRecord:
    packed = node.details["vector"]
    vector = None if packed is None else unpacked_vector(packed).tolist()
    return MemoryRecord(**node.details["record"], embedding=vector)


def _passes(record: MemoryRecord, categories: list[str] | None, metadata: Mapping[str, Any] | None) -> bool:
    if categories and not set(categories) & set(record.categories):
        return False
    return all(record.metadata.get(name) == value for name, value in (metadata or {}).items())


def _path(scope: str) -> str:
    """A scope without its last slash, with its first; the root is empty."""
    plain = scope.strip("/")
    return f"/{plain}" if plain else ""


def _children(records: Iterable[MemoryRecord], parent: str) -> list[str]:
    above = _path(parent) + "/"
    rests = (_path(each.scope).removeprefix(above) for each in records if _path(each.scope).startswith(above))
    return sorted({above + rest.split("/")[0] for rest in rests if rest})


def _aware(time: datetime) -> datetime:
    """CrewAI's own times are UTC without saying so."""
    return time.replace(tzinfo=UTC) if time.tzinfo is None else time
