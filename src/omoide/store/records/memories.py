"""Operations on memories that involve several tables: a node with its links, its names and its archive."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from omoide.domain import Draft, Edge, Node
from omoide.domain.edge import Contradiction, Neighbour, relation_from
from omoide.errors import Conflict, NotFound
from omoide.store.ageing import archive
from omoide.store.ageing.archive import ArchiveRequest
from omoide.store.engine.connection import Connection
from omoide.store.entities import names
from omoide.store.erasure import erase
from omoide.store.erasure.tombstones import TombstoneGuard
from omoide.store.records import edges, node_queries, nodes, rows
from omoide.store.records.nodes import TextChange
from omoide.store.records.rows import NodeRow
from omoide.store.search import node_filter, vectors
from omoide.store.search.node_filter import NodeFilter


def fetch(db: Connection, ids: Iterable[int], as_of: int | None = None) -> dict[int, Node]:
    """The nodes that exist among these ids; with `as_of`, as they were believed at that time."""
    return nodes.fetch(db, ids) if as_of is None else node_queries.fetch_as_of(db, ids, as_of)


def fetch_readable(db: Connection, ids: Sequence[int], keep: NodeFilter) -> dict[int, Node]:
    """The nodes that pass a filter, by the ids they were found under.

    A superseded node is replaced by its latest version. With `as_of`, each node has the text of that time.
    """
    if keep.as_of is None:
        return {id: row.record for id, row in read_rows(db, ids, keep).items()}
    found = node_queries.fetch_as_of(db, ids, keep.as_of)
    allowed = set(node_filter.passing(db, list(found), keep))
    return {id: node for id, node in found.items() if id in allowed}


def read_rows(db: Connection, ids: Sequence[int], keep: NodeFilter) -> dict[int, NodeRow]:
    """The current rows of the nodes that pass a filter, by the ids they were found under, as `fetch_readable`."""
    found = _rows_passing(db, ids, keep)
    latest = {id: nodes.latest_version(db, id) for id, (_, state) in found.items() if state == "superseded"}
    successors = _rows_passing(db, list(latest.values()), keep) if latest else {}
    found |= {id: successors[end] for id, end in latest.items() if end in successors}
    return {id: row for id, (row, _) in found.items() if row is not None}


def _rows_passing(db: Connection, ids: Sequence[int], keep: NodeFilter) -> dict[int, tuple[NodeRow | None, str]]:
    """Row and state of each node that exists; None for the row if the node does not pass the filter."""
    clause, values = keep.clause()
    found = list(
        db.execute(
            rows.SELECT.replace("FROM node", f", ({clause}) FROM node", 1)
            + "WHERE node.id IN (SELECT value FROM json_each(:ids))",
            values | {"ids": ids},
        )
    )
    read = archive.with_archived_text(db, found)
    return {row[0]: (NodeRow(row) if row[-1] else None, row[rows.STATE_COLUMN]) for row in read}


def remember(db: Connection, draft: Draft, sources: Sequence[int]) -> Node:
    """Stores a node that is no statement, with links to its sources."""
    node = nodes.insert(db, [draft])[0]
    if node.state != "erased":
        link_sources(db, node.id, sources)
    return node


def link_sources(db: Connection, node: int, sources: Sequence[int]) -> None:
    """Links a node to the nodes that somebody says it comes from."""
    for source in sources:
        nodes.require(db, source)
    edges.insert_many(db, [(node, source, "derived_from") for source in sources], db.now)


def supersede(db: Connection, old: int, draft: Draft, until: int | None = None) -> Node:
    """Replaces a node. A correction of a person's name also renames the person."""
    node = nodes.supersede(db, old, draft, until)
    names.apply_name_correction(db, node.id)
    return nodes.require(db, node.id)


def insert_version(db: Connection, old: int | None, draft: Draft) -> Node:
    """Stores a node, as the successor of `old` if that is live. A draft that was erased on request stays erased."""
    guard = TombstoneGuard(db, db.now, brought=True)
    if old is None or nodes.require(db, old).state != "live" or guard.refuses(draft) is not None:
        return nodes.insert(db, [draft], guard)[0]
    return nodes.supersede(db, old, draft, guard=guard)


def insert_with_sources(db: Connection, draft: Draft, sources: Sequence[int]) -> Node:
    """Stores a summary with links to those of its sources that still exist."""
    node = nodes.insert(db, [draft])[0]
    held = nodes.fetch(db, sources)
    edges.insert_many(db, [(node.id, id, "derived_from") for id in sources if id in held], db.now)
    return node


def record_accesses(
    db: Connection, counts: Mapping[int, int], last: Mapping[int, int], pairs: Mapping[tuple[int, int], int]
) -> None:
    """Counts recalled nodes, with the time of the last recall, and links those that were recalled together."""
    nodes.count_accesses(db, counts, last)
    edges.link_recalled_together(db, pairs)


def archive_node(db: Connection, id: int, reason: str, withdraw: bool) -> Node:
    """Archives a live node on request; with `withdraw` it is no longer searched."""
    state = nodes.require(db, id).state
    if state != "live":
        raise Conflict(f"memory {id} is already {state}")
    archive.archive_nodes(db, [ArchiveRequest(id, reason, "withdrawn" if withdraw else "archived")], db.now)
    return nodes.require(db, id)


def unarchive_node(db: Connection, id: int) -> Node:
    """Makes an archived or withdrawn node live again."""
    before = nodes.require(db, id)
    if before.state not in ("archived", "withdrawn"):
        raise Conflict(f"memory {id} is {before.state}; only archived and withdrawn memories can be unarchived")
    name = before.attributes.get("name") if before.kind == "preference" else None
    held = nodes.find_preference(db, before.attributes["category"], name) if name else None
    if held is not None:
        raise Conflict(f"node {held.id} is the live preference {name!r} now; archive it first")
    if not archive.restore_node(db, id):
        raise Conflict(f"the text of memory {id} was deleted by a retention policy; it cannot be restored")
    vectors.enqueue_without_vector(db, id)
    return nodes.require(db, id)


def hide_earlier(db: Connection, id: int) -> list[int]:
    """Makes private what a turn says to keep private: the user's turn before it in its session, what was said since,
    and what was made from them. Returns the ids that were shared."""
    found = db.column(
        """
        WITH RECURSIVE
            asked AS (SELECT id, session_id FROM node WHERE id = :id),
            said (id) AS (
                SELECT node.id
                FROM node, asked
                WHERE
                    node.session_id = asked.session_id
                    AND node.kind = 'episode'
                    AND node.id < asked.id
                    AND node.id >= (
                        SELECT max(before.id)
                        FROM node AS before
                        WHERE before.session_id = asked.session_id AND before.id < asked.id AND before.role = 'user'
                    )
                UNION
                SELECT edge.source_id
                FROM said
                JOIN edge ON edge.target_id = said.id AND edge.type = 'derived_from'
            )
        SELECT node.id FROM said JOIN node ON node.id = said.id WHERE node.audience = 'shared' ORDER BY node.id
        """,
        {"id": id},
    )
    for each in found:
        nodes.update(db, each, TextChange(), {"audience": "private"})
    return found


# Links as a user sees them: setting and removing them, what a node is linked to, contradictions.


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
        raise Conflict(f"node {source} cannot be linked to itself")
    if type == "supersedes":
        nodes.retire_for(db, target, source)
    ends = (source, target)
    return edges.upsert(db, ends, type, predicate=predicate, weight=weight, confidence=confidence, evidence=evidence)


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
