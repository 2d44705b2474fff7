"""The graph: entities with the facts that have them as subject, drawn and taken back in one transaction each."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import apsw

from omoide.errors import NotFound
from omoide.ids import Ids
from omoide.layers import Draft, Entity, Node, Relation
from omoide.layers.graph import Graph, Thing
from omoide.store import archive, bookmark, entities, nodes, orphans
from omoide.store.archive import Leaving
from omoide.store.entities import Profile

# Where the word for what a thing is stands as it was given; `entity.type` is one of our eight. Its presence says that
# somebody put the entity into the graph, and did not only name it.
TYPE = "entity_type"


@dataclass(frozen=True, slots=True)
class Drawn:
    """A thing to be drawn: its profile and what is observed of it."""

    profile: Profile
    observations: tuple[Draft, ...] = ()


Tie = tuple[Profile, str, Profile]


def draw(
    db: apsw.Connection, things: Sequence[Drawn], ties: Sequence[Tie], key: str | None, now: int, ids: Ids
) -> Graph:
    """Adds what is not there yet and gives back just that. Under a key that was drawn before, nothing is done."""
    if key is not None and bookmark.get(db, f"drawn {key}"):
        return Graph()
    new = [made for each in things if (made := _thing(db, each, now, ids)) is not None]
    related = [tied for each in ties if (tied := _tie(db, each, now, ids)) is not None]
    if key is not None:
        bookmark.put(db, f"drawn {key}", now)
    return Graph(tuple(new), tuple(related))


def _thing(db: apsw.Connection, drawn: Drawn, now: int, ids: Ids) -> Thing | None:
    known = entities.find(db, drawn.profile.name)
    if known is None or TYPE not in known.attributes:
        named = drawn.profile if known is None else replace(drawn.profile, name=known.name, type=None)
        entity = entities.save(db, named, now, ids)
        orphans.told(db, entity.id, now)
    else:
        entity = known
    said = {node.text for node in _facts(db, [entity.id], now).get(entity.id, ())}
    fresh: dict[str, Draft] = {}
    for draft in drawn.observations:
        if draft.text not in said:
            fresh.setdefault(draft.text, _about(draft, entity))
    stored = tuple(nodes.insert(db, list(fresh.values()), now, ids)) if fresh else ()
    if known is not None and TYPE in known.attributes and not stored:
        return None
    return Thing(entity.name, _type(entity), stored)


def _about(draft: Draft, entity: Entity) -> Draft:
    """Steady: what was put into a graph by hand stays in it until somebody takes it out."""
    others = tuple(each for each in draft.entities if each != entity.id)
    told = {**draft.attributes, "subject": entity.name}
    return replace(draft, attributes=told, entities=(entity.id, *others), decay_rate=0.0)


def _tie(db: apsw.Connection, tie: Tie, now: int, ids: Ids) -> Relation | None:
    source, type, target = tie
    ends = tuple(_end(db, each, now, ids) for each in (source, target))
    if _held(db, ends[0], type, ends[1]) is not None:
        return None
    return entities.relate(db, (ends[0], ends[1]), type, now, ids, confidence=1.0, properties={}, source_node=None)


def _end(db: apsw.Connection, profile: Profile, now: int, ids: Ids) -> int:
    known = entities.find(db, profile.name)
    id = known.id if known else entities.save(db, profile, now, ids).id
    orphans.told(db, id, now)
    return id


def _held(db: apsw.Connection, source: int, type: str, target: int) -> Relation | None:
    return next(
        (each for each in entities.relations(db, [source]) if (each.type, each.target_id) == (type, target)), None
    )


def unrelate(db: apsw.Connection, source: str, type: str, target: str, now: int) -> Relation:
    """It no longer holds; that it held is kept until the nightly jobs drop what ended long ago."""
    ends = entities.require(db, source), entities.require(db, target)
    held = _held(db, ends[0].id, type, ends[1].id)
    if held is None:
        raise NotFound(f"{ends[0].name!r} is not related to {ends[1].name!r} as {type!r}")
    entities.end_relations(db, ends[0].id, type, now, ends[1].id)
    return held


def drop(db: apsw.Connection, names: Iterable[str], now: int) -> list[str]:
    """Takes things off the graph: their observations into the archive, their relations ended. Names that nobody goes
    by are passed over."""
    gone = list(_called(db, names))
    for entity in gone:
        observed = _facts(db, [entity.id], now).get(entity.id, ())
        archive.pack(db, [Leaving(node.id, "dropped from the graph") for node in observed], now)
        for each in entities.relations(db, [entity.id]):
            entities.end_relations(db, each.source_id, each.type, now, each.target_id)
        db.execute(
            "UPDATE entity SET attributes = json_remove(attributes, :at), updated_at = :now WHERE id = :id",
            {"at": f"$.{TYPE}", "now": now, "id": entity.id},
        )
    return [entity.name for entity in gone]


def withdraw(db: apsw.Connection, ids: Sequence[int], now: int) -> None:
    """Observations into the archive, as far as they are still in use."""
    live = [node.id for node in nodes.fetch(db, ids).values() if node.state == "live"]
    archive.pack(db, [Leaving(id, "dropped from the graph") for id in live], now)


def read(db: apsw.Connection, names: Iterable[str] | None, now: int) -> Graph:
    """All of it, or the things of some names with every relation that one of them has."""
    wanted = list(_called(db, names)) if names is not None else _all(db)
    facts = _facts(db, [each.id for each in wanted], now)
    relations = entities.relations(db, [each.id for each in wanted])
    related = {id for each in relations for id in (each.source_id, each.target_id)}
    shown = [each for each in wanted if TYPE in each.attributes or each.id in facts or each.id in related]
    things = tuple(Thing(each.name, _type(each), facts.get(each.id, ())) for each in shown)
    return Graph(things, tuple(sorted(relations, key=lambda each: each.id)))


def listed(db: apsw.Connection, limit: int) -> list[Entity]:
    """The most spoken of first."""
    found: list[Any] = db.execute("SELECT id FROM entity ORDER BY mention_count DESC, id LIMIT ?", (limit,)).fetchall()
    return [entities.get(db, row[0]) for row in found]


def _called(db: apsw.Connection, names: Iterable[str]) -> Iterable[Entity]:
    found = {each.id: each for name in names if (each := entities.find(db, name)) is not None}
    return found.values()


def _all(db: apsw.Connection) -> list[Entity]:
    """Those that may have something to show."""
    found: list[Any] = db.execute(
        """
        SELECT id
        FROM entity
        WHERE
            attributes ->> :type IS NOT NULL
            OR id IN (SELECT source_id FROM relation WHERE valid_until IS NULL)
            OR id IN (SELECT target_id FROM relation WHERE valid_until IS NULL)
            OR EXISTS (
                SELECT 1
                FROM entity_name
                JOIN node ON node.attributes ->> 'subject' = entity_name.name
                WHERE entity_name.entity_id = entity.id AND node.kind = 'fact' AND node.state = 'live'
            )
        ORDER BY id
        """,
        {"type": f"$.{TYPE}"},
    ).fetchall()
    return [entities.get(db, row[0]) for row in found]


def _facts(db: apsw.Connection, entity_ids: Sequence[int], now: int) -> dict[int, tuple[Node, ...]]:
    """What holds of each, in the order it became known."""
    found: list[Any] = db.execute(
        """
        SELECT DISTINCT entity_name.entity_id, node.id
        FROM entity_name
        JOIN node ON node.attributes ->> 'subject' = entity_name.name
        WHERE
            entity_name.entity_id IN (SELECT value FROM json_each(:ids))
            AND node.kind = 'fact' AND node.state = 'live'
            AND (node.valid_until IS NULL OR node.valid_until > :now)
        ORDER BY node.id
        """,
        {"ids": json.dumps(list(entity_ids)), "now": now},
    ).fetchall()
    whole = nodes.fetch(db, [node for _, node in found])
    facts: dict[int, list[Node]] = {}
    for entity, node in found:
        facts.setdefault(entity, []).append(whole[node])
    return {entity: tuple(each) for entity, each in facts.items()}


def _type(entity: Entity) -> str:
    return str(entity.attributes.get(TYPE, entity.type))
