"""Merging and splitting entities by hand: nothing is lost, and what was done is in the entity's history."""

from __future__ import annotations

import json
from collections.abc import Mapping

import apsw

from omoide.errors import InvalidInput
from omoide.ids import Ids
from omoide.layers import Entity
from omoide.layers.entity import name_key
from omoide.store import entities, rows
from omoide.store.entities import Profile
from omoide.text import match_expression


def merge(db: apsw.Connection, name: str, into: str, now: int) -> Entity:
    """Two names, one thing: everything that was said of the first is now said of the second."""
    gone, kept = entities.require(db, name), entities.require(db, into)
    if gone.id == kept.id:
        raise InvalidInput(f"{name!r} and {into!r} are the same entity already")
    links = [row[0] for row in db.execute("SELECT node_id FROM node_entity WHERE entity_id = ?", (gone.id,))]
    before = {"name": gone.name, "type": gone.type, "aliases": list(gone.aliases), "nodes": links}
    for statement in _MOVES:
        db.execute(statement, {"gone": gone.id, "kept": kept.id})
    db.execute(
        """
        UPDATE entity
        SET
            mention_count = mention_count + :mentions,
            importance = max(importance, :importance),
            first_seen_at = min(first_seen_at, (SELECT first_seen_at FROM entity WHERE id = :gone)),
            last_referenced_at = max(last_referenced_at, (SELECT last_referenced_at FROM entity WHERE id = :gone)),
            description = coalesce(description, (SELECT description FROM entity WHERE id = :gone)),
            summary = coalesce(summary, (SELECT summary FROM entity WHERE id = :gone)),
            updated_at = :now
        WHERE id = :kept
        """,
        {
            "mentions": gone.mention_count,
            "importance": gone.importance,
            "gone": gone.id,
            "kept": kept.id,
            "now": now,
        },
    )
    db.execute("DELETE FROM entity WHERE id = ?", (gone.id,))
    # A name that changed hands is no new row: whoever holds the names in memory must read them all again.
    db.execute("UPDATE counter SET value = value + 1 WHERE name = 'entities'")
    note(db, kept.id, now, "merge", before)
    return entities.get(db, kept.id)


# What would stand twice is left behind and goes with the entity.
_MOVES = (
    "UPDATE OR IGNORE node_entity SET entity_id = :kept WHERE entity_id = :gone",
    "UPDATE OR IGNORE entity_name SET entity_id = :kept, is_alias = 1 WHERE entity_id = :gone",
    "UPDATE OR IGNORE relation SET source_id = :kept WHERE source_id = :gone AND target_id <> :kept",
    "UPDATE OR IGNORE relation SET target_id = :kept WHERE target_id = :gone AND source_id <> :kept",
    "UPDATE session SET user_id = :kept WHERE user_id = :gone",
    "UPDATE entity_change SET entity_id = :kept WHERE entity_id = :gone",
)


def split(db: apsw.Connection, name: str, alias: str, type: str | None, now: int, ids: Ids) -> Entity:
    """One name, two things: the alias becomes an entity of its own, with the memories that call it so."""
    whole = entities.require(db, name)
    if name_key(alias) not in {name_key(each) for each in whole.aliases}:
        known = ", ".join(whole.aliases) or "none"
        raise InvalidInput(f"{whole.name!r} has no alias {alias!r}; its aliases are {known}")
    db.execute("DELETE FROM entity_name WHERE entity_id = ? AND key = ?", (whole.id, name_key(alias)))
    new = entities.save(db, Profile(name=alias, type=type or whole.type), now, ids)
    called_so = match_expression([], [alias])
    moved = [
        row[0]
        for row in db.execute(
            """
            SELECT node_id
            FROM node_entity
            WHERE
                entity_id = :entity
                AND node_id IN (SELECT rowid FROM nodes_fts WHERE nodes_fts MATCH :expression)
                AND node_id NOT IN (SELECT rowid FROM nodes_fts WHERE nodes_fts MATCH :whole)
            """,
            {"entity": whole.id, "expression": called_so, "whole": match_expression([], [whole.name])},
        )
    ]
    for node_id in moved:
        db.execute("DELETE FROM node_entity WHERE node_id = ? AND entity_id = ?", (node_id, whole.id))
        db.execute(
            "INSERT INTO node_entity (node_id, entity_id) VALUES (?, ?) ON CONFLICT DO NOTHING", (node_id, new.id)
        )
    db.execute("UPDATE entity SET mention_count = max(1, ?) WHERE id = ?", (len(moved), new.id))
    note(db, whole.id, now, "split", {"alias": alias, "into": new.id, "nodes": moved})
    return entities.get(db, new.id)


def note(db: apsw.Connection, id: int, now: int, verb: str, before: Mapping[str, object]) -> None:
    db.execute(
        "INSERT INTO entity_change (entity_id, at, verb, before) VALUES (?, ?, ?, ?)",
        (id, now, verb, rows.dump(dict(before))),
    )


def changes(db: apsw.Connection, id: int) -> list[tuple[int, str, dict[str, object]]]:
    """(when, what, what stood there before), oldest first."""
    found = db.execute("SELECT at, verb, before FROM entity_change WHERE entity_id = ? ORDER BY id", (id,))
    return [(at, verb, json.loads(before)) for at, verb, before in found]
