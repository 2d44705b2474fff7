"""The entity graph: adding, reading and removing entities with their facts and relations, and walks along links."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from omoide.clock import to_micros
from omoide.domain import Draft, Entity, Node, Relation
from omoide.domain.entity import EntityGraph, GraphEntity
from omoide.errors import Conflict, NotFound
from omoide.language import tokens
from omoide.store.ageing import archive, retention
from omoide.store.ageing.archive import ArchiveRequest
from omoide.store.engine import maintenance_log
from omoide.store.engine.connection import Connection
from omoide.store.entities import entities
from omoide.store.entities.entities import EntityProfile
from omoide.store.learning.learning_transaction import LearningTransaction, WriteStatement
from omoide.store.records import nodes
from omoide.store.search.node_filter import NodeFilter

# The attribute that keeps the type as it was given; `entity.type` is one of eight. It also marks an entity that was
# added to the graph and not only mentioned. Empty: it was removed, or is only the end of an added relation.
TYPE_ATTRIBUTE = "entity_type"
_ADDED_ATTRIBUTE = "added_at"  # to the graph, in microseconds; those of one call follow each other


# A node that is not the sentence of a relation: those are read from the relations themselves.
_NO_RELATION = """NOT EXISTS (
    SELECT 1
    FROM relation
    WHERE relation.source_node_id = node.id AND relation.type = node.attributes ->> 'predicate'
)"""


@dataclass(frozen=True, slots=True)
class EntityDraft:
    """An entity to add, with observations about it."""

    profile: EntityProfile
    observations: tuple[Draft, ...] = ()


RelationDraft = tuple[EntityProfile, str, EntityProfile]


def add(
    db: Connection, things: Sequence[EntityDraft], ties: Sequence[RelationDraft], key: str | None, write: WriteStatement
) -> EntityGraph:
    """Adds what does not exist yet and returns only that. A key that was used before adds nothing."""
    if key is not None and maintenance_log.get_cursor(db, f"drawn {key}"):
        return EntityGraph()
    made = [_add_entity(db, each, db.now + place, write) for place, each in enumerate(things)]
    new = [each for each in made if each is not None]
    related = [tied for each in ties if (tied := _add_relation(db, each)) is not None]
    if key is not None:
        maintenance_log.set_cursor(db, f"drawn {key}", db.now)
    return EntityGraph(tuple(new), tuple(related))


def _add_entity(db: Connection, drawn: EntityDraft, at: int, write: WriteStatement) -> GraphEntity | None:
    known = entities.find(db, drawn.profile.name)
    is_new = known is None or not _is_added(known)
    if known is None or is_new:
        profile = replace(drawn.profile, attributes={**(drawn.profile.attributes or {}), _ADDED_ATTRIBUTE: at})
        named = profile if known is None else replace(profile, name=known.name, type=None)
        entity = entities.save(db, named)
        retention.keep_entity(db, entity.id)
    else:
        entity = known
    said = {node.text for node in _live_facts(db, [entity.id]).get(entity.id, ())}
    fresh: dict[str, Draft] = {}
    for draft in drawn.observations:
        if draft.text not in said:
            fresh.setdefault(draft.text, _observation_about(draft, entity))
    written = [write(LearningTransaction(db), draft) for draft in fresh.values()]
    stored = tuple(node for node in written if node.written is None or node.written.verb not in ("confirmed", "known"))
    if not is_new and not stored:
        return None
    return GraphEntity(entity.name, _display_type(entity), stored)


def _observation_about(draft: Draft, entity: Entity) -> Draft:
    """An observation that was entered by hand does not decay."""
    others = tuple(each for each in draft.entities if each != entity.id)
    attributes = {**draft.attributes, "subject": entity.name}
    return replace(draft, attributes=attributes, entities=(entity.id, *others), decay_rate=0.0)


def _add_relation(db: Connection, tie: RelationDraft) -> Relation | None:
    source, type, target = tie
    ends = tuple(_ensure_entity(db, each) for each in (source, target))
    if _find_relation(db, ends[0], type, ends[1]) is not None:
        return None
    return _with_statement(db, entities.upsert_relation(db, (ends[0], ends[1]), type))


def _with_statement(db: Connection, relation: Relation) -> Relation:
    """Makes a relation that no valid memory states a fact of its own, so that it is recalled like others."""
    stated = nodes.fetch(db, [relation.source_node_id]) if relation.source_node_id is not None else {}
    if any(node.state != "superseded" for node in stated.values()):
        return relation
    draft = Draft(
        kind="fact",
        text=relation.sentence,
        event_at=db.now,
        valid_from=db.now,
        origin="user",
        source_type="stated",
        confidence=relation.confidence,
        attributes={
            "subject": relation.source, "predicate": relation.type, "object": relation.target, "form": "relation"
        },
        token_count=tokens.estimate(relation.sentence),
        entities=(relation.source_id, relation.target_id),
    )  # fmt: skip
    node = nodes.insert(db, [draft])[0]
    if node.state == "erased":
        return relation
    db.execute("UPDATE relation SET source_node_id = ? WHERE id = ?", (node.id, relation.id))
    return replace(relation, source_node_id=node.id)


def _end_relation(db: Connection, relation: Relation) -> None:
    """Ends a relation and the fact that was made of it."""
    entities.end_relations(db, relation.source_id, relation.type, db.now, relation.target_id)
    found = nodes.fetch(db, [relation.source_node_id]) if relation.source_node_id is not None else {}
    for node in found.values():
        if node.kind == "fact" and node.state == "live" and node.attributes["predicate"] == relation.type:
            nodes.retire(db, node.id, "superseded", db.now)


def _ensure_entity(db: Connection, profile: EntityProfile) -> int:
    known = entities.find(db, profile.name)
    id = known.id if known else entities.save(db, replace(profile, attributes={TYPE_ATTRIBUTE: ""})).id
    retention.keep_entity(db, id)
    return id


def _find_relation(db: Connection, source: int, type: str, target: int) -> Relation | None:
    wanted = (source, type, target)
    held = entities.relations(db, [source])
    return next((each for each in held if (each.source_id, each.type, each.target_id) == wanted), None)


def unrelate(db: Connection, source: str, type: str, target: str) -> Relation:
    """Ends a relation. It is kept until the nightly job that deletes old ended links."""
    ends = entities.require(db, source), entities.require(db, target)
    held = _find_relation(db, ends[0].id, type, ends[1].id)
    if held is None:
        raise NotFound(f"{ends[0].name!r} is not related to {ends[1].name!r} as {type!r}")
    _end_relation(db, held)
    return held


def remove(db: Connection, names: Iterable[str]) -> list[str]:
    """Removes entities from the graph: withdraws their observations, ends their relations. Ignores unknown names."""
    gone = list(_find_all(db, names))
    for entity in gone:
        observed = _live_facts(db, [entity.id]).get(entity.id, ())
        withdraw_observations(db, [node.id for node in observed])
        for each in entities.relations(db, [entity.id]):
            _end_relation(db, each)
        db.execute(
            "UPDATE entity SET attributes = json_set(attributes, :at, ''), updated_at = :now WHERE id = :id",
            {"at": f"$.{TYPE_ATTRIBUTE}", "now": db.now, "id": entity.id},
        )
    return [entity.name for entity in gone]


def withdraw_observations(db: Connection, ids: Sequence[int]) -> None:
    """Withdraws those of the observations that are live."""
    live = [node.id for node in nodes.fetch(db, ids).values() if node.state == "live"]
    archive.archive_nodes(db, [ArchiveRequest(id, "dropped from the graph", "withdrawn") for id in live], db.now)


def read(db: Connection, names: Iterable[str] | None) -> EntityGraph:
    """The whole graph, or the named entities with all their relations, in the order in which they were added."""
    wanted = list(_find_all(db, names)) if names is not None else _all_shown(db)
    facts = _live_facts(db, [each.id for each in wanted])
    relations = entities.relations(db, [each.id for each in wanted])
    related = {id for each in relations for id in (each.source_id, each.target_id)}
    shown = (each for each in wanted if _is_added(each) or each.id in facts or each.id in related)
    things = tuple(_graph_entity(each, facts.get(each.id, ())) for each in sorted(shown, key=_added_at))
    return EntityGraph(things, tuple(sorted(relations, key=lambda each: (each.source_node_id or 0, each.id))))


def _graph_entity(entity: Entity, facts: tuple[Node, ...]) -> GraphEntity:
    end_only = entity.attributes.get(TYPE_ATTRIBUTE) == "" and not facts
    return GraphEntity(entity.name, _display_type(entity), facts, end_only)


def _is_added(entity: Entity) -> bool:
    return bool(entity.attributes.get(TYPE_ATTRIBUTE))


def _added_at(entity: Entity) -> int:
    return int(entity.attributes.get(_ADDED_ATTRIBUTE) or to_micros(entity.created_at))


def most_mentioned(db: Connection, limit: int) -> list[Entity]:
    """The most mentioned entities first."""
    ids = db.column("SELECT id FROM entity ORDER BY mention_count DESC, id LIMIT ?", (limit,))
    return [entities.get(db, id) for id in ids]


def _find_all(db: Connection, names: Iterable[str]) -> Iterable[Entity]:
    found = {each.id: each for name in names if (each := entities.find(db, name)) is not None}
    return found.values()


def _all_shown(db: Connection) -> list[Entity]:
    """Entities that were added to the graph, or have relations or facts."""
    ids = db.column(
        """
        SELECT id
        FROM entity
        WHERE
            attributes ->> :type <> ''
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
        {"type": f"$.{TYPE_ATTRIBUTE}"},
    )
    return [entities.get(db, id) for id in ids]


