"""Words by FTS5 alone: nothing to load and no numpy, so the fewest milliseconds to a first answer."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Protocol

import apsw

_WEIGHTS = "1.0, 0.5, 0.8"  # of text, speaker, tags; store/postings.py has the same in tenths
_YOUNG = 1_000  # nodes
_AFFORDABLE = 100_000  # rows, a tenth of a second: for more, posting lists are worth their import


class Scores(Protocol):
    """Every node that shares a word with the question, scored by BM25: higher is better, equals in order of id."""

    def best(self, limit: int) -> list[tuple[int, float]]:
        """The best of all."""

    def among(self, ids: Sequence[int], limit: int) -> list[tuple[int, float]]:
        """The best of some."""


class Plain:
    """Scores in a dictionary."""

    def __init__(self, scores: dict[int, float]) -> None:
        self._scores = scores

    def best(self, limit: int) -> list[tuple[int, float]]:
        return _first(self._scores.items(), limit)

    def among(self, ids: Sequence[int], limit: int) -> list[tuple[int, float]]:
        return _first(((id, self._scores[id]) for id in set(ids) if id in self._scores), limit)


def _first(scored: Iterable[tuple[int, float]], limit: int) -> list[tuple[int, float]]:
    return sorted(scored, key=lambda each: (-each[1], each[0]))[:limit]


def scored(db: apsw.Connection, wanted: Sequence[str]) -> Plain:
    """BM25 of every node that holds one of the quoted words or phrases."""
    size = int(db.execute("SELECT count(*) FROM node").get)
    scores: dict[int, float] = {}
    for word in wanted:
        found = frequencies(db, word, size)
        rarity = rarity_of(len(found), size)
        for id, part in found:
            scores[id] = scores.get(id, 0.0) + rarity * part
    return Plain(scores)


def affords(db: apsw.Connection, wanted: Sequence[str]) -> bool:
    """Whether a question is cheap enough for FTS5: it weighs a row in about a microsecond."""
    return sum(held_by(db, word) for word in wanted) <= _AFFORDABLE


def held_by(db: apsw.Connection, word: str) -> int:
    """How many nodes hold a quoted word or phrase."""
    return int(db.execute("SELECT count(*) FROM nodes_fts WHERE nodes_fts MATCH ?", (word,)).get)


def rarity_of(held: int, size: int) -> float:
    """How much a word tells apart: FTS5's measure, log((N − n + ½) / (n + ½)), where that is not too small.

    It reaches zero once half of all rows hold the word, which in a young memory is every word that matters. There
    Lucene's log(1 + …) counts, which is never zero; the older a memory grows, the less it has to say.
    """
    odds = (size - held + 0.5) / (held + 0.5)
    young = _YOUNG / max(_YOUNG, size)
    return max(math.log(odds), young * math.log1p(odds))


def frequencies(db: apsw.Connection, word: str, size: int, index: str = "nodes_fts") -> list[tuple[int, float]]:
    """(node, how much it speaks of a quoted word or phrase): BM25 without the rarity.

    FTS5's score of a single word is its rarity × that, so we divide its rarity out again.
    """
    found = list(db.execute(f"SELECT rowid, -bm25({index}, {_WEIGHTS}) FROM {index} WHERE {index} MATCH ?", (word,)))
    theirs = math.log((size - len(found) + 0.5) / (len(found) + 0.5)) if found else 1.0
    return [(id, score / (theirs if theirs > 0 else 1e-6)) for id, score in found]
