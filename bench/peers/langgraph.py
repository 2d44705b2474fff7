"""LangGraph's SqliteStore: JSON documents with vectors, compared one by one in SQL."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from peers import Turn, turn_text
from peers.given_vectors import Given
from peers.sqlite_extensions import REQUIRES as LOADABLE
from peers.sqlite_extensions import loadable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

TITLE = "LangGraph SqliteStore"
FINDS_BY = "vectors"
REQUIRES = ("langgraph-checkpoint-sqlite>=3.0", "numpy>=2.0", LOADABLE)
LARGEST = 100_000
_BATCH = 1_000
_SPACE = ("turns",)


class Peer:
    def __init__(self, folder: Path) -> None:
        loadable()
        import sqlite3
        from importlib.metadata import version

        from langgraph.store.sqlite import SqliteStore

        self.version = version("langgraph-checkpoint-sqlite")
        self.given = Given()
        self._db = sqlite3.connect(folder / "store.db", check_same_thread=False, isolation_level=None)
        self._store = SqliteStore(
            self._db,
            index={
                "dims": self.given.dimensions,
                "embed": lambda texts: [self.given.vector(text).tolist() for text in texts],
            },
        )
        self._store.setup()
        self._count = 0

    def build(self, turns: Sequence[Turn], vectors: NDArray[np.float32]) -> None:
        from langgraph.store.base import PutOp

        for start in range(0, len(turns), _BATCH):
            texts = [turn_text(turn) for turn in turns[start : start + _BATCH]]
            self.given.know(texts, vectors[start : start + _BATCH])
            self._store.batch(
                [
                    # `index`, since the `fields` of the store's own settings are not looked at
                    PutOp(_SPACE, str(self._count + place), {"text": text}, index=["text"])
                    for place, text in enumerate(texts)
                ]
            )
            self._count += len(texts)

    def search(self, question: Turn, vector: NDArray[np.float32], k: int) -> list[int]:
        self.given.know([question["text"]], vector[None])
        return [int(item.key) for item in self._store.search(_SPACE, query=question["text"], limit=k)]

    def close(self) -> None:
        self._db.close()
