"""The vectors of one model in memory: sign bits are scanned first, then the best candidates are scored.

A vector needs a byte and a bit per dimension, 0.4 KB a node instead of 1.5: eight bits rank like float32, and convert
to floats faster than float16.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from omoide.store.search.embedding import matrix_product
from omoide.store.search.node_columns import ScoredNodes, distinct

T = TypeVar("T", bound=np.generic)

_EXACT_BELOW = 2_048  # so few vectors are all scored
_SHORTLIST = 1_024  # minimum number of candidates that are scored after the bit scan
_ROWS = 256  # vectors that are compared at once
_REBUILD_AT = 4  # growth after which the centre is computed again
_REMOVED = -1  # id of a removed vector
_ROTATION_SEED = 20260211  # of the rotation; the same in every process


class VectorIndex:
    """Grows by appending. A removed vector leaves an empty place until so many are empty that compacting pays off."""

    def __init__(self, dimensions: int) -> None:
        self.dimensions = dimensions
        self._lock = threading.Lock()
        self._count = 0
        self._ids: NDArray[np.int64] = np.zeros(0, np.int64)
        self._vectors: NDArray[np.int8] = np.zeros((0, dimensions), np.int8)
        self._scales: NDArray[np.float32] = np.zeros(0, np.float32)
        self._bits: NDArray[np.uint64] = np.zeros((0, 0), np.uint64)
        self._places: NDArray[np.int32] = np.zeros(0, np.int32)  # by id; `_REMOVED` where there is no vector
        self._taken = 0  # places with a vector
        self._centre: NDArray[np.float32] | None = None
        self._rotation: _BlockRotation | None = None
        self._centred_at = 0

    def __len__(self) -> int:
        return self._taken

    def add(self, ids: Sequence[int], vectors: NDArray[np.float16]) -> None:
        """Appends vectors, one row per id."""
        self.load([(ids, vectors)])

    def load(self, pieces: Iterable[tuple[Sequence[int], NDArray[np.float16]]], expected: int = 0) -> None:
        """Appends vectors in batches, so that only one batch at a time is held as floats.

        `expected`: about how many there are, so that the arrays are made once.
        """
        with self._lock:
            self._reserve(self._count + expected)
        for ids, vectors in pieces:
            with self._lock:
                self._append(ids, vectors)
        with self._lock:
            if self._count >= max(_EXACT_BELOW, self._centred_at * _REBUILD_AT):
                self._rebuild()

    def _append(self, ids: Sequence[int], vectors: NDArray[np.float16]) -> None:
        if not len(ids):
            return
        self._reserve(self._count + len(ids))
        given = np.array(ids, np.int64)
        self._places = _resized(self._places, int(given.max()) + 1, _REMOVED)
        places: slice | list[int] = slice(self._count, self._count + len(ids))
        if len(distinct(given)) == len(given) and (self._places[given] == _REMOVED).all():  # as on loading: one block
            self._places[given] = np.arange(self._count, self._count + len(ids))
            self._count += len(ids)
            self._taken += len(ids)
        else:
            places = [self._assign_place(id) for id in given.tolist()]
        whole = _as_floats(vectors)
        scales = np.maximum(whole.max(axis=1, initial=0), -whole.min(axis=1, initial=0)).clip(1e-12) / 127
        if self._centre is not None:
            self._bits[:, places] = self._signs(whole, self._centre)
        self._ids[places] = ids
        self._scales[places] = scales
        whole /= scales[:, None]
        self._vectors[places] = np.rint(whole, out=whole)

    def remove(self, ids: Sequence[int]) -> None:
        """Removes vectors. A concurrent search finds each either present or not."""
        with self._lock:
            gone = distinct(self._held(ids))
            places = self._places[gone]
            self._ids[places], self._places[gone] = _REMOVED, _REMOVED
            self._taken -= len(gone)
            if self._count - self._taken > max(_EXACT_BELOW, self._count // 4):
                self._compact()

    def search(self, query: NDArray[np.float32], limit: int) -> ScoredNodes:
        """The most similar nodes with their cosine, the best first."""
        with self._lock:  # bits and their centre belong together
            count, ids, bits, centre = self._count, self._ids, self._bits, self._centre
            vectors, scales = self._vectors, self._scales
            empty = count - self._taken
        places: slice | NDArray[np.int64] = slice(0, count)
        if centre is not None and count > max(limit, _EXACT_BELOW):
            places = self._shortlist(bits[:, :count], centre, query, min(count, max(_SHORTLIST, 4 * limit) + empty))
        held, scores = ids[places], _cosines(vectors, scales, places, query)
        if empty:
            held, scores = held[held != _REMOVED], scores[held != _REMOVED]
        best = _best_places(scores, limit)
        return ScoredNodes(held[best], scores[best].astype(np.float64))

    def scores(self, query: NDArray[np.float32], ids: Sequence[int]) -> ScoredNodes:
        """The cosine of those nodes that have a vector, the best first."""
        with self._lock:
            held = distinct(self._held(ids))
            places = self._places[held]
            vectors, scales = self._vectors, self._scales
        return ScoredNodes.best_of(held, _cosines(vectors, scales, places, query), len(held))

    def rows(self, ids: Sequence[int]) -> tuple[list[int], NDArray[np.float32]]:
        """Those nodes that have a vector, and their vectors."""
        with self._lock:
            held = self._held(dict.fromkeys(ids))
            places = self._places[held]
            vectors, scales = self._vectors, self._scales
        return held.tolist(), vectors[places].astype(np.float32) * scales[places][:, None]

    def _held(self, ids: Iterable[int]) -> NDArray[np.int64]:
        """Those of the nodes that have a vector."""
        given = np.array([*ids], np.int64)
        given = given[(given >= 0) & (given < len(self._places))]
        return np.asarray(given[self._places[given] != _REMOVED])

    def _compact(self) -> None:
        """Makes new arrays without empty places; a concurrent search keeps the old ones."""
        taken = np.flatnonzero(self._ids[: self._count] != _REMOVED)
        self._ids, self._vectors, self._scales = self._ids[taken], self._vectors[taken], self._scales[taken]
        if self._centre is not None:
            self._bits = np.ascontiguousarray(self._bits[:, taken])
        self._count = len(taken)
        self._places[:] = _REMOVED
        self._places[self._ids] = np.arange(self._count)

    def _assign_place(self, id: int) -> int:
        if self._places[id] == _REMOVED:
            self._places[id] = self._count
            self._count += 1
            self._taken += 1
        return int(self._places[id])

    def _reserve(self, size: int) -> None:
        if size <= len(self._ids):
            return
        room = max(1024, size, len(self._ids) * 3 // 2)
        self._ids = _resized(self._ids, room)
        self._vectors = _resized(self._vectors, room)
        self._scales = _resized(self._scales, room)
        if self._centre is not None:
            self._bits = np.pad(self._bits, ((0, 0), (0, room - self._bits.shape[1])))

    def _rebuild(self) -> None:
        """Signs are most selective when each splits the store in half: subtract the centre, then rotate."""
        if self._rotation is None:
            self._rotation = _block_rotation(self.dimensions)
        sample = np.arange(0, self._count, max(1, self._count // 4096))
        self._centre = self._at(sample).mean(axis=0)
        words = -(-self.dimensions // 64)
        self._bits = np.zeros((words, len(self._ids)), np.uint64)
        for start in range(0, self._count, 1024):  # in batches, so that the float32 copy stays small
            end = min(start + 1024, self._count)
            self._bits[:, start:end] = self._signs(self._at(slice(start, end)), self._centre)
        self._centred_at = self._count

    def _at(self, places: slice | NDArray[np.int64]) -> NDArray[np.float32]:
        """The vectors at these places, to within half of 1/127 of their largest component."""
        return self._vectors[places].astype(np.float32) * self._scales[places][:, None]

    def _shortlist(
        self, bits: NDArray[np.uint64], centre: NDArray[np.float32], query: NDArray[np.float32], size: int
    ) -> NDArray[np.int64]:
        """The places whose signs differ least from the query's, including all ties of the last one."""
        distance, differing = np.zeros(bits.shape[1], np.uint16), np.empty(bits.shape[1], np.uint64)
        counts = np.empty(bits.shape[1], np.uint8)
        for plane, wanted in zip(bits, self._signs(query[None], centre)[:, 0], strict=True):
            distance += np.bitwise_count(np.bitwise_xor(plane, wanted, out=differing), out=counts)
        return np.flatnonzero(distance <= np.partition(distance, size - 1)[size - 1])

    def _signs(self, vectors: NDArray[np.float32], centre: NDArray[np.float32]) -> NDArray[np.uint64]:
        """The signs on the rotated axes: one row for 64 axes, one column per vector."""
        assert self._rotation is not None
        packed = np.packbits(self._rotation(vectors - centre) > 0, axis=1)
        if missing := -packed.shape[1] % 8:
            packed = np.pad(packed, ((0, 0), (0, missing)))
        return packed.view(np.uint64).T


