"""Entities and relations: one row per entity, found by any of its names."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from omoide.domain import Entity, Relation
from omoide.domain.entity import name_key
from omoide.domain.importance import entity_importance
from omoide.errors import NotFound
from omoide.store.engine.connection import Connection
from omoide.store.entities import mentions
from omoide.store.records import rows

_SELECT = """
    SELECT
        id, ulid, name, type, description, summary,
        (SELECT json_group_array(entity_name.name) FROM entity_name WHERE entity_id = entity.id AND is_alias),
        attributes, first_seen_at, last_referenced_at, mention_count, importance, created_at, updated_at
    FROM entity
"""
_RELATION = """
    SELECT
        relation.id, relation.ulid, source.name, source.id, relation.type, target.name, target.id, relation.properties,
        relation.confidence, relation.source_node_id, relation.valid_from, relation.valid_until, relation.created_at,
        relation.updated_at
    FROM relation
    JOIN entity AS source ON source.id = relation.source_id
    JOIN entity AS target ON target.id = relation.target_id
"""
_NEWEST_MENTIONS = 1_000  # of an entity that is mentioned everywhere, only the newest mentions are ranked


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityProfile:
    """The values of an entity when it is saved."""

    name: str
    type: str | None = None
    aliases: tuple[str, ...] = ()
    description: str | None = None
    summary: str | None = None
    attributes: Mapping[str, Any] | None = None
    importance: int | None = None
    seen_at: int | None = None  # time of the event that mentions it; None if it was entered by hand


def save(db: Connection, profile: EntityProfile) -> Entity:
    """Creates an entity, or updates the one with this name or alias. Values that are not given stay."""
    known = find(db, profile.name, profile.type)
    id = known.id if known else _create(db, profile)
    if known:
        _update(db, known, profile)
    for alias in profile.aliases:
        add_name(db, id, alias, alias=True)
    return get(db, id)


def _create(db: Connection, profile: EntityProfile) -> int:
    seen_at = db.now if profile.seen_at is None else profile.seen_at
    by_hand = int(profile.seen_at is None)  # mentions by events are counted when they are linked
    id = db.insert(
        "entity",
        ulid=db.ids(db.now),
        name=profile.name,
        type=profile.type or "other",
        description=profile.description,
        summary=profile.summary,
        attributes=rows.to_json(dict(profile.attributes or {})),
        importance=profile.importance or entity_importance(1),
        importance_given=int(profile.importance is not None),
        mention_count=by_hand,
        manual_mentions=by_hand,
        first_seen_at=seen_at,
        last_referenced_at=seen_at,
        created_at=db.now,
        updated_at=db.now,
    )
    add_name(db, id, profile.name, alias=False)
    return id


def _update(db: Connection, known: Entity, profile: EntityProfile) -> None:
    type = profile.type if profile.type and known.type == "other" else known.type
    db.execute(
        """
        UPDATE entity
        SET
            type = :type,
            description = coalesce(:description, description),
            summary = coalesce(:summary, summary),
            attributes = json_remove(  -- a summary that was entered by hand is not made again
                json_patch(attributes, :attributes), iif(:summary IS NULL, '$.""', '$.summary_of')
            ),
            importance = coalesce(:importance, importance),
            importance_given = importance_given OR :importance IS NOT NULL,
            updated_at = :now
        WHERE id = :id
        """,
        {
            "id": known.id,
            "type": type,
            "description": profile.description,
            "summary": profile.summary,
            "attributes": rows.to_json(dict(profile.attributes or {})),
            "importance": profile.importance,
            "now": db.now,
        },
    )


def add_name(db: Connection, id: int, name: str, *, alias: bool) -> None:
    """Adds a name or alias and links earlier nodes that contain it."""
    db.execute(
        "INSERT INTO entity_name (key, entity_id, name, is_alias) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
        (name_key(name) or name, id, name, int(alias)),
    )
    if db.changes():
        mentions.link_earlier_mentions(db, id, name)


def find(db: Connection, name: str, type: str | None = None) -> Entity | None:
    """Finds an entity by name or alias; a canonical name ranks before an alias, then the most mentioned entity."""
    found = db.execute(
        """
        SELECT entity_name.entity_id
        FROM entity_name
        JOIN entity ON entity.id = entity_name.entity_id
        WHERE entity_name.key = :key AND (:type IS NULL OR entity.type IN (:type, 'other'))
        ORDER BY entity.type = :type DESC, entity_name.is_alias, entity.mention_count DESC, entity.id
        LIMIT 1
        """,
        {"key": name_key(name) or name, "type": type},
    ).get
    return get(db, found) if found is not None else None


def require(db: Connection, name: str) -> Entity:
    entity = find(db, name)
    if entity is None:
        raise NotFound(f"no entity is called {name!r}")
    return entity


def require_whole_name(db: Connection, name: str) -> Entity:
    """The entity of this name; the error names the people with this first name."""
    near = [] if find(db, name) else [each.name for each in _people_by_first_name(db, name)]
    if near:
        raise NotFound(f"no entity is called {name!r}; did you mean {' or '.join(near)}?")
    return require(db, name)


def require_known_as(db: Connection, name: str) -> Entity:
    """The entity of this name, or the only person with this first name."""
    if find(db, name) is None and len(people := _people_by_first_name(db, name)) == 1:
        return people[0]
    return require_whole_name(db, name)


def _people_by_first_name(db: Connection, name: str) -> list[Entity]:
    """Five at most, the most mentioned first."""
    found = db.execute(
        """
        SELECT entity.id
        FROM entity_name
        JOIN entity ON entity.id = entity_name.entity_id
        WHERE
            entity_name.key >= :first || ' ' AND entity_name.key < :first || '!'  -- the character after the space
            AND entity.type = 'person'
        GROUP BY entity.id
        ORDER BY entity.mention_count DESC, entity.id
        LIMIT 5
        """,
        {"first": name_key(name)},
    )
    return [get(db, row[0]) for row in list(found)]


def fetch(db: Connection, ids: Sequence[int]) -> list[Entity]:
    """Those of the entities that still exist: one may have been merged meanwhile."""
    there = db.column("SELECT id FROM entity WHERE id IN (SELECT value FROM json_each(?))", (ids,))
    return [get(db, id) for id in ids if id in there]


def get(db: Connection, id: int) -> Entity:
    row = db.execute(_SELECT + "WHERE id = ?", (id,)).fetchone()
    assert row is not None
    return rows.record(Entity, row)


def all_names(db: Connection) -> list[tuple[str, int, str]]:
    """(key, entity, name) of every name and alias."""
    return list(db.execute("SELECT key, entity_id, name FROM entity_name"))


def names_after(db: Connection, entity_id: int) -> list[tuple[str, int, str]]:
    """(key, entity, name) of the entities with a greater id, in order."""
    named = "SELECT key, entity_id, name FROM entity_name WHERE entity_id > ? ORDER BY entity_id"
    return list(db.execute(named, (entity_id,)))


def upsert_relation(
    db: Connection,
    ends: tuple[int, int],
    type: str,
    *,
    confidence: float = 1.0,
    properties: Mapping[str, Any] = MappingProxyType({}),
    source_node: int | None = None,
) -> Relation:
    """Adds a relation, or updates the confidence and properties of the one with this pair and type."""
    db.execute(
        """
        INSERT INTO relation
            (ulid, source_id, target_id, type, properties, confidence, source_node_id,
             valid_from, created_at, updated_at)
        VALUES
            (:ulid, :source, :target, :type, :properties, :confidence, :source_node, :now, :now, :now)
        ON CONFLICT (source_id, target_id, type) DO UPDATE SET
            properties = json_patch(properties, excluded.properties),
            confidence = excluded.confidence,
            source_node_id = coalesce(excluded.source_node_id, source_node_id),
            valid_until = NULL,
            updated_at = excluded.updated_at
        """,
        {
            "ulid": db.ids(db.now),
            "source": ends[0],
            "target": ends[1],
            "type": type,
            "properties": rows.to_json(dict(properties)),
            "confidence": confidence,
            "source_node": source_node,
            "now": db.now,
        },
    )
    found = db.execute(
        _RELATION + "WHERE relation.source_id = ? AND relation.target_id = ? AND relation.type = ?", (*ends, type)
    ).fetchone()
    assert found is not None
    return rows.record(Relation, found)


def end_relations(db: Connection, source: int, type: str, until: int, target: int | None = None) -> None:
    """Ends the relations of a type that start at an entity; with `target`, only the one to it."""
    db.execute(
        """
        UPDATE relation
        SET valid_until = :until, updated_at = max(updated_at, :until)
        WHERE
            source_id = :source AND type = :type AND valid_until IS NULL
            AND (:target IS NULL OR target_id = :target)
        """,
        {"source": source, "type": type, "until": until, "target": target},
    )


def set_summary(db: Connection, id: int, summary: str | None, of: Sequence[int]) -> None:
    """Sets an entity's summary and the facts it was made from: when they change, it is made again."""
    db.execute(
        """
        UPDATE entity
        SET summary = :summary, attributes = json_set(attributes, '$.summary_of', :facts), updated_at = :now
        WHERE id = :id
        """,
        {"id": id, "summary": summary, "facts": json.dumps(list(of), separators=(",", ":")), "now": db.now},
    )


