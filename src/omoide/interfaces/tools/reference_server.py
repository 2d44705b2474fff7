"""The tools of the MCP reference memory server, with the same names and schemas, over entities, facts and relations.

Users of that server keep their prompts and change one line. Deleting withdraws here, so that a model's mistake can be
undone; `omoide forget` erases.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from omoide.domain import Relation
from omoide.domain.entity import EntityGraph, GraphEntity, name_key
from omoide.errors import InvalidInput, NotFound
from omoide.interfaces.tools.tool import ToolAnswer, tool
from omoide.memory import Memory
from omoide.transfer import import_source
from omoide.transfer.formats import mcp_memory
from omoide.transfer.import_records import ImportedEntity, ImportedRelation, ImportedStatement, SkippedRecord


class _Shape(BaseModel):
    # Unknown fields are ignored, as in the reference server. Built on first use: most servers never need them.
    model_config = ConfigDict(extra="ignore", defer_build=True)


class ReferenceEntity(_Shape):
    name: Annotated[str, Field(description="The name of the entity")]
    entityType: Annotated[str, Field(description="The type of the entity")]
    observations: Annotated[list[str], Field(description="An array of observation contents associated with the entity")]


class ReferenceRelation(_Shape):
    source: Annotated[str, Field(alias="from", description="The name of the entity where the relation starts")]
    to: Annotated[str, Field(description="The name of the entity where the relation ends")]
    relationType: Annotated[str, Field(description="The type of the relation")]


class ReferenceAddition(_Shape):
    entityName: Annotated[str, Field(description="The name of the entity to add the observations to")]
    contents: Annotated[list[str], Field(description="An array of observation contents to add")]


class ReferenceDeletion(_Shape):
    entityName: Annotated[str, Field(description="The name of the entity containing the observations")]
    observations: Annotated[list[str], Field(description="An array of observations to delete")]


class _Added(_Shape):
    entityName: str
    addedObservations: list[str]


class _Entities(_Shape):
    entities: list[ReferenceEntity]


class _Relations(_Shape):
    relations: list[ReferenceRelation]


class _Results(_Shape):
    results: list[_Added]


class _Done(_Shape):
    success: bool
    message: str


class _Whole(_Shape):
    entities: list[ReferenceEntity]
    relations: list[ReferenceRelation]


@tool(strict=False, returns=_Entities)
def create_entities(memory: Memory, entities: list[ReferenceEntity]) -> ToolAnswer:
    """Create multiple new entities in the knowledge graph"""
    first: dict[str, ReferenceEntity] = {}
    for each in entities:
        first.setdefault(name_key(each.name) or each.name, each)
    new = [each for each in first.values() if _find(memory, each.name) is None]
    made = memory.graph.add(
        [{"name": each.name, "type": each.entityType, "observations": _not_blank(each.observations)} for each in new],
        origin="agent",
    )
    return _listed([_entity(entity) for entity in made.entities], "entities")


@tool(strict=False, returns=_Relations)
def create_relations(memory: Memory, relations: list[ReferenceRelation]) -> ToolAnswer:
    """Create multiple new relations between entities in the knowledge graph. Relations should be in active voice"""
    made = memory.graph.add(relations=[(each.source, each.relationType, each.to) for each in relations], origin="agent")
    return _listed([_relation(each) for each in made.relations], "relations")


@tool(strict=False, returns=_Results)
def add_observations(memory: Memory, observations: list[ReferenceAddition]) -> ToolAnswer:
    """Add new observations to existing entities in the knowledge graph"""
    names = [_require(memory, each.entityName).name for each in observations]
    made = memory.graph.add(
        [{"name": each.entityName, "observations": _not_blank(each.contents)} for each in observations], origin="agent"
    )
    fresh: dict[str, list[str]] = {}
    for entity in made.entities:
        fresh.setdefault(entity.name, []).extend(entity.texts)
    results = []
    for place, (name, each) in enumerate(zip(names, observations, strict=True)):
        new = fresh.get(name, [])
        own = [text for text in new if name not in names[place + 1 :] or text in each.contents]
        fresh[name] = [text for text in new if text not in own]
        results.append({"entityName": each.entityName, "addedObservations": own})
    return _listed(results, "results")


@tool(destroys=True, strict=False, returns=_Done)
def delete_entities(
    memory: Memory, entityNames: Annotated[list[str], Field(description="An array of entity names to delete")]
) -> ToolAnswer:
    """Delete multiple entities and their associated relations from the knowledge graph"""
    memory.graph.remove(_not_blank(entityNames))
    return _done("Entities deleted successfully")


@tool(destroys=True, strict=False, returns=_Done)
def delete_observations(memory: Memory, deletions: list[ReferenceDeletion]) -> ToolAnswer:
    """Delete specific observations from entities in the knowledge graph"""
    found = [(each, _find(memory, each.entityName)) for each in deletions]
    gone = {
        node.id for each, entity in found if entity for node in entity.observations if node.text in each.observations
    }
    memory.graph.remove(observations=gone)
    return _done("Observations deleted successfully")


@tool(destroys=True, strict=False, returns=_Done)
def delete_relations(
    memory: Memory, relations: Annotated[list[ReferenceRelation], Field(description="An array of relations to delete")]
) -> ToolAnswer:
    """Delete multiple relations from the knowledge graph"""
    for each in relations:
        with suppress(NotFound):  # a missing relation is not an error, as in the reference server
            memory.graph.unrelate(each.source, each.relationType, each.to)
    return _done("Relations deleted successfully")


@tool(reads=True, strict=False, returns=_Whole)
def read_graph(memory: Memory) -> ToolAnswer:
    """Read the entire knowledge graph"""
    return _graph(memory.graph.read())


@tool(reads=True, strict=False, returns=_Whole)
def search_nodes(
    memory: Memory,
    query: Annotated[
        str, Field(description="The search query to match against entity names, types, and observation content")
    ],
) -> ToolAnswer:
    """Search for nodes in the knowledge graph based on a query"""
    whole = memory.graph.read()
    names = [entity.name for entity in _created(whole) if _matches(entity, query)]
    return _graph(_around(whole, names or _recalled(memory, whole, query)))


@tool(reads=True, strict=False, returns=_Whole)
def open_nodes(
    memory: Memory, names: Annotated[list[str], Field(description="An array of entity names to retrieve")]
) -> ToolAnswer:
    """Open specific nodes in the knowledge graph by their names"""
    named = _not_blank(names)
    found = memory.graph.read(named) if named else EntityGraph()
    return _graph(_around(found, [each.name for each in _created(found)]))


def _matches(entity: GraphEntity, query: str) -> bool:
    wanted = query.lower()
    return any(wanted in text.lower() for text in (entity.name, entity.type, *entity.texts))


def _recalled(memory: Memory, whole: EntityGraph, query: str) -> list[str]:
    """The fallback when no text matches several words literally: the entities whose facts recall finds."""
    found = {hit.id for hit in memory.recall(query, kinds=("fact",))} if len(query.split()) > 1 else set()
    return [entity.name for entity in whole.entities if any(node.id in found for node in entity.observations)]


def _around(whole: EntityGraph, names: Iterable[str]) -> EntityGraph:
    wanted = set(names)
    return EntityGraph(
        tuple(entity for entity in whole.entities if entity.name in wanted),
        tuple(each for each in whole.relations if each.source in wanted or each.target in wanted),
    )


def _not_blank(texts: Iterable[str]) -> list[str]:
    """Without blank texts."""
    return [each for each in texts if each.strip()]


def _find(memory: Memory, name: str) -> GraphEntity | None:
    found = _created(memory.graph.read([name])) if name.strip() else []
    return found[0] if found else None


def _created(graph: EntityGraph) -> list[GraphEntity]:
    """Without entities that only a relation names: the reference server knows them by the relation alone."""
    return [each for each in graph.entities if not each.end_only]


def _require(memory: Memory, name: str) -> GraphEntity:
    found = _find(memory, name)
    if found is None:
        raise NotFound(f"Entity with name {name} not found")
    return found


def _entity(entity: GraphEntity) -> dict[str, Any]:
    return {"name": entity.name, "entityType": entity.type, "observations": list(entity.texts)}


def _relation(each: Relation) -> dict[str, Any]:
    return {"from": each.source, "to": each.target, "relationType": each.type}


def _graph(graph: EntityGraph) -> ToolAnswer:
    data = {"entities": [*map(_entity, _created(graph))], "relations": [*map(_relation, graph.relations)]}
    return ToolAnswer(_written(data), data)


def _listed(rows: list[dict[str, Any]], name: str) -> ToolAnswer:
    return ToolAnswer(_written(rows), {name: rows})


def _done(message: str) -> ToolAnswer:
    return ToolAnswer(message, {"success": True, "message": message})


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


# Imports the file of the MCP reference memory server: lines of entities and relations.


@dataclass(frozen=True, slots=True)
class ImportedReference:
    """What was new, and how many lines were left out, by reason."""

    graph: EntityGraph
    left_out: dict[str, int]


def import_reference_file(memory: Memory, path: Path) -> ImportedReference:
    """Imports the file of a reference memory server in one transaction.

    A file that was imported and has not changed since is skipped, so that what was deleted here does not come back.
    Lines that the reference server would skip are left out and counted: a server starts whatever is in the file.
    """
    try:
        content = hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError as error:
        raise InvalidInput(f"{path} cannot be read: {error.strerror or error}") from error
    entities: dict[str, dict[str, Any]] = {}
    relations: list[tuple[str, str, str]] = []
    left_out: Counter[str] = Counter()
    for item in mcp_memory.FORMAT.read(import_source.open_source(path).files):
        match item:
            case ImportedEntity():
                kind = item.attributes[mcp_memory.ORIGINAL_TYPE]
                entities.setdefault(item.name, {"name": item.name, "type": kind, "observations": []})
            case ImportedStatement(subject=str(subject)):
                entities[subject]["observations"].append(item.text)
            case ImportedRelation():
                relations.append((item.source, item.type, item.target))
            case SkippedRecord():
                left_out[item.reason] += item.count
    made = memory.graph.add(
        entities.values(),
        relations,
        origin="agent",
        key=f"file {content}",
        on_skip=lambda why: left_out.update([why.split(";")[0]]),
    )
    return ImportedReference(made, dict(left_out))
