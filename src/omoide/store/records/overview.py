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
        (json.dumps(list(ids)),),
    )
    return [
        Quotation(node, turn, " … ".join(map(str, json.loads(words))), at, session, role, speaker)
        for node, turn, words, at, session, role, speaker in found
    ]


def replacements(db: Connection, ids: Sequence[int]) -> list[tuple[int, int]]:
    """(newer, older) of everything that one of the memories replaced, or that replaced it."""
    return list(
        db.execute(
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
            {"ids": json.dumps(list(ids))},
        )
    )


def learned_from(db: Connection, turns: Sequence[int]) -> list[tuple[int, int]]:
    """(turn, memory) of everything that was learned from the turns."""
    return list(
        db.execute(
            """
            SELECT edge.target_id, edge.source_id
            FROM edge
            JOIN node ON node.id = edge.source_id
            WHERE
                edge.type = 'derived_from' AND edge.target_id IN (SELECT value FROM json_each(?))
                AND node.kind NOT IN ('episode', 'narrative')
            ORDER BY edge.id
            """,
            (json.dumps(list(turns)),),
        )
    )


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
