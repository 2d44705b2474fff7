"""Full-text search: the filter of nodes, BM25 scores from FTS5, earlier texts, and the log of changes for caches."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

import apsw

from omoide.domain import kind_of
from omoide.language.text import index_text
from omoide.store.engine.connection import Connection

FEW_NODES = 5_000  # a filter that leaves fewer nodes is applied first
_MARGIN = 20  # how many more than the limit are read before filtering; four times as many if too few pass


# A summary, or a narrative made from turns, repeats its turns: while all of them are live, they are found instead.
# A narrative that an agent wrote is always found.
NOT_COVERED_BY_TURNS = """(
    (node.attributes ->> 'compression' IS NULL AND (node.kind <> 'narrative' OR node.source_type <> 'consolidation'))
    OR EXISTS (
        SELECT 1
        FROM edge
        JOIN node AS turn ON turn.id = edge.target_id
        WHERE
            edge.source_id = node.id AND edge.type = 'derived_from'
            AND turn.state <> 'live' AND (:as_of IS NULL OR turn.state_at <= :as_of)
    )
    OR NOT EXISTS (SELECT 1 FROM edge WHERE edge.source_id = node.id AND edge.type = 'derived_from')
)"""


# What was said by then was known by then, also if it was recorded later: imported history answers like lived history.
# So a node counts from the earlier of its two times, and is superseded from the earlier time of the successor that was
# written for it. Nodes that were merged as duplicates later existed side by side.
KNOWN_AS_OF = "min(node.recorded_at, node.event_at) <= :as_of"
IN_USE_AS_OF = """(
    node.state = 'live'
    OR node.state_at > :as_of AND NOT EXISTS (
        SELECT 1
        FROM edge
        JOIN node AS successor ON successor.id = edge.source_id
        WHERE
            edge.target_id = node.id AND edge.type = 'supersedes'
            AND edge.created_at = successor.recorded_at
            AND min(successor.recorded_at, successor.event_at) <= :as_of
    )
)"""


UNNAMED_USER = 0  # entity id of a user without a known name
ABOUT_UNNAMED_USER = """(
    node.kind = 'fact' AND node.attributes ->> 'subject' = 'user'
    OR node.kind = 'opinion' AND node.attributes ->> 'holder' = 'user'
)"""


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeFilter:
    """Which nodes may be found. Times are microseconds; `as_of` is the time at which they were believed."""

    kinds: tuple[str, ...] = ()
    after: int | None = None
    before: int | None = None
    session: str | None = None
    tags: tuple[str, ...] = ()
    outcome: str | None = None  # of an episode
    states_preference: bool = False  # only episodes that state an instruction or preference
    entity_id: int | None = None
    as_of: int | None = None
    valid_at: int | None = None  # excludes what had ended by then
    audience: str = "private"  # "shared" excludes private nodes
    sensitive: bool = True
    superseded: bool = False  # included, so that their successors can be found by them
    archive: bool = False  # included, as far as they kept their text

    def clause(self) -> tuple[str, dict[str, Any]]:
        """The SQL condition on `node`, with its parameters."""
        terms = ["node.state IN ('live', 'superseded')" if self.superseded else "node.state = 'live'"]
        values: dict[str, Any] = {}
        if self.as_of is not None:
            terms = [KNOWN_AS_OF, IN_USE_AS_OF]
            values["as_of"] = self.as_of
        if self.archive:
            packed = "node.id IN (SELECT node_id FROM archived)"
            terms = [f"({terms[-1]} OR {packed})", *terms[:-1]]
        if self.valid_at is not None:
            terms.append("(node.valid_until IS NULL OR node.valid_until > :valid_at OR node.state = 'superseded')")
            values["valid_at"] = self.valid_at
        if self.audience == "shared":
            terms.append("node.audience = 'shared' AND NOT node.sensitive")
        if not self.sensitive:
            terms.append("NOT node.sensitive")
        if self.kinds:  # literal, so that partial indexes apply; the kinds were validated before
            terms.append(f"node.kind IN ({', '.join(repr(kind_of(kind).kind) for kind in self.kinds)})")
            if "episode" not in self.kinds:
                terms.append("node.kind <> 'episode'")  # explicit, because SQLite does not infer it for partial indexes
        if not self.tags and (not self.kinds or "episode" in self.kinds):  # a filter by tag includes summaries
            terms.append(NOT_COVERED_BY_TURNS)
            values.setdefault("as_of", self.as_of)
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
        if self.states_preference:
            terms.append("node.attributes ->> 'states_preference' = 1")
        if self.outcome is not None:
            terms.append("node.attributes ->> 'outcome' = :outcome")
            values["outcome"] = self.outcome
        if self.entity_id == UNNAMED_USER:
            terms.append(ABOUT_UNNAMED_USER)
        elif self.entity_id is not None:
            terms.append("EXISTS (SELECT 1 FROM node_entity WHERE node_id = node.id AND entity_id = :entity_id)")
            values["entity_id"] = self.entity_id
        return " AND ".join(terms), values

    @property
    def ordinary(self) -> bool:
        """Whether all live nodes without an end that are not sensitive pass."""
        return not self.selective and not self.kinds and self.as_of is None

    @property
    def selective(self) -> bool:
        """Whether so few nodes may pass that the filter must be applied before the search."""
        narrow = (self.after, self.before, self.session, self.entity_id, self.outcome)
        kinds = bool(self.kinds) and "episode" not in self.kinds  # most nodes are episodes
        few = bool(self.tags) or kinds or self.states_preference or self.audience == "shared"
        return few or any(each is not None for each in narrow)


def search(db: Connection, scores: TextScores, keep: NodeFilter, limit: int) -> list[tuple[int, float]]:
    """(node, BM25 score) of the nodes that pass a filter, the best first."""
    if keep.selective and len(few := matching(db, keep, FEW_NODES)) < FEW_NODES:
        return scores.among(few, limit)
    reach = limit + _MARGIN
    while True:
        found = scores.best(reach)
        kept = set(passing(db, [id for id, _ in found], keep))
        if len(kept) >= limit or len(found) < reach:
            return [each for each in found if each[0] in kept][:limit]
        reach *= 4


SortOrder = Literal["newest", "oldest", "weightiest", "strongest"]
_ORDERS: dict[SortOrder, str] = {
    "newest": "node.event_at DESC, node.id DESC",
    "oldest": "node.event_at, node.id",
    "weightiest": "node.importance DESC, node.event_at, node.id",
    "strongest": "coalesce(node.attributes ->> 'strength', 0.5) DESC, node.id",
}


def matching(db: Connection, keep: NodeFilter, limit: int, order: SortOrder = "newest") -> list[int]:
    """Ids of nodes that pass a filter."""
    clause, values = keep.clause()
    return db.column(
        f"""
        SELECT node.id
        FROM node
        WHERE {clause}
        ORDER BY {_ORDERS[order]}
        LIMIT :limit
        """,
        values | {"limit": limit},
    )


def passing(db: Connection, ids: Sequence[int], keep: NodeFilter) -> list[int]:
    """Those of the nodes that pass a filter, in the given order."""
    doubtful = _needing_check(db, ids) if keep.ordinary else ids
    if not doubtful:
        return list(ids)
    clause, values = keep.clause()
    found = db.execute(
        f"SELECT node.id FROM node WHERE node.id IN (SELECT value FROM json_each(:ids)) AND {clause}",
        values | {"ids": json.dumps(doubtful)},
    )
    refused = set(doubtful) - {row[0] for row in found}
    return [id for id in ids if id not in refused]


def _needing_check(db: Connection, ids: Sequence[int]) -> list[int]:
    """Those whose row must be checked, found in a small index: reading every row costs five times as much."""
    return db.column(
        """
        SELECT id
        FROM node INDEXED BY node_needs_check
        WHERE
            (
                state <> 'live' OR valid_until IS NOT NULL OR sensitive OR attributes ->> 'compression' IS NOT NULL
                OR kind = 'narrative'
            )
            AND id IN (SELECT value FROM json_each(?))
        """,
        (json.dumps(ids),),
    )


def rebuild_index(db: Connection) -> None:
    """Rebuilds the full-text index from the rows."""
    db.execute("INSERT INTO nodes_fts (nodes_fts) VALUES ('rebuild')")
    invalidate_all(db)


def is_index_consistent(db: Connection) -> bool:
    """Whether the index holds exactly the words of all rows. Reads everything."""
    try:
        db.execute("INSERT INTO nodes_fts (nodes_fts, rank) VALUES ('integrity-check', 1)")
    except apsw.CorruptError:  # FTS5 reports a difference between index and content like this
        return False
    return True


# BM25 by FTS5 alone: nothing to load and no numpy, so the first answers of a process are fast.


_COLUMN_WEIGHTS = "1.0, 0.5, 0.8"  # of text, speaker, tags; search/postings.py has them in tenths
_SMALL_STORE = 1_000  # nodes
_AFFORDABLE_ROWS = 100_000  # rows, about a tenth of a second; for more, loading posting lists pays off


class TextScores(Protocol):
    """BM25 scores of all nodes that share a word with the query; higher is better, equal scores in order of id."""

    def best(self, limit: int) -> list[tuple[int, float]]:
        """The best of all nodes."""

    def among(self, ids: Sequence[int], limit: int) -> list[tuple[int, float]]:
        """The best of these nodes."""


class FtsScores:
    """Scores computed by FTS5, without numpy."""

    def __init__(self, scores: dict[int, float]) -> None:
        self._scores = scores

    def best(self, limit: int) -> list[tuple[int, float]]:
        return _top(self._scores.items(), limit)

    def among(self, ids: Sequence[int], limit: int) -> list[tuple[int, float]]:
        return _top(((id, self._scores[id]) for id in set(ids) if id in self._scores), limit)


def _top(scored: Iterable[tuple[int, float]], limit: int) -> list[tuple[int, float]]:
    return sorted(scored, key=lambda each: (-each[1], each[0]))[:limit]


def fts_scores(db: Connection, wanted: Sequence[str]) -> FtsScores:
    """BM25 scores of all nodes that contain one of the quoted words or phrases."""
    size = int(db.execute("SELECT count(*) FROM node").get)
    scores: dict[int, float] = {}
    for word in wanted:
        found = fts_frequencies(db, word, size)
        rarity = word_rarity(len(found), size)
        for id, part in found:
            scores[id] = scores.get(id, 0.0) + rarity * part
    return FtsScores(scores)


def is_affordable(db: Connection, wanted: Sequence[str]) -> bool:
    """Whether FTS5 can answer quickly enough: it scores a row in about a microsecond."""
    return sum(document_count(db, word) for word in wanted) <= _AFFORDABLE_ROWS


def document_count(db: Connection, word: str) -> int:
    """How many nodes contain a quoted word or phrase."""
    return int(db.execute("SELECT count(*) FROM nodes_fts WHERE nodes_fts MATCH ?", (word,)).get)


def word_rarity(held: int, size: int) -> float:
    """The inverse document frequency of a word: FTS5's log((N - n + 1/2) / (n + 1/2)), with a lower bound.

    It is zero once half of all rows contain the word, which in a small store is every word that matters. Lucene's log(1
    + ...), which is never zero, is the lower bound there; it loses weight as the store grows.
    """
    odds = (size - held + 0.5) / (held + 0.5)
    young = _SMALL_STORE / max(_SMALL_STORE, size)
    return max(math.log(odds), young * math.log1p(odds))


def fts_frequencies(db: Connection, word: str, size: int, index: str = "nodes_fts") -> list[tuple[int, float]]:
    """(node, weight) for a quoted word or phrase: BM25 without the rarity.

    FTS5 returns rarity x weight, so its rarity is divided out.
    """
    found = list(
        db.execute(f"SELECT rowid, -bm25({index}, {_COLUMN_WEIGHTS}) FROM {index} WHERE {index} MATCH ?", (word,))
    )
    theirs = math.log((size - len(found) + 0.5) / (len(found) + 0.5)) if found else 1.0
    return [(id, score / (theirs if theirs > 0 else 1e-6)) for id, score in found]


# Earlier texts of nodes that were updated in place.


ScoredNodes = list[tuple[int, float]]
_TOKENIZER = "porter unicode61 remove_diacritics 2 categories 'L* N* Co M*'"  # as for nodes_fts


def with_earlier_texts(
    db: Connection, found: ScoredNodes, wanted: Sequence[str], keep: NodeFilter, limit: int
) -> ScoredNodes:
    """Adds nodes whose text at `as_of` matches.

    Few texts were updated since then, so they are indexed in memory for this one query.
    """
    assert keep.as_of is not None
    scores = dict(found)
    for id, score in _score_earlier_texts(db, wanted, keep.as_of).items():
        scores[id] = max(score, scores.get(id, 0.0))
    allowed = set(passing(db, list(scores), keep))
    best = sorted(((id, score) for id, score in scores.items() if id in allowed), key=lambda each: (-each[1], each[0]))
    return best[:limit]


def _score_earlier_texts(db: Connection, wanted: Sequence[str], as_of: int) -> dict[int, float]:
    """Scores by rarity only: length statistics of today's texts do not apply to earlier ones."""
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
    index = _temporary_index([(id, str(text)) for id, text, _ in then])
    scores: dict[int, float] = {}
    for word in wanted:
        holders = [row[0] for row in index.execute("SELECT rowid FROM wording WHERE wording MATCH ?", (word,))]
        rarity = word_rarity(max(len(holders), document_count(db, word)), size) if holders else 0.0
        for id in holders:
            scores[id] = scores.get(id, 0.0) + rarity
    index.close()
    return scores


