"""Merging and splitting entities. Nothing is lost, and both are recorded in the entity's history."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from omoide.clock import to_datetime
from omoide.domain import Entity, Fact
from omoide.domain.entity import name_key
from omoide.errors import Conflict
from omoide.history import EntityChange
from omoide.language.text import match_expression
from omoide.store.engine.connection import Connection
from omoide.store.entities import entities, mentions, undo_merge
from omoide.store.entities.entities import EntityProfile
from omoide.store.records import edges, nodes, rows


@dataclass(frozen=True, slots=True)
class MergedEntities:
    """A merge: the history entry under which all moves are recorded, and both entities."""

    change: int
    gone: Entity
    before: Entity  # the kept entity before the merge
    kept: Entity


def merge(db: Connection, name: str, into: str) -> MergedEntities:
    """Merges an entity into another: everything said about the first is now about the second."""
    gone, kept = entities.require(db, name), entities.require(db, into)
    if gone.id == kept.id:
        raise Conflict(f"{name!r} and {into!r} are the same entity already")
    change = record_entity_change(db, kept.id, "merge", _merge_record(db, gone, kept))
    for statement in (*_RECORD_MOVES, *_MOVES):
        db.execute(statement, {"change": change, "gone": gone.id, "kept": kept.id, "now": db.now})
    db.execute("DELETE FROM entity WHERE id = ?", (gone.id,))
    mentions.recount_mentions(db, kept.id)
    # A moved name is no new row: indexes in memory must load all names again.
    db.execute("UPDATE counter SET value = value + 1 WHERE name = 'entities'")
    return MergedEntities(change, gone, kept, entities.get(db, kept.id))


def _merge_record(db: Connection, gone: Entity, kept: Entity) -> dict[str, Any]:
    """Both entities as they were, and the highest ids, to recognise what came later."""
    return {
        "name": gone.name,
        "type": gone.type,
        "aliases": list(gone.aliases),
        "entity": undo_merge.fetch_row(db, "entity", gone.id),
        "kept": undo_merge.fetch_row(db, "entity", kept.id),
        "upto": {
            table: db.execute(f"SELECT coalesce(max(id), 0) FROM {table}").get for table in undo_merge.COUNTED_TABLES
        },
    }


# The same relation of the other entity; both cannot exist.
_SAME_RELATION = """
    SELECT twin.id
    FROM relation AS twin
    WHERE
        twin.type = relation.type
        AND twin.source_id = iif(relation.source_id = :gone, :kept, relation.source_id)
        AND twin.target_id = iif(relation.target_id = :gone, :kept, relation.target_id)
