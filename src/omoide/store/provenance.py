"""Where a node comes from, what stands against it, and how sure we still are of what was learned."""

from __future__ import annotations

import json
from dataclasses import dataclass

import apsw

from omoide.layers import Entity, Node
from omoide.store import confidence, entities, nodes
from omoide.store.fulltext import SPEAKS_FOR_ITSELF


@dataclass(frozen=True, slots=True)
class Grounds:
    """(episode, quoted words) it rests on, ids it contradicts, entities it speaks of."""

    sources: tuple[tuple[int, str], ...]
    contradicts: tuple[int, ...]
    entities: tuple[Entity, ...]


def grounds(db: apsw.Connection, id: int) -> Grounds:
    sources = db.execute(
        "SELECT target_id, evidence FROM edge WHERE source_id = ? AND type = 'derived_from' ORDER BY id", (id,)
    )
    against = db.execute(
        """
        SELECT iif(source_id = :id, target_id, source_id)
        FROM edge
        WHERE type = 'contradicts' AND (source_id = :id OR target_id = :id)
        ORDER BY 1
        """,
        {"id": id},
    )
    spoken_of = db.execute("SELECT entity_id FROM node_entity WHERE node_id = ? ORDER BY entity_id", (id,))
    return Grounds(
        sources=tuple((episode, " … ".join(json.loads(words))) for episode, words in sources),
        contradicts=tuple(row[0] for row in against),
        entities=tuple(entities.get(db, row[0]) for row in spoken_of),
    )


def weak(db: apsw.Connection, now: int, below: float, limit: int) -> list[Node]:
    """Learned nodes of little confidence today, or with something standing against them; the weakest first."""
    found = db.execute(
        f"""
        SELECT id
        FROM (
            SELECT
                node.id,
                {confidence.TODAY} AS left_over,
                EXISTS (
                    SELECT 1 FROM edge WHERE edge.source_id = node.id AND edge.type = 'contradicts'
                ) OR EXISTS (
                    SELECT 1 FROM edge WHERE edge.target_id = node.id AND edge.type = 'contradicts'
                ) AS disputed
            FROM node
            WHERE node.kind <> 'episode' AND node.state = 'live'
        )
        WHERE left_over < :below OR disputed
        ORDER BY left_over, id
        LIMIT :limit
        """,
        {"now": now, "below": below, "limit": limit},
    )
    ids = [row[0] for row in found]
    held = nodes.fetch(db, ids)
    return [held[id] for id in ids]


def timeline(db: apsw.Connection, entity_id: int, limit: int) -> list[Node]:
    """What speaks of an entity, in the order it happened; of very much, the latest."""
    found = db.execute(
        f"""
        SELECT node.id
        FROM node_entity
        JOIN node ON node.id = node_entity.node_id
        WHERE
            node_entity.entity_id = :entity
            AND (node.state IN ('live', 'superseded') OR node.id IN (SELECT node_id FROM archived))
            AND {SPEAKS_FOR_ITSELF}
        ORDER BY node.event_at DESC, node.id DESC
        LIMIT :limit
        """,
        {"entity": entity_id, "limit": limit, "as_of": None},
    )
    ids = [row[0] for row in found][::-1]
    held = nodes.fetch(db, ids)
    return [held[id] for id in ids]
