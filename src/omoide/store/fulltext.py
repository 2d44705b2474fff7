"""Full text: searching nodes_fts, and holding it against the rows."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import apsw

from omoide.layers import kind_of
from omoide.store import stale
from omoide.store.plain import Scores

FEW = 5_000  # so many can be looked at one by one: a narrow filter need not be searched for from afar
_MARGIN = 20  # how many more than wanted are read before the filter; four times as many when too few are left


# A condensed episode and its turns say the same, and so does a narrative that was made from them: while all of the
# turns are live, they answer, in their own words. What an agent tells in words of its own speaks for itself.
SPEAKS_FOR_ITSELF = """(
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
KNOWN = "min(node.recorded_at, node.event_at) <= :as_of"
STOOD = """(
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


UNNAMED = 0  # the id of the user while nobody has said what they are called: no entity has it
OF_THE_UNNAMED = """(
    node.kind = 'fact' AND node.attributes ->> 'subject' = 'user'
    OR node.kind = 'opinion' AND node.attributes ->> 'holder' = 'user'
)"""


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
    archive: bool = False  # found too: what is out of use and has kept its words

    def clause(self) -> tuple[str, dict[str, Any]]:
        """The SQL condition over `node`, with its parameters."""
        terms = ["node.state IN ('live', 'superseded')" if self.superseded else "node.state = 'live'"]
        values: dict[str, Any] = {}
        if self.as_of is not None:
            terms = [KNOWN, STOOD]
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
            terms.append(SPEAKS_FOR_ITSELF)
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
        if self.entity_id == UNNAMED:
            terms.append(OF_THE_UNNAMED)
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


def search(db: apsw.Connection, scores: Scores, keep: Filter, limit: int) -> list[tuple[int, float]]:
    """(node, BM25, higher is better), best first, of those that may be found."""
    if keep.selective and len(few := matching(db, keep, FEW)) < FEW:
        return scores.among(few, limit)
    reach = limit + _MARGIN
    while True:
        found = scores.best(reach)
        kept = set(passing(db, [id for id, _ in found], keep))
        if len(kept) >= limit or len(found) < reach:
            return [each for each in found if each[0] in kept][:limit]
        reach *= 4


Order = Literal["newest", "oldest", "weightiest", "strongest"]
_ORDERS: dict[Order, str] = {
    "newest": "node.event_at DESC, node.id DESC",
    "oldest": "node.event_at, node.id",
    "weightiest": "node.importance DESC, node.event_at, node.id",
    "strongest": "coalesce(node.attributes ->> 'strength', 0.5) DESC, node.id",
}


def matching(db: apsw.Connection, keep: Filter, limit: int, order: Order = "newest") -> list[int]:
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


def passing(db: apsw.Connection, ids: Sequence[int], keep: Filter) -> list[int]:
    """Those of the nodes that pass a filter, in the order given."""
    doubtful = _odd(db, ids) if keep.ordinary else ids
    if not doubtful:
        return list(ids)
    clause, values = keep.clause()
    found = db.execute(
        f"SELECT node.id FROM node WHERE node.id IN (SELECT value FROM json_each(:ids)) AND {clause}",
        values | {"ids": json.dumps(doubtful)},
    )
    refused = set(doubtful) - {row[0] for row in found}
    return [id for id in ids if id not in refused]


def _odd(db: apsw.Connection, ids: Sequence[int]) -> list[int]:
    """Those whose row must be looked at: a small index knows them, where reading every row costs five times as much."""
    found = db.execute(
        """
        SELECT id
        FROM node INDEXED BY node_odd
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


def rebuild(db: apsw.Connection) -> None:
    """Makes the whole index again from the rows."""
    db.execute("INSERT INTO nodes_fts (nodes_fts) VALUES ('rebuild')")
    stale.everything(db)


def is_true(db: apsw.Connection) -> bool:
    """Whether every word of every row is in the index and nothing else is. Reads everything."""
    try:
        db.execute("INSERT INTO nodes_fts (nodes_fts, rank) VALUES ('integrity-check', 1)")
    except apsw.CorruptError:  # how FTS5 says "the index and the content differ"
        return False
    return True
