"""Nodes as they were believed at a time: what became of them later is taken back, change by change."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

import apsw

from omoide.clock import moment
from omoide.layers import Node
from omoide.store import nodes, rows


def believed(db: apsw.Connection, ids: Iterable[int], as_of: int) -> dict[int, Node]:
    """The nodes in the words, with the worth and the score they had then."""
    found = {id: _not_yet(node, as_of) for id, node in nodes.fetch(db, ids).items()}
    for id, verb, before in db.execute(
        """
        SELECT node_id, verb, before
        FROM change
        WHERE at > :as_of AND before IS NOT NULL AND node_id IN (SELECT value FROM json_each(:ids))
        ORDER BY id DESC
        """,
        {"as_of": as_of, "ids": json.dumps(list(found))},
    ):
        found[id] = _undone(found[id], verb, json.loads(before))
    return found


def facts_of(db: apsw.Connection, entity_id: int) -> list[int]:
    """Every version of every fact about an entity, under any of its names, in the order in which they came true."""
    found = db.execute(
        """
        WITH about (id) AS (
            SELECT node.id
            FROM entity_name
            JOIN node ON node.attributes ->> 'subject' = entity_name.name
            WHERE entity_name.entity_id = :entity AND node.kind = 'fact'
            UNION
            SELECT node.id  -- "Nina is Otto's partner" is a fact about both
            FROM node
            WHERE
                node.kind = 'fact' AND node.attributes ->> 'predicate' LIKE '%|_of' ESCAPE '|'
                AND (
                    node.attributes ->> 'object' IN (SELECT name FROM entity_name WHERE entity_id = :entity)
                    OR node.attributes ->> 'object' = 'user'
                    AND EXISTS (SELECT 1 FROM session WHERE session.user_id = :entity)
                )
        )
        SELECT node.id, coalesce(node.valid_from, min(node.event_at, node.valid_until), node.event_at) AS since
        FROM about
        JOIN node ON node.id = about.id
        ORDER BY since, node.id
        """,
        {"entity": entity_id},
    )
    return [row[0] for row in found]


def _undone(node: Node, verb: str, before: Mapping[str, Any]) -> Node:
    match verb:
        case "update" | "united" | "taught":
            fields = {name: value for name, value in before.items() if name != "attributes"}
            fields |= before.get("attributes", {})
            return replace(node, **{name: rows.listed(value) for name, value in fields.items()})
        case "confirm" | "affirm":
            return replace(node, confidence=before["confidence"], decay_rate=before["decay_rate"])
        case "reinforce" | "demote":
            return replace(node, score=node.score - before["by"])
        case _:
            return node


def _not_yet(node: Node, as_of: int) -> Node:
    """Without the moments that still lay ahead."""
    then = moment(as_of)

    def kept(at: datetime | None) -> datetime | None:
        return None if at is None or at > then else at

    return replace(
        node,
        confirmed_at=kept(node.confirmed_at),
        last_accessed_at=kept(node.last_accessed_at),
        last_hit_at=kept(node.last_hit_at),
    )
