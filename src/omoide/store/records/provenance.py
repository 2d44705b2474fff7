"""Provenance of nodes: sources and contradictions, uncertain nodes, timelines, and earlier states."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from omoide.clock import to_datetime
from omoide.domain import Entity, Node
from omoide.domain.slots import PEOPLE_SLOTS
from omoide.store.engine import connection
from omoide.store.engine.connection import Connection
from omoide.store.entities import entities
from omoide.store.records import nodes, rows
from omoide.store.search.node_filter import NOT_COVERED_BY_TURNS


@dataclass(frozen=True, slots=True)
class Grounds:
    """Sources as (episode, quoted words), ids of contradicting nodes, and mentioned entities."""

    sources: tuple[tuple[int, str], ...]
    contradicts: tuple[int, ...]
    entities: tuple[Entity, ...]


def grounds(db: Connection, id: int) -> Grounds:
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


def uncertain(db: Connection, below: float, limit: int) -> list[Node]:
    """Learned nodes with low effective confidence or a contradiction, then those that are due to be asked again."""
    ids = db.column(
        f"""
        SELECT id
        FROM (
            SELECT
                node.id,
                {connection.EFFECTIVE_CONFIDENCE} AS left_over,
                {connection.ASK_AGAIN_AT} AS due,
                EXISTS (
                    SELECT 1
                    FROM edge
                    JOIN node AS other ON other.id = edge.target_id
                    WHERE edge.source_id = node.id AND edge.type = 'contradicts' AND other.state = 'live'
                ) OR EXISTS (
                    SELECT 1
                    FROM edge
                    JOIN node AS other ON other.id = edge.source_id
                    WHERE edge.target_id = node.id AND edge.type = 'contradicts' AND other.state = 'live'
                ) AS disputed
            FROM node
            WHERE node.kind <> 'episode' AND node.state = 'live'
        )
        WHERE left_over < :below OR disputed OR due <= :now
        ORDER BY left_over >= :below AND NOT disputed, left_over, due, id
        LIMIT :limit
        """,
        {"now": db.now, "below": below, "limit": limit},
    )
    return nodes.fetch_in_order(db, ids)


def timeline(db: Connection, entity_id: int, limit: int) -> list[Node]:
    """Nodes that mention an entity, in order of time; of many, the latest."""
    ids = db.column(
        f"""
        SELECT node.id
        FROM node_entity
        JOIN node ON node.id = node_entity.node_id
        WHERE
            node_entity.entity_id = :entity
            AND node.state <> 'withdrawn'
            AND {NOT_COVERED_BY_TURNS}
        ORDER BY node.event_at DESC, node.id DESC
        LIMIT :limit
        """,
        {"entity": entity_id, "limit": limit, "as_of": None},
    )[::-1]
    return nodes.fetch_in_order(db, ids)


def fetch_as_of(db: Connection, ids: Iterable[int], as_of: int) -> dict[int, Node]:
    """The nodes with the text, confidence and score they had at that time."""
    found = {id: _without_later_times(node, as_of) for id, node in nodes.fetch(db, ids).items()}
    for id, verb, before in db.execute(
        """
        SELECT node_id, verb, before
        FROM change
        WHERE at > :as_of AND before IS NOT NULL AND node_id IN (SELECT value FROM json_each(:ids))
        ORDER BY id DESC
        """,
        {"as_of": as_of, "ids": json.dumps(list(found))},
    ):
        found[id] = _revert(found[id], verb, json.loads(before))
    return found


def facts_of(db: Connection, entity_id: int) -> list[int]:
    """Every version of every fact about an entity, under any of its names, in order of validity."""
    return db.column(
        """
        WITH about (id) AS (
            SELECT node.id
            FROM entity_name
            JOIN node ON node.attributes ->> 'subject' = entity_name.name
            WHERE entity_name.entity_id = :entity AND node.kind = 'fact'
            UNION
            SELECT node.id  -- "Nina is Otto's partner" is a fact about both
            FROM node_entity
            JOIN node ON node.id = node_entity.node_id
            WHERE
                node_entity.entity_id = :entity AND node.kind = 'fact'
                AND (
                    node.attributes ->> 'predicate' LIKE '%|_of' ESCAPE '|'
                    OR node.attributes ->> 'predicate' IN (SELECT value FROM json_each(:people))
                    AND node.attributes ->> 'object' IN (SELECT name FROM entity_name WHERE entity_id = :entity)
                )
        )
        SELECT node.id, coalesce(node.valid_from, min(node.event_at, node.valid_until), node.event_at) AS since
        FROM about
        JOIN node ON node.id = about.id
        ORDER BY since, node.id
        """,
        {"entity": entity_id, "people": json.dumps(sorted(PEOPLE_SLOTS))},
    )


def _revert(node: Node, verb: str, before: Mapping[str, Any]) -> Node:
    match verb:
        case "update" | "merged" | "learned":
            fields = {name: value for name, value in before.items() if name != "attributes"}
            fields |= before.get("attributes", {})
            return replace(node, **{name: rows.as_tuple(value) for name, value in fields.items()})
        case "confirm" | "affirm":
            return replace(node, confidence=before["confidence"], decay_rate=before["decay_rate"])
        case "reinforce" | "demote":
            return replace(node, score=node.score - before["by"])
        case _:
            return node


def _without_later_times(node: Node, as_of: int) -> Node:
    """Without times that were still in the future."""
    then = to_datetime(as_of)

    def kept(at: datetime | None) -> datetime | None:
        return None if at is None or at > then else at

    return replace(
        node,
        confirmed_at=kept(node.confirmed_at),
        last_accessed_at=kept(node.last_accessed_at),
        last_hit_at=kept(node.last_hit_at),
    )
