"""The user while nobody has said what they are called: "User" answers with what is known of them all the same."""

from __future__ import annotations

import apsw

from omoide.layers import Entity, Node
from omoide.layers.entity import name_key
from omoide.store import entities, nodes
from omoide.store.fulltext import OF_THE_UNNAMED, UNNAMED

_USER = "user"


def entity(db: apsw.Connection, name: str) -> Entity:
    """The entity that goes by a name; "user" is the owner, named or not."""
    if name_key(name) != _USER or entities.find(db, name) is not None:
        return entities.require(db, name)
    owner = db.execute(
        """
        SELECT entity.id
        FROM entity
        JOIN session ON session.user_id = entity.id
        ORDER BY session.last_at DESC
        LIMIT 1
        """
    ).get
    if owner is not None:
        return entities.get(db, owner)
    spoken = timeline(db, 1_000)
    return _of(spoken) if spoken else entities.require(db, name)


def timeline(db: apsw.Connection, limit: int) -> list[Node]:
    """What is known of the user, in the order it was said; of very much, the latest."""
    found = db.execute(
        f"""
        SELECT node.id
        FROM node
        WHERE {OF_THE_UNNAMED} AND node.state IN ('live', 'superseded')
        ORDER BY node.event_at DESC, node.id DESC
        LIMIT :limit
        """,
        {"limit": limit},
    )
    ids = [row[0] for row in found][::-1]
    held = nodes.fetch(db, ids)
    return [held[id] for id in ids]


def _of(spoken: list[Node]) -> Entity:
    return Entity(
        id=UNNAMED,
        ulid="",
        name="User",
        type="person",
        description=None,
        summary=None,
        aliases=(),
        attributes={},
        first_seen_at=spoken[0].event_at,
        last_referenced_at=spoken[-1].event_at,
        mention_count=len(spoken),
        importance=10,
        created_at=spoken[0].recorded_at,
        updated_at=max(node.updated_at for node in spoken),
    )
