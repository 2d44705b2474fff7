"""Nodes: inserting, reading, and every change of a node, each recorded in its history."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from omoide.clock import to_datetime
from omoide.domain import Draft, Node, Procedure, Skill
from omoide.domain.node import MentionedTime
from omoide.errors import Conflict, InvalidInput, NotFound, OmoideError
from omoide.language.text import index_text
from omoide.store.ageing import archive
from omoide.store.engine.connection import Connection
from omoide.store.entities import mentions
from omoide.store.erasure import tombstones
from omoide.store.records import edges, rows, sessions
from omoide.store.search import fulltext, vectors


def insert(db: Connection, drafts: Sequence[Draft], guard: tombstones.TombstoneGuard | None = None) -> list[Node]:
    """Stores drafts in order. A draft whose key is known returns the existing node; one that was erased on request is
    not stored and returns with the state `erased`."""
    batch = _Batch(db, guard or tombstones.TombstoneGuard(db, db.now, len(drafts)))
    stored = []
    for number, draft in enumerate(drafts):
        try:
            stored.append(batch.add(draft))
        except OmoideError as error:
            error.index = number
            raise
    batch.close()
    return stored


class _Batch:
    """The drafts of one transaction: links, queue entries and session counts are collected and written at the end."""

    def __init__(self, db: Connection, guard: tombstones.TombstoneGuard) -> None:
        self._db = db
        self._now = db.now
        self._ids = db.ids
        self._guard = guard
        self._sessions = sessions.SessionBatch(db)
        self._new: list[int] = []
        self._edges: list[tuple[int, int, str]] = []

    def add(self, draft: Draft) -> Node:
        if draft.key is not None and (known := by_key(self._db, draft.key)):
            return known
        if (erased := self._guard.refuses(draft)) is not None:
            return rows.erased_node(erased, draft, self._now)
        session = self._sessions.enter(draft) if draft.session is not None else None
        row = rows.draft_values(draft, self._ids(self._now), self._now, session.id if session else None)
        self._db.execute(rows.INSERT, row)
        id = self._db.last_insert_rowid()
        self._new.append(id)
        if session is not None and draft.kind == "episode" and "compression" not in draft.attributes:  # a turn
            if session.last_node_id is not None:
                self._edges.append((session.last_node_id, id, "temporal"))
            session.count(id, draft.event_at)
        if draft.parent is not None and not is_erased(self._db, draft.parent):
            require(self._db, draft.parent)
            self._edges.append((id, draft.parent, "part_of"))
        if draft.entities:
            mentions.add_mentions(self._db, id, draft.entities)
        if draft.times:
            edges.insert_times(self._db, id, draft.times)
        return rows.node_from_insert(id, row, draft.session)

    def close(self) -> None:
        fulltext.index_nodes(self._db, self._new)
        edges.insert_many(self._db, self._edges, self._now)
        vectors.enqueue(self._db, self._new)
        self._sessions.close()


def by_key(db: Connection, key: bytes | None) -> Node | None:
    """The node that was stored under a key, in any state."""
    found = db.execute("SELECT id FROM node WHERE key = ? AND key IS NOT NULL", (key,)).get
    return None if found is None else require(db, found)


def fetch(db: Connection, ids: Iterable[int]) -> dict[int, Node]:
    """The nodes that exist among these ids."""
    wanted = [int(id) for id in ids]
    if db.basis is not None:
        db.basis.note(db, wanted)
    found = db.execute(rows.SELECT + "WHERE node.id IN (SELECT value FROM json_each(?))", (wanted,))
    return {row[0]: rows.node_from_row(row) for row in archive.with_archived_text(db, list(found))}


def fetch_in_order(db: Connection, ids: Sequence[int]) -> list[Node]:
    """These nodes in the given order; all of them must exist."""
    found = fetch(db, ids)
    return [found[id] for id in ids]


def require(db: Connection, id: int) -> Node:
    """The node; raises NotFound."""
    if isinstance(id, bool) or not isinstance(id, int):
        raise InvalidInput(f"a node id is a whole number, got {id!r}")
    found = db.execute(rows.SELECT + "WHERE node.id = ?", (min(max(id, -1), 2**62),)).fetchone()
    if found is None:
        raise NotFound(f"memory {id} was erased on request" if is_erased(db, id) else f"there is no memory {id}")
    if db.basis is not None:
        db.basis.note(db, (id,))
    return rows.node_from_row(archive.with_archived_text(db, [found])[0])


def is_erased(db: Connection, id: int) -> bool:
    """Whether there was such a node and it was erased on request."""
    if not isinstance(id, int):  # require() raises for it
        return False
    return bool(db.execute("SELECT EXISTS (SELECT 1 FROM erased WHERE node_id = ?)", (min(max(id, -1), 2**62),)).get)


def adjust_score(db: Connection, id: int, by: int, hit: bool) -> Node:
    """Reinforces or demotes a node; only a `hit` resets the time of the last hit."""
    require(db, id)
    db.execute(
        """
        UPDATE node
        SET
            score = score + :by,
            last_hit_at = CASE WHEN :hit THEN :now ELSE last_hit_at END,
            updated_at = :now
        WHERE id = :id
        """,
        {"by": by, "hit": hit, "now": db.now, "id": id},
    )
    record_change(db, id, "reinforce" if by > 0 else "demote", db.now, {"by": by})
    return require(db, id)


def confirm(db: Connection, id: int) -> Node:
    """Sets the confidence to 1.0 and stops decay."""
    before = require(db, id)
    now = dict.fromkeys(("confirmed_at", "user_confirmed_at", "updated_at"), db.now)
    db.update("node", id, {"confidence": 1.0, "decay_rate": 0.0} | now)
    record_change(db, id, "confirm", db.now, {"confidence": before.confidence, "decay_rate": before.decay_rate})
    return require(db, id)


def count_outcome(db: Connection, id: int, outcome: str) -> Node:
    """Counts a success or failure of a procedure or skill, which changes its confidence."""
    before = unpacked(db, id)
    if not isinstance(before, Procedure | Skill):
        raise Conflict(f"memory {id} is a {before.kind}: only a procedure or a skill has outcomes")
    if before.state != "live":
        successor = latest_version(db, id)
        hint = f"; count it on its successor {successor} instead" if successor != id else ""
        raise Conflict(f"memory {id} is {before.state}{hint}")
    attributes = rows.to_json(before.attributes_after(outcome, to_datetime(db.now).isoformat()))
    values = {"confidence": before.confidence_after(outcome), "attributes": attributes, "updated_at": db.now}
    db.update("node", id, values)
    record_change(db, id, "outcome", db.now, {"confidence": before.confidence, "outcome": outcome})
    return require(db, id)


def unpacked(db: Connection, id: int) -> Node:
    """The node; an archived one is made live, because it is about to change. A withdrawn one must be unarchived."""
    found = require(db, id)
    if found.state == "withdrawn":
        raise Conflict(f"memory {id} is withdrawn; unarchive it before changing it")
    return require(db, id) if found.state == "archived" and archive.restore_node(db, id) else found


def reaffirm(db: Connection, id: int, confidence: float) -> None:
    """Records that the same was learned again, with the higher confidence of the two."""
    before = require(db, id)
    db.update("node", id, {"confidence": confidence, "confirmed_at": db.now, "updated_at": db.now})
    record_change(db, id, "affirm", db.now, {"confidence": before.confidence, "decay_rate": before.decay_rate})


@dataclass(frozen=True, slots=True, kw_only=True)
class TextChange:
    """New text and tags of a node; None leaves a value unchanged."""

    text: str | None = None
    token_count: int | None = None
    tags: Sequence[str] | None = None
    entities: Sequence[int] = ()
    times: Sequence[MentionedTime] = ()


def update(db: Connection, id: int, words: TextChange, values: Mapping[str, Any], verb: str = "update") -> Node:
    """Updates a node in place; the earlier values are kept in its history.

    `verb` is the history's entry: "update" for a person, "learned" for learning.
    """
    before = unpacked(db, id)
    changes: dict[str, Any] = {name: value for name, value in values.items() if name != "attributes"}
    kept: dict[str, Any] = {name: to_json_value(getattr(before, name)) for name in values}
    if "attributes" in values:
        changes["attributes"] = rows.to_json(dict(values["attributes"]) or None)
    if "details" in values:
        changes["details"] = rows.to_json(values["details"])
    if words.text is not None:
        changes |= rows.text_columns(words.text, words.token_count)
        kept["text"] = before.text
    if words.tags is not None:
        dumped = rows.to_json(list(dict.fromkeys(words.tags))) if words.tags else None
        changes |= {"tags": dumped, "folded_tags": index_text(dumped) if dumped else None}
        kept["tags"] = list(before.tags)
    db.update("node", id, changes | {"last_hit_at": db.now, "updated_at": db.now})
    record_change(db, id, verb, db.now, kept)
    if words.text is not None and words.text != before.text:
        vectors.requeue(db, id)
        db.execute("DELETE FROM node_entity WHERE node_id = ?", (id,))
        mentions.add_mentions(db, id, words.entities)
        edges.replace_times(db, id, words.times)
    return require(db, id)


def supersede(
    db: Connection,
    old: int,
    draft: Draft,
    until: int | None = None,
    guard: tombstones.TombstoneGuard | None = None,
) -> Node:
    """Replaces a node: the old one is kept, ends, and is linked by a `supersedes` edge."""
    guard = guard or tombstones.TombstoneGuard(db, db.now)
    if (erased := guard.refuses(draft)) is not None:
        raise Conflict(f"this was erased on request (node {erased}); to store it again, leave out its old time")
    before = unpacked(db, old)
    if before.state != "live":
        successor = latest_version(db, old)
        hint = f"; correct its successor {successor} instead" if successor != old else ""
        raise Conflict(f"node {old} is already {before.state}{hint}")
    retire(db, old, "superseded", db.now, until)
    new = insert(db, [draft], guard)[0]
    edges.insert(db, new.id, old, "supersedes", db.now)
    return new


def retire_for(db: Connection, old: int, new: int) -> None:
    """Retires a node in favour of another; raises if that would make a cycle of successors."""
    if latest_version(db, new) == old or new in versions(db, old):
        raise Conflict(f"node {old} and node {new} are already versions of each other")
    if require(db, old).state == "live":
        retire(db, old, "superseded", db.now)


def retire(db: Connection, id: int, state: str, now: int, until: int | None = None) -> None:
    """Takes a node out of use and ends its validity."""
    ended = db.execute("SELECT valid_until FROM node WHERE id = ?", (id,)).get
    db.execute(
        """
        UPDATE node
        SET
            state = :state,
            state_at = :now,
            updated_at = :now,
            valid_until = min(coalesce(valid_until, :until, :now), coalesce(:until, :now)),
            -- a fact that was recorded after its end has no known start
            valid_from = iif(valid_from = event_at AND valid_from > coalesce(:until, :now), NULL, valid_from)
        WHERE id = :id
        """,
        {"state": state, "now": now, "until": until, "id": id},
    )
    reinstating = None if ended is None else {"valid_until": ended}
    record_change(db, id, state, now, reinstating)


def latest_version(db: Connection, id: int) -> int:
    """The last node in the chain of successors."""
    seen = {id}
    while True:
        found = db.execute(
            "SELECT source_id FROM edge WHERE target_id = ? AND type = 'supersedes' ORDER BY id DESC LIMIT 1", (id,)
        ).get
        if found is None or found in seen:
            return id
        id = found
        seen.add(id)


def count_accesses(db: Connection, counts: Mapping[int, int], last: Mapping[int, int]) -> None:
    """Counts recalls of nodes and stores the time of the last one."""
    db.executemany(
        """
        UPDATE node
        SET access_count = access_count + ?, last_accessed_at = max(coalesce(last_accessed_at, 0), ?)
        WHERE id = ?
        """,
        [(count, last[id], id) for id, count in counts.items()],
    )


def next_valid_until(db: Connection, after: int) -> int | None:
    """The next time after `after` at which a node ends."""
    found = db.execute("SELECT min(valid_until) FROM node WHERE valid_until > ?", (after,)).get
    return None if found is None else int(found)


def changes(db: Connection, id: int) -> list[dict[str, Any]]:
    """The history of a node, oldest first."""
    return [
        {"at": to_datetime(at), "verb": verb, "before": json.loads(before) if before else None}
        for at, verb, before in db.execute("SELECT at, verb, before FROM change WHERE node_id = ? ORDER BY id", (id,))
    ]


def versions(db: Connection, id: int) -> list[int]:
    """All versions of a node, oldest first."""
    return db.column(
        """
        WITH RECURSIVE
        older (id) AS (
            SELECT :id
            UNION
            SELECT edge.target_id FROM edge JOIN older ON edge.source_id = older.id AND edge.type = 'supersedes'
        ),
        newer (id) AS (
            SELECT :id
            UNION
            SELECT edge.source_id FROM edge JOIN newer ON edge.target_id = newer.id AND edge.type = 'supersedes'
        )
        SELECT id FROM older
        UNION
        SELECT id FROM newer
        ORDER BY id
        """,
        {"id": id},
    )


def find_preference(db: Connection, category: str, name: str) -> Node | None:
    """The live preference of a category and name; there is at most one."""
    found = _select(
        db,
        """
        WHERE
            node.kind = 'preference'
            AND node.state = 'live'
            AND coalesce(node.attributes ->> 'category', 'other') = :category
            AND node.attributes ->> 'name' = :name
            AND node.attributes ->> 'name' IS NOT NULL
        """,
        {"category": category, "name": name},
    )
    return found[0] if found else None


def find_skill(db: Connection, name: str, file: str | None) -> Node | None:
    """The live skill from this file, preferably with this name; otherwise one of this name without a file."""
    found = _select(
        db,
        """
        WHERE
            node.kind = 'skill' AND node.state = 'live'
            AND (
                node.details ->> '$.skill.file' = :file
                OR node.attributes ->> 'name' = :name AND (:file IS NULL OR node.details ->> '$.skill.file' IS NULL)
            )
        ORDER BY
            node.details ->> '$.skill.file' IS :file DESC, node.attributes ->> 'name' = :name DESC, node.id DESC
        LIMIT 1
        """,
        {"name": name, "file": file},
    )
    return found[0] if found else None


def procedures_named(db: Connection, name: str) -> list[Node]:
    """The live procedures with this name, or without a name and with this text."""
    return _select(
        db,
        """
        WHERE
            node.kind = 'procedure' AND node.state IN ('live', 'archived')
            AND coalesce(node.attributes ->> 'name', node.text) = :name
        ORDER BY node.id
        """,
        {"name": name},
    )


def _select(db: Connection, clauses: str, values: Mapping[str, Any]) -> list[Node]:
    """Nodes whose words are in their rows: live ones, and those of which the name is enough."""
    return [rows.node_from_row(row) for row in db.execute(rows.SELECT + clauses, values)]


def record_evidence(db: Connection, id: int, key: bytes | None) -> None:
    """Records the key under which something was stated again; its node has the key of the first time."""
    if key is not None:
        record_change(db, id, "evidence", db.now, {"key": key.hex()})


def find_by_evidence(db: Connection, key: bytes | None) -> Node | None:
    """The node that a draft with this key became or was counted for."""
    if key is None:
        return None
    found = db.execute(
        """
        SELECT change.node_id
        FROM node
        JOIN change ON change.node_id = node.id
        WHERE change.verb = 'evidence' AND change.before ->> 'key' = ?
        """,
        (key.hex(),),
    ).get
    return by_key(db, key) if found is None else require(db, found)


def record_change(db: Connection, id: int, verb: str, now: int, before: Mapping[str, Any] | None) -> None:
    db.insert("change", node_id=id, at=now, verb=verb, before=rows.to_json(before or None))


def to_json_value(value: Any) -> Any:
    """A value as JSON can hold it."""
    if isinstance(value, dict):
        return {key: to_json_value(each) for key, each in value.items()}
    if isinstance(value, tuple):
        return [to_json_value(each) for each in value]
    return value if value is None or isinstance(value, str | int | float | bool | list) else str(value)
