"""The tools of the reference memory server, name for name and shape for shape, over our entities, facts and relations.

Whoever has used that server keeps their prompts and changes one line. What it deletes we take out of use: a model's
mistake can be undone, and `omoide forget` is for what must be gone.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from contextlib import suppress
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from omoide.domain import Relation
from omoide.domain.entity import EntityGraph, GraphEntity, name_key
from omoide.errors import NotFound
from omoide.interfaces.tools.tool import Answer, tool
from omoide.memory import Memory


class _Shape(BaseModel):
    # What a client says beside it is dropped, as there. Deferred: most servers never need them.
    model_config = ConfigDict(extra="ignore", defer_build=True)


class Entity(_Shape):
    name: Annotated[str, Field(description="The name of the entity")]
    entityType: Annotated[str, Field(description="The type of the entity")]
    observations: Annotated[list[str], Field(description="An array of observation contents associated with the entity")]


class Tie(_Shape):
    source: Annotated[str, Field(alias="from", description="The name of the entity where the relation starts")]
    to: Annotated[str, Field(description="The name of the entity where the relation ends")]
    relationType: Annotated[str, Field(description="The type of the relation")]


class Addition(_Shape):
    entityName: Annotated[str, Field(description="The name of the entity to add the observations to")]
    contents: Annotated[list[str], Field(description="An array of observation contents to add")]


class Deletion(_Shape):
    entityName: Annotated[str, Field(description="The name of the entity containing the observations")]
    observations: Annotated[list[str], Field(description="An array of observations to delete")]


class _Added(_Shape):
    entityName: str
    addedObservations: list[str]


class _Entities(_Shape):
    entities: list[Entity]


class _Relations(_Shape):
    relations: list[Tie]


class _Results(_Shape):
    results: list[_Added]


class _Done(_Shape):
    success: bool
    message: str


class _Whole(_Shape):
    entities: list[Entity]
    relations: list[Tie]


@tool(strict=False, returns=_Entities)
def create_entities(memory: Memory, entities: list[Entity]) -> Answer:
    """Create multiple new entities in the knowledge graph"""
    first: dict[str, Entity] = {}
    for each in entities:
        first.setdefault(name_key(each.name) or each.name, each)
    new = [each for each in first.values() if _thing(memory, each.name) is None]
    made = memory.graph.add(
        [{"name": each.name, "type": each.entityType, "observations": _said(each.observations)} for each in new],
        origin="agent",
    )
    return _listed([_entity(thing) for thing in made.entities], "entities")


@tool(strict=False, returns=_Relations)
def create_relations(memory: Memory, relations: list[Tie]) -> Answer:
    """Create multiple new relations between entities in the knowledge graph. Relations should be in active voice"""
    for name in dict.fromkeys(end for each in relations for end in (each.source, each.to)):
        _require(memory, name)
    made = memory.graph.add(relations=[(each.source, each.relationType, each.to) for each in relations], origin="agent")
    return _listed([_relation(each) for each in made.relations], "relations")


@tool(strict=False, returns=_Results)
def add_observations(memory: Memory, observations: list[Addition]) -> Answer:
    """Add new observations to existing entities in the knowledge graph"""
    names = [_require(memory, each.entityName).name for each in observations]
    made = memory.graph.add(
        [{"name": each.entityName, "observations": _said(each.contents)} for each in observations], origin="agent"
    )
    fresh: dict[str, list[str]] = {}
    for thing in made.entities:
        fresh.setdefault(thing.name, []).extend(thing.texts)
    results = [
        {"entityName": each.entityName, "addedObservations": fresh.pop(name, [])}
        for each, name in zip(observations, names, strict=True)
    ]
    return _listed(results, "results")


@tool(destroys=True, strict=False, returns=_Done)
def delete_entities(
    memory: Memory, entityNames: Annotated[list[str], Field(description="An array of entity names to delete")]
) -> Answer:
    """Delete multiple entities and their associated relations from the knowledge graph"""
    missing = [name for name in entityNames if _thing(memory, name) is None]
    memory.graph.remove([name for name in entityNames if name not in missing])
    if not missing:
        return _done("Entities deleted successfully")
    count = len(entityNames) - len(missing)
    return _done(f"Deleted {count} of {len(entityNames)} entities. Not found: {', '.join(missing)}")


@tool(destroys=True, strict=False, returns=_Done)
def delete_observations(memory: Memory, deletions: list[Deletion]) -> Answer:
    """Delete specific observations from entities in the knowledge graph"""
    found = [(each, _thing(memory, each.entityName)) for each in deletions]
    gone = {node.id for each, thing in found if thing for node in thing.observations if node.text in each.observations}
    memory.graph.remove(observations=gone)
    asked = sum(len(each.observations) for each in deletions)
    if len(gone) == asked:
        return _done("Observations deleted successfully")
    missing = ", ".join(each.entityName for each, thing in found if thing is None)
    tail = f" Entities not found: {missing}" if missing else ""
    return _done(f"Deleted {len(gone)} of {asked} observations.{tail}")


@tool(destroys=True, strict=False, returns=_Done)
def delete_relations(
    memory: Memory, relations: Annotated[list[Tie], Field(description="An array of relations to delete")]
) -> Answer:
    """Delete multiple relations from the knowledge graph"""
    count = 0
    for each in relations:
        with suppress(NotFound):  # what is not there need not be deleted
            memory.graph.unrelate(each.source, each.relationType, each.to)
            count += 1
    if count == len(relations):
        return _done("Relations deleted successfully")
    return _done(f"Deleted {count} of {len(relations)} relations. The rest matched nothing.")


@tool(reads=True, strict=False, returns=_Whole)
def read_graph(memory: Memory) -> Answer:
    """Read the entire knowledge graph"""
    return _graph(memory.graph.read())


@tool(reads=True, strict=False, returns=_Whole)
def search_nodes(
    memory: Memory,
    query: Annotated[
        str, Field(description="The search query to match against entity names, types, and observation content")
    ],
) -> Answer:
    """Search for nodes in the knowledge graph based on a query"""
    whole = memory.graph.read()
    names = [thing.name for thing in whole.entities if _matches(thing, query)]
    return _graph(_around(whole, names or _recalled(memory, whole, query)))


@tool(reads=True, strict=False, returns=_Whole)
def open_nodes(
    memory: Memory, names: Annotated[list[str], Field(description="An array of entity names to retrieve")]
) -> Answer:
    """Open specific nodes in the knowledge graph by their names"""
    named = _said(names)
    return _graph(memory.graph.read(named) if named else EntityGraph())


def _matches(thing: GraphEntity, query: str) -> bool:
    wanted = query.lower()
    return any(wanted in text.lower() for text in (thing.name, thing.type, *thing.texts))


def _recalled(memory: Memory, whole: EntityGraph, query: str) -> list[str]:
    """A question in other words than those that were stored: the reference finds nothing, recall may."""
    found = {hit.id for hit in memory.recall(query, kinds=("fact",))} if query.strip() else set()
    return [thing.name for thing in whole.entities if any(node.id in found for node in thing.observations)]


def _around(whole: EntityGraph, names: Iterable[str]) -> EntityGraph:
    wanted = set(names)
    return EntityGraph(
        tuple(thing for thing in whole.entities if thing.name in wanted),
        tuple(each for each in whole.relations if each.source in wanted or each.target in wanted),
    )


def _said(texts: Iterable[str]) -> list[str]:
    """What is blank says nothing, and is passed over."""
    return [each for each in texts if each.strip()]


def _thing(memory: Memory, name: str) -> GraphEntity | None:
    found = memory.graph.read([name]).entities if name.strip() else ()
    return found[0] if found else None


def _require(memory: Memory, name: str) -> GraphEntity:
    found = _thing(memory, name)
    if found is None:
        raise NotFound(f"Entity with name {name} not found; create it with create_entities")
    return found


def _entity(thing: GraphEntity) -> dict[str, Any]:
    return {"name": thing.name, "entityType": thing.type, "observations": list(thing.texts)}


def _relation(each: Relation) -> dict[str, Any]:
    return {"from": each.source, "to": each.target, "relationType": each.type}


def _graph(graph: EntityGraph) -> Answer:
    data = {"entities": [*map(_entity, graph.entities)], "relations": [*map(_relation, graph.relations)]}
    return Answer(_written(data), data)


def _listed(rows: list[dict[str, Any]], name: str) -> Answer:
    return Answer(_written(rows), {name: rows})


def _done(message: str) -> Answer:
    return Answer(message, {"success": True, "message": message})


def _written(value: Any) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False)


TOOLS = (
    create_entities,
    create_relations,
    add_observations,
    delete_entities,
    delete_observations,
    delete_relations,
    read_graph,
    search_nodes,
    open_nodes,
)
