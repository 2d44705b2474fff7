"""The audit: which memories each transaction changed, chained by digests. It holds ids and no words."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from typing import Any
from weakref import WeakKeyDictionary

import apsw

from omoide.clock import to_datetime
from omoide.domain.audit_entry import Actor, AuditEntry
from omoide.store.engine.connection import Connection
from omoide.store.engine.consistency import Finding

_VERBS = {apsw.SQLITE_INSERT: "added", apsw.SQLITE_UPDATE: "changed", apsw.SQLITE_DELETE: "removed"}


class ChangedNodes:
    """Collects the ids of nodes that a connection adds, changes and removes."""

    def __init__(self, db: Connection) -> None:
        self._found: dict[str, set[int]] = {}
        db.set_update_hook(self._note)

    def _note(self, kind: int, database: str, table: str, row: int) -> None:
        if table == "node" and database == "main":
            self._found.setdefault(_VERBS[kind], set()).add(row)

    def take(self) -> dict[str, list[list[int]]]:
        """What was collected since the last call, as ranges of ids."""
        found, self._found = self._found, {}
        changed = found.get("changed", set()) - found.get("added", set())
        return {verb: _ranges(ids) for verb, ids in sorted((found | {"changed": changed}).items()) if ids}


_WATCHED: WeakKeyDictionary[Connection, ChangedNodes] = WeakKeyDictionary()


def changed_nodes(db: Connection) -> ChangedNodes:
    """What a writing connection changes, watched from the first call on."""
    if db not in _WATCHED:
        _WATCHED[db] = ChangedNodes(db)
    return _WATCHED[db]


def record(db: Connection, actor: Actor, changes: dict[str, list[list[int]]]) -> None:
    """Appends an entry to the chain."""
    before = db.execute("SELECT digest FROM audit ORDER BY id DESC LIMIT 1").get
    values = (db.now, actor.door, actor.name, actor.operation, json.dumps(changes))
    db.execute(
        "INSERT INTO audit (at, door, actor, operation, changes, digest) VALUES (?, ?, ?, ?, ?, ?)",
        (*values, _digest(before, values)),
    )


def check_audit(db: Connection, repair: bool) -> Finding:
    """Whether no entry of the audit was changed, removed or inserted. Never repaired."""
    before: Any = None
    count = 0
    for id, digest, *values in db.execute(
        "SELECT id, digest, at, door, actor, operation, changes FROM audit ORDER BY id"
    ):
        if digest != _digest(before, values):
            return Finding("audit", False, f"entry {id} or the one before was changed outside of Omoide")
        before, count = digest, count + 1
    end = f", the last digest is {before.hex()[:16]}" if before else ""
    return Finding("audit", True, f"{count:,} entries are chained{end}")


def latest(db: Connection, limit: int) -> list[AuditEntry]:
    """The latest entries, the last first."""
    found = db.execute(
        "SELECT id, at, door, actor, operation, changes, digest FROM audit ORDER BY id DESC LIMIT ?", (limit,)
    )
    return [
        AuditEntry(
            id=id,
            at=to_datetime(at),
            door=door,
            actor=actor,
            operation=operation,
            changes=json.loads(changes),
            digest=digest.hex(),
        )
        for id, at, door, actor, operation, changes, digest in found
    ]


def _digest(before: bytes | None, values: Iterable[Any]) -> bytes:
    return hashlib.sha256((before or b"") + json.dumps(list(values)).encode()).digest()


def _ranges(ids: Iterable[int]) -> list[list[int]]:
    found: list[list[int]] = []
    for id in sorted(ids):
        if found and found[-1][1] == id - 1:
            found[-1][1] = id
        else:
            found.append([id, id])
    return found
