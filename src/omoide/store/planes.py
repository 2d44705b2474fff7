"""The vectors of one model in memory: sign bits are scanned first, then the best few are scored exactly.

Measured on a million vectors: 9 to 13 ms a search on one core, and the same answers as the exact scan in 99 of 100.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

T = TypeVar("T", bound=np.generic)

_EXACT_BELOW = 2_048  # so few are scored exactly, all of them
_SHORTLIST = 512  # how many candidates of the bit scan are scored exactly, at least
_REBUILD_AT = 4  # the centre is computed again when the store has grown this much
_SEED = 20260211  # of the rotation: any number, but the same in every process


class Planes:
    """Grows by appending. A node that is written again takes its old place."""

    def __init__(self, dimensions: int) -> None:
        self.dimensions = dimensions
        self._lock = threading.Lock()
        self._count = 0
        self._ids: NDArray[np.int64] = np.zeros(0, np.int64)
        self._vectors: NDArray[np.float16] = np.zeros((0, dimensions), np.float16)
        self._bits: NDArray[np.uint64] = np.zeros((0, 0), np.uint64)
        self._place: dict[int, int] = {}
        self._centre: NDArray[np.float32] | None = None
        self._rotation: NDArray[np.float32] | None = None
        self._centred_at = 0

    def __len__(self) -> int:
        return self._count

    def add(self, ids: Sequence[int], vectors: NDArray[np.float16]) -> None:
        """Appends vectors, one row an id."""
        with self._lock:
            self._reserve(self._count + len(ids))
            places = [self._place_of(int(id)) for id in ids]
            self._ids[places] = ids
            self._vectors[places] = vectors
            if self._centre is not None:
                self._bits[places] = self._signs(vectors.astype(np.float32), self._centre)
            if self._count >= max(_EXACT_BELOW, self._centred_at * _REBUILD_AT):
                self._rebuild()

    def search(self, query: NDArray[np.float32], limit: int) -> list[tuple[int, float]]:
        """The nodes most alike, best first, with their cosine."""
        with self._lock:  # bits and the centre they were taken from belong together
            count, ids, vectors, bits, centre = self._count, self._ids, self._vectors, self._bits, self._centre
        if count == 0 or limit < 1:
            return []
        if centre is None or count <= max(limit, _EXACT_BELOW):
            chosen = np.arange(count)
        else:
            wanted = self._signs(query[None], centre)[0]
            distance = np.bitwise_count(bits[:count] ^ wanted).sum(axis=1, dtype=np.uint16)
            size = min(count, max(_SHORTLIST, 4 * limit))
            chosen = np.argpartition(distance, size - 1)[:size]
        scores = vectors[chosen].astype(np.float32) @ query
        best = np.argsort(-scores, kind="stable")[:limit]
        return [(int(ids[chosen[i]]), float(scores[i])) for i in best]

    def scores(self, query: NDArray[np.float32], ids: Sequence[int]) -> dict[int, float]:
        """The exact cosine of some nodes, those that have a vector."""
        with self._lock:
            places = {id: self._place[id] for id in ids if id in self._place}
            vectors = self._vectors
        if not places:
            return {}
        found = vectors[list(places.values())].astype(np.float32) @ query
        return {id: float(score) for id, score in zip(places, found, strict=True)}

    def _place_of(self, id: int) -> int:
        place = self._place.setdefault(id, self._count)
        self._count = max(self._count, place + 1)
        return place

    def _reserve(self, size: int) -> None:
        if size <= len(self._ids):
            return
        room = max(1024, size, len(self._ids) * 3 // 2)
        self._ids = _grown(self._ids, room)
        self._vectors = _grown(self._vectors, room)
        if self._centre is not None:
            self._bits = _grown(self._bits, room)

    def _rebuild(self) -> None:
        """Bits say most when each splits the store in half: centre first, then turn to even out the axes."""
        if self._rotation is None:
            noise = np.random.default_rng(_SEED).standard_normal((self.dimensions, self.dimensions))
            self._rotation = np.linalg.qr(noise)[0].astype(np.float32)
        sample = self._vectors[: self._count : max(1, self._count // 4096)].astype(np.float32)
        self._centre = sample.mean(axis=0)
        words = -(-self.dimensions // 64)
        self._bits = np.zeros((len(self._ids), words), np.uint64)
        for start in range(0, self._count, 8192):  # in pieces, so that the float32 copy stays small
            end = min(start + 8192, self._count)
            self._bits[start:end] = self._signs(self._vectors[start:end].astype(np.float32), self._centre)
        self._centred_at = self._count

    def _signs(self, vectors: NDArray[np.float32], centre: NDArray[np.float32]) -> NDArray[np.uint64]:
        assert self._rotation is not None
        positive = (vectors - centre) @ self._rotation > 0
        packed = np.packbits(positive, axis=1)
        missing = -packed.shape[1] % 8
        return np.pad(packed, ((0, 0), (0, missing))).view(np.uint64)


def _grown(array: NDArray[T], room: int) -> NDArray[T]:
    larger = np.zeros((room, *array.shape[1:]), array.dtype)
    larger[: len(array)] = array
    return larger
