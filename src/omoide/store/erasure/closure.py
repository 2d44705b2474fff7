"""Finds the nodes to erase: those a target names and everything derived only from them."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Iterable

from omoide.domain import Node
from omoide.domain.entity import name_key
from omoide.language.text import match_expression, search_terms
from omoide.store.engine.connection import Connection
from omoide.store.entities import entities, mentions
from omoide.store.erasure.erased_words import is_said_by_node
from omoide.store.erasure.receipts import ErasureClosure, ErasureTarget, WeakenedNode
from omoide.store.records import nodes, sessions


def find_targets(db: Connection, target: ErasureTarget, known: frozenset[int] = frozenset()) -> frozenset[int]:
    """The nodes that a target names; those that are `known` need not be read.

    Raises NotFound for an unknown session, entity or id.
    """
    if target.session is not None:
        sessions.require(db, target.session)
        return _nodes_where(db, "session_id = (SELECT id FROM session WHERE name = :it)", target.session)
    if target.origin is not None:
        return _nodes_where(db, "origin = :it", target.origin)
    if target.before is not None:
        return _nodes_where(db, "event_at < :it", target.before)
    if target.entity is not None:
        return _nodes_about_entity(db, entities.require_whole_name(db, target.entity).id, known)
    for id in target.ids:
        nodes.require(db, id)
    return frozenset(target.ids)


def _nodes_where(db: Connection, condition: str, value: object) -> frozenset[int]:
    """Nodes that meet the condition, without those derived from them: they may have other evidence."""
    found = db.column(
        f"""
        WITH met AS (SELECT id FROM node WHERE {condition})
        SELECT id
        FROM met
        WHERE NOT EXISTS (
            SELECT 1
            FROM edge
            WHERE edge.source_id = met.id AND edge.type = 'derived_from' AND edge.target_id IN (SELECT id FROM met)
        )
        """,
        {"it": value},
    )
    return frozenset(found)


def _nodes_about_entity(db: Connection, entity_id: int, known: frozenset[int]) -> frozenset[int]:
    """Nodes linked to an entity, facts about it, and texts with a name that only this entity has."""
    found = set(db.column("SELECT node_id FROM node_entity WHERE entity_id = ?", (entity_id,)))
    for key, name in list(db.execute("SELECT key, name FROM entity_name WHERE entity_id = ?", (entity_id,))):
        if db.execute("SELECT count(*) FROM entity_name WHERE key = ?", (key,)).get == 1:
            found |= _nodes_naming(db, name, known)
        found.update(db.column("SELECT id FROM node WHERE kind = 'fact' AND attributes ->> 'subject' = ?", (name,)))
    return frozenset(found)


def _nodes_naming(db: Connection, name: str, known: frozenset[int]) -> set[int]:
    expression = match_expression([], [name])
    if not expression:
        return set()
    found = db.column("SELECT rowid FROM nodes_fts WHERE nodes_fts MATCH ?", (expression,))
    held = nodes.fetch(db, [id for id in found if id not in known])
    key = name_key(name)  # the index contains stems: "Annas" is someone else
    return {
        node.id
        for node in held.values()
        if mentions.name_occurs(db, key, name_key(" . ".join((node.text, node.speaker or "", *node.tags))))
    }


def find_closure(db: Connection, named: Collection[int]) -> ErasureClosure:
    """Adds everything derived only from these nodes; what has other evidence is weakened, not erased."""
    gone = set(named)
    newly_gone = set(gone)
    weakened: set[int] = set()
    while newly_gone:
        affected = (_derived_nodes(db, newly_gone) | weakened) - gone
        evidence = _evidence_of(db, affected)
        newly_gone = {id for id in affected if not evidence[id] - gone}
        weakened = affected - newly_gone
        gone |= newly_gone
    weakened |= _summaries_of_summaries(db, weakened) - gone
    held = nodes.fetch(db, weakened)
    return ErasureClosure(
        frozenset(gone), tuple(WeakenedNode(held[id], _quotes_of(db, id, gone)) for id in sorted(weakened))
    )


def _summaries_of_summaries(db: Connection, ids: Collection[int]) -> set[int]:
    """Summaries of these summaries: a weekly summary repeats its daily summaries."""
    found = db.column(
        """
        WITH RECURSIVE summary (id) AS (
            SELECT node.id
            FROM node
            WHERE
                node.id IN (SELECT value FROM json_each(?))
                AND node.kind = 'episode' AND node.attributes ->> 'compression' IS NOT NULL
            UNION
            SELECT node.id
            FROM summary
            JOIN edge ON edge.target_id = summary.id AND edge.type = 'derived_from'
            JOIN node ON node.id = edge.source_id
            WHERE node.kind = 'episode' AND node.attributes ->> 'compression' IS NOT NULL
        )
        SELECT id FROM summary
        """,
        (ids,),
    )
    return set(found)


def _derived_nodes(db: Connection, ids: Iterable[int]) -> set[int]:
    """Nodes based on some nodes: by evidence, as their narrative, or as a correction of them."""
    found = db.column(
        """
        WITH source (id) AS (SELECT value FROM json_each(?))
        SELECT edge.source_id FROM edge JOIN source ON edge.target_id = source.id WHERE edge.type = 'derived_from'
        UNION
        SELECT node.narrative_id FROM node JOIN source ON node.id = source.id WHERE node.narrative_id IS NOT NULL
        UNION
        SELECT edge.source_id
        FROM edge
        JOIN source ON edge.target_id = source.id
        JOIN node ON node.id = edge.source_id
        WHERE
            edge.type = 'supersedes' AND node.source_type = 'corrected'
            AND EXISTS (SELECT 1 FROM edge AS own WHERE own.source_id = node.id AND own.type = 'derived_from')
        """,
        (ids,),
    )
    return set(found)


def _evidence_of(db: Connection, ids: Collection[int]) -> dict[int, set[int]]:
    """The sources of each node."""
    evidence: dict[int, set[int]] = defaultdict(set)
    for id, source in db.execute(
        """
        WITH made (id) AS (SELECT value FROM json_each(?))
        SELECT edge.source_id, edge.target_id
        FROM edge
        JOIN made ON edge.source_id = made.id
        WHERE edge.type = 'derived_from'
        UNION
        SELECT node.narrative_id, node.id FROM node JOIN made ON node.narrative_id = made.id
        """,
        (ids,),
    ):
        evidence[id].add(source)
    return {id: evidence[id] for id in ids}


def _quotes_of(db: Connection, id: int, gone: Collection[int]) -> tuple[tuple[int, str], ...]:
    """(source, quote) of the sources that are not gone."""
    found = db.execute(
        """
        SELECT target_id, evidence FROM edge WHERE source_id = :id AND type = 'derived_from'
        UNION ALL
        SELECT node.id, '[]' FROM node WHERE node.narrative_id = :id
        ORDER BY 1
        """,
        {"id": id},
    )
    return tuple(
        (source, " … ".join(map(str, json.loads(evidence)))) for source, evidence in found if source not in gone
    )


def words_said_only_by(db: Connection, words: Iterable[str], ids: Collection[int]) -> frozenset[str]:
    """The words that occur in no other node, live or archived."""
    return frozenset(word for word in words if not is_said_by_node(db, word, ids))


_RARE_WORD = 50  # memories; a word that more of them contain says nothing about what was meant


def still_containing(db: Connection, query: str) -> list[Node]:
    """The memories that contain a rare word of a query."""
    found: set[int] = set()
    for word in search_terms(query):
        if expression := match_expression([], [word]):
            held = db.column(
                "SELECT rowid FROM nodes_fts WHERE nodes_fts MATCH ? LIMIT ?", (expression, _RARE_WORD + 1)
            )
            found |= set(held) if len(held) <= _RARE_WORD else set()
    return list(nodes.fetch(db, sorted(found)).values())


def sources_of(db: Connection, ids: Collection[int]) -> frozenset[int]:
    """The nodes that some nodes were learned from."""
    found = db.column(
        """
        SELECT target_id
        FROM edge
        WHERE type = 'derived_from' AND source_id IN (SELECT value FROM json_each(?))
        """,
        (ids,),
    )
    return frozenset(found)
