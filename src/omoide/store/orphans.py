"""What nothing holds any more: entities that nobody speaks of, links whose time is long over."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

import apsw

from omoide.text import match_expression


@dataclass(frozen=True, slots=True)
class Orphan:
    """An entity, or a link, that may go."""

    id: int
    name: str


def told(db: apsw.Connection, entity_id: int, now: int) -> None:
    """Somebody wrote this entity by hand: it stays, whether or not anything speaks of it."""
    db.execute(
        """
        INSERT INTO entity_change (entity_id, at, verb)
        SELECT :id, :now, 'told'
        WHERE NOT EXISTS (SELECT 1 FROM entity_change WHERE entity_id = :id AND verb = 'told')
        """,
        {"id": entity_id, "now": now},
    )


def entities(
    db: apsw.Connection, before: int, after: int, limit: int, among: Sequence[int] | None = None
) -> list[Orphan]:
    """Entities that learning made, that no node, relation or session holds, that nobody described, merged or told,
    not mentioned since a time, and whose name stands in no text."""
    which = "" if among is None else "AND entity.id IN (SELECT value FROM json_each(:among))"
    found = db.execute(
        f"""
        SELECT entity.id, entity.name
        FROM entity
        WHERE
            entity.id > :after AND entity.last_referenced_at < :before
            AND entity.description IS NULL AND entity.summary IS NULL AND entity.attributes = '{{}}'
            AND NOT EXISTS (SELECT 1 FROM node_entity WHERE node_entity.entity_id = entity.id)
            AND NOT EXISTS (SELECT 1 FROM relation WHERE relation.source_id = entity.id)
            AND NOT EXISTS (SELECT 1 FROM relation WHERE relation.target_id = entity.id)
            AND NOT EXISTS (SELECT 1 FROM session WHERE session.user_id = entity.id)
            AND NOT EXISTS (SELECT 1 FROM entity_change WHERE entity_change.entity_id = entity.id)
            {which}
        ORDER BY entity.id
        LIMIT :limit
        """,
        {"after": after, "before": before, "limit": limit}
        | ({} if among is None else {"among": json.dumps(list(among))}),
    )
    return [Orphan(id, name) for id, name in found if not _named(db, id)]


def links(db: apsw.Connection, before: int, after: int, limit: int, among: Sequence[int] | None = None) -> list[Orphan]:
    """Links that use or likeness made and whose validity ended before a time. What was said, caused, learned or
    replaced is history and stays; so does what carries a reason."""
    which = "" if among is None else "AND edge.id IN (SELECT value FROM json_each(:among))"
    found = db.execute(
        f"""
        SELECT edge.id, edge.type || ' [id:' || edge.source_id || '] [id:' || edge.target_id || ']'
        FROM edge
        WHERE
            edge.id > :after AND edge.valid_until IS NOT NULL AND edge.valid_until < :before
            AND edge.type IN ('recalled_with', 'related_to', 'entity')
            AND edge.predicate IS NULL AND edge.evidence = '[]'
            {which}
        ORDER BY edge.id
        LIMIT :limit
        """,
        {"after": after, "before": before, "limit": limit}
        | ({} if among is None else {"among": json.dumps(list(among))}),
    )
    return [Orphan(*row) for row in found]


def drop_entities(db: apsw.Connection, ids: Sequence[int]) -> None:
    db.executemany("DELETE FROM entity WHERE id = ?", [(id,) for id in ids])


def drop_links(db: apsw.Connection, ids: Sequence[int]) -> None:
    db.executemany("DELETE FROM edge WHERE id = ?", [(id,) for id in ids])


def _named(db: apsw.Connection, id: int) -> bool:
    """Whether one of its names stands in a text, live or archived."""
    names = [row[0] for row in db.execute("SELECT name FROM entity_name WHERE entity_id = ?", (id,))]
    asked = match_expression([], names)
    if asked is None:
        return True  # a name that full text has no word for cannot be looked up: it stays
    return any(
        db.execute(f"SELECT EXISTS (SELECT 1 FROM {index} WHERE {index} MATCH ?)", (asked,)).get
        for index in ("nodes_fts", "archive_fts")
    )