def _temporary_index(texts: Sequence[tuple[int, str]]) -> apsw.Connection:
    index = apsw.Connection(":memory:")
    index.execute(f'CREATE VIRTUAL TABLE wording USING fts5 (text, content = "", tokenize = "{_TOKENIZER}")')
    with index:
        index.executemany(
            "INSERT INTO wording (rowid, text) VALUES (?, ?)", [(id, index_text(text) or text) for id, text in texts]
        )
    return index


# The log of changed texts and vectors, for caches in memory.


ChangedPart = Literal["text", "vector"]


def change_position(db: Connection) -> int:
    """The end of the change log."""
    return int(db.execute("SELECT coalesce(max(id), 0) FROM cache_invalidation").get)


def changed_since(db: Connection, part: ChangedPart, after: int) -> list[int] | None:
    """The nodes that changed after a position, in order; None if the log does not reach back so far."""
    if int(db.execute("SELECT coalesce(min(id), 1) FROM cache_invalidation").get) > after + 1:
        return None
    return db.column("SELECT node_id FROM cache_invalidation WHERE id > ? AND part = ? ORDER BY id", (after, part))


def invalidate_all(db: Connection) -> None:
    """Makes all caches load everything again, by a gap in the log."""
    db.execute("DELETE FROM cache_invalidation")
    db.execute(
        """
        INSERT INTO cache_invalidation (id, part, node_id)
        SELECT coalesce(max(seq), 0) + 2, 'text', 0
        FROM sqlite_sequence
        WHERE name = 'cache_invalidation'
        """
    )
