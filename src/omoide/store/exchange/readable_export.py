"""Reads a memory for exports to people: Markdown pages of entities and days, and a plain SQLite file of all views."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import closing

import apsw

from omoide.domain import Entity, Node, Relation
from omoide.store.engine.connection import Connection
from omoide.store.entities import entities as things
from omoide.store.records import nodes

DayOf = Callable[[int], str]
"""The local day of a time in microseconds."""
_READABLE = "(NOT :shared OR node.audience = 'shared' AND NOT node.sensitive)"
_WITH_TEXT = "(node.state IN ('live', 'superseded') OR node.id IN (SELECT node_id FROM archived))"


def readable_entities(db: Connection, shared: bool) -> list[tuple[int, str]]:
    """All entities in order; if `shared`, only those that shared memories mention."""
    found = db.execute(
        f"""
        SELECT entity.id, entity.name
        FROM entity
        WHERE
            NOT :shared
            OR EXISTS (
                SELECT 1
                FROM node_entity
                JOIN node ON node.id = node_entity.node_id
                WHERE node_entity.entity_id = entity.id AND {_WITH_TEXT} AND {_READABLE}
            )
        ORDER BY entity.id
        """,
        {"shared": shared},
    )
    return list(found)


def entity_page(db: Connection, entity_id: int, shared: bool) -> tuple[Entity, list[Node], list[Relation]]:
    """An entity, the nodes that mention it ordered by time, and its relations."""
    found = db.execute(
        f"""
        SELECT node.id
        FROM node_entity
        JOIN node ON node.id = node_entity.node_id
        WHERE node_entity.entity_id = :entity AND {_WITH_TEXT} AND {_READABLE}
        ORDER BY node.event_at, node.id
        """,
        {"entity": entity_id, "shared": shared},
    )
    ids = [row[0] for row in found]
    held = nodes.fetch(db, ids)
    return things.get(db, entity_id), [held[id] for id in ids], _readable_relations(db, entity_id, shared)


def _readable_relations(db: Connection, entity_id: int, shared: bool) -> list[Relation]:
    """Relations of an entity; if `shared`, only those based on a shared memory."""
    found = sorted(things.relations(db, [entity_id]), key=lambda each: each.id)
    if not shared:
        return found
    sources = nodes.fetch(db, [each.source_node_id for each in found if each.source_node_id is not None])
    open = {id for id, node in sources.items() if node.audience == "shared" and not node.sensitive}
    return [each for each in found if each.source_node_id in open]


def nodes_by_day(db: Connection, day_of: DayOf, shared: bool) -> dict[str, list[int]]:
    """Node ids by day, ordered by time."""
    found = db.execute(
        f"""
        SELECT node.event_at, node.id
        FROM node
        WHERE node.kind IN ('episode', 'narrative', 'handoff') AND {_WITH_TEXT} AND {_READABLE}
        ORDER BY node.event_at, node.id
        """,
        {"shared": shared},
    )
    days: dict[str, list[int]] = {}
    for at, id in found:
        days.setdefault(day_of(at), []).append(id)
    return days


_INTERNAL_VIEWS = ("indexed_text", "learned")  # used by other views and the index
# Views with the text of nodes: the id column, and the text columns to fill in for archived nodes.
_ARCHIVED_TEXT_COLUMNS = {
    "memories_archive": ("id", ("content",)),
    "nodes": ("rowid", ("content",)),
    "episodes": ("rowid", ("summary", "details")),
    "facts": ("rowid", ("text", "object")),
}
_BATCH = 500


def copy_views(db: Connection, path: str) -> dict[str, int]:
    """Writes every view as a table into an empty file; returns row counts."""
    with closing(apsw.Connection(path)) as out:
        out.execute("PRAGMA journal_mode = DELETE")  # a single file
        with out:
            counts = {name: _copy_view(db, out, name) for name in view_names(db)}
            for name, (id, columns) in _ARCHIVED_TEXT_COLUMNS.items():
                _fill_archived_text(db, out, name, id, columns)
        return counts


def view_names(db: Connection) -> list[str]:
    found = db.execute("SELECT name FROM sqlite_schema WHERE type = 'view' ORDER BY name")
    return [name for (name,) in found if name not in _INTERNAL_VIEWS]


def _copy_view(db: Connection, out: apsw.Connection, name: str) -> int:
    columns = [row[1] for row in db.execute(f"PRAGMA table_info({name})")]
    told = ", ".join(f'"{column}"' for column in columns)
    out.execute(f'CREATE TABLE "{name}" ({told})')
    out.executemany(
        f'INSERT INTO "{name}" ({told}) VALUES ({", ".join("?" for _ in columns)})',
        db.execute(f'SELECT {told} FROM "{name}"'),
    )
    return int(out.execute(f'SELECT count(*) FROM "{name}"').get)


def _fill_archived_text(db: Connection, out: apsw.Connection, name: str, id: str, columns: tuple[str, ...]) -> None:
    """Fills in the text of archived nodes, which views do not contain."""
    ids = [row[0] for row in db.execute("SELECT node_id FROM archived ORDER BY node_id")]
    for start in range(0, len(ids), _BATCH):
        for node in nodes.fetch(db, ids[start : start + _BATCH]).values():
            details = node.details if isinstance(node.details, str) else json.dumps(node.details, ensure_ascii=False)
            for column in columns:
                words = details if column == "details" and node.details is not None else node.text
                out.execute(
                    f'UPDATE "{name}" SET "{column}" = ? WHERE "{id}" = ? AND coalesce("{column}", \'\') = \'\'',
                    (words, node.id),
                )
