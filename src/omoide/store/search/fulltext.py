"""Full text: searching nodes_fts, and holding it against the rows."""

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

FEW_NODES = 5_000  # so many can be looked at one by one: a narrow filter need not be searched for from afar
_MARGIN = 20  # how many more than wanted are read before the filter; four times as many when too few are left


# A condensed episode and its turns say the same, and so does a narrative that was made from them: while all of the
# turns are live, they answer, in their own words. What an agent tells in words of its own speaks for itself.
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


# What was said by then was known by then, also where it was written down later: history that is replayed or imported
# answers like history that was lived. So a node counts from the earlier of its two times, and gives way from the
# earlier of those of the successor that was written for it. Two that were found to be the
# same later stood side by side.
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


UNNAMED_USER = 0  # the id of the user while nobody has said what they are called: no entity has it
ABOUT_UNNAMED_USER = """(
    node.kind = 'fact' AND node.attributes ->> 'subject' = 'user'
    OR node.kind = 'opinion' AND node.attributes ->> 'holder' = 'user'
)"""


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeFilter:
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
    archive: bool = False  # found too: what is out of use and has kept its words

    def clause(self) -> tuple[str, dict[str, Any]]:
        """The SQL condition over `node`, with its parameters."""
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
        if self.kinds:  # written out, so that indexes over some kinds can serve; they were checked at the door
            terms.append(f"node.kind IN ({', '.join(repr(kind_of(kind).kind) for kind in self.kinds)})")
            if "episode" not in self.kinds:
                terms.append("node.kind <> 'episode'")  # said aloud, since SQLite does not conclude it by itself
        if not self.tags and (not self.kinds or "episode" in self.kinds):  # who asks for a tag wants what has it
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
        if self.wish:
            terms.append("node.attributes ->> 'wish' = 1")
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
        """Whether every node passes that is live, without an end and not sensitive."""
        return not self.selective and not self.kinds and self.as_of is None

    @property
    def selective(self) -> bool:
        """Whether it may leave so little that it must be applied while searching, not after."""
        narrow = (self.after, self.before, self.session, self.entity_id, self.outcome)
        kinds = bool(self.kinds) and "episode" not in self.kinds  # most nodes are episodes
        few = bool(self.tags) or kinds or self.wish or self.audience == "shared"
        return few or any(each is not None for each in narrow)


def search(db: Connection, scores: TextScores, keep: NodeFilter, limit: int) -> list[tuple[int, float]]:
    """(node, BM25, higher is better), best first, of those that may be found."""
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


