"""Undoes a merge of entities: everything it moved returns to where it came from."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from omoide.domain import Entity
from omoide.domain.entity import name_key
from omoide.store.engine.connection import Connection
from omoide.store.records import rows

COUNTED_TABLES = ("node", "relation", "change")
"""Tables whose highest id separates what existed before a merge."""

_RELATION = (
    "id ulid source_id target_id type properties confidence source_node_id valid_from valid_until created_at updated_at"
).split()
RELATION_AS_JSON = "json_object(" + ", ".join(f"'{name}', relation.{name}" for name in _RELATION) + ")"


@dataclass(frozen=True, slots=True)
class MergeRecord:
    """What a merge recorded so that it can be undone."""

    change: int
    removed: dict[str, Any]
    kept: dict[str, Any]
    upto: dict[str, int]


def fetch_row(db: Connection, table: str, id: int) -> dict[str, Any]:
    """A row with all its columns."""
    found = db.execute(f"SELECT * FROM {table} WHERE id = ?", (id,))
    names = [column[0] for column in found.get_description()]
    return dict(zip(names, next(found), strict=True))


def find_merge(db: Connection, combined: int, alias: str) -> MergeRecord | None:
    """The latest merge that added a name to an entity and was not undone."""
    for change, before in db.execute(
        "SELECT id, before FROM entity_change WHERE entity_id = ? AND verb = 'merge' ORDER BY id DESC", (combined,)
    ):
        stored = json.loads(before)
        if "entity" in stored and name_key(stored["name"]) == name_key(alias):
            return MergeRecord(change, stored["entity"], stored["kept"], stored["upto"])
    return None


def undo_merge(db: Connection, record: MergeRecord, combined: Entity, type: str | None) -> int:
    """Restores the merged entity with everything that was its own; returns its id."""
    removed = record.removed | {"updated_at": db.now} | ({"type": type} if type else {})
    known = db.execute("SELECT id FROM entity WHERE name = :name AND type = :type", removed).get
    id = known if known is not None else _insert_row(db, "entity", removed)
    values = {"change": record.change, "combined": combined.id, "kept": record.kept["id"], "id": id, "now": db.now}
    values |= {"gone": record.removed["id"], "changes": record.upto["change"]}
    for statement in _RESTORE_STATEMENTS:
        db.execute(statement, values)
    _remove_links_and_names(db, record, combined.id, values)
    _restore_relations(db, record, combined.id, id)
    _restore_relations_of_other_merges(db, record, combined.id)
    _restore_entity_values(db, record, combined.id)
    db.execute("DELETE FROM merge_move WHERE change_id = ?", (record.change,))
    final = "UPDATE entity_change SET before = json_remove(before, '$.entity', '$.kept', '$.upto') WHERE id = ?"
    db.execute(final, (record.change,))
    return int(id)


# A merge into a third entity recorded again what had come with the first; that is no longer its own.
_MOVED_REFS = "SELECT ref FROM merge_move WHERE change_id = :change AND kind"
_LATER_MERGES = "SELECT id FROM entity_change WHERE entity_id = :combined AND verb = 'merge' AND id > :change"
_REWORDED_NODES = f"""
    SELECT node_id
    FROM change
    WHERE
        verb = 'update' AND id > :changes AND before ->> 'text' IS NOT NULL
        AND node_id IN ({_MOVED_REFS} IN ('node', 'shared'))