def relations(db: Connection, entity_ids: Sequence[int], confidence_over: float = 0.0) -> list[Relation]:
    """Relations in both directions, the most confident first."""
    found = db.execute(
        _RELATION
        + """
        WHERE
            (relation.source_id IN (SELECT value FROM json_each(:ids))
             OR relation.target_id IN (SELECT value FROM json_each(:ids)))
            AND relation.confidence > :floor
            AND relation.valid_until IS NULL
        ORDER BY relation.confidence DESC, relation.id
        """,
        {"ids": entity_ids, "floor": confidence_over},
    )
    return [rows.record(Relation, row) for row in found]


def mentioning_nodes(db: Connection, entity_ids: Sequence[int], limit: int) -> list[tuple[int, int]]:
    """(node, entity) for live nodes that mention these entities, the most important and newest of each."""
    found: list[tuple[int, int]] = []
    for entity_id in entity_ids:
        rows_ = db.execute(
            """
            SELECT newest.id
            FROM (
                SELECT node.id, node.kind, node.importance, node.event_at
                FROM node_entity
                JOIN node ON node.id = node_entity.node_id
                WHERE node_entity.entity_id = :entity AND node.state = 'live'
                ORDER BY node_entity.node_id DESC
                LIMIT :newest
            ) AS newest
            ORDER BY newest.kind = 'episode', newest.importance DESC, newest.event_at DESC
            LIMIT :limit
            """,
            {"entity": entity_id, "limit": limit, "newest": _NEWEST_MENTIONS},
        )
        found += [(row[0], entity_id) for row in rows_]
    return found


def described(db: Connection, ids: Sequence[int]) -> list[Entity]:
    """Those of the entities that have a description or a summary."""
    return [entity for entity in fetch(db, ids) if entity.description or entity.summary]
