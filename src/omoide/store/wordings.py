"""Earlier wordings: what a memory that was updated in place said at a time, searched by the words of then."""

from __future__ import annotations

from collections.abc import Sequence

import apsw

from omoide.store import fulltext, plain
from omoide.store.fulltext import Filter
from omoide.text import fold

Found = list[tuple[int, float]]
_TOKENIZER = "porter unicode61 remove_diacritics 2 categories 'L* N* Co M*'"  # that of nodes_fts


def with_earlier(db: apsw.Connection, found: Found, wanted: Sequence[str], keep: Filter, limit: int) -> Found:
    """What today's words found, and what the words of `as_of` find.

    Updates are few, and only those since then count: their wordings are indexed for this one question, in memory,
    rather than every wording that ever was for all of them.
    """
    assert keep.as_of is not None
    scores = dict(found)
    for id, score in _scored(db, wanted, keep.as_of).items():
        scores[id] = max(score, scores.get(id, 0.0))
    allowed = set(fulltext.passing(db, list(scores), keep))
    best = sorted(((id, score) for id, score in scores.items() if id in allowed), key=lambda each: (-each[1], each[0]))
    return best[:limit]


def _scored(db: apsw.Connection, wanted: Sequence[str], as_of: int) -> dict[int, float]:
    """By rarity alone: a wording of then has no place in today's statistics of lengths."""
    then = list(
        db.execute(
            """
            SELECT node_id, before ->> 'text', min(id)
            FROM change
            WHERE verb = 'update' AND at > ? AND before ->> 'text' IS NOT NULL
            GROUP BY node_id
            """,
            (as_of,),
        )
    )
    if not then:
        return {}
    size = int(db.execute("SELECT count(*) FROM node").get)
    index = _index([(id, str(text)) for id, text, _ in then])
    scores: dict[int, float] = {}
    for word in wanted:
        holders = [row[0] for row in index.execute("SELECT rowid FROM wording WHERE wording MATCH ?", (word,))]
        rarity = plain.rarity_of(max(len(holders), plain.held_by(db, word)), size) if holders else 0.0
        for id in holders:
            scores[id] = scores.get(id, 0.0) + rarity
    index.close()
    return scores


def _index(texts: Sequence[tuple[int, str]]) -> apsw.Connection:
    index = apsw.Connection(":memory:")
    index.execute(f'CREATE VIRTUAL TABLE wording USING fts5 (text, content = "", tokenize = "{_TOKENIZER}")')
    with index:
        index.executemany(
            "INSERT INTO wording (rowid, text) VALUES (?, ?)", [(id, fold(text) or text) for id, text in texts]
        )
    return index
