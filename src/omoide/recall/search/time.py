"""Time arm: a question that asks for nothing but a time is answered by the calendar, not by likeness."""

from __future__ import annotations

from omoide.recall.question import Query
from omoide.recall.search.arm import Candidate, Found, Skipped, Sources
from omoide.recall.window import Window, window
from omoide.store import Filter, Store


def search(query: Query, sources: Sources) -> Found | Skipped:
    if query.when is None:
        return Skipped("time", "the question speaks of no time")
    if not query.when.pure:
        return Skipped("time", "the question asks for more than a time; the time favours, it does not filter")
    meant = window(query, sources.store)
    if meant is None:
        return Skipped("time", "the time it speaks of could not be placed")
    ids = _inside(meant, query.keep, sources.store, query.reach)
    ids = ids or _inside(meant.widened(), query.keep, sources.store, query.reach)
    said = ", ".join(clue.phrase.text for clue in query.when.clues)
    return Found("time", tuple(Candidate(id, 1.0, f"in the time asked for ({said})") for id in ids))


def _inside(meant: Window, keep: Filter, store: Store, limit: int) -> list[int]:
    ids: dict[int, None] = {}
    for each in meant.filters(keep):
        ids |= dict.fromkeys(store.matching(each, limit, "weightiest"))
    return list(ids)
