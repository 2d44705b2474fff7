"""Finds duplicates and merges two nodes into one."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from omoide.domain import Node
from omoide.domain.duplicates import may_be_duplicates, merged_attributes, normalize_wording
from omoide.language.text import index_text
from omoide.store.engine.connection import Connection
from omoide.store.records import edges, nodes, rows

DEDUPLICATED_KINDS = ("fact", "opinion", "note", "pattern", "antipattern", "preference", "procedure")
_IS_DEDUPLICATED = f"node.kind <> 'episode' AND node.kind IN {DEDUPLICATED_KINDS}"
# Edge types that follow from what a node says; temporal, usage and history edges stay with their node.
_CARRIED_EDGE_TYPES = ("derived_from", "contradicts", "related_to", "elaborates", "example_of", "causal", "entity")


@dataclass(frozen=True, slots=True)
class ComparedNodes:
    """Nodes to compare, their number of sources, and which pairs contradict each other."""

    nodes: dict[int, Node]
    sources: dict[int, int]
    against: frozenset[frozenset[int]]


def same_text_groups(db: Connection) -> list[list[int]]:
    """Groups of live learned nodes of one kind with the same normalised text."""
    groups: dict[bytes, list[int]] = defaultdict(list)
    for id, kind, text in db.execute(
        f"SELECT id, kind, text FROM node WHERE state = 'live' AND {_IS_DEDUPLICATED} ORDER BY id"
    ):
        groups[hashlib.blake2b(f"{kind} {normalize_wording(text)}".encode(), digest_size=16).digest()].append(id)
    return [ids for ids in groups.values() if len(ids) > 1]


def new_vectors(db: Connection, model_id: int, after: int, limit: int) -> list[tuple[int, int]]:
    """(vector, node) of live learned nodes whose vector is newer than a position, in order."""
    found = db.execute(
        f"""
        SELECT vector.id, node.id
        FROM vector
        JOIN node ON node.id = vector.node_id
        WHERE vector.id > :after AND vector.model_id = :model AND node.state = 'live' AND {_IS_DEDUPLICATED}
        ORDER BY vector.id
        LIMIT :limit
        """,
        {"after": after, "model": model_id, "limit": limit},
    )
    return list(found)


def may_have_duplicate(db: Connection, ids: Sequence[int]) -> list[int]:
    """Those of the nodes that may have a duplicate."""
    return db.column(
        f"""
        SELECT id
        FROM node
        WHERE state = 'live' AND {_IS_DEDUPLICATED} AND id IN (SELECT value FROM json_each(?))
        ORDER BY id
        """,
        (ids,),
    )


def compare(db: Connection, ids: Sequence[int]) -> ComparedNodes:

    sources = db.execute(
        """
        SELECT source_id, count(*)
        FROM edge
        WHERE type = 'derived_from' AND source_id IN (SELECT value FROM json_each(?))
        GROUP BY source_id
        """,
        (ids,),
    )
    against = db.execute(
        """
        SELECT source_id, target_id
        FROM edge
        WHERE
            type = 'contradicts'
            AND source_id IN (SELECT value FROM json_each(:ids)) AND target_id IN (SELECT value FROM json_each(:ids))
        """,
        {"ids": ids},
    )
    return ComparedNodes(nodes.fetch(db, ids), dict(sources), frozenset(frozenset(pair) for pair in against))


def merge_duplicates(db: Connection, kept: int, other: int, now: int) -> bool:
    """Moves sources, links and counts to the kept node, which supersedes the other. False if they changed meanwhile."""
    found = nodes.fetch(db, [kept, other])
    if len(found) < 2 or not may_be_duplicates(found[kept], found[other]):
        return False
    _carry_edges(db, kept, other)
    _merge_values(db, found[kept], found[other], now)
    nodes.retire(db, other, "superseded", now)
    edges.insert(db, kept, other, "supersedes", now)
    return True


def _carry_edges(db: Connection, kept: int, other: int) -> None:
    columns = "predicate, weight, confidence, valid_from, valid_until, evidence, created_at"
    ways = ((":kept, target_id", "source_id", "target_id"), ("source_id, :kept", "target_id", "source_id"))
    for ends, mine, theirs in ways:
        db.execute(
            f"""
            INSERT INTO edge (source_id, target_id, type, {columns})
            SELECT {ends}, type, {columns}
            FROM edge
            WHERE {mine} = :gone AND {theirs} <> :kept AND type IN {_CARRIED_EDGE_TYPES}
            ON CONFLICT DO NOTHING
            """,
            {"kept": kept, "gone": other},
        )
    db.execute(
        """
        INSERT INTO node_entity (node_id, entity_id)
        SELECT :kept, entity_id
        FROM node_entity
        WHERE node_id = :gone
        ON CONFLICT DO NOTHING
        """,
        {"kept": kept, "gone": other},
    )


def _merge_values(db: Connection, kept: Node, other: Node, now: int) -> None:
    """Combines the values: the higher confidence and importance, the slower decay, the tags of both."""
    tags = rows.to_json(list(dict.fromkeys((*kept.tags, *other.tags)))) if kept.tags or other.tags else None
    db.execute(
        """
        UPDATE node
        SET
            confidence = max(node.confidence, other.confidence),
            importance = max(node.importance, other.importance),
            score = node.score + other.score,
            access_count = node.access_count + other.access_count,
            decay_rate = min(node.decay_rate, other.decay_rate),
            last_accessed_at = nullif(max(coalesce(node.last_accessed_at, 0), coalesce(other.last_accessed_at, 0)), 0),
            last_hit_at = nullif(max(coalesce(node.last_hit_at, 0), coalesce(other.last_hit_at, 0)), 0),
            confirmed_at = nullif(max(coalesce(node.confirmed_at, 0), coalesce(other.confirmed_at, 0)), 0),
            user_confirmed_at = coalesce(node.user_confirmed_at, other.user_confirmed_at),
            valid_from = min(coalesce(node.valid_from, other.valid_from), coalesce(other.valid_from, node.valid_from)),
            attributes = :attributes,
            tags = :tags,
            folded_tags = :folded,
            updated_at = :now
        FROM (SELECT * FROM node WHERE id = :gone) AS other
        WHERE node.id = :kept
        """,
        {
            "kept": kept.id,
            "gone": other.id,
            "now": now,
            "attributes": rows.to_json(merged_attributes(kept, other) or None),
            "tags": tags,
            "folded": index_text(tags) if tags else None,
        },
    )
    before = {
        "confidence": kept.confidence,
        "importance": kept.importance,
        "score": kept.score,
        "access_count": kept.access_count,
        "decay_rate": kept.decay_rate,
        "attributes": nodes.to_json_value(kept.attributes),
        "tags": list(kept.tags),
    }
    nodes.record_change(db, kept.id, "merged", now, before)
