"""Telling two entities apart by words: whatever calls one of them by its name is about that one."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import apsw

from omoide.layers import Entity
from omoide.layers.entity import name_key
from omoide.store import letters, rows
from omoide.text import match_expression

_SUBJECT = {"fact": "subject", "opinion": "holder"}  # where a kind says whom it is about


def tell_apart(db: apsw.Connection, whole: Entity, new: Entity, upto: Mapping[str, int], now: int) -> list[int]:
    """What came after a merge (all, where `upto` says nothing) and is linked to the whole goes by its words.

    Gives the nodes that are about the new one alone; what names both is linked to both.
    """
    values = {"whole": whole.id, "new": new.id, "node": upto.get("node", 0), "change": upto.get("change", 0)}
    found = db.execute(
        """
        SELECT node_id
        FROM node_entity
        WHERE
            entity_id = :whole
            AND (
                node_id > :node
                OR node_id IN (
                    SELECT node_id FROM change WHERE verb = 'update' AND id > :change AND before ->> 'text' IS NOT NULL
                )
            )
        """,
        values,
    )
    recent = [row[0] for row in found]
    so = _calling(db, recent, (new.name, *new.aliases))
    both = _calling(db, so, (whole.name, *whole.aliases))
    alone = [id for id in so if id not in set(both)]
    _link(db, so, new.id)
    db.execute(
        "DELETE FROM node_entity WHERE entity_id = ? AND node_id IN (SELECT value FROM json_each(?))",
        (whole.id, json.dumps(alone)),
    )
    _rename_subjects(db, so, set(both), whole, new, now)
    _move_relations(db, whole, new, upto.get("relation", 0))
    return alone


def _calling(db: apsw.Connection, ids: Sequence[int], names: Sequence[str]) -> list[int]:
    """Those of the nodes whose words hold one of the names."""
    found: set[int] = set()
    for name in names:
        expression = match_expression([], [name])
        if expression and ids:
            so = db.execute(
                "SELECT rowid FROM nodes_fts WHERE nodes_fts MATCH ? AND rowid IN (SELECT value FROM json_each(?))",
                (expression, json.dumps(list(ids))),
            )
            found.update(letters.standing(db, name, [int(row[0]) for row in list(so)]))
    return sorted(found)


def _link(db: apsw.Connection, ids: Sequence[int], entity: int) -> None:
    db.executemany(
        "INSERT INTO node_entity (node_id, entity_id) VALUES (?, ?) ON CONFLICT DO NOTHING",
        [(id, entity) for id in ids],
    )


def _rename_subjects(
    db: apsw.Connection, ids: Sequence[int], both: set[int], whole: Entity, new: Entity, now: int
) -> None:
    """A fact that was learned while the two were one is filed under the one that stays; its words tell whose it is."""
    taken = {name_key(each) for each in (whole.name, *whole.aliases)}
    mine = tuple(name_key(each) for each in (new.name, *new.aliases))
    found: list[Any] = db.execute(
        "SELECT id, kind, text, attributes FROM node WHERE id IN (SELECT value FROM json_each(?))",
        (json.dumps(list(ids)),),
    ).fetchall()
    for id, kind, text, attributes in found:
        field = _SUBJECT.get(kind)
        held = json.loads(attributes or "{}")
        about = name_key(text)
        begins = any(about == name or about.startswith(f"{name} ") for name in mine)
        if field and name_key(str(held.get(field, ""))) in taken and (id not in both or begins):
            refile(db, id, held, {field: new.name}, now)


def refile(db: apsw.Connection, id: int, held: Mapping[str, Any], values: Mapping[str, Any], now: int) -> None:
    """Other fields of a node, in place; what stood there before is in its history."""
    db.execute(
        "UPDATE node SET attributes = ?, updated_at = ? WHERE id = ?", (rows.dump(dict(held) | dict(values)), now, id)
    )
    db.execute(
        "INSERT INTO change (node_id, at, verb, before) VALUES (?, ?, 'update', ?)",
        (id, now, rows.dump({"attributes": dict(held)})),
    )


def _move_relations(db: apsw.Connection, whole: Entity, new: Entity, after: int) -> None:
    found: list[Any] = db.execute(
        "SELECT id, source_node_id FROM relation WHERE ? IN (source_id, target_id) AND id > ? AND source_node_id > 0",
        (whole.id, after),
    ).fetchall()
    said = [node for _, node in found]
    so = set(_calling(db, said, (new.name, *new.aliases))) - set(_calling(db, said, (whole.name, *whole.aliases)))
    for id, node in found:
        if node in so:
            for end in ("source", "target"):
                db.execute(
                    f"UPDATE OR IGNORE relation SET {end}_id = ? WHERE id = ? AND {end}_id = ?", (new.id, id, whole.id)
                )
