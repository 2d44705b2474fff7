"""Node ids with their scores, as two columns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, eq=False)
class ScoredNodes:
    """What a search found, the best first. Iterating gives (node, score)."""

    ids: NDArray[np.int64]
    scores: NDArray[np.float64]

    @classmethod
    def of(cls, pairs: Iterable[tuple[int, float]]) -> ScoredNodes:
        """From (node, score) in any order: higher scores first, equal ones in order of id."""
        rows = sorted(pairs, key=lambda each: (-each[1], each[0]))
        return cls(np.array([id for id, _ in rows], np.int64), np.array([score for _, score in rows], np.float64))

    @classmethod
    def best_of(cls, ids: NDArray[np.signedinteger], scores: NDArray[np.floating], limit: int) -> ScoredNodes:
        """The best of these columns; equal scores in order of id."""
        order = np.lexsort((ids, -scores))[:limit]
        return cls(ids[order].astype(np.int64), scores[order].astype(np.float64))

    def __len__(self) -> int:
        return len(self.ids)

    def __iter__(self) -> Iterator[tuple[int, float]]:
        return iter(zip(self.ids.tolist(), self.scores.tolist(), strict=True))

    def __getitem__(self, chosen: slice | NDArray[np.bool_] | NDArray[np.intp]) -> ScoredNodes:
        return ScoredNodes(self.ids[chosen], self.scores[chosen])
