"""mcp-memory-service: its SQLite storage with sqlite-vec and FTS5, and its hybrid retrieval."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from peers import Turn, turn_text
from peers.given_vectors import Given
from peers.sqlite_extensions import REQUIRES as LOADABLE
from peers.sqlite_extensions import loadable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

TITLE = "mcp-memory-service, hybrid"
FINDS_BY = "words + vectors"
REQUIRES = ("mcp-memory-service>=10.0", "numpy>=2.0", LOADABLE)
LARGEST = 100_000
_BATCH = 1_000


class _Model:
    """Replaces its sentence embedder."""

    def __init__(self, given: Given) -> None:
        self._given = given

    def encode(self, texts: Sequence[str], **_: Any) -> NDArray[np.float32]:
        return self._given.embed(texts)


class Peer:
    def __init__(self, folder: Path) -> None:
        loadable()
        import logging
        from importlib.metadata import version

        from mcp_memory_service.storage.sqlite_vec import SqliteVecMemoryStorage

        logging.disable(logging.INFO)
        given = self.given = Given()

        class Storage(SqliteVecMemoryStorage):  # type: ignore[misc]
            async def _initialize_embedding_model(self) -> None:
                self.embedding_model = _Model(given)
                self.embedding_dimension = given.dimensions

        self.version = version("mcp-memory-service")
        self._loop = asyncio.new_event_loop()
        self._storage = Storage(str(folder / "memory.db"))
        self._storage.enable_cache = False  # of embeddings: they cost nothing here
        self._loop.run_until_complete(self._storage.initialize())
        self._count = 0

    def build(self, turns: Sequence[Turn], vectors: NDArray[np.float32]) -> None:
        from mcp_memory_service.models.memory import Memory
        from mcp_memory_service.utils.hashing import generate_content_hash

        for start in range(0, len(turns), _BATCH):
            texts = [turn_text(turn) for turn in turns[start : start + _BATCH]]
            self.given.know(texts, vectors[start : start + _BATCH])
            memories = [
                Memory(text, generate_content_hash(text), metadata={"place": self._count + place})
                for place, text in enumerate(texts)
            ]
            self._loop.run_until_complete(self._storage.store_batch(memories))
            self._count += len(texts)

    def search(self, question: Turn, vector: NDArray[np.float32], k: int) -> list[int]:
        self.given.know([question["text"]], vector[None])
        found = self._loop.run_until_complete(self._storage.retrieve_hybrid(question["text"], k))
        return [int(each.memory.metadata["place"]) for each in found]

    def close(self) -> None:
        self._loop.run_until_complete(self._storage.close())
