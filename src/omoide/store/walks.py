"""Walks over the links between nodes and the relations between entities, each in one bounded query."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

import apsw

from omoide.store.fulltext import Filter

_MOST = 1_000  # steps of one walk: what is farther than that is linked to everything
_NEWEST = 2_000  # mentions of a hub that are looked through for what was learned of it


@dataclass(frozen=True, slots=True)
class Step:
    """A node that a chain of links leads to: from where, how many steps on (or back, below 0), how sure the way is."""

    start: int
    id: int
    steps: int
    confidence: float


@dataclass(frozen=True, slots=True)
class Reached:
    """An entity that relations lead to: how many hops away, how often it is spoken of, and the way in words."""

    id: int
    depth: int
    mentions: int
    way: str


def chain(db: apsw.Connection, ids: Sequence[int], type: str, depth: int) -> list[Step]:
    """Forward and backward along one type of link, each node by the shortest and surest way."""
    found = db.execute(
        """
        WITH RECURSIVE walk (start, id, steps, sure) AS (
            SELECT value, value, 0, 1.0 FROM json_each(:ids)
            UNION
            SELECT walk.start, edge.target_id, walk.steps + 1, walk.sure * edge.confidence
            FROM walk JOIN edge ON edge.source_id = walk.id AND edge.type = :type AND edge.valid_until IS NULL
            WHERE walk.steps >= 0 AND walk.steps < :depth
            UNION
            SELECT walk.start, edge.source_id, walk.steps - 1, walk.sure * edge.confidence
            FROM walk JOIN edge ON edge.target_id = walk.id AND edge.type = :type AND edge.valid_until IS NULL
            WHERE walk.steps <= 0 AND walk.steps > -:depth
            LIMIT :most
        )
        SELECT start, id, steps, sure
        FROM walk
        WHERE steps <> 0
        ORDER BY abs(steps), sure DESC, id
        """,
        {"ids": json.dumps(list(ids)), "type": type, "depth": depth, "most": _MOST},
    )
    shortest: dict[int, Step] = {}
    for row in found:
        shortest.setdefault(row[1], Step(*row))
    return list(shortest.values())


def hops(db: apsw.Connection, entity_ids: Sequence[int], depth: int, confidence_over: float, fan: int) -> list[Reached]:
    """The entities that the surest relations lead to, in both directions, the nearest first; these themselves too."""
    found = db.execute(
        """
        WITH RECURSIVE walk (id, depth, way) AS (
            SELECT entity.id, 0, entity.name
            FROM json_each(:ids) JOIN entity ON entity.id = json_each.value
            UNION
            SELECT
                other.id,
                walk.depth + 1,
                walk.way || iif(
                    relation.source_id = walk.id,
                    ' → ' || relation.type || ' → ',
                    ' ← ' || relation.type || ' ← '
                ) || other.name
            FROM walk
            JOIN relation ON relation.id IN (
                SELECT surest.id
                FROM relation AS surest
                WHERE
                    (surest.source_id = walk.id OR surest.target_id = walk.id)
                    AND surest.confidence > :floor
                    AND surest.valid_until IS NULL
                ORDER BY surest.confidence DESC, surest.id
                LIMIT :fan
            )
            JOIN entity AS other
                ON other.id = iif(relation.source_id = walk.id, relation.target_id, relation.source_id)
            WHERE walk.depth < :depth
            LIMIT :most
        )
        SELECT walk.id, min(walk.depth), entity.mention_count, walk.way
        FROM walk JOIN entity ON entity.id = walk.id
        GROUP BY walk.id
        ORDER BY min(walk.depth), walk.id
        """,
        {"ids": json.dumps(list(entity_ids)), "depth": depth, "floor": confidence_over, "fan": fan, "most": _MOST},
    )
    return [Reached(*row) for row in found]


def known_of(db: apsw.Connection, entity_id: int, keep: Filter, limit: int) -> list[tuple[int, float]]:
    """(node, confidence) of what was learned of an entity, the surest first."""
    clause, values = keep.clause()
    found = db.execute(
        f"""
        SELECT node.id, node.confidence
        FROM (
            SELECT node_id
            FROM node_entity
            WHERE entity_id = :about
            ORDER BY node_id DESC
            LIMIT :newest
        ) AS spoken
        JOIN node ON node.id = spoken.node_id
        WHERE node.kind <> 'episode' AND {clause}
        ORDER BY node.confidence DESC, node.id
        LIMIT :limit
        """,
        values | {"about": entity_id, "newest": _NEWEST, "limit": limit},
    )
    return list(found)
