"""Vector arm: what is alike in meaning, where no word need be the same."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from omoide.errors import Busy, CannotWrite, EmbedderFailed
from omoide.recall.question import Query
from omoide.recall.search.arm import Candidate, Found, Skipped, Sources
from omoide.store import Store, checked_vectors

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from omoide.store.planes import Planes

_FEW = 5_000  # so many can be compared one by one: a narrow filter need not be searched for from afar

_MARGIN = 20  # how many more than wanted are taken before the filter; four times as many when too few are left


def search(query: Query, sources: Sources) -> Found | Skipped:
    embedder = sources.embedder
    if embedder is None:
        return Skipped("vector", sources.no_embedder)
    if not query.question.text.strip():
        return Skipped("vector", "the question is empty")
    try:
        planes = sources.store.planes(sources.model_id())
    except (EmbedderFailed, Busy, CannotWrite) as error:  # a model that is new to the file must be written down first
        return Skipped("vector", str(error))
    if not len(planes):
        return Skipped("vector", "no node has a vector yet")
    try:
        vector = checked_vectors(embedder.embed([query.question.text]), 1, embedder.dimensions, embedder.name)[0]
    except EmbedderFailed as error:
        return Skipped("vector", str(error))
    except Exception as error:  # whatever somebody else's embedder raises: recall goes on without it, and says so
        return Skipped("vector", f"{embedder.name}: {type(error).__name__}: {error}")
    if not vector.any():
        return Skipped("vector", "the embedder found no meaning in the question")
    near = _nearest(vector, planes, query, sources.store)
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
