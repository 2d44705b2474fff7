"""Merging and splitting entities by hand: nothing is lost, and what was done is in the entity's history."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import apsw

from omoide.clock import moment
from omoide.errors import InvalidInput
from omoide.history import Became
from omoide.ids import Ids
from omoide.layers import Entity
from omoide.layers.entity import name_key
from omoide.store import called, entities, rows, spoken, undo
from omoide.store.entities import Profile


@dataclass(frozen=True, slots=True)
class Merged:
    """Two that are one now, and the line of history under which all that moved is written down."""

    change: int
    gone: Entity
    before: Entity  # the one that stays, as it was
    kept: Entity


def merge(db: apsw.Connection, name: str, into: str, now: int) -> Merged:
    """Two names, one thing: everything that was said of the first is now said of the second."""
    gone, kept = entities.require(db, name), entities.require(db, into)
    if gone.id == kept.id:
        raise InvalidInput(f"{name!r} and {into!r} are the same entity already")
    change = note(db, kept.id, now, "merge", _record(db, gone, kept))
    for statement in (*_WRITTEN_DOWN, *_MOVES):
        db.execute(statement, {"change": change, "gone": gone.id, "kept": kept.id, "now": now})
    db.execute("DELETE FROM entity WHERE id = ?", (gone.id,))
    spoken.recount(db, kept.id)
    # A name that changed hands is no new row: whoever holds the names in memory must read them all again.
    db.execute("UPDATE counter SET value = value + 1 WHERE name = 'entities'")
    return Merged(change, gone, kept, entities.get(db, kept.id))


def _record(db: apsw.Connection, gone: Entity, kept: Entity) -> dict[str, Any]:
    """Both as they were, and how far the file went: what comes later is told apart by its words."""
    return {
        "name": gone.name,
        "type": gone.type,
        "aliases": list(gone.aliases),
        "entity": undo.row(db, "entity", gone.id),
        "kept": undo.row(db, "entity", kept.id),
        "upto": {table: db.execute(f"SELECT coalesce(max(id), 0) FROM {table}").get for table in undo.COUNTED},
    }


# The twin of a relation: the same of the other entity, which it cannot stand beside.
_TWIN = """
    SELECT twin.id
    FROM relation AS twin
    WHERE
        twin.type = relation.type
        AND twin.source_id = iif(relation.source_id = :gone, :kept, relation.source_id)
        AND twin.target_id = iif(relation.target_id = :gone, :kept, relation.target_id)
