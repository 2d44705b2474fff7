"""Keyword arm: FTS5 and BM25 over the words of the question."""

from __future__ import annotations

from dataclasses import replace

from omoide.recall.query import koshi_terms
from omoide.recall.question import Query
from omoide.recall.search.arm import Candidate, Found, Skipped, Sources


def search(query: Query, sources: Sources) -> Found | Skipped:
    wanted = koshi_terms(query.question.text) if query.asks_every_word else query.wanted
    if not wanted:
        return Skipped("keyword", "the question has no words to search for")
    keep = replace(query.keep, superseded=query.keep.as_of is None)
    found = sources.store.search_text(wanted, keep, query.reach)
    candidates = tuple(Candidate(id, score, "words") for id, score in found)
    return Found("keyword", candidates, complete=len(found) < query.reach)