"""
_UNIQUE = f":kept NOT IN (relation.source_id, relation.target_id) AND NOT EXISTS ({_SAME_RELATION})"
_RECORD_MOVES = (
    """
    INSERT INTO merge_move (change_id, kind, ref)
    SELECT
        :change,
        iif(node_id IN (SELECT node_id FROM node_entity WHERE entity_id = :kept), 'shared', 'node'),
        node_id
    FROM node_entity
    WHERE entity_id = :gone
    """,
    """
    INSERT INTO merge_move (change_id, kind, ref, before)
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
    INSERT INTO merge_move (change_id, kind, ref)
    SELECT :change, iif(source_id = :gone, 'source', 'target'), id
    FROM relation
    WHERE :gone IN (source_id, target_id) AND {_UNIQUE}
    """,
    f"""
    INSERT INTO merge_move (change_id, kind, ref, before)
    SELECT :change, 'relation', id, {undo_merge.RELATION_AS_JSON}
    FROM relation
    WHERE :gone IN (source_id, target_id) AND NOT ({_UNIQUE})
    """,
    # A relation that is valid for one of them is valid for the merged entity.
    f"""
    INSERT INTO merge_move (change_id, kind, ref, before)
    SELECT :change, 'ended', ended.id, json_object('valid_until', ended.valid_until, 'updated_at', ended.updated_at)
    FROM relation
    JOIN relation AS ended ON ended.id = ({_SAME_RELATION})
    WHERE
        :gone IN (relation.source_id, relation.target_id)
        AND relation.valid_until IS NULL AND ended.valid_until IS NOT NULL
    """,
    """
    UPDATE relation
    SET valid_until = NULL, updated_at = :now
    WHERE id IN (SELECT ref FROM merge_move WHERE change_id = :change AND kind = 'ended')
    """,
    """
    INSERT INTO merge_move (change_id, kind, ref)
    SELECT :change, 'session', id
    FROM session
    WHERE user_id = :gone
    """,
    """
    INSERT INTO merge_move (change_id, kind, ref)
    SELECT :change, 'change', id
    FROM entity_change
    WHERE entity_id = :gone
    """,
)
# Rows that would be duplicates are ignored here and deleted with the entity.
_MOVES = (
    "UPDATE OR IGNORE node_entity SET entity_id = :kept WHERE entity_id = :gone",
    "UPDATE OR IGNORE entity_name SET entity_id = :kept, is_alias = 1 WHERE entity_id = :gone",
    "UPDATE OR IGNORE relation SET source_id = :kept WHERE source_id = :gone AND target_id <> :kept",
    "UPDATE OR IGNORE relation SET target_id = :kept WHERE target_id = :gone AND source_id <> :kept",
    "UPDATE session SET user_id = :kept WHERE user_id = :gone",
    "UPDATE entity_change SET entity_id = :kept WHERE entity_id = :gone",
    # A summary made from facts is made again from the facts of both; one entered by hand is kept.
    """
    UPDATE entity
    SET
        manual_mentions = entity.manual_mentions + gone.manual_mentions,
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


def split(db: Connection, name: str, alias: str, type: str | None) -> Entity:
    """Makes an alias an entity of its own, with what was about it before a merge and everything that names it."""
    original = entities.require(db, name)
    if name_key(alias) not in {name_key(each) for each in original.aliases}:
        known = ", ".join(original.aliases) or "none"
        raise Conflict(f"{original.name!r} has no alias {alias!r}; its aliases are {known}")
    merged = undo_merge.find_merge(db, original.id, alias)
    if merged is not None:
        new = undo_merge.undo_merge(db, merged, original, type)
        upto = merged.upto
    else:
        db.execute("DELETE FROM entity_name WHERE entity_id = ? AND key = ?", (original.id, name_key(alias)))
        new = entities.save(db, EntityProfile(name=alias, type=type or original.type)).id
        upto = {}
    moved = reassign_by_name(db, entities.get(db, original.id), entities.get(db, new), upto)
    for each in (original.id, new):
        mentions.recount_mentions(db, each)
    record_entity_change(db, original.id, "split", {"alias": alias, "into": new, "nodes": moved})
    record_entity_change(db, new, "split off", {"from": original.name})
    return entities.get(db, new)


def record_entity_change(db: Connection, id: int, verb: str, before: Mapping[str, object]) -> int:
    return db.insert("entity_change", entity_id=id, at=db.now, verb=verb, before=rows.to_json(dict(before)))


def entity_changes(db: Connection, ids: Sequence[int]) -> list[EntityChange]:
    """The history of these entities, oldest first."""
    found = db.execute(
        """
        SELECT entity.name, entity_change.at, entity_change.verb, entity_change.before
        FROM entity_change
        JOIN entity ON entity.id = entity_change.entity_id
        WHERE entity_change.entity_id IN (SELECT value FROM json_each(?)) AND entity_change.before IS NOT NULL
        ORDER BY entity_change.id
        """,
        (ids,),
    )
    return [
        EntityChange(name, to_datetime(at), verb, str(json.loads(before).get(_OTHER_NAME_KEY.get(verb, "name"), "")))
        for name, at, verb, before in found
    ]