"""
_ALONE = f":kept NOT IN (relation.source_id, relation.target_id) AND NOT EXISTS ({_TWIN})"
_WRITTEN_DOWN = (
    """
    INSERT INTO moved (change_id, what, ref)
    SELECT
        :change,
        iif(node_id IN (SELECT node_id FROM node_entity WHERE entity_id = :kept), 'shared', 'node'),
        node_id
    FROM node_entity
    WHERE entity_id = :gone
    """,
    """
    INSERT INTO moved (change_id, what, ref, was)
    SELECT
        :change, 'name', 0,
        json_object(
            'key', key, 'name', name, 'is_alias', is_alias,
            'shared', key IN (SELECT key FROM entity_name WHERE entity_id = :kept)
        )
    FROM entity_name
    WHERE entity_id = :gone
    """,
    f"""
    INSERT INTO moved (change_id, what, ref)
    SELECT :change, iif(source_id = :gone, 'source', 'target'), id
    FROM relation
    WHERE :gone IN (source_id, target_id) AND {_ALONE}
    """,
    f"""
    INSERT INTO moved (change_id, what, ref, was)
    SELECT :change, 'relation', id, {undo.AS_JSON}
    FROM relation
    WHERE :gone IN (source_id, target_id) AND NOT ({_ALONE})
    """,
    # A relation that still holds of one holds of both.
    f"""
    INSERT INTO moved (change_id, what, ref, was)
    SELECT :change, 'ended', ended.id, json_object('valid_until', ended.valid_until, 'updated_at', ended.updated_at)
    FROM relation
    JOIN relation AS ended ON ended.id = ({_TWIN})
    WHERE
        :gone IN (relation.source_id, relation.target_id)
        AND relation.valid_until IS NULL AND ended.valid_until IS NOT NULL
    """,
    """
    UPDATE relation
    SET valid_until = NULL, updated_at = :now
    WHERE id IN (SELECT ref FROM moved WHERE change_id = :change AND what = 'ended')
    """,
    "INSERT INTO moved (change_id, what, ref) SELECT :change, 'session', id FROM session WHERE user_id = :gone",
    "INSERT INTO moved (change_id, what, ref) SELECT :change, 'change', id FROM entity_change WHERE entity_id = :gone",
)
# What would stand twice is left behind and goes with the entity.
_MOVES = (
    "UPDATE OR IGNORE node_entity SET entity_id = :kept WHERE entity_id = :gone",
    "UPDATE OR IGNORE entity_name SET entity_id = :kept, is_alias = 1 WHERE entity_id = :gone",
    "UPDATE OR IGNORE relation SET source_id = :kept WHERE source_id = :gone AND target_id <> :kept",
    "UPDATE OR IGNORE relation SET target_id = :kept WHERE target_id = :gone AND source_id <> :kept",
    "UPDATE session SET user_id = :kept WHERE user_id = :gone",
    "UPDATE entity_change SET entity_id = :kept WHERE entity_id = :gone",
    # A summary that was made of facts is made anew of the facts of both; one that somebody wrote is kept.
    """
    UPDATE entity
    SET
        by_hand = entity.by_hand + gone.by_hand,
        importance = iif(
            gone.importance_given AND entity.importance_given, max(entity.importance, gone.importance),
            iif(gone.importance_given, gone.importance, entity.importance)
        ),
        importance_given = entity.importance_given OR gone.importance_given,
        first_seen_at = min(entity.first_seen_at, gone.first_seen_at),
        last_referenced_at = max(entity.last_referenced_at, gone.last_referenced_at),
        description = coalesce(entity.description, gone.description),
        summary = coalesce(entity.summary, iif(gone.attributes ->> 'summary_of' IS NULL, gone.summary, NULL)),
        updated_at = :now
    FROM (SELECT * FROM entity WHERE id = :gone) AS gone
    WHERE entity.id = :kept
    """,
)


def split(db: apsw.Connection, name: str, alias: str, type: str | None, now: int, ids: Ids) -> Entity:
    """One name, two things: the alias becomes an entity of its own, with what was said of it before it was merged, and
    whatever else calls it so."""
    whole = entities.require(db, name)
    if name_key(alias) not in {name_key(each) for each in whole.aliases}:
        known = ", ".join(whole.aliases) or "none"
        raise InvalidInput(f"{whole.name!r} has no alias {alias!r}; its aliases are {known}")
    merged = undo.find(db, whole.id, alias)
    if merged is not None:
        new = undo.undo(db, merged, whole, type, now)
        upto = merged.upto
    else:
        db.execute("DELETE FROM entity_name WHERE entity_id = ? AND key = ?", (whole.id, name_key(alias)))
        new = entities.save(db, Profile(name=alias, type=type or whole.type), now, ids).id
        upto = {}
    moved = called.tell_apart(db, entities.get(db, whole.id), entities.get(db, new), upto, now)
    for each in (whole.id, new):
        spoken.recount(db, each)
    note(db, whole.id, now, "split", {"alias": alias, "into": new, "nodes": moved})
    note(db, new, now, "split off", {"from": whole.name})
    return entities.get(db, new)


def note(db: apsw.Connection, id: int, now: int, verb: str, before: Mapping[str, object]) -> int:
    db.execute(
        "INSERT INTO entity_change (entity_id, at, verb, before) VALUES (?, ?, ?, ?)",
        (id, now, verb, rows.dump(dict(before))),
    )
    return db.last_insert_rowid()


def became(db: apsw.Connection, ids: Sequence[int]) -> list[Became]:
    """What became of these entities, oldest first."""
    found = db.execute(
        """
        SELECT entity.name, entity_change.at, entity_change.verb, entity_change.before
        FROM entity_change
        JOIN entity ON entity.id = entity_change.entity_id
        WHERE entity_change.entity_id IN (SELECT value FROM json_each(?)) AND entity_change.before IS NOT NULL
        ORDER BY entity_change.id
        """,
        (json.dumps(list(ids)),),
    )
    return [_became(name, at, verb, json.loads(before)) for name, at, verb, before in found]


_OTHER = {"merge": "name", "split": "alias", "split off": "from", "rename": "name"}  # under what each stands


def _became(name: str, at: int, verb: str, before: Mapping[str, Any]) -> Became:
    return Became(entity=name, at=moment(at), verb=verb, other=str(before.get(_OTHER.get(verb, "name"), "")))