def _live_facts(db: Connection, entity_ids: Sequence[int]) -> dict[int, tuple[Node, ...]]:
    """The valid facts about each entity, in the order they were recorded."""
    found: list[Any] = db.execute(
        f"""
        SELECT DISTINCT entity_name.entity_id, node.id
        FROM entity_name
        JOIN node ON node.attributes ->> 'subject' = entity_name.name
        WHERE
            entity_name.entity_id IN (SELECT value FROM json_each(:ids))
            AND node.kind = 'fact' AND node.state = 'live'
            AND (node.valid_until IS NULL OR node.valid_until > :now)
            AND {_NO_RELATION}
        ORDER BY node.id
        """,
        {"ids": entity_ids, "now": db.now},
    ).fetchall()
    whole = nodes.fetch(db, [node for _, node in found])
    facts: dict[int, list[Node]] = {}
    for entity, node in found:
        facts.setdefault(entity, []).append(whole[node])
    return {entity: tuple(each) for entity, each in facts.items()}


def _display_type(entity: Entity) -> str:
    return str(entity.attributes.get(TYPE_ATTRIBUTE) or entity.type)


_MOST_STEPS = 1_000  # steps of one walk; anything farther is linked to everything
_NEWEST_MENTIONS = 2_000  # newest mentions of an entity that are searched for learned nodes


