"""What a page shows beside memories: quotes and versions of many at once, entities by name, the latest writes."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from omoide.domain import Entity
from omoide.domain.entity import name_key
from omoide.store.engine.connection import Connection
from omoide.store.entities import entities


@dataclass(frozen=True, slots=True)
class Quotation:
    """Words of a turn that a memory rests on. Times in microseconds."""

    node: int
    episode: int
    words: str
    said_at: int
    session: str | None
    role: str | None
    speaker: str | None


def quotations(db: Connection, ids: Sequence[int]) -> list[Quotation]:
    """What the memories rest on, each in the order in which it was said."""
    found = db.execute(
        """
        SELECT
            edge.source_id, turn.id, edge.evidence, turn.event_at, session.name, turn.role, turn.speaker
        FROM edge
        JOIN node AS turn ON turn.id = edge.target_id
        LEFT JOIN session ON session.id = turn.session_id
        WHERE edge.type = 'derived_from' AND edge.source_id IN (SELECT value FROM json_each(?))
        ORDER BY edge.id
        """,
        (ids,),
    )
    return [
        Quotation(node, turn, " … ".join(map(str, json.loads(words))), at, session, role, speaker)
        for node, turn, words, at, session, role, speaker in found
    ]


def replacements(db: Connection, ids: Sequence[int]) -> list[tuple[int, int]]:
    """(newer, older) of everything that one of the memories replaced, or that replaced it."""
    found = db.execute(
        """
        SELECT source_id, target_id
        FROM edge
        WHERE type = 'supersedes' AND source_id IN (SELECT value FROM json_each(:ids))
        UNION
        SELECT source_id, target_id
        FROM edge
        WHERE type = 'supersedes' AND target_id IN (SELECT value FROM json_each(:ids))
        ORDER BY 1, 2
        """,
        {"ids": ids},
    )
    return list(found)


def learned_from(db: Connection, turns: Sequence[int]) -> list[tuple[int, int]]:
    """(turn, memory) of everything that was learned from the turns."""
    found = db.execute(
        """
        SELECT edge.target_id, edge.source_id
        FROM edge
        JOIN node ON node.id = edge.source_id
        WHERE
            edge.type = 'derived_from' AND edge.target_id IN (SELECT value FROM json_each(?))
            AND node.kind NOT IN ('episode', 'narrative')
        ORDER BY edge.id
        """,
        (turns,),
    )
    return list(found)


def find_entities(db: Connection, words: str, limit: int) -> list[tuple[Entity, int]]:
    """Entities with the number of memories learned about each, the most mentioned first; `words` begin a name."""
    key = name_key(words)
    found: list[Any] = db.execute(
        f"""
        SELECT
            entity.id,
            (
                SELECT count(*)
                FROM node_entity
                JOIN node ON node.id = node_entity.node_id
                WHERE node_entity.entity_id = entity.id AND node.kind <> 'episode' AND node.state = 'live'
            )
        FROM entity
        WHERE {_NAMED if key else "true"}
        ORDER BY entity.mention_count DESC, entity.id
        LIMIT :limit
        """,
        {"key": key, "after": key + "\uffff", "limit": limit},
    ).fetchall()
    return [(entities.get(db, id), count) for id, count in found]


_NAMED = """entity.id IN (
    SELECT entity_id
    FROM entity_name
    WHERE key BETWEEN :key AND :after OR key LIKE '% ' || :key || '%'
)"""


# ── the graph ──


@dataclass(frozen=True, slots=True)
class GraphNode:
    """An entity as a graph draws it."""

    id: int
    name: str
    type: str
    mentions: int


@dataclass(frozen=True, slots=True)
class GraphLine:
    """A relation between two entities, or (without a type) how many learned memories mention both."""

    source: int
    target: int
    type: str
    weight: int


def graph_nodes(db: Connection, limit: int, least: int) -> list[GraphNode]:
    """The entities that are mentioned at least so often, the most mentioned first."""
    found: list[Any] = db.execute(
        """
        SELECT id, name, type, mention_count
        FROM entity
        WHERE mention_count >= :least
        ORDER BY mention_count DESC, id
        LIMIT :limit
        """,
        {"least": least, "limit": limit},
    ).fetchall()
    return [GraphNode(*row) for row in found]


def graph_lines(db: Connection, ids: Sequence[int], limit: int) -> list[GraphLine]:
    """What ties the entities: their relations, then the pairs that most learned memories mention together."""
    among = {"ids": ids, "limit": limit}
    related: list[Any] = db.execute(
        """
        SELECT source_id, target_id, type, 1
        FROM relation
        WHERE
            valid_until IS NULL
            -- The plus keeps the index out, which would look up every pair of ids.
            AND +source_id IN (SELECT value FROM json_each(:ids)) AND +target_id IN (SELECT value FROM json_each(:ids))
        ORDER BY id
        LIMIT :limit
        """,
        among,
    ).fetchall()
    together: list[Any] = db.execute(
        """
        SELECT one.entity_id, other.entity_id, '', count(*) AS times
        FROM node
        JOIN node_entity AS one ON one.node_id = node.id
        JOIN node_entity AS other ON other.node_id = node.id AND other.entity_id > one.entity_id
        WHERE
            node.kind <> 'episode' AND node.state = 'live'
            AND +one.entity_id IN (SELECT value FROM json_each(:ids))
            AND +other.entity_id IN (SELECT value FROM json_each(:ids))
        GROUP BY one.entity_id, other.entity_id
        ORDER BY times DESC, 1, 2
        LIMIT :limit
        """,
        among,
    ).fetchall()
    return [GraphLine(*row) for row in (*related, *together)]


# ── time ──


@dataclass(frozen=True, slots=True)
class Span:
    """When a memory held. Times in microseconds; `ends` is None while it still holds."""

    id: int
    kind: str
    text: str
    state: str
    begins: int
    ends: int | None
    known: int  # since when it is believed
    importance: int


_BEGINS = "coalesce(node.valid_from, min(node.event_at, coalesce(node.valid_until, node.event_at)))"
_ENDS = """coalesce(node.valid_until, CASE WHEN node.state = 'superseded' THEN coalesce(
    (
        SELECT min(coalesce(successor.valid_from, successor.event_at))
        FROM edge
        JOIN node AS successor ON successor.id = edge.source_id
        WHERE edge.target_id = node.id AND edge.type = 'supersedes'
    ), node.state_at) END)"""


def spans(db: Connection, since: int, until: int, entity_id: int | None, limit: int) -> list[Span]:
    """Learned memories that held at some time between the two moments, the most important first."""
    about = "AND node.id IN (SELECT node_id FROM node_entity WHERE entity_id = :entity)" if entity_id else ""
    found: list[Any] = db.execute(
        f"""
        SELECT id, kind, text, state, begins, ends, known, importance
        FROM (
            SELECT
                node.id, node.kind, node.text, node.state, node.importance, {_BEGINS} AS begins, {_ENDS} AS ends,
                min(node.event_at, node.recorded_at) AS known
            FROM node
            WHERE
                node.kind IN ('fact', 'preference', 'opinion', 'procedure', 'note')
                AND node.kind <> 'episode' AND node.state <> 'withdrawn' {about}
        )
        WHERE begins < :until AND (ends IS NULL OR ends > :since)
        ORDER BY importance DESC, begins DESC, id DESC
        LIMIT :limit
        """,
        {"since": since, "until": until, "entity": entity_id, "limit": limit},
    ).fetchall()
    return [Span(*row) for row in found]


def talks(db: Connection, since: int, until: int, limit: int) -> list[tuple[str, int, int, int]]:
    """(name, begin, end, turns) of the sessions between two moments, the longest first."""
    found: list[Any] = db.execute(
        """
        SELECT name, started_at, last_at, episode_count
        FROM session
        WHERE last_at >= :since AND started_at < :until AND episode_count > 0
        ORDER BY episode_count DESC, id DESC
        LIMIT :limit
        """,
        {"since": since, "until": until, "limit": limit},
    ).fetchall()
    return found


def growth(db: Connection) -> list[tuple[int, int, int]]:
    """(day, turns, learned memories) by the days on which they were stored; days since 1970."""
    found: list[Any] = db.execute(
        """
        SELECT recorded_at / 86400000000 AS day, sum(kind = 'episode'), sum(kind <> 'episode')
        FROM node
        GROUP BY day
        ORDER BY day
        """
    ).fetchall()
    return found


# ── inbox and sessions ──


def learned_since(db: Connection, since: int, limit: int) -> list[int]:
    """Memories that were learned since a moment, the latest first."""
    return db.column(
        """
        SELECT id
        FROM node
        WHERE kind <> 'episode' AND kind <> 'narrative' AND updated_at >= :since AND recorded_at >= :since
            AND state = 'live'
        ORDER BY id DESC
        LIMIT :limit
        """,
        {"since": since, "limit": limit},
    )


def redacted_since(db: Connection, since: int, limit: int) -> list[int]:
    """Turns since a moment in which a secret was replaced, the latest first."""
    return db.column(
        """
        SELECT node.id
        FROM node
        WHERE
            node.id IN (SELECT rowid FROM nodes_fts WHERE nodes_fts MATCH 'redacted')
            AND node.event_at >= :since AND instr(node.text, '[redacted:') > 0
            AND node.kind = 'episode' AND node.attributes ->> 'compression' IS NULL
        ORDER BY node.event_at DESC, node.id DESC
        LIMIT :limit
        """,
        {"since": since, "limit": limit},
    )


def session_lines(db: Connection, name: str, after: int, limit: int) -> list[int]:
    """The turns of a session in order, after one of them."""
    return db.column(
        """
        SELECT id
        FROM node
        WHERE
            session_id = (SELECT id FROM session WHERE name = :name) AND kind = 'episode' AND id > :after
            AND attributes ->> 'compression' IS NULL AND state <> 'withdrawn'
        ORDER BY id
        LIMIT :limit
        """,
        {"name": name, "after": after, "limit": limit},
    )


def find_sessions(db: Connection, words: str, limit: int) -> list[str]:
    """Names of sessions of which the name or summary contains the words, the latest first."""
    return db.column(
        """
        SELECT name
        FROM session
        WHERE :words = '' OR instr(lower(name), :words) OR instr(lower(coalesce(summary, '')), :words)
        ORDER BY last_at DESC, id DESC
        LIMIT :limit
        """,
        {"words": words.lower(), "limit": limit},
    )
