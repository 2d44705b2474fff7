"""Full text: searching nodes_fts, and holding it against the rows."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import apsw

from omoide.layers import kind_of

_WEIGHTS = "1.0, 0.5, 0.8"  # of text, speaker, tags
_SMALL = 1_000  # nodes up to which each word is asked for by itself
_MARGIN = 20  # how many more than wanted are read before the filter; four times as many when too few are left


@dataclass(frozen=True, slots=True, kw_only=True)
class Filter:
    """Which nodes may be found. Times in microseconds; `as_of` is when it was believed."""

    kinds: tuple[str, ...] = ()
    after: int | None = None
    before: int | None = None
    session: str | None = None
    tags: tuple[str, ...] = ()
    outcome: str | None = None  # of an episode
    wish: bool = False  # only episodes that state a lasting wish
    entity_id: int | None = None
    as_of: int | None = None
    valid_at: int | None = None  # what had ended by then is left out
    audience: str = "private"  # whom it is for: "shared" lets nothing private through
    sensitive: bool = True
    superseded: bool = False  # found too, so that what replaced them can stand in their place

    def clause(self) -> tuple[str, dict[str, Any]]:
        """The SQL condition over `node`, with its parameters."""
        terms = ["node.state IN ('live', 'superseded')" if self.superseded else "node.state = 'live'"]
        values: dict[str, Any] = {}
        if self.as_of is not None:
            terms = ["node.recorded_at <= :as_of", "(node.state = 'live' OR node.state_at > :as_of)"]
            values["as_of"] = self.as_of
        if self.valid_at is not None:
            terms.append("(node.valid_until IS NULL OR node.valid_until > :valid_at OR node.state = 'superseded')")
            values["valid_at"] = self.valid_at
        if self.audience == "shared":
            terms.append("node.audience = 'shared' AND NOT node.sensitive")
        if not self.sensitive:
            terms.append("NOT node.sensitive")
        if self.kinds:  # written out, so that indexes over some kinds can serve; they were checked at the door
            terms.append(f"node.kind IN ({', '.join(repr(kind_of(kind).kind) for kind in self.kinds)})")
            if "episode" not in self.kinds:
                terms.append("node.kind <> 'episode'")  # said aloud, since SQLite does not conclude it by itself
        if self.after is not None:
            terms.append("node.event_at >= :after")
            values["after"] = self.after
        if self.before is not None:
            terms.append("node.event_at < :before")
            values["before"] = self.before
        if self.session is not None:
            terms.append("node.session_id = (SELECT id FROM session WHERE name = :session)")
            values["session"] = self.session
        for i, tag in enumerate(self.tags):
            terms.append(f"EXISTS (SELECT 1 FROM json_each(node.tags) WHERE json_each.value = :tag{i})")
            values[f"tag{i}"] = tag
        if self.wish:
            terms.append("node.attributes ->> 'wish' = 1")
        if self.outcome is not None:
            terms.append("node.attributes ->> 'outcome' = :outcome")
            values["outcome"] = self.outcome
        if self.entity_id is not None:
            terms.append("EXISTS (SELECT 1 FROM node_entity WHERE node_id = node.id AND entity_id = :entity_id)")
            values["entity_id"] = self.entity_id
        return " AND ".join(terms), values

    @property
    def selective(self) -> bool:
        """Whether it may leave so little that it must be applied while searching, not after."""
        narrow = (self.after, self.before, self.session, self.entity_id, self.outcome)
        kinds = bool(self.kinds) and "episode" not in self.kinds  # most nodes are episodes
        few = bool(self.tags) or kinds or self.wish or self.audience == "shared"
        return few or any(each is not None for each in narrow)


def search(db: apsw.Connection, wanted: Sequence[str], keep: Filter, limit: int) -> list[tuple[int, float]]:
    """(node, BM25, higher is better), best first, for any of the quoted words."""
    clause, values = keep.clause()
    if _size(db) <= _SMALL:
        return _term_by_term(db, wanted, clause, values, limit)
    values["expression"] = " OR ".join(wanted)
    if keep.selective:
        return _filtered(db, clause, values, limit)
    reach = limit + _MARGIN
    while True:
        found, exhausted = _ranked(db, clause, values, limit, reach)
        if len(found) >= limit or exhausted:
            return found
        reach *= 4


def _size(db: apsw.Connection) -> int:
    return int(db.execute("SELECT coalesce(max(id), 0) FROM node").get)


def _term_by_term(
    db: apsw.Connection, wanted: Sequence[str], clause: str, values: dict[str, Any], limit: int
) -> list[tuple[int, float]]:
    """BM25 with a rarity that never reaches zero.

    FTS5 lets a word count for nothing once half of all rows hold it, which in a young memory is every word that
    matters. Its score of a single word is rarity × frequency, so we can put ours in the place of its rarity.
    """
    size = int(db.execute("SELECT count(*) FROM node").get)
    scores: dict[int, float] = {}
    for word in wanted:
        rows = list(
            db.execute(f"SELECT rowid, -bm25(nodes_fts, {_WEIGHTS}) FROM nodes_fts WHERE nodes_fts MATCH ?", (word,))
        )
        theirs = math.log((size - len(rows) + 0.5) / (len(rows) + 0.5))
        ours = math.log(1 + (size - len(rows) + 0.5) / (len(rows) + 0.5))
        for id, score in rows:
            scores[id] = scores.get(id, 0.0) + score * ours / (theirs if theirs > 0 else 1e-6)
    kept = _passing(db, list(scores), clause, values)
    return sorted(((id, scores[id]) for id in kept), key=lambda each: (-each[1], each[0]))[:limit]


def _filtered(db: apsw.Connection, clause: str, values: dict[str, Any], limit: int) -> list[tuple[int, float]]:
    found = db.execute(
        f"""
        SELECT nodes_fts.rowid, -bm25(nodes_fts, {_WEIGHTS}) AS relevance
        FROM nodes_fts
        JOIN node ON node.id = nodes_fts.rowid
        WHERE nodes_fts MATCH :expression AND {clause}
        ORDER BY relevance DESC, nodes_fts.rowid
        LIMIT :limit
        """,
        values | {"limit": limit},
    )
    return list(found)


def _ranked(
    db: apsw.Connection, clause: str, values: dict[str, Any], limit: int, reach: int
) -> tuple[list[tuple[int, float]], bool]:
    """The index ranks alone and fast; only its best are held against the rows."""
    found = list(
        db.execute(
            f"""
            SELECT best.id, -best.rank, ({clause})
            FROM (
                SELECT rowid AS id, rank
                FROM nodes_fts
                WHERE nodes_fts MATCH :expression AND rank MATCH 'bm25({_WEIGHTS})'
                ORDER BY rank
                LIMIT :reach
            ) AS best
            JOIN node ON node.id = best.id
            ORDER BY best.rank, best.id
            """,
            values | {"reach": reach},
        )
    )
    return [(id, relevance) for id, relevance, kept in found if kept][:limit], len(found) < reach


Order = Literal["newest", "oldest", "weightiest", "strongest"]
_ORDERS: dict[Order, str] = {
    "newest": "node.event_at DESC, node.id DESC",
    "oldest": "node.event_at, node.id",
    "weightiest": "node.importance DESC, node.event_at, node.id",
    "strongest": "coalesce(node.attributes ->> 'strength', 0.5) DESC, node.id",
}


def matching(db: apsw.Connection, keep: Filter, limit: int, order: Order) -> list[int]:
    """Nodes that pass a filter."""
    clause, values = keep.clause()
    found = db.execute(
        f"""
        SELECT node.id
        FROM node
        WHERE {clause}
        ORDER BY {_ORDERS[order]}
        LIMIT :limit
        """,
        values | {"limit": limit},
    )
    return [row[0] for row in found]


def passing(db: apsw.Connection, ids: list[int], keep: Filter) -> list[int]:
    """Those of the nodes that pass a filter, in the order given."""
    return _passing(db, ids, *keep.clause())


def _passing(db: apsw.Connection, ids: list[int], clause: str, values: dict[str, Any]) -> list[int]:
    found = db.execute(
        f"SELECT node.id FROM node WHERE node.id IN (SELECT value FROM json_each(:ids)) AND {clause}",
        values | {"ids": json.dumps(ids)},
    )
    kept = {row[0] for row in found}
    return [id for id in ids if id in kept]


def rebuild(db: apsw.Connection) -> None:
    """Makes the whole index again from the rows."""
    db.execute("INSERT INTO nodes_fts (nodes_fts) VALUES ('rebuild')")


def is_true(db: apsw.Connection) -> bool:
    """Whether every word of every row is in the index and nothing else is. Reads everything."""
    try:
        db.execute("INSERT INTO nodes_fts (nodes_fts, rank) VALUES ('integrity-check', 1)")
    except apsw.CorruptError:  # how FTS5 says "the index and the content differ"
        return False
    return True
