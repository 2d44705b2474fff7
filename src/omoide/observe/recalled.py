"""What was recalled, and what together: gathered in memory until it is worth a transaction."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

_ENOUGH = 256  # accesses gathered before they cost a transaction
_TOGETHER = 3  # of one answer, so many are linked to each other: the tail of a list stands together by chance


@dataclass(frozen=True, slots=True)
class Recollection:
    """How often each node was recalled, when last, and how often two of them together."""

    counts: Counter[int]
    last: dict[int, int]  # microseconds
    pairs: Counter[tuple[int, int]]  # the smaller id first


class Recalled:
    """Safe to use from several threads. Nothing is lost when writing fails: it is put back."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._held = _nothing()

    def add(self, ids: Sequence[int], at: int) -> bool:
        """Notes one answer, best first; tells whether it is time to write."""
        pairs = Counter(combinations(sorted(ids[:_TOGETHER]), 2))
        with self._lock:
            self._held = _joined(self._held, Recollection(Counter(ids), dict.fromkeys(ids, at), pairs))
            return self._held.counts.total() >= _ENOUGH

    def take(self) -> Recollection | None:
        """Everything gathered so far, to be written down."""
        with self._lock:
            held, self._held = self._held, _nothing()
        return held if held.counts else None

    def put_back(self, taken: Recollection) -> None:
        with self._lock:
            self._held = _joined(self._held, taken)


def _nothing() -> Recollection:
    return Recollection(Counter(), {}, Counter())


def _joined(held: Recollection, more: Recollection) -> Recollection:
    held.counts.update(more.counts)
    held.pairs.update(more.pairs)
    for id, at in more.last.items():
        held.last[id] = max(at, held.last.get(id, at))
    return held