@dataclass(frozen=True, slots=True)
class LinkStep:
    """A node on a chain of links: its start, the number of steps (negative: backwards), the confidence of the path."""

    start: int
    id: int
    steps: int
    confidence: float


@dataclass(frozen=True, slots=True)
class ReachedEntity:
    """An entity on a path of relations: the number of hops, its mentions, and the path in words."""

    id: int
    depth: int
    mentions: int
    way: str


def link_chain(db: Connection, ids: Sequence[int], type: str, depth: int) -> list[LinkStep]:
    """Follows one type of link in both directions; each node by its shortest and most confident path."""
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
        {"ids": ids, "type": type, "depth": depth, "most": _MOST_STEPS},
    )
    shortest: dict[int, LinkStep] = {}
    for row in found:
        shortest.setdefault(row[1], LinkStep(*row))
    return list(shortest.values())


def related_entities(
    db: Connection, entity_ids: Sequence[int], depth: int, confidence_over: float, fan: int
) -> list[ReachedEntity]:
    """Entities within `depth` relations, following the most confident ones; the start entities are included."""
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
        {"ids": entity_ids, "depth": depth, "floor": confidence_over, "fan": fan, "most": _MOST_STEPS},
    )
    return [ReachedEntity(*row) for row in found]


def learned_about(db: Connection, entity_id: int, keep: NodeFilter, limit: int) -> list[tuple[int, float]]:
    """(node, confidence) of learned nodes about an entity, the most confident first."""
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
        ) AS mention
        JOIN node ON node.id = mention.node_id
        WHERE node.kind <> 'episode' AND {_NO_RELATION} AND {clause}
        ORDER BY node.confidence DESC, node.id
        LIMIT :limit
        """,
        values | {"about": entity_id, "newest": _NEWEST_MENTIONS, "limit": limit},
    )
    return list(found)


def save_entity(db: Connection, profile: EntityProfile) -> Entity:
    """Saves an entity on request: it is never removed as an orphan."""
    saved = entities.save(db, profile)
    retention.keep_entity(db, saved.id)
    return saved


def relate(
    db: Connection,
    source: EntityProfile,
    type: str,
    target: EntityProfile,
    *,
    confidence: float,
    properties: Mapping[str, Any],
    source_node: int | None,
) -> Relation:
    """Saves two entities and a relation between them."""
    if source_node is not None:
        nodes.require(db, source_node)
    ends = (save_entity(db, source).id, save_entity(db, target).id)
    if ends[0] == ends[1]:
        raise Conflict(f"{source.name!r} and {target.name!r} are the same entity; relate two different ones")
    values: dict[str, Any] = {"confidence": confidence, "properties": properties, "source_node": source_node}
    return _with_statement(db, entities.upsert_relation(db, ends, type, **values))
