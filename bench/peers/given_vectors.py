"""Precomputed vectors for libraries that insist on embedding: a table from text to vector."""

from __future__ import annotations

import zlib
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray


class Given:
    """Looks up the vector of a text instead of embedding it.

    An unknown text (a probe or an example of the library) gets a vector derived from its checksum; `strangers`
    counts them, so that a wrong table is noticed.
    """

    name = "given"

    def __init__(self, dimensions: int = 384) -> None:
        self.dimensions = dimensions
        self.strangers = 0
        self._table: dict[str, NDArray[np.float32]] = {}

    def know(self, texts: Sequence[str], vectors: NDArray[np.float32]) -> None:
        self._table = dict(zip(texts, vectors, strict=True))

    def vector(self, text: str) -> NDArray[np.float32]:
        found = self._table.get(text)
        return self._stranger(text) if found is None else found

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return np.stack([self.vector(text) for text in texts])

    def _stranger(self, text: str) -> NDArray[np.float32]:
        self.strangers += 1
        row = np.random.default_rng(zlib.crc32(text.encode())).standard_normal(self.dimensions, np.float32)
        return np.asarray(row / np.linalg.norm(row), np.float32)
