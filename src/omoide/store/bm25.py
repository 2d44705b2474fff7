"""BM25 over posting lists in memory: arithmetic alone, no database."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from omoide.store.plain import rarity_of

_K1, _B = 1.2, 0.75  # FTS5's, so that it can answer in our place


_SMALL = 16_384  # nodes: so many scores are looked through faster than lists are picked from
_NONE = np.zeros(0, np.int32)
NO_TEXT = -1  # the length of a node that is not there


@dataclass(frozen=True, slots=True)
class Texts:
    """How long every text is. A reader's copy stays as it is: what is added later lies beyond its end."""

    room: NDArray[np.float32]  # words, by the id of the node
    end: int
    count: int
    total: int

    @property
    def average(self) -> float:
        return max(1.0, self.total / max(1, self.count))

    def amended(self, lengths: Mapping[int, int]) -> Texts:
        """With other lengths for some nodes."""
        end = max(self.end, max(lengths, default=-1) + 1)
        before = [int(self.room[node]) for node in lengths if node < self.end]
        if end > len(self.room):
            room = np.full(end + end // 8, NO_TEXT, np.float32)
            room[: self.end] = self.room[: self.end]
        else:
            room = self.room.copy() if before else self.room
        room[list(lengths)] = list(lengths.values())
        count = self.count + _there(lengths.values()) - _there(before)
        return Texts(room, end, count, self.total + _sum(lengths.values()) - _sum(before))


def measured(nodes: NDArray[np.int64], lengths: NDArray[np.int64]) -> Texts:
    """The lengths of some nodes, in order of id; the others are not there."""
    end = int(nodes[-1]) + 1 if len(nodes) else 0
    room = np.full(end, NO_TEXT, np.float32)
    room[nodes] = lengths
    return Texts(room, end, len(nodes), int(lengths.sum()))


def _there(lengths: Iterable[int]) -> int:
    return sum(1 for length in lengths if length != NO_TEXT)


def _sum(lengths: Iterable[int]) -> int:
    return sum(length for length in lengths if length != NO_TEXT)


@dataclass(frozen=True, slots=True)
class List:
    """The nodes that hold a word, each once, and how often, in tenths: a word among the tags counts eight."""

    nodes: NDArray[np.int32]
    tenths: NDArray[np.uint16]

    @property
    def bytes(self) -> int:
        return self.nodes.nbytes + self.tenths.nbytes


Part = tuple[NDArray[np.int32], NDArray[np.float32]]
"""Nodes, and how much each speaks of a word."""


def frequencies(lists: Sequence[List], texts: Texts) -> list[Part]:
    """BM25 without the rarity: more is more, but less and less so, and in a long text less.

    All lists in one go: on a small store the calls cost more than the numbers.
    """
    if not lists:
        return []
    nodes = np.concatenate([each.nodes for each in lists])
    often = np.concatenate([each.tenths for each in lists]).astype(np.float32) * np.float32(0.1)
    worn = texts.room[nodes] * np.float32(_K1 * _B / texts.average) + np.float32(_K1 * (1 - _B))
    weighed = often * np.float32(_K1 + 1) / (often + worn)
    ends = list(accumulate(len(each.nodes) for each in lists))
    return [(each.nodes, weighed[end - len(each.nodes) : end]) for each, end in zip(lists, ends, strict=True)]


class Ranked:
    """The scores of all nodes at once, in an array by id."""

    def __init__(self, parts: Sequence[Part], texts: Texts) -> None:
        self._scores = np.zeros(texts.end, np.float32)
        self._lists = [nodes for nodes, _ in sorted(parts, key=lambda part: len(part[0]))]
        for nodes, often in parts:
            self._scores[nodes] += often * np.float32(rarity_of(len(nodes), texts.count))

    def best(self, limit: int) -> list[tuple[int, float]]:
        if len(self._scores) <= _SMALL:
            return self._ordered(self._first(np.flatnonzero(self._scores), limit), limit)
        # Each of the best is among the best of every list it stands in, so no list is looked at whole: the rarest come
        # first and set a bar that most of a long list stays below.
        least, pool = np.float32(0), [_NONE]
        for nodes in self._lists:
            high = nodes[self._scores[nodes] >= least]
            first = self._first(high, limit)
            if len(first) == limit:
                least = self._scores[first].min()
            pool.append(first)
        return self._ordered(np.unique(np.concatenate(pool)), limit)

    def among(self, ids: Sequence[int], limit: int) -> list[tuple[int, float]]:
        chosen = np.unique(np.array(ids, np.int64))
        chosen = chosen[(chosen >= 0) & (chosen < len(self._scores))]
        return self._ordered(chosen[self._scores[chosen] > 0], limit)

    def _first(self, nodes: NDArray[np.signedinteger], limit: int) -> NDArray[np.signedinteger]:
        """The best of some, in no order; of equals, those with the lowest ids."""
        if len(nodes) <= limit:
            return nodes
        scores = self._scores[nodes]
        least = np.partition(scores, len(scores) - limit)[len(scores) - limit]
        above, level = nodes[scores > least], nodes[scores == least]
        room = limit - len(above)
        return np.concatenate((above, np.partition(level, room - 1)[:room]))

    def _ordered(self, nodes: NDArray[np.signedinteger], limit: int) -> list[tuple[int, float]]:
        scores = self._scores[nodes]
        order = np.lexsort((nodes, -scores))[:limit]
        return list(zip(nodes[order].tolist(), scores[order].tolist(), strict=True))
