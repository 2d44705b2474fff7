"""Links as a user sees them: setting and removing them, what a node is linked to, contradictions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from omoide.domain import Edge, Node
from omoide.domain.edge import Contradiction, Neighbour, relation_from
from omoide.errors import InvalidInput, NotFound
from omoide.store.engine.connection import Connection
from omoide.store.erasure import erase
from omoide.store.records import edges, nodes


def link(
    db: Connection,
    source: int,
    target: int,
    type: str,
    *,
    predicate: str | None = None,
    weight: float = 1.0,
    confidence: float = 1.0,
    evidence: Sequence[Any] = (),
) -> Edge:
    """Links two nodes. A `supersedes` link also retires its target."""
    nodes.require(db, source)
    nodes.require(db, target)
    if source == target:
        raise InvalidInput(f"node {source} cannot be linked to itself")
    if type == "supersedes":
        nodes.retire_for(db, target, source)
    return edges.upsert(
        db,
        (source, target),
        type,
        predicate=predicate,
        weight=weight,
        confidence=confidence,
        evidence=evidence,
    )


def unlink(db: Connection, source: int, target: int, types: Sequence[str]) -> list[Edge]:
    """Removes links and reinstates nodes that only a removed link had superseded; raises NotFound if there is none."""
    nodes.require(db, source)
    nodes.require(db, target)
    removed = edges.delete_links(db, (source, target), types)
    if not removed:
        raise NotFound(f"there is no such link from node {source} to node {target}")
    for each in removed:
        if each.type == "supersedes" and nodes.latest_version(db, each.target_id) == each.target_id:
            erase.reinstate(db, [each.target_id], db.now)
    return removed


def linked_nodes(db: Connection, id: int) -> list[Neighbour]:
    """What a node is linked to, with the relation as seen from it; a symmetric relation appears once."""
    nodes.require(db, id)
    around = edges.of_node(db, id)
    ends = {each.id: each.target_id if each.source_id == id else each.source_id for each in around}
    held = nodes.fetch(db, ends.values())
    found: dict[tuple[int, str], Neighbour] = {}
    for edge in around:
        relation, outgoing = relation_from(edge, id)
        found.setdefault((ends[edge.id], relation), Neighbour(held[ends[edge.id]], relation, outgoing, edge))
    return list(found.values())


def contradictions(db: Connection, limit: int) -> list[Contradiction]:
    """Pairs of live nodes that contradict each other, the latest first."""
    found = edges.contradictions(db, limit)
    held = nodes.fetch(db, [id for each in found for id in (each.source_id, each.target_id)])
    return [Contradiction(held[each.source_id], held[each.target_id], each) for each in found]


def resolve_contradiction(db: Connection, keep: int, over: int) -> Node:
    """Keeps one of two nodes: it supersedes the other, and their contradiction ends."""
    nodes.require(db, keep)
    nodes.retire_for(db, over, keep)
    edges.insert(db, keep, over, "supersedes", db.now)
    edges.end_link(db, (keep, over), "contradicts")
    return nodes.require(db, keep)
