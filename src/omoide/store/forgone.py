"""What an import would bring back though it was forgotten here: it is left out, and so is what only it said."""

from __future__ import annotations

import json
from typing import Any

import apsw

from omoide.layers import Draft
from omoide.store import places, tombstone
from omoide.store.doomed import Doomed
from omoide.store.needles import leaves
from omoide.store.sweep import Sweep

_WORDS = ("text", "summary", "speaker", "task_id")
_DOCUMENTS = ("details", "attributes", "tags")
_BESIDE = ("session", "entity", "relation")  # what may have come for the sake of a node that was left out


class Forgone:
    """One import; asked about every row, and at the end for what the rows left out have left behind."""

    def __init__(self) -> None:
        self._guard: tombstone.Guard | None = None
        self._now = 0
        self._said: list[str] = []
        self._sessions: set[int] = set()
        self._new: set[tuple[str, int]] = set()
        self._touched: set[int] = set()

    def look(self, db: apsw.Connection, now: int) -> None:
        """Before each batch: somebody may have forgotten something meanwhile."""
        self._guard, self._now = tombstone.Guard(db, now), now
        if self._guard.armed:  # what turns out to have come in vain leaves no bytes
            db.execute("PRAGMA secure_delete = ON")

    def refuses(self, table: str, row: dict[str, Any]) -> bool:
        """Whether a row is a node that was forgotten here: by its ULID, or by what it says and when."""
        if table != "node" or self._guard is None or not self._guard.armed:
            return False
        if self._guard.knows(row["ulid"]) is None and self._guard.refuses(_draft(row)) is None:
            return False
        self._said += [row[name] for name in _WORDS if row.get(name)]
        for name in _DOCUMENTS:
            self._said += leaves(json.loads(row[name]), names=name == "details") if row.get(name) else ()
        if row.get("session_id") is not None:
            self._sessions.add(row["session_id"])
        return True

    def added(self, table: str, id: int) -> None:
        if table in _BESIDE:
            self._new.add((table, id))

    def came(self, db: apsw.Connection, table: str, id: int, row: dict[str, Any]) -> None:
        """An entity that was erased here goes again, unless something that is kept speaks of it; also if an import
        that was interrupted had brought it. One that was told anew has a ULID of its own."""
        if table != "entity" or self._guard is None or not self._guard.knows_entity(row["ulid"]):
            return
        if db.execute("SELECT ulid FROM entity WHERE id = ?", (id,)).get == row["ulid"]:
            self._touched.add(id)
            self._new.add(("entity", id))

    def left_out(self, table: str, row: dict[str, Any]) -> None:
        """A row that refers to one that was left out: what else it refers to may have come for its sake alone."""
        ends = {"node_entity": ("entity_id",), "relation": ("source_id", "target_id")}.get(table, ())
        self._touched |= {row[name] for name in ends if row.get(name)}

    def clear(self, db: apsw.Connection) -> dict[str, int]:
        """What came along is treated as when it was forgotten: entities and sessions of which nothing is left go, and
        no text says what only the nodes left out say. How many rows that had been added went, by table."""
        if not self._said and not self._touched:
            db.execute("PRAGMA secure_delete = OFF")
            return {}
        doomed = Doomed(
            ids=frozenset(),
            now=self._now,
            touched=tuple(sorted(id for id in self._touched if ("entity", id) in self._new)),
            said_in=tuple(sorted(id for id in self._sessions if ("session", id) in self._new)),
            said=self._said,
        )
        doomed.sweep = Sweep(db, doomed.said)
        for place in places.BESIDE:
            place.erase(db, doomed)
        return {table: self._gone(db, table) for table in _BESIDE}

    def _gone(self, db: apsw.Connection, table: str) -> int:
        came = [id for name, id in self._new if name == table]
        held = f"SELECT count(*) FROM {table} WHERE id IN (SELECT value FROM json_each(?))"
        return len(came) - int(db.execute(held, (json.dumps(came),)).get)


def _draft(row: dict[str, Any]) -> Draft:
    return Draft(
        kind=row["kind"],
        text=row["text"],
        event_at=row["event_at"],
        origin=row["origin"],
        source_type=row["source_type"],
        attributes=json.loads(row.get("attributes") or "{}"),
        key=row.get("key"),
    )