def passing(db: Connection, ids: Sequence[int], keep: NodeFilter) -> list[int]:
    """Those of the nodes that pass a filter, in the order given."""
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
    """Those whose row must be looked at: a small index knows them, where reading every row costs five times as much."""
    found = db.execute(
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
    return [row[0] for row in found]


def rebuild_index(db: Connection) -> None:
    """Makes the whole index again from the rows."""
    db.execute("INSERT INTO nodes_fts (nodes_fts) VALUES ('rebuild')")
    invalidate_all(db)


def is_index_consistent(db: Connection) -> bool:
    """Whether every word of every row is in the index and nothing else is. Reads everything."""
    try:
        db.execute("INSERT INTO nodes_fts (nodes_fts, rank) VALUES ('integrity-check', 1)")
    except apsw.CorruptError:  # how FTS5 says "the index and the content differ"
        return False
    return True


# Words by FTS5 alone: nothing to load and no numpy, so the fewest milliseconds to a first answer.


_COLUMN_WEIGHTS = "1.0, 0.5, 0.8"  # of text, speaker, tags; store/postings.py has the same in tenths
_SMALL_STORE = 1_000  # nodes
_AFFORDABLE_ROWS = 100_000  # rows, a tenth of a second: for more, posting lists are worth their import


class TextScores(Protocol):
    """Every node that shares a word with the question, scored by BM25: higher is better, equals in order of id."""

    def best(self, limit: int) -> list[tuple[int, float]]:
        """The best of all."""

    def among(self, ids: Sequence[int], limit: int) -> list[tuple[int, float]]:
        """The best of some."""


class FtsScores:
    """Scores in a dictionary."""

    def __init__(self, scores: dict[int, float]) -> None:
        self._scores = scores

    def best(self, limit: int) -> list[tuple[int, float]]:
        return _top(self._scores.items(), limit)

    def among(self, ids: Sequence[int], limit: int) -> list[tuple[int, float]]:
        return _top(((id, self._scores[id]) for id in set(ids) if id in self._scores), limit)


def _top(scored: Iterable[tuple[int, float]], limit: int) -> list[tuple[int, float]]:
    return sorted(scored, key=lambda each: (-each[1], each[0]))[:limit]


def fts_scores(db: Connection, wanted: Sequence[str]) -> FtsScores:
    """BM25 of every node that holds one of the quoted words or phrases."""
    size = int(db.execute("SELECT count(*) FROM node").get)
    scores: dict[int, float] = {}
    for word in wanted:
        found = fts_frequencies(db, word, size)
        rarity = word_rarity(len(found), size)
        for id, part in found:
            scores[id] = scores.get(id, 0.0) + rarity * part
    return FtsScores(scores)


def is_affordable(db: Connection, wanted: Sequence[str]) -> bool:
    """Whether a question is cheap enough for FTS5: it weighs a row in about a microsecond."""
    return sum(document_count(db, word) for word in wanted) <= _AFFORDABLE_ROWS


def document_count(db: Connection, word: str) -> int:
    """How many nodes hold a quoted word or phrase."""
    return int(db.execute("SELECT count(*) FROM nodes_fts WHERE nodes_fts MATCH ?", (word,)).get)


def word_rarity(held: int, size: int) -> float:
    """How much a word tells apart: FTS5's measure, log((N − n + ½) / (n + ½)), where that is not too small.

    It reaches zero once half of all rows hold the word, which in a young memory is every word that matters. There
    Lucene's log(1 + …) counts, which is never zero; the older a memory grows, the less it has to say.
    """
    odds = (size - held + 0.5) / (held + 0.5)
    young = _SMALL_STORE / max(_SMALL_STORE, size)
    return max(math.log(odds), young * math.log1p(odds))


def fts_frequencies(db: Connection, word: str, size: int, index: str = "nodes_fts") -> list[tuple[int, float]]:
    """(node, how much it speaks of a quoted word or phrase): BM25 without the rarity.

    FTS5's score of a single word is its rarity × that, so we divide its rarity out again.
    """
    found = list(
        db.execute(f"SELECT rowid, -bm25({index}, {_COLUMN_WEIGHTS}) FROM {index} WHERE {index} MATCH ?", (word,))
    )
    theirs = math.log((size - len(found) + 0.5) / (len(found) + 0.5)) if found else 1.0
    return [(id, score / (theirs if theirs > 0 else 1e-6)) for id, score in found]


# Earlier wordings: what a memory that was updated in place said at a time, searched by the words of then.


ScoredNodes = list[tuple[int, float]]
_TOKENIZER = "porter unicode61 remove_diacritics 2 categories 'L* N* Co M*'"  # that of nodes_fts


def with_earlier_texts(
    db: Connection, found: ScoredNodes, wanted: Sequence[str], keep: NodeFilter, limit: int
) -> ScoredNodes:
    """What today's words found, and what the words of `as_of` find.

    Updates are few, and only those since then count: their wordings are indexed for this one question, in memory,
    rather than every wording that ever was for all of them.
    """
    assert keep.as_of is not None
    scores = dict(found)
    for id, score in _score_earlier_texts(db, wanted, keep.as_of).items():
        scores[id] = max(score, scores.get(id, 0.0))
    allowed = set(passing(db, list(scores), keep))
    best = sorted(((id, score) for id, score in scores.items() if id in allowed), key=lambda each: (-each[1], each[0]))
    return best[:limit]


def _score_earlier_texts(db: Connection, wanted: Sequence[str], as_of: int) -> dict[int, float]:
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


# What no longer holds: which nodes' words or vectors changed or went, for those who keep them in memory.


ChangedPart = Literal["text", "vector"]


def change_position(db: Connection) -> int:
    """The end of the log: whoever reads everything now need not look at what stands before it."""
    return int(db.execute("SELECT coalesce(max(id), 0) FROM cache_invalidation").get)


def changed_since(db: Connection, part: ChangedPart, after: int) -> list[int] | None:
    """The nodes that changed after a position, in order; None if the log no longer reaches back so far."""
    if int(db.execute("SELECT coalesce(min(id), 1) FROM cache_invalidation").get) > after + 1:
        return None
    found = db.execute("SELECT node_id FROM cache_invalidation WHERE id > ? AND part = ? ORDER BY id", (after, part))
    return [row[0] for row in found]


def invalidate_all(db: Connection) -> None:
    """Nothing that anybody holds can be relied on: a gap in the log makes all start over."""
    db.execute("DELETE FROM cache_invalidation")
    db.execute(
        """
        INSERT INTO cache_invalidation (id, part, node_id)
        SELECT coalesce(max(seq), 0) + 2, 'text', 0
        FROM sqlite_sequence
        WHERE name = 'cache_invalidation'
        """
    )