_OTHER_NAME_KEY = {"merge": "name", "split": "alias", "split off": "from", "rename": "name"}  # in `before`, by verb


class MergeSettlement:
    """Settles the facts of two merged entities inside the merge's transaction. A split undoes all of it."""

    def __init__(self, db: Connection, merged: MergedEntities) -> None:
        self._db = db
        self._merged = merged
        self._now = db.now

    def facts(self) -> tuple[list[Fact], list[Fact]]:
        """The live facts about the kept entity, and those about the merged one."""
        kept, gone = self._merged.before, self._merged.gone
        return self._facts_about(kept.names), self._facts_about([each for each in gone.names if each not in kept.names])

    def _facts_about(self, subjects: Sequence[str]) -> list[Fact]:
        ids = self._db.column(
            """
            SELECT id
            FROM node
            WHERE
                kind = 'fact' AND state = 'live'
                AND attributes ->> 'subject' IN (SELECT value FROM json_each(?))
            ORDER BY id
            """,
            (subjects,),
        )
        return [each for each in nodes.fetch_in_order(self._db, ids) if isinstance(each, Fact)]

    def mark_contradiction(self, one: Fact, other: Fact) -> None:
        """Links two facts of which neither is preferred."""
        known = self._db.execute(
            """
            SELECT 1 FROM edge
            WHERE type = 'contradicts' AND (source_id, target_id) IN (VALUES (:one, :other), (:other, :one))
            """,
            {"one": one.id, "other": other.id},
        ).get
        if not known:
            edges.insert(self._db, one.id, other.id, "contradicts", self._now)
            self._record("contradicts", self._db.last_insert_rowid())

    def replace_fact(self, new: Fact, old: Fact, until: int) -> None:
        """The later fact replaces the earlier one, which ends when the later begins."""
        self._end_fact(old, until, new.id)
        edges.insert(self._db, new.id, old.id, "supersedes", self._now)

    def mark_past(self, fact: Fact, until: int) -> None:
        """Ends a fact that was true before the other entity's fact."""
        self._end_fact(fact, until, None)

    def _end_fact(self, fact: Fact, until: int, by: int | None) -> None:
        before = self._db.execute("SELECT valid_until FROM node WHERE id = ?", (fact.id,)).get
        nodes.retire(self._db, fact.id, "superseded", self._now, until)
        self._record("superseded", fact.id, {"valid_until": before, "by": by})

    def end_relation(self, types: Collection[str], target: str, until: int) -> None:
        """Ends the relation that was derived from a fact."""
        other = entities.find(self._db, target)
        found: list[Any] = self._db.execute(
            """
            SELECT id, valid_until, updated_at
            FROM relation
            WHERE
                source_id = :source AND target_id = :target AND valid_until IS NULL
                AND type IN (SELECT value FROM json_each(:types))
            """,
            {"source": self._merged.kept.id, "target": other.id if other else 0, "types": types},
        ).fetchall()
        for id, ended, updated in found:
            self._record("ended", id, {"valid_until": ended, "updated_at": updated})
            self._db.execute("UPDATE relation SET valid_until = ?, updated_at = ? WHERE id = ?", (until, self._now, id))

    def _record(self, kind: str, ref: int, before: dict[str, object] | None = None) -> None:
        change = self._merged.change
        self._db.insert("merge_move", change_id=change, kind=kind, ref=ref, before=rows.to_json(before))


SUBJECT_FIELD = {"fact": "subject", "opinion": "holder"}  # the attribute that names the subject


