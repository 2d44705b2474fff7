"""Vector arm: what is alike in meaning, where no word need be the same."""

from __future__ import annotations

from dataclasses import replace

from omoide.errors import Busy, CannotWrite, EmbedderFailed
from omoide.recall.question import Query
from omoide.recall.search.arm import Candidate, Found, Skipped, Sources
from omoide.store import checked_vectors

_MARGIN = 2  # how many more than wanted are taken before the filter, times four until enough are left


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
    keep = replace(query.keep, superseded=query.keep.as_of is None)
    wanted = query.question.recipe.reach
    reach = wanted * _MARGIN
    while True:
        near = planes.search(vector, reach)
        kept = set(sources.store.passing([id for id, _ in near], keep))
        if len(kept) >= wanted or len(near) < reach:
            break
        reach *= 4
    chosen = [(id, score) for id, score in near if id in kept][:wanted]
    candidates = tuple(Candidate(id, score, f"meaning {score:.2f}") for id, score in chosen)
    return Found("vector", candidates, complete=len(chosen) < wanted)
