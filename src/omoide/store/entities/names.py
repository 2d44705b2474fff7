"""Names: the index of all names in memory, who holds a role, renaming a person, and the user without a name."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from omoide.domain import Entity, Fact, Node
from omoide.domain.entity import EntityNames, name_key
from omoide.language import tokens
from omoide.store.engine.connection import Connection
from omoide.store.engine.file import DatabaseFile, Table
from omoide.store.entities import entities, mentions, merge
from omoide.store.records import node_queries, nodes
from omoide.store.records.nodes import TextChange
from omoide.store.search.node_filter import ABOUT_UNNAMED_USER, UNNAMED_USER

# Who holds a role for somebody, and what is stated of them: read from live facts and relations.


_NAMES = "(SELECT value FROM json_each(:names))"
_TYPES = "(SELECT value FROM json_each(:types))"
_USER = "user"  # the subject of facts about a user without a name


@dataclass(frozen=True, slots=True)
class RoleHolder:
    """Somebody related to the subject, and the node that says so, if there is one."""

    name: str
    node_id: int | None
    text: str


def user_names(db: Connection) -> list[str]:
    """The names under which facts about the user are stored."""
    named = db.column(
        """
        SELECT name
        FROM entity_name
        WHERE entity_id = (SELECT user_id FROM session WHERE user_id IS NOT NULL ORDER BY last_at DESC LIMIT 1)
        """
    )
    return [_USER, *named]


def names_of(db: Connection, entity_ids: Sequence[int]) -> list[str]:
    """All names of some entities."""
    return db.column("SELECT name FROM entity_name WHERE entity_id IN (SELECT value FROM json_each(?))", (entity_ids,))


def role_holders(
    db: Connection, names: Sequence[str], types: Sequence[str], inverse: Sequence[str]
) -> list[RoleHolder]:
    """Who is related to somebody of these names.

    `types` are predicates and relations that lead from the subject ("manager", "works_at"), `inverse` those that lead
    to it ("manages", "boss_of").
    """
    found = db.execute(
        f"""
        SELECT attributes ->> 'object', id, text
        FROM node
        WHERE
            kind = 'fact' AND state IN ('live', 'archived')
            AND attributes ->> 'subject' IN {_NAMES} AND attributes ->> 'predicate' IN {_TYPES}
        UNION
        SELECT attributes ->> 'subject', id, text
        FROM node
        WHERE
            kind = 'fact' AND state IN ('live', 'archived')
            AND attributes ->> 'object' IN {_NAMES}
            AND attributes ->> 'predicate' IN (SELECT value FROM json_each(:inverse))
        UNION
        SELECT
            iif(relation.type IN {_TYPES}, target.name, source.name), relation.source_node_id, relation.type
        FROM relation
        JOIN entity AS source ON source.id = relation.source_id
        JOIN entity AS target ON target.id = relation.target_id
        WHERE
            relation.valid_until IS NULL
            AND (
                relation.type IN {_TYPES} AND source.name IN {_NAMES}
                OR relation.type IN (SELECT value FROM json_each(:inverse)) AND target.name IN {_NAMES}
            )
        """,
        {"names": names, "types": types, "inverse": inverse},
    )
    return [RoleHolder(name, node, text) for name, node, text in found if name]


def facts_of(
    db: Connection, names: Sequence[str], predicates: Sequence[str] | None, limit: int, *, replaced: bool = False
) -> list[tuple[int, str | None]]:
    """The (id, predicate) of facts about somebody, newest first; with `predicates`, only those.

    They are live or archived; with `replaced`, as for a question about a past time, also those that were replaced.
    """
    rows = db.execute(
        f"""
        SELECT id, attributes ->> 'predicate'
        FROM node
        WHERE
            kind = 'fact' AND (state IN ('live', 'archived') OR :replaced AND state = 'superseded')
            AND attributes ->> 'subject' IN {_NAMES} AND (:types IS NULL OR attributes ->> 'predicate' IN {_TYPES})
        ORDER BY id DESC
        LIMIT :limit
        """,
        {"names": names, "types": predicates, "limit": limit, "replaced": replaced},
    )
    return [(id, predicate) for id, predicate in rows]


@dataclass(frozen=True, slots=True)
class _LoadedNames:
    version: int
    last: int  # entity
    rows: int
    names: EntityNames


class NameIndex(Table):
    """Loads new names; loads all names again only after one was removed or added to a known entity."""

    def __init__(self, file: DatabaseFile) -> None:
        super().__init__(file)
        self._lock = threading.Lock()
        self._held: _LoadedNames | None = None

    def current(self) -> EntityNames:
        """All names, up to date with what any process has written."""
        return self._file.read(self._load)

    def _load(self, db: Connection) -> EntityNames:
        with self._lock:  # the version is read while holding the lock, so that it never decreases
            version = int(db.execute("SELECT value FROM counter WHERE name = 'entities'").get)  # changes of any name
            if self._held is None or self._held.version != version:
                self._held = self._more(db, version, self._held) if self._held else _loaded(db, version)
            return self._held.names

    def _more(self, db: Connection, version: int, held: _LoadedNames) -> _LoadedNames:
        """The version counts every added and removed row: if so many rows are new, none was removed."""
        came = version - held.version
        new = entities.names_after(db, held.last)
        if len(new) == came:
            held.names.add(new)
            return _LoadedNames(version, new[-1][1], held.rows + came, held.names)
        return _loaded(db, version, held)


def _loaded(db: Connection, version: int, held: _LoadedNames | None = None) -> _LoadedNames:
    """All names; added to those that are held if none of these was removed."""
    rows = entities.all_names(db)
    names = held.names if held is not None and len(rows) - held.rows == version - held.version else EntityNames()
    names.add(rows)
    return _LoadedNames(version, max((id for _, id, _ in rows), default=0), len(rows), names)


_NAME_PREDICATE = "name"
_UNNAMED = re.compile(r"\bUser\b")  # in the text of what was learned before the name was known


def assign_unnamed_facts(db: Connection, unnamed: str, entity: int) -> None:
    """Assigns what was learned about the user before the name was known to the named entity."""
    name = entities.get(db, entity).name
    for id, field, held in _nodes_about(db, unnamed):
        merge.update_attributes(db, id, held, {field: name})
        mentions.add_mentions(db, id, [entity])
        node = nodes.require(db, id)
        words = _UNNAMED.sub(lambda _: name, node.text)
        if node.state == "live" and words != node.text:
            nodes.update(db, id, _text_change(words, entity, db, id), {}, "learned")


def apply_name_correction(db: Connection, id: int) -> None:
    """Renames a person if the node is a correction of the name."""
    new = nodes.require(db, id)
    if not (isinstance(new, Fact) and new.predicate == _NAME_PREDICATE and new.source_type == "corrected"):
        return
    chain = nodes.fetch(db, nodes.versions(db, id))
    for old in (chain[each] for each in sorted(chain) if each < id):
        if isinstance(old, Fact) and old.predicate == _NAME_PREDICATE and old.object:
            right = new.object or _corrected_name(old.object, old.text, new.text)
            if right:
                rename_person(db, old.object, right)


def _corrected_name(wrong: str, said: str, corrected: str) -> str | None:
    """The words in the corrected sentence in place of the wrong name, or after "name is"."""
    before, _, after = said.rpartition(wrong)
    alike = re.fullmatch(rf"{re.escape(before)}(.+){re.escape(after)}", corrected)
    found = alike or re.search(r"\bname\s+is\s+([^\W\d_][\w'’-]*(?:\s+[^\W\d_a-z][\w'’-]*)*)", corrected)
    return found[1].strip(" .!") if found else None


def rename_person(db: Connection, old: str, new: str) -> None:
    """Renames a person. The wrong name no longer finds them; the history records it."""
    entity = entities.find(db, old, "person")
    other = entities.find(db, new, "person")
    if entity is None or name_key(old) == name_key(new) or (other is not None and other.id != entity.id):
        return  # another person has this name: two of one name must be resolved by hand
    db.execute("DELETE FROM entity_name WHERE entity_id = ? AND key = ?", (entity.id, name_key(old)))
    if name_key(entity.name) == name_key(old):
        db.execute("UPDATE entity SET name = ?, updated_at = ? WHERE id = ?", (new, db.now, entity.id))
        db.execute("DELETE FROM entity_name WHERE entity_id = ? AND key = ?", (entity.id, name_key(new)))
    entities.add_name(db, entity.id, new, alias=name_key(entity.name) != name_key(old))
    merge.record_entity_change(db, entity.id, "rename", {"name": old, "to": new})
    for id, field, held in _nodes_about(db, old, entity.id):
        node = nodes.require(db, id)
        words = re.sub(rf"^{re.escape(old)}(?!\w)", lambda _: new, node.text)
        if node.state == "live" and words != node.text:
            nodes.update(db, id, _text_change(words, entity.id, db, id), {"attributes": held | {field: new}})
        else:
            merge.update_attributes(db, id, held, {field: new})


def _text_change(text: str, entity: int, db: Connection, id: int) -> TextChange:
    """The new text, with the same entities: a rename does not change whom a memory mentions."""
    mentioned = db.column("SELECT entity_id FROM node_entity WHERE node_id = ?", (id,))
    return TextChange(text=text, token_count=tokens.estimate(text), entities=tuple(dict.fromkeys((*mentioned, entity))))


def _nodes_about(db: Connection, name: str, entity: int | None = None) -> list[tuple[int, str, dict[str, Any]]]:
    """(node, attribute that names the subject, all attributes) of facts and opinions, also of superseded ones."""
    found: list[tuple[int, str, dict[str, Any]]] = []
    for kind, field in merge.SUBJECT_FIELD.items():
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


def find_entity_or_user(db: Connection, name: str) -> Entity:
    """The entity with this name, or this first name if only one has it; "user" is the owner, also without a name."""
    if name_key(name) != _USER or entities.find(db, name) is not None:
        return entities.require_known_as(db, name)
    if (named := owner(db)) is not None:
        return named
    known = user_timeline(db, 1_000)
    return _unnamed_user(known) if known else entities.require(db, name)


def owner(db: Connection) -> Entity | None:
    """The user, if a name was given in any session."""
    found = db.execute(
        """
        SELECT entity.id
        FROM entity
        JOIN session ON session.user_id = entity.id
        ORDER BY session.last_at DESC
        LIMIT 1
        """
    ).get
    return None if found is None else entities.get(db, found)


def user_timeline(db: Connection, limit: int) -> list[Node]:
    """What is known about the user, in order of time; of much, the latest."""
    ids = db.column(
        f"""
        SELECT node.id
        FROM node
        WHERE {ABOUT_UNNAMED_USER} AND node.state IN ('live', 'superseded')
        ORDER BY node.event_at DESC, node.id DESC
        LIMIT :limit
        """,
        {"limit": limit},
    )[::-1]
    return nodes.fetch_in_order(db, ids)


def _unnamed_user(known: list[Node]) -> Entity:
    return Entity(
        id=UNNAMED_USER,
        ulid="",
        name="User",
        type="person",
        description=None,
        summary=None,
        aliases=(),
        attributes={},
        first_seen_at=known[0].event_at,
        last_referenced_at=known[-1].event_at,
        mention_count=len(known),
        importance=10,
        created_at=known[0].recorded_at,
        updated_at=max(node.updated_at for node in known),
    )


def timeline(db: Connection, entity_id: int, limit: int) -> list[Node]:
    """Nodes about an entity in order of time; of many, the latest."""
    if entity_id == UNNAMED_USER:
        return user_timeline(db, limit)
    return node_queries.timeline(db, entity_id, limit)
