"""Omoide through its own door: observe_many, flush, recall."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from peers import Turn, worded
from peers.given import Given

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

TITLE = "**Omoide**, all arms"
FINDS_BY = "words + vectors + names + time"
REQUIRES: tuple[str, ...] = ()
LARGEST = 1_000_000
_BATCH = 1_000
_EXAMPLES = 200  # texts of its own that Omoide may embed


class Peer:
    def __init__(self, folder: Path) -> None:
        import omoide

        self.version = omoide.__version__
        self._given = Given()
        self._memory = omoide.Memory(folder / "omoide.db", embedder=self._given)
        self._places: dict[int, int] = {}

    def build(self, turns: Sequence[Turn], vectors: NDArray[np.float32]) -> None:
        for start in range(0, len(turns), _BATCH):
            batch = turns[start : start + _BATCH]
            self._given.know([worded(turn) for turn in batch], vectors[start : start + _BATCH])
            for node in self._memory.observe_many(batch):
                self._places[node.id] = len(self._places)
            self._memory.flush()
        assert self._given.strangers < _EXAMPLES, "Omoide embeds other words than it was given vectors for"

    def search(self, question: Turn, vector: NDArray[np.float32], k: int) -> list[int]:
        self._given.know([question["text"]], vector[None])
        hits = self._memory.recall(question["text"], at=question.get("at"), limit=k, kinds=["episode"]).hits
        return [self._places.get(hit.id, hit.id - 1) for hit in hits]  # a new file counts from 1

    def close(self) -> None:
        self._memory.close()
