"""What people read of a memory: every entity with what is told of it, every day with what was said."""

from __future__ import annotations

from collections.abc import Callable

import apsw

from omoide.layers import Entity, Node, Relation
from omoide.store import entities as things
from omoide.store import nodes

DayOf = Callable[[int], str]
"""The day of a moment, as the user lives it."""
_MAY_READ = "(NOT :shared OR node.audience = 'shared' AND NOT node.sensitive)"
_TOLD = "(node.state IN ('live', 'superseded') OR node.id IN (SELECT node_id FROM archived))"


def entities(db: apsw.Connection, shared: bool) -> list[tuple[int, str]]:
    """All of them, in their order; of what is shared, those that something shared speaks of."""
    found = db.execute(
        f"""
        SELECT entity.id, entity.name
        FROM entity
        WHERE
            NOT :shared
            OR EXISTS (
                SELECT 1
                FROM node_entity
                JOIN node ON node.id = node_entity.node_id
                WHERE node_entity.entity_id = entity.id AND {_TOLD} AND {_MAY_READ}
            )
        ORDER BY entity.id
        """,
        {"shared": shared},
    )
    return list(found)


def page(db: apsw.Connection, entity_id: int, shared: bool) -> tuple[Entity, list[Node], list[Relation]]:
    """An entity, what speaks of it in order of time, and how it is related to others."""
    found = db.execute(
        f"""
        SELECT node.id
        FROM node_entity
        JOIN node ON node.id = node_entity.node_id
        WHERE node_entity.entity_id = :entity AND {_TOLD} AND {_MAY_READ}
        ORDER BY node.event_at, node.id
        """,
        {"entity": entity_id, "shared": shared},
    )
    ids = [row[0] for row in found]
    held = nodes.fetch(db, ids)
    return things.get(db, entity_id), [held[id] for id in ids], _relations(db, entity_id, shared)


def _relations(db: apsw.Connection, entity_id: int, shared: bool) -> list[Relation]:
    """Of what is shared, those that rest on something shared: nothing else says who may know of them."""
    found = sorted(things.relations(db, [entity_id]), key=lambda each: each.id)
    if not shared:
        return found
    sources = nodes.fetch(db, [each.source_node_id for each in found if each.source_node_id is not None])
    open = {id for id, node in sources.items() if node.audience == "shared" and not node.sensitive}
    return [each for each in found if each.source_node_id in open]


def days(db: apsw.Connection, day_of: DayOf, shared: bool) -> dict[str, list[int]]:
    """The ids of what happened on each day, in order of time."""
    found = db.execute(
        f"""
        SELECT node.event_at, node.id
        FROM node
        WHERE node.kind IN ('episode', 'narrative', 'handoff') AND {_TOLD} AND {_MAY_READ}
        ORDER BY node.event_at, node.id
        """,
        {"shared": shared},
    )
    days: dict[str, list[int]] = {}
    for at, id in found:
        days.setdefault(day_of(at), []).append(id)
    return days
