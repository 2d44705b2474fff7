"""Omoide: observe_many, flush, recall."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from peers import Turn, turn_text
from peers.given_vectors import Given

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

TITLE = "**Omoide**, all arms"
FINDS_BY = "words + vectors + names + time"
REQUIRES: tuple[str, ...] = ()
LARGEST = 1_000_000
_BATCH = 1_000


class Peer:
    def __init__(self, folder: Path) -> None:
        import omoide

        self.version = omoide.__version__
        self.given = Given()
        self._memory = omoide.Memory(folder / "omoide.db", embedder=self.given)
        self._places: dict[int, int] = {}
        self._count = 0

    def build(self, turns: Sequence[Turn], vectors: NDArray[np.float32]) -> None:
        for start in range(0, len(turns), _BATCH):
            batch = turns[start : start + _BATCH]
            self.given.know([turn_text(turn) for turn in batch], vectors[start : start + _BATCH])
            for node in self._memory.observe_many(batch):
                self._places.setdefault(node.id, self._count)  # a repeated event is one node
                self._count += 1
            self._memory.flush()

    def search(self, question: Turn, vector: NDArray[np.float32], k: int) -> list[int]:
        self.given.know([question["text"]], vector[None])
        hits = self._memory.recall(question["text"], at=question.get("at"), limit=k, kinds=["episode"]).hits
        return [self._places.get(hit.id, hit.id - 1) for hit in hits]  # ids start at 1 in a new file

    def close(self) -> None:
        self._memory.close()
