"""Vector arm: what is alike in meaning, where no word need be the same."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from omoide.recall.meaning import Unread
from omoide.recall.question import Query
from omoide.recall.search.arm import Candidate, Found, Skipped, Sources
from omoide.store import Store

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from omoide.store.planes import Planes

_FEW = 5_000  # so many can be compared one by one: a narrow filter need not be searched for from afar

_MARGIN = 20  # how many more than wanted are taken before the filter; four times as many when too few are left


def search(query: Query, sources: Sources) -> Found | Skipped:
    if isinstance(query.meaning, Unread):
        return Skipped("vector", query.meaning.reason)
    planes = sources.store.planes(sources.model_id())
    near = _nearest(query.meaning.vector, planes, query, sources.store)
    # Below zero two texts are less alike than two drawn at random: that is no reason to be found.
    candidates = tuple(Candidate(id, score, f"meaning {score:.2f}") for id, score in near if score > 0)
    return Found("vector", candidates, complete=len(near) < query.reach)


def _nearest(vector: NDArray[np.float32], planes: Planes, query: Query, store: Store) -> list[tuple[int, float]]:
    """The most alike among those that may be found."""
    keep = replace(query.keep, superseded=query.keep.as_of is None)
    if keep.selective and len(few := store.matching(keep, _FEW)) < _FEW:
        return sorted(planes.scores(vector, few).items(), key=lambda each: (-each[1], each[0]))[: query.reach]
    reach = query.reach + _MARGIN
    while True:
        near = planes.search(vector, reach)
        kept = set(store.passing([id for id, _ in near], keep))
        if len(kept) >= query.reach or len(near) < reach:
            return [(id, score) for id, score in near if id in kept][: query.reach]
        reach *= 4
