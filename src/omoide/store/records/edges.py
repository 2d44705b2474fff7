"""Edges, the links between nodes; and the times that nodes speak of."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from omoide.domain import Edge
from omoide.domain.edge import SYMMETRIC
from omoide.domain.node import MentionedTime
from omoide.store.engine.connection import Connection
from omoide.store.records import rows

_SELECT = """
    SELECT
        edge.id, edge.source_id, edge.target_id, edge.type, edge.predicate, edge.weight, edge.confidence,
        edge.valid_from, edge.valid_until, edge.evidence, edge.created_at
    FROM edge
"""


def insert(db: Connection, source: int, target: int, type: str, now: int) -> None:
    """Adds a link unless it exists."""
    insert_many(db, [(source, target, type)], now)


def insert_many(db: Connection, links: Sequence[tuple[int, int, str]], now: int) -> None:
    """Adds links, given as (source, target, type), that do not exist yet."""
    db.executemany(
        """
        INSERT INTO edge (source_id, target_id, type, valid_from, created_at)
        VALUES (?, ?, ?, ?, ?)
        ON CONFLICT DO NOTHING
        """,
        [(*link, now, now) for link in links],
    )


def upsert(
    db: Connection,
    ends: tuple[int, int],
    type: str,
    *,
    predicate: str | None = None,
    weight: float = 1.0,
    confidence: float = 1.0,
    evidence: Sequence[Any] = (),
) -> Edge:
    """Adds a link or replaces its fields."""
    db.upsert(
        "edge",
        ("source_id", "type", "target_id"),
        kept=("valid_from", "created_at"),
        source_id=ends[0],
        target_id=ends[1],
        type=type,
        predicate=predicate,
        weight=weight,
        confidence=confidence,
        evidence=rows.to_json(list(evidence)),
        valid_from=db.now,
        valid_until=None,
        created_at=db.now,
    )
    found = db.execute(_SELECT + "WHERE source_id = ? AND target_id = ? AND type = ?", (*ends, type)).fetchone()
    assert found is not None
    return rows.record(Edge, found)


def link_recalled_together(db: Connection, pairs: Mapping[tuple[int, int], int]) -> None:
    """Links nodes that answered the same question, and adds to the weight each time."""
    db.executemany(
        """
        INSERT INTO edge (source_id, target_id, type, weight, valid_from, created_at)
        SELECT one.id, other.id, 'recalled_with', :times, :now, :now
        FROM node AS one, node AS other
        WHERE one.id = :one AND other.id = :other
        ON CONFLICT (source_id, type, target_id) DO UPDATE SET weight = weight + excluded.weight
        """,
        [{"one": one, "other": other, "times": times, "now": db.now} for (one, other), times in pairs.items()],
    )


def of_node(db: Connection, id: int) -> list[Edge]:
    """All links from or to a node."""
    found = db.execute(_SELECT + "WHERE source_id = :id OR target_id = :id ORDER BY id", {"id": id})
    return [rows.record(Edge, row) for row in found]


def ending_words(db: Connection, ids: Sequence[int]) -> dict[int, str]:
    """The words that replaced or ended each of these nodes, as far as they are known."""
    found = db.execute(
        """
        SELECT target_id, evidence
        FROM edge
        WHERE type = 'supersedes' AND target_id IN (SELECT value FROM json_each(?)) AND evidence <> '[]'
        ORDER BY id
        """,
        (ids,),
    )
    return {int(id): " … ".join(map(str, json.loads(words))) for id, words in found}


def delete_links(db: Connection, ends: tuple[int, int], types: Sequence[str]) -> list[Edge]:
    """Deletes links of these types between two nodes (symmetric types in both directions) and returns them."""
    found = db.execute(
        _SELECT
        + """
        WHERE
            type IN (SELECT value FROM json_each(:types))
            AND (
                source_id = :source AND target_id = :target
                OR source_id = :target AND target_id = :source
                AND type IN (SELECT value FROM json_each(:symmetric))
            )
        ORDER BY id
        """,
        {
            "types": types,
            "source": ends[0],
            "target": ends[1],
            "symmetric": SYMMETRIC,
        },
    )
    removed = [rows.record(Edge, row) for row in found]
    db.executemany("DELETE FROM edge WHERE id = ?", [(each.id,) for each in removed])
    return removed


def contradictions(db: Connection, limit: int) -> list[Edge]:
    """Contradictions between live nodes, the latest first, each pair once."""
    found = db.execute(
        _SELECT
        + """
        JOIN node AS one ON one.id = edge.source_id
        JOIN node AS other ON other.id = edge.target_id
        WHERE
            edge.type = 'contradicts' AND edge.valid_until IS NULL AND one.state = 'live' AND other.state = 'live'
            AND NOT EXISTS (
                SELECT 1
                FROM edge AS again
                WHERE
                    again.source_id = edge.target_id AND again.target_id = edge.source_id
                    AND again.type = 'contradicts' AND again.valid_until IS NULL AND again.id < edge.id
            )
        ORDER BY edge.id DESC
        LIMIT ?
        """,
        (limit,),
    )
    return [rows.record(Edge, row) for row in found]


def end_link(db: Connection, ends: tuple[int, int], type: str) -> None:
    """Ends a link in both directions; it is kept for the history."""
    db.execute(
        """
        UPDATE edge
        SET valid_until = :now
        WHERE
            type = :type AND valid_until IS NULL
            AND (source_id = :one AND target_id = :other OR source_id = :other AND target_id = :one)
        """,
        {"type": type, "one": ends[0], "other": ends[1], "now": db.now},
    )


# Times that nodes speak of: written with the node, found by time.


def insert_times(db: Connection, node: int, times: Iterable[MentionedTime]) -> None:
    """Adds times to a node; one that it has already is left as it is."""
    db.executemany(
        "INSERT INTO mentioned_time (node_id, begins, ends, words) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
        [(node, each.begins, each.ends, each.words) for each in times],
    )


def replace_times(db: Connection, node: int, times: Iterable[MentionedTime]) -> None:
    """Sets the times of a node whose text changed."""
    db.execute("DELETE FROM mentioned_time WHERE node_id = ?", (node,))
    insert_times(db, node, times)


def times_of_nodes(db: Connection, ids: Sequence[int]) -> dict[int, list[MentionedTime]]:
    """The times of each node that has some, in order."""
    found: dict[int, list[MentionedTime]] = {}
    for node, begins, ends, words in db.execute(
        """
        SELECT node_id, begins, ends, words
        FROM mentioned_time
        WHERE node_id IN (SELECT value FROM json_each(?))
        ORDER BY node_id, begins, ends
        """,
        (ids,),
    ):
        found.setdefault(node, []).append(MentionedTime(begins, ends, words))
    return found


def times_between(db: Connection, since: int, until: int, longest: int, limit: int) -> list[tuple[int, MentionedTime]]:
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
        (ids,),
    )
    return set(found)


def said_by_agent(db: Connection, ids: Sequence[int]) -> set[int]:
    """The turns of an agent among these nodes."""
    query = "SELECT id FROM node WHERE id IN (SELECT value FROM json_each(?)) AND role = 'agent'"
    return set(db.column(query, (ids,)))


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
        (turns,),
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