def reassign_by_name(db: Connection, original: Entity, new: Entity, upto: Mapping[str, int]) -> list[int]:
    """Moves nodes that were linked after a merge (all, without `upto`) to the new entity if they name it.

    Returns the nodes that are only about the new entity; nodes that name both stay linked to both.
    """
    values = {"original": original.id, "new": new.id, "node": upto.get("node", 0), "change": upto.get("change", 0)}
    recent = db.column(
        """
        SELECT node_id
        FROM node_entity
        WHERE
            entity_id = :original
            AND (
                node_id > :node
                OR node_id IN (
                    SELECT node_id FROM change WHERE verb = 'update' AND id > :change AND before ->> 'text' IS NOT NULL
                )
            )
        """,
        values,
    )
    naming_new = _nodes_naming(db, recent, new.names)
    naming_both = set(_nodes_naming(db, naming_new, original.names))
    only_new = [id for id in naming_new if id not in naming_both]
    db.executemany(
        "INSERT INTO node_entity (node_id, entity_id) VALUES (?, ?) ON CONFLICT DO NOTHING",
        [(id, new.id) for id in naming_new],
    )
    db.execute(
        "DELETE FROM node_entity WHERE entity_id = ? AND node_id IN (SELECT value FROM json_each(?))",
        (original.id, only_new),
    )
    _rename_subjects(db, naming_new, naming_both, original, new)
    _move_relations(db, original, new, upto.get("relation", 0))
    return only_new


def _nodes_naming(db: Connection, ids: Sequence[int], names: Sequence[str]) -> list[int]:
    """Those of the nodes whose text contains one of the names."""
    found: set[int] = set()
    for name in names:
        expression = match_expression([], [name])
        if expression and ids:
            matching = db.column(
                "SELECT rowid FROM nodes_fts WHERE nodes_fts MATCH ? AND rowid IN (SELECT value FROM json_each(?))",
                (expression, ids),
            )
            found.update(mentions.nodes_with_name(db, name, matching))
    return sorted(found)


def _rename_subjects(db: Connection, ids: Sequence[int], both: set[int], original: Entity, new: Entity) -> None:
    """Changes the subject of facts that were learned while the entities were merged and that name the new one."""
    original_keys = {name_key(each) for each in original.names}
    new_keys = [name_key(each) for each in new.names]
    named = "SELECT id, kind, text, attributes FROM node WHERE id IN (SELECT value FROM json_each(?))"
    found: list[Any] = db.execute(named, (ids,)).fetchall()
    for id, kind, text, attributes in found:
        field = SUBJECT_FIELD.get(kind)
        held = json.loads(attributes or "{}")
        about = name_key(text)
        begins = any(about == name or about.startswith(f"{name} ") for name in new_keys)
        if field and name_key(str(held.get(field, ""))) in original_keys and (id not in both or begins):
            update_attributes(db, id, held, {field: new.name})


def update_attributes(db: Connection, id: int, held: Mapping[str, Any], values: Mapping[str, Any]) -> None:
    """Updates attributes of a node in place; the earlier ones are kept in its history."""
    db.update("node", id, {"attributes": rows.to_json(dict(held) | dict(values)), "updated_at": db.now})
    nodes.record_change(db, id, "update", db.now, {"attributes": dict(held)})


def _move_relations(db: Connection, original: Entity, new: Entity, after: int) -> None:
    stated = (
        "SELECT id, source_node_id FROM relation WHERE ? IN (source_id, target_id) AND id > ? AND source_node_id > 0"
    )
    found: list[Any] = db.execute(stated, (original.id, after)).fetchall()
    sources = [node for _, node in found]
    only_new = set(_nodes_naming(db, sources, new.names)) - set(_nodes_naming(db, sources, original.names))
    for id in (id for id, node in found if node in only_new):
        for end in ("source_id", "target_id"):
            moved = f"UPDATE OR IGNORE relation SET {end} = ? WHERE id = ? AND {end} = ?"
            db.execute(moved, (new.id, id, original.id))


def merge_and_settle(db: Connection, name: str, into: str, settle: Callable[[MergeSettlement], None]) -> Entity:
    """Merges two entities and settles what contradicts; returns the merged entity."""
    merged = merge(db, name, into)
    settle(MergeSettlement(db, merged))
    return merged.kept
