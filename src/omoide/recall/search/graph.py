"""Graph arm: what was learned of the entities that the question names, and of those related to them."""

from __future__ import annotations

import math

from omoide.recall.question import Query
from omoide.recall.search.arm import Candidate, Found, Skipped, Sources

_CONFIDENCE_OVER = 0.3  # Kira-R: weaker relations are not walked
_RELATED = 10  # Kira-R: the surest relations of an entity
_FACTS = 10  # Kira-R: the surest facts of an entity


def search(query: Query, sources: Sources) -> Found | Skipped:
    if not query.entities:
        return Skipped("graph", "the question names nobody and nothing we know")
    store = sources.store
    best: dict[int, Candidate] = {}
    # How people are related was told in private, and a hit that is reached by it would tell it.
    depth = 0 if query.keep.audience == "shared" else query.depth
    for reached in store.hops(query.entities, depth, _CONFIDENCE_OVER, _RELATED):
        worth = nearness(reached.depth) * (hub(reached.mentions) if query.damps_hubs else 1.0)
        for id, confidence in store.known_of(reached.id, query.keep, _FACTS):
            candidate = Candidate(id, worth * confidence, _way(reached.way, reached.depth))
            if id not in best or best[id].score < candidate.score:
                best[id] = candidate
    ordered = sorted(best.values(), key=lambda each: (-each.score, each.id))[: query.reach]
    return Found("graph", tuple(ordered))


def nearness(depth: int) -> float:
    """Kira-R: what is two hops away is worth half."""
    return 1 / (1 + depth * 0.5)


def hub(mentions: int) -> float:
    """A hub says little: what everything is linked to tells nothing apart."""
    return 1 / (1 + math.log2(max(1, mentions)))


def _way(way: str, depth: int) -> str:
    return f"known of {way}" if depth == 0 else f"by way of {way}"
