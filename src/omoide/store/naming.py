"""What somebody is called changes: the name is corrected, or the one who was only "user" has one now."""

from __future__ import annotations

import json
import re
from typing import Any

import apsw

from omoide import tokens
from omoide.layers import Fact
from omoide.layers.entity import name_key
from omoide.store import called, entities, identity, nodes, spoken
from omoide.store.nodes import Rewording

_FILED = {"fact": "subject", "opinion": "holder"}
_NAMING = "name"


def adopt(db: apsw.Connection, unnamed: str, entity: int, now: int) -> None:
    """What was learned of somebody before their name was known is theirs, in the words it was learned in."""
    name = entities.get(db, entity).name
    for id, field, held in _filed_under(db, unnamed):
        called.refile(db, id, held, {field: name}, now)
        spoken.mention(db, id, [entity], now)


def follow(db: apsw.Connection, id: int, now: int) -> None:
    """If a node corrects what somebody is called, they are called so from now on."""
    new = nodes.require(db, id)
    if not (isinstance(new, Fact) and new.predicate == _NAMING and new.source_type == "corrected"):
        return
    chain = nodes.fetch(db, nodes.chain(db, id))
    for old in (chain[each] for each in sorted(chain) if each < id):
        if isinstance(old, Fact) and old.predicate == _NAMING and old.object:
            right = new.object or _in_place_of(old.object, old.text, new.text)
            if right:
                rename(db, old.object, right, now)


def _in_place_of(wrong: str, said: str, corrected: str) -> str | None:
    """What the new sentence says where the old one said the wrong name, or after "name is"."""
    before, _, after = said.rpartition(wrong)
    alike = re.fullmatch(rf"{re.escape(before)}(.+){re.escape(after)}", corrected)
    found = alike or re.search(r"\bname\s+is\s+([^\W\d_][\w'’-]*(?:\s+[^\W\d_a-z][\w'’-]*)*)", corrected)
    return found[1].strip(" .!") if found else None


def rename(db: apsw.Connection, old: str, new: str, now: int) -> None:
    """The wrong name finds them no longer, so that another may be called so; their history tells it."""
    entity = entities.find(db, old, "person")
    other = entities.find(db, new, "person")
    if entity is None or name_key(old) == name_key(new) or (other is not None and other.id != entity.id):
        return  # somebody else is called so: two of one name are told apart by hand
    db.execute("DELETE FROM entity_name WHERE entity_id = ? AND key = ?", (entity.id, name_key(old)))
    if name_key(entity.name) == name_key(old):
        db.execute("UPDATE entity SET name = ?, updated_at = ? WHERE id = ?", (new, now, entity.id))
        db.execute("DELETE FROM entity_name WHERE entity_id = ? AND key = ?", (entity.id, name_key(new)))
    entities.name(db, entity.id, new, alias=name_key(entity.name) != name_key(old))
    identity.note(db, entity.id, now, "rename", {"name": old, "to": new})
    for id, field, held in _filed_under(db, old, entity.id):
        node = nodes.require(db, id)
        words = re.sub(rf"^{re.escape(old)}(?!\w)", lambda _: new, node.text)
        if node.state == "live" and words != node.text:
            nodes.rewrite(db, id, now, _reworded(words, entity.id, db, id), {"attributes": held | {field: new}})
        else:
            called.refile(db, id, held, {field: new}, now)


def _reworded(text: str, entity: int, db: apsw.Connection, id: int) -> Rewording:
    """Who a memory speaks of does not change with a name."""
    spoken_of = [row[0] for row in db.execute("SELECT entity_id FROM node_entity WHERE node_id = ?", (id,))]
    return Rewording(text=text, token_count=tokens.estimate(text), entities=tuple(dict.fromkeys((*spoken_of, entity))))


def _filed_under(db: apsw.Connection, name: str, entity: int | None = None) -> list[tuple[int, str, dict[str, Any]]]:
    """(node, the field that says whom it is about, all fields) of facts and opinions, also those that gave way."""
    found: list[tuple[int, str, dict[str, Any]]] = []
    for kind, field in _FILED.items():
        rows = db.execute(
            f"""
            SELECT id, attributes
            FROM node
            WHERE
                kind = '{kind}' AND attributes ->> '{field}' = :name
                AND (:entity IS NULL OR id IN (SELECT node_id FROM node_entity WHERE entity_id = :entity))
            ORDER BY id
            """,
            {"name": name, "entity": entity},
        )
        found += [(id, field, json.loads(attributes)) for id, attributes in rows]
    return found