@dataclass(frozen=True, slots=True)
class _BlockRotation:
    """Rotates the dimensions in blocks of 64: nearly as good as all together, in a sixth of the time."""

    blocks: tuple[NDArray[np.float32], ...]

    def __call__(self, vectors: NDArray[np.float32]) -> NDArray[np.float32]:
        turned, at = np.empty_like(vectors), 0
        for block in self.blocks:
            turned[:, at : at + len(block)] = matrix_product(vectors[:, at : at + len(block)], block)
            at += len(block)
        return turned


def _block_rotation(dimensions: int) -> _BlockRotation:
    chance = np.random.default_rng(_ROTATION_SEED)
    sizes = [len(each) for each in np.array_split(np.arange(dimensions), max(1, dimensions // 64))]
    noise = (chance.standard_normal((size, size)) for size in sizes)
    return _BlockRotation(tuple(np.linalg.qr(each)[0].astype(np.float32) for each in noise))


def _cosines(
    vectors: NDArray[np.int8],
    scales: NDArray[np.float32],
    places: slice | NDArray[np.integer],
    query: NDArray[np.float32],
) -> NDArray[np.float32]:
    """Of the vectors at these places, as many at once as stay in the processor's cache.

    Row by row, because a matrix product would start the threads of BLAS, which cost more than they gain.
    """
    if isinstance(places, slice):
        chosen, scales = vectors[places], scales[places]
    else:  # a quarter of the time of `vectors[places]`
        chosen, scales = vectors.take(places, axis=0), scales.take(places)
    found = np.empty(len(scales), np.float32)
    for start in range(0, len(found), _ROWS):
        found[start : start + _ROWS] = np.vecdot(chosen[start : start + _ROWS].astype(np.float32), query)
    return np.asarray(found * scales)


@cache
def _floats() -> NDArray[np.float32]:
    """Every number of sixteen bits as a float: looked up in half the time that numpy takes to convert it."""
    return np.arange(1 << 16, dtype=np.uint16).view("<f2").astype(np.float32)


def _as_floats(halves: NDArray[np.float16]) -> NDArray[np.float32]:
    found = np.empty(halves.shape, np.float32)
    return np.take(_floats(), halves.astype("<f2", copy=False).view(np.uint16), out=found, mode="clip")


def _best_places(scores: NDArray[np.float32], limit: int) -> NDArray[np.intp]:
    """Positions of the highest scores, the best first; ties in order of position."""
    if limit < len(scores):
        near = (scores >= np.partition(scores, len(scores) - limit)[len(scores) - limit]).nonzero()[0]
        order: NDArray[np.intp] = near[(-scores[near]).argsort(kind="stable")][:limit]
        return order
    return np.asarray((-scores).argsort(kind="stable"))


def _resized(array: NDArray[T], room: int, empty: int = 0) -> NDArray[T]:
    """The array with room for more, half as much again as it had at least."""
    if room <= len(array):
        return array
    larger = np.full((max(room, len(array) * 3 // 2), *array.shape[1:]), empty, array.dtype)
    larger[: len(array)] = array
    return larger
