"""Times that nodes speak of: written with the node, found by time."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

from omoide.domain.node import MentionedTime
from omoide.store.engine.connection import Connection


def insert(db: Connection, node: int, times: Iterable[MentionedTime]) -> None:
    """Adds times to a node; one that it has already is left as it is."""
    db.executemany(
        "INSERT INTO mentioned_time (node_id, begins, ends, words) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
        [(node, each.begins, each.ends, each.words) for each in times],
    )


def replace(db: Connection, node: int, times: Iterable[MentionedTime]) -> None:
    """Sets the times of a node whose text changed."""
    db.execute("DELETE FROM mentioned_time WHERE node_id = ?", (node,))
    insert(db, node, times)


def of_nodes(db: Connection, ids: Sequence[int]) -> dict[int, list[MentionedTime]]:
    """The times of each node that has some, in order."""
    found: dict[int, list[MentionedTime]] = {}
    for node, begins, ends, words in db.execute(
        """
        SELECT node_id, begins, ends, words
        FROM mentioned_time
        WHERE node_id IN (SELECT value FROM json_each(?))
        ORDER BY node_id, begins, ends
        """,
        (json.dumps(list(ids)),),
    ):
        found.setdefault(node, []).append(MentionedTime(begins, ends, words))
    return found


def between(db: Connection, since: int, until: int, longest: int, limit: int) -> list[tuple[int, MentionedTime]]:
    """The nodes that speak of a time within [since, until), by its start. Times over `longest` are left out."""
    found = db.execute(
        """
        SELECT node_id, begins, ends, words
        FROM mentioned_time
        WHERE begins < :until AND begins > :since - :longest AND ends > :since AND ends - begins <= :longest
        ORDER BY begins, ends, node_id
        LIMIT :limit
        """,
        {"since": since, "until": until, "longest": longest, "limit": limit},
    )
    return [(node, MentionedTime(begins, ends, words)) for node, begins, ends, words in found]


def superseding(db: Connection, ids: Sequence[int]) -> set[int]:
    """The turns among these nodes whose statements about times were all replaced: the date moved or was cancelled."""
    found = db.column(
        """
        SELECT edge.target_id
        FROM edge
        JOIN node ON node.id = edge.source_id
        WHERE
            edge.type = 'derived_from'
            AND edge.target_id IN (SELECT value FROM json_each(?))
            AND EXISTS (SELECT 1 FROM mentioned_time WHERE node_id = edge.source_id)
        GROUP BY edge.target_id
        HAVING min(node.state = 'superseded')
        """,
        (json.dumps(list(ids)),),
    )
    return set(found)


def said_by_agent(db: Connection, ids: Sequence[int]) -> set[int]:
    """The turns of an agent among these nodes."""
    query = "SELECT id FROM node WHERE id IN (SELECT value FROM json_each(?)) AND role = 'agent'"
    return set(db.column(query, (json.dumps(list(ids)),)))


def learned_from(db: Connection, turns: Sequence[int]) -> dict[int, list[MentionedTime]]:
    """For each turn, the times that the statements learned from it speak of."""
    found: dict[int, list[MentionedTime]] = {}
    for turn, begins, ends, words in db.execute(
        """
        SELECT edge.target_id, mentioned_time.begins, mentioned_time.ends, mentioned_time.words
        FROM edge
        JOIN mentioned_time ON mentioned_time.node_id = edge.source_id
        WHERE edge.target_id IN (SELECT value FROM json_each(?)) AND edge.type = 'derived_from'
        """,
        (json.dumps(list(turns)),),
    ):
        found.setdefault(turn, []).append(MentionedTime(begins, ends, words))
    return found


def said_later(db: Connection, words: str, after: int, limit: int) -> list[int]:
    """The nodes of people that an expression of the full-text index finds and that were said after a moment, newest
    first."""
    return db.column(
        """
        SELECT node.id
        FROM nodes_fts
        JOIN node ON node.id = nodes_fts.rowid
        WHERE
            nodes_fts MATCH :words
            AND node.event_at >= :after
            AND node.role IS NOT 'agent'
            AND node.state IN ('live', 'archived')
        ORDER BY nodes_fts.rowid DESC
        LIMIT :limit
        """,
        {"words": f"text : ({words})", "after": after, "limit": limit},
    )
