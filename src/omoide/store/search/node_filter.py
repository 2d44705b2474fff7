"""The filter of nodes that every search applies, as SQL."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from omoide.domain import kind_of
from omoide.store.engine.connection import Connection

# A summary, or a narrative made from turns, repeats its turns: while all of them can be found, they are found instead.
# A narrative that an agent wrote is always found.
NOT_COVERED_BY_TURNS = """(
    (node.attributes ->> 'compression' IS NULL AND (node.kind <> 'narrative' OR node.source_type <> 'consolidation'))
    OR EXISTS (
        SELECT 1
        FROM edge
        JOIN node AS turn ON turn.id = edge.target_id
        WHERE
            edge.source_id = node.id AND edge.type = 'derived_from'
            AND turn.state NOT IN ('live', 'archived') AND (:as_of IS NULL OR turn.state_at <= :as_of)
    )
    OR NOT EXISTS (SELECT 1 FROM edge WHERE edge.source_id = node.id AND edge.type = 'derived_from')
)"""
# The same where archived turns are left out.
NOT_COVERED_BY_LIVE_TURNS = NOT_COVERED_BY_TURNS.replace("NOT IN ('live', 'archived')", "<> 'live'")


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


# Nodes whose row a search must check: those that were superseded or withdrawn, have an end, are sensitive, or repeat
# turns that may be live themselves. All others pass an ordinary filter unseen. The same as the index node_needs_check.
NEEDS_CHECK = """(
    state IN ('superseded', 'withdrawn') OR valid_until IS NOT NULL OR sensitive
    OR attributes ->> 'compression' IS NOT NULL OR kind = 'narrative'
)"""


UNNAMED_USER = 0  # entity id of a user without a known name
ABOUT_UNNAMED_USER = """(
    node.kind = 'fact' AND node.attributes ->> 'subject' = 'user'
    OR node.kind = 'opinion' AND node.attributes ->> 'holder' = 'user'
)"""


OF_STATE = "of its state"  # the reason names the state


ArchiveScope = Literal[True, False, "only"]


@dataclass(frozen=True, kw_only=True)  # no slots: see `changed`
class NodeFilter:
    """Which nodes may be found. Times are microseconds; `as_of` is the time at which they were believed."""

    kinds: tuple[str, ...] = ()
    after: int | None = None
    before: int | None = None
    session: str | None = None
    tags: tuple[str, ...] = ()
    outcome: str | None = None  # of an episode
    states_preference: bool = False  # only episodes that state an instruction or preference
    predicates: tuple[str, ...] = ()  # of a fact
    entity_id: int | None = None
    as_of: int | None = None
    valid_at: int | None = None  # excludes what had ended by then
    audience: str = "private"  # "shared" excludes private nodes
    sensitive: bool = True
    superseded: bool = False  # included, so that their successors can be found by them
    archive: ArchiveScope = True  # archived nodes: included, left out, or searched alone

    def clause(self) -> tuple[str, dict[str, Any]]:
        """The SQL condition on `node`, with its parameters."""
        terms, values = self.terms()
        return " AND ".join(term for term, _ in terms), values

    def terms(self) -> tuple[list[tuple[str, str]], dict[str, Any]]:
        """Conditions on `node`, each with the reason why a node is left out that does not meet it; their parameters."""
        terms = [(f"node.state IN {self.states}", OF_STATE)]
        values: dict[str, Any] = {}
        if self.as_of is not None:
            archived = {True: "OR node.state = 'archived'", False: "", "only": "AND node.state = 'archived'"}
            terms = [
                (KNOWN_AS_OF, "it was not known at that time"),
                (f"({IN_USE_AS_OF} {archived[self.archive]})", "it was not in use at that time"),
            ]
            values["as_of"] = self.as_of
        if self.valid_at is not None:
            valid = "(node.valid_until IS NULL OR node.valid_until > :valid_at OR node.state = 'superseded')"
            terms.append((valid, "what it says had ended by then"))
            values["valid_at"] = self.valid_at
        if self.audience == "shared":
            terms.append(("node.audience = 'shared' AND NOT node.sensitive", "it is not for others to see"))
        if not self.sensitive:
            terms.append(("NOT node.sensitive", "it is sensitive, and there is no consent to show it"))
        if self.kinds:  # literal, so that partial indexes apply; the kinds were validated before
            kinds = ", ".join(repr(kind_of(kind).kind) for kind in self.kinds)
            # The second condition is explicit, because SQLite does not infer it for partial indexes.
            explicit = "" if "episode" in self.kinds else " AND node.kind <> 'episode'"
            terms.append((f"node.kind IN ({kinds}){explicit}", f"its kind is none of {kinds}"))
        if not self.tags and (not self.kinds or "episode" in self.kinds):  # a filter by tag includes summaries
            covered = NOT_COVERED_BY_TURNS if self.archive else NOT_COVERED_BY_LIVE_TURNS
            terms.append((covered, "it repeats turns, which are searched instead"))
            values.setdefault("as_of", self.as_of)
        if self.after is not None:
            terms.append(("node.event_at >= :after", "it happened before the time asked for"))
            values["after"] = self.after
        if self.before is not None:
            terms.append(("node.event_at < :before", "it happened after the time asked for"))
            values["before"] = self.before
        if self.session is not None:
            own = "node.session_id = (SELECT id FROM session WHERE name = :session)"
            terms.append((own, "it is not of the session asked for"))
            values["session"] = self.session
        for i, tag in enumerate(self.tags):
            tagged = f"EXISTS (SELECT 1 FROM json_each(node.tags) WHERE json_each.value = :tag{i})"
            terms.append((tagged, f"it lacks the tag {tag!r}"))
            values[f"tag{i}"] = tag
        if self.states_preference:
            # In the view of others SQLite would take the index of shared nodes and read all of them.
            shared = self.audience == "shared"
            stating = "SELECT id FROM main.node WHERE attributes ->> 'states_preference' = 1"
            states = f"node.id IN ({stating})" if shared else "node.attributes ->> 'states_preference' = 1"
            terms.append((states, "it states no preference"))
        if self.predicates:
            predicate = "node.attributes ->> 'predicate' IN (SELECT value FROM json_each(:predicates))"
            terms.append((predicate, "it is a fact of another sort than asked for"))
            values["predicates"] = json.dumps(self.predicates)
        if self.outcome is not None:
            terms.append(("node.attributes ->> 'outcome' = :outcome", "it had another outcome than asked for"))
            values["outcome"] = self.outcome
        if self.entity_id is not None:
            mention = "EXISTS (SELECT 1 FROM node_entity WHERE node_id = node.id AND entity_id = :entity_id)"
            about = ABOUT_UNNAMED_USER if self.entity_id == UNNAMED_USER else mention
            terms.append((about, "it does not mention the subject asked for"))
            values["entity_id"] = self.entity_id
        return terms, values

    @property
    def states(self) -> tuple[str, ...]:
        """The states that pass, as SQL."""
        if self.archive == "only":
            return ("archived", "archived")  # a tuple of one is no SQL
        return ("live", *(("superseded",) if self.superseded else ()), "archived" if self.archive else "live")

    @property
    def ordinary(self) -> bool:
        """Whether all live and archived nodes of the kinds asked for pass that need no check."""
        return not self.selective and self.as_of is None and self.archive is True

    @property
    def selective(self) -> bool:
        """Whether so few nodes may pass that the filter must be applied before the search."""
        if self.kinds and "episode" not in self.kinds:  # most nodes are episodes
            return True
        if self.states_preference or self.audience == "shared" or self.archive == "only" or self.tags:
            return True
        narrow = (self.after, self.before, self.session, self.entity_id, self.outcome)
        return bool(self.predicates) or narrow != (None,) * 5


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
    clause, values = keep.clause()
    found = db.execute(
        f"SELECT node.id FROM node WHERE node.id IN (SELECT value FROM json_each(:ids)) AND {clause}",
        values | {"ids": json.dumps(list(ids))},
    )
    allowed = {row[0] for row in found}
    return [id for id in ids if id in allowed]
