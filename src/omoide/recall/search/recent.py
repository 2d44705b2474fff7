"""Recent arm: the latest nodes, whatever they speak of; for the start of a session, when nothing is asked yet."""

from __future__ import annotations

from omoide.recall.question import Query
from omoide.recall.search.arm import Candidate, Found, Sources

_DAY = 86_400


def search(query: Query, sources: Sources) -> Found:
    ids = sources.store.matching(query.keep, query.reach, "newest")
    nodes = sources.store.nodes(ids)
    ages = {id: max(0.0, (query.question.at - nodes[id].event_at).total_seconds() / _DAY) for id in ids}
    found = tuple(Candidate(id, freshness(ages[id]), "among the latest") for id in ids)
    return Found("recent", found, complete=len(ids) < query.reach)


def freshness(days: float) -> float:
    """1 now, a half after a day."""
    return 1 / (1 + days)
