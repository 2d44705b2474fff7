"""Entity arm: what speaks of the people and things that the question names."""

from __future__ import annotations

from dataclasses import replace

from omoide.recall.question import Query
from omoide.recall.search.arm import Candidate, Found, Skipped, Sources
from omoide.recall.search.graph import hub


def search(query: Query, sources: Sources) -> Found | Skipped:
    if not query.entities:
        return Skipped("entity", "the question names nobody and nothing we know")
    store, reach = sources.store, query.reach
    scores: dict[int, float] = {}
    mentions = store.mentions(query.entities, reach)
    spoken = {id: sum(1 for _, entity in mentions if entity == id) for id in query.entities}
    for node, entity in mentions:
        scores[node] = scores.get(node, 0.0) + hub(spoken[entity])
    keep = replace(query.keep, superseded=False)
    kept = store.passing(sorted(scores, key=lambda id: (-scores[id], id)), keep)[:reach]
    return Found("entity", tuple(Candidate(id, scores[id], "speaks of someone or something named") for id in kept))