"""
_RESTORE_STATEMENTS = (
    # Links. Nodes edited since are assigned by name, like all later nodes.
    f"""
    INSERT INTO node_entity (node_id, entity_id)
    SELECT node.id, :id
    FROM node
    WHERE node.id IN ({_MOVED_REFS} IN ('node', 'shared')) AND node.id NOT IN ({_REWORDED_NODES})
    ON CONFLICT DO NOTHING
    """,
    # Names.
    """
    INSERT INTO entity_name (key, entity_id, name, is_alias)
    SELECT before ->> 'key', :id, before ->> 'name', before ->> 'is_alias'
    FROM merge_move
    WHERE change_id = :change AND kind = 'name'
    ON CONFLICT DO NOTHING
    """,
    # Sessions and the entity's own history.
    f"UPDATE session SET user_id = :id WHERE user_id = :combined AND id IN ({_MOVED_REFS} = 'session')",
    f"UPDATE entity_change SET entity_id = :id WHERE id IN ({_MOVED_REFS} = 'change')",
    f"""
    DELETE FROM merge_move
    WHERE change_id IN ({_LATER_MERGES}) AND (
        kind = 'session' AND ref IN ({_MOVED_REFS} = 'session') OR kind = 'change' AND ref IN ({_MOVED_REFS} = 'change')
    )
    """,
    # Decisions that followed from the merge are reverted.
    f"DELETE FROM edge WHERE type = 'contradicts' AND id IN ({_MOVED_REFS} = 'contradicts')",
    """
    DELETE FROM edge
    WHERE type = 'supersedes' AND EXISTS (
        SELECT 1 FROM merge_move
        WHERE change_id = :change AND kind = 'superseded' AND ref = edge.target_id AND before ->> 'by' = edge.source_id
    )
    """,
    f"""
    INSERT INTO change (node_id, at, verb)
    SELECT id, :now, 'restored'
    FROM node
    WHERE
        state = 'superseded' AND id IN ({_MOVED_REFS} = 'superseded')
        AND id NOT IN (SELECT target_id FROM edge WHERE type = 'supersedes')
    """,
    """
    UPDATE node
    SET state = 'live', state_at = :now, updated_at = :now, valid_until = merge_move.before ->> 'valid_until'
    FROM merge_move
    WHERE
        merge_move.change_id = :change AND merge_move.kind = 'superseded' AND merge_move.ref = node.id
        AND node.state = 'superseded'
        AND node.id NOT IN (SELECT target_id FROM edge WHERE type = 'supersedes')
    """,
    """
    UPDATE relation
    SET valid_until = merge_move.before ->> 'valid_until', updated_at = :now
    FROM merge_move
    WHERE merge_move.change_id = :change AND merge_move.kind = 'ended' AND merge_move.ref = relation.id
    """,
)


@dataclass(frozen=True, slots=True)
class _MovedKind:
    """How merge records mark an item as moved, or as shared by both entities."""

    thing: str
    alone: str
    shared: str
    alone_now: str


_MOVED_NODES = _MovedKind("ref", "kind = 'node'", "kind = 'shared'", "kind = 'node'")
_MOVED_NAMES = _MovedKind(
    "before ->> 'key'",
    "kind = 'name' AND NOT before ->> 'shared'",
    "kind = 'name' AND before ->> 'shared'",
    "before = json_set(before, '$.shared', 0)",
)


def _remove_links_and_names(db: Connection, record: MergeRecord, combined: int, values: Mapping[str, Any]) -> None:
    """Removes links and names that the remaining entity has only from this merge."""
    nodes = list(_brought_only_by_this_merge(db, record, combined, _MOVED_NODES))
    db.execute(
        f"""
        DELETE FROM node_entity
        WHERE
            entity_id = :combined
            AND node_id IN (SELECT value FROM json_each(:nodes))
            AND node_id NOT IN ({_REWORDED_NODES})
        """,
        {**values, "nodes": nodes},
    )
    db.execute(
        """
        DELETE FROM entity_name
        WHERE entity_id = ? AND is_alias AND key IN (SELECT value FROM json_each(?))
        """,
        (combined, _brought_only_by_this_merge(db, record, combined, _MOVED_NAMES)),
    )


def _brought_only_by_this_merge(db: Connection, record: MergeRecord, combined: int, kind: _MovedKind) -> set[Any]:
    """Items that no other merge brought and that the entity did not have; updates the records of later merges.

    At each level, a later merge may have brought the same item: it becomes that merge's own. The level above may have
    had it already: it keeps it."""
    alone = f"SELECT {kind.thing} FROM merge_move WHERE change_id = ? AND {kind.alone}"
    own_items = set(db.column(alone, (record.change,)))
    after, level = record.change, record.kept["id"]
    for change in [*_merges_since(db, level, combined), None]:
        values = {"level": level, "after": after, "upto": change, "mine": own_items}
        others = db.execute(
            f"""
            SELECT min(change_id), {kind.thing}
            FROM merge_move
            WHERE
                {kind.shared}
                AND {kind.thing} IN (SELECT value FROM json_each(:mine))
                AND change_id IN (
                    SELECT id
                    FROM entity_change
                    WHERE verb = 'merge' AND id > :after AND id < coalesce(:upto, id + 1)
                        AND before -> '$.kept' ->> 'id' = :level
                )
            GROUP BY {kind.thing}
            """,
            values,
        ).fetchall()
        db.executemany(
            f"UPDATE merge_move SET {kind.alone_now} WHERE change_id = ? AND {kind.shared} AND {kind.thing} = ?", others
        )
        own_items -= {thing for _, thing in others}
        if change is None:
            break
        further = f"change_id = ? AND {kind.thing} IN (SELECT value FROM json_each(?))"
        values_up = (change, own_items)
        own_items = set(db.column(f"SELECT {kind.thing} FROM merge_move WHERE {further} AND {kind.alone}", values_up))
        db.execute(f"DELETE FROM merge_move WHERE {further} AND ({kind.alone} OR {kind.shared})", values_up)
        after = change
        level = db.execute("SELECT before -> '$.kept' ->> 'id' FROM entity_change WHERE id = ?", (change,)).get
    return own_items


def _restore_relations(db: Connection, record: MergeRecord, combined: int, id: int) -> None:
    values = {"change": record.change, "combined": combined, "id": id}
    for end in ("source", "target"):
        own_items = f"{_MOVED_REFS} = '{end}'"
        # relations that a later merge dropped because an equal one existed
        later = f"kind = 'relation' AND change_id IN ({_LATER_MERGES}) AND ref IN ({own_items})"
        stood: list[Any] = db.execute(f"SELECT change_id, before FROM merge_move WHERE {later}", values).fetchall()
        for change, before in stood:
            _restore_dropped_relation(db, change, json.loads(before) | {f"{end}_id": id}, end, combined)
        db.execute(f"DELETE FROM merge_move WHERE {later}", values)
        db.execute(
            f"UPDATE OR IGNORE relation SET {end}_id = :id WHERE {end}_id = :combined AND id IN ({own_items})", values
        )
        db.execute(
            f"DELETE FROM merge_move WHERE change_id IN ({_LATER_MERGES}) AND kind = '{end}' AND ref IN ({own_items})",
            values,
        )
    found = db.execute(
        "SELECT before FROM merge_move WHERE change_id = ? AND kind = 'relation'", (record.change,)
    ).fetchall()
    for (before,) in found:
        stored = json.loads(str(before))
        _restore_relation(db, stored, {record.removed["id"]: id, record.kept["id"]: combined})
        for end in ("source", "target"):
            if stored[f"{end}_id"] == record.kept["id"]:
                # Those merges would have moved the relation.
                _record_moves(db, _merges_since(db, record.kept["id"], combined), end, stored["id"])


def _restore_dropped_relation(db: Connection, change: int, stored: dict[str, Any], end: str, combined: int) -> None:
    """Restores a relation that a later merge dropped; if its other end was merged then, it came with that merge."""
    removed, kept = db.execute(
        "SELECT before -> '$.entity' ->> 'id', before -> '$.kept' ->> 'id' FROM entity_change WHERE id = ?", (change,)
    ).get
    far = "target" if end == "source" else "source"
    if _restore_relation(db, stored, {removed: combined}) and stored[f"{far}_id"] == removed:
        _record_moves(db, [change, *_merges_since(db, kept, combined)], far, stored["id"])


def _record_moves(db: Connection, changes: Iterable[int], end: str, relation: int) -> None:
    """Records one end of a relation as moved by these merges."""
    for change in changes:
        db.insert("merge_move", change_id=change, kind=end, ref=relation)


def _restore_relations_of_other_merges(db: Connection, record: MergeRecord, combined: int) -> None:
    """Relations that other merges dropped because this one had brought the same: now they come from those."""
    found: list[Any] = db.execute(
        f"""
        SELECT
            merge_move.rowid,
            merge_move.before,
            entity_change.before -> '$.entity' ->> 'id',
            entity_change.before -> '$.kept' ->> 'id'
        FROM merge_move
        JOIN entity_change ON entity_change.id = merge_move.change_id
        WHERE merge_move.kind = 'relation' AND merge_move.change_id IN ({_LATER_MERGES})
        ORDER BY merge_move.change_id, merge_move.ref
        """,
        {"combined": combined, "change": record.change},
    ).fetchall()
    for place, before, removed, kept in found:
        stored = json.loads(before)
        end = "source" if stored["source_id"] == removed else "target"
        other = stored["target_id" if end == "source" else "source_id"]
        if other in (kept, combined) or not _restore_relation(db, stored, {removed: combined}):
            continue
        db.execute("UPDATE merge_move SET kind = ?, before = NULL WHERE rowid = ?", (end, place))
        _record_moves(db, _merges_since(db, kept, combined), end, stored["id"])


def _merges_since(db: Connection, kept: int, combined: int) -> list[int]:
    """The later merges by which the receiving entity became part of `whole`, in order."""
    found: list[int] = []
    while kept != combined:
        next_one = db.execute(
            """
            SELECT id, before -> '$.kept' ->> 'id'
            FROM entity_change
            WHERE entity_id = :combined AND verb = 'merge' AND before -> '$.entity' ->> 'id' = :kept
            ORDER BY id DESC
            LIMIT 1
            """,
            {"combined": combined, "kept": kept},
        ).fetchone()
        if next_one is None:
            break
        change, kept = next_one
        found.append(change)
    return found


def _restore_relation(db: Connection, stored: dict[str, Any], now_called: Mapping[int, int]) -> bool:
    """Restores a dropped relation if both ends exist and no equal one does."""
    ends = {end: now_called.get(stored[end], stored[end]) for end in ("source_id", "target_id")}
    there = db.execute("SELECT count(*) FROM entity WHERE id IN (:source_id, :target_id)", ends).get
    if there == 2:
        said_by = db.execute("SELECT id FROM node WHERE id = ?", (stored["source_node_id"],)).get
        _insert_row(db, "relation", stored | ends | {"source_node_id": said_by})
        return bool(db.changes())
    return False


def _restore_entity_values(db: Connection, record: MergeRecord, combined: int) -> None:
    """Reverts values taken over by the merge: manual mentions, description, importance."""
    for change in _merges_since(db, record.kept["id"], combined):
        before = json.loads(db.execute("SELECT before FROM entity_change WHERE id = ?", (change,)).get)
        before["entity"] = _without_merged_values(before["entity"], record)
        db.update("entity_change", change, {"before": rows.to_json(before)})
    own = _without_merged_values(fetch_row(db, "entity", combined), record)
    db.update("entity", combined, {name: own[name] for name in _MERGED_VALUES} | {"updated_at": db.now})


_MERGED_VALUES = (
    "description summary manual_mentions importance importance_given first_seen_at last_referenced_at"
).split()


def _without_merged_values(stored: dict[str, Any], record: MergeRecord) -> dict[str, Any]:
    """Changes made since the merge stay; mentions are recounted afterwards."""
    removed, kept = record.removed, record.kept
    own = {
        name: kept[name] for name in ("description", "summary") if kept[name] is None and stored[name] == removed[name]
    }
    if removed["importance_given"] and stored["importance"] == removed["importance"]:
        own |= {name: kept[name] for name in ("importance", "importance_given")}
    if not stored["episode_weight"]:
        own |= {name: kept[name] for name in ("first_seen_at", "last_referenced_at")}
    return stored | own | {"manual_mentions": max(0, stored["manual_mentions"] - removed["manual_mentions"])}


def _insert_row(db: Connection, table: str, stored: Mapping[str, Any]) -> int:
    names = ", ".join(stored)
    values = ", ".join(f":{name}" for name in stored)
    db.execute(f"INSERT OR IGNORE INTO {table} ({names}) VALUES ({values})", dict(stored))
    return int(stored["id"])
