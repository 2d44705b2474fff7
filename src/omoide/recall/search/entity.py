"""Entity arm: what is linked to the people and things that the question names, and to their closest relations."""

from __future__ import annotations

import math
from dataclasses import replace

from omoide.recall.question import Query
from omoide.recall.search.arm import Candidate, Found, Skipped, Sources

_CONFIDENCE_OVER = 0.3  # Kira-R: weaker relations are not walked
_RELATED = 10  # Kira-R: the surest relations of an entity


def search(query: Query, sources: Sources) -> Found | Skipped:
    if not query.entities:
        return Skipped("entity", "the question names nobody and nothing we know")
    store, reach = sources.store, query.reach
    named = dict.fromkeys(query.entities, 0)
    hops = dict(named)
    for relation in store.relations(query.entities, _CONFIDENCE_OVER)[:_RELATED]:
        for id in (relation.source_id, relation.target_id):
            hops.setdefault(id, 1)
    scores: dict[int, float] = {}
    mentions = store.mentions(list(hops), reach)
    spoken = {id: sum(1 for _, entity in mentions if entity == id) for id in hops}
    for node, entity in mentions:
        # A hub says little: what everything is linked to tells nothing apart. Depth costs as Kira-R has it.
        damped = 1 / ((1 + hops[entity] * 0.5) * (1 + math.log2(max(1, spoken[entity]))))
        scores[node] = scores.get(node, 0.0) + damped
    keep = replace(query.keep, superseded=False)
    kept = store.passing(sorted(scores, key=lambda id: (-scores[id], id)), keep)[:reach]
    return Found("entity", tuple(Candidate(id, scores[id], "entity") for id in kept))
