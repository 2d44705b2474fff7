"""Traces → clusters of like ones, in the order in which the tasks ended.

A trace is compared only with those that ended before it, so its place depends on nothing that comes later: learning one
trace a day ends like learning all of them at once, and a run that was cut off goes on as if it had not been.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from omoide.learn.traces.likeness import Centre, Features, Rarity, features, likeness, most_alike
from omoide.store import Trace

ALIKE = 0.4  # with it clusters were pure to .98 by words alone and with a model (bench/tasks.py)
_COMPARED = 3  # members of a cluster that a new one must be like
_CANDIDATES = 60  # earlier traces that share the rarest words


def placed(traces: Iterable[Trace]) -> dict[int, int]:
    """The cluster of each trace that had none, by its id: that of those it is like, or its own."""
    sorter = _Sorter()
    found: dict[int, int] = {}
    for trace in traces:
        cluster = trace.cluster if trace.cluster is not None else sorter.cluster_of(trace)
        if trace.cluster is None:
            found[trace.id] = cluster
        sorter.put(trace, cluster)
    return found


class _Sorter:
    """All that was seen so far, found again by its words."""

    def __init__(self) -> None:
        self._rarity = Rarity()
        self._centre = Centre()
        self._features: dict[int, Features] = {}
        self._cluster: dict[int, int] = {}
        self._by_word: dict[tuple[object, str], list[int]] = defaultdict(list)

    def put(self, trace: Trace, cluster: int) -> None:
        own = features(trace)
        self._features[trace.id] = own
        self._cluster[trace.id] = cluster
        self._rarity.see(own.words)
        self._centre.see(own.vector)
        for word in own.words:
            self._by_word[trace.labels, word].append(trace.id)

    def cluster_of(self, trace: Trace) -> int:
        """That of the traces it is most like, if it is like enough."""
        own = features(trace)
        alike: dict[int, list[float]] = defaultdict(list)
        for id in self._candidates(trace, own):
            alike[self._cluster[id]].append(likeness(own, self._features[id], self._rarity, self._centre))
        scored = [(most_alike(values, _COMPARED), cluster) for cluster, values in alike.items()]
        best = max(scored, key=lambda each: (each[0], -each[1]), default=(0.0, trace.id))
        return best[1] if best[0] >= ALIKE else trace.id

    def _candidates(self, trace: Trace, own: Features) -> list[int]:
        """Those that share words with it, by how much these words tell; never those of other labels."""
        scores: dict[int, float] = defaultdict(float)
        for word in sorted(own.words):
            weight = self._rarity.of(word) ** 2
            for id in self._by_word.get((trace.labels, word), ()):
                scores[id] += weight
        return sorted(scores, key=lambda id: (-scores[id], id))[:_CANDIDATES]
