"""Chroma: an HNSW index over the vectors, without a full-text search to combine."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from peers import Turn, turn_text

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

TITLE = "Chroma"
FINDS_BY = "vectors"
REQUIRES = ("chromadb>=1.0",)
LARGEST = 100_000
_BATCH = 5_000  # slightly below its limit


class Peer:
    def __init__(self, folder: Path) -> None:
        import chromadb

        self.version = chromadb.__version__
        client = chromadb.PersistentClient(str(folder), settings=chromadb.Settings(anonymized_telemetry=False))
        self._turns = client.get_or_create_collection(
            "turns", embedding_function=None, configuration={"hnsw": {"space": "cosine", "num_threads": 1}}
        )
        self._count = self._turns.count()

    def build(self, turns: Sequence[Turn], vectors: NDArray[np.float32]) -> None:
        for start in range(0, len(turns), _BATCH):
            batch = turns[start : start + _BATCH]
            self._turns.add(
                ids=[str(self._count + place) for place in range(len(batch))],
                embeddings=vectors[start : start + _BATCH],
                documents=[turn_text(turn) for turn in batch],
            )
            self._count += len(batch)

    def search(self, question: Turn, vector: NDArray[np.float32], k: int) -> list[int]:
        found = self._turns.query(query_embeddings=[vector], n_results=k, include=["documents"])
        return [int(id) for id in found["ids"][0]]

    def close(self) -> None:
        """Chroma writes at once and cannot be closed."""
