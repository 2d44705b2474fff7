"""What became of the rows of an import: which ids became which, and how many were new."""

from __future__ import annotations

import json
from array import array
from bisect import bisect_left
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import apsw

from omoide.domain import Draft
from omoide.errors import InvalidInput
from omoide.store.erasure import erasable_columns, tombstones
from omoide.store.erasure.erased_words import ErasedWords, texts_in_value
from omoide.store.erasure.free_text import ErasureState


class IdMap:
    """Which ids became which, where they are not the same: sixteen bytes each. Asked for in the order of the file."""

    def __init__(self) -> None:
        self._there: array[int] = array("q")
        self._here: array[int] = array("q")  # 0: it was not taken

    def note(self, there: int, here: int) -> None:
        if there == here:
            return
        if self._there and there <= self._there[-1]:
            raise InvalidInput(f"id {there} stands behind id {self._there[-1]}; the lines are not in their order")
        self._there.append(there)
        self._here.append(here)

    def get(self, there: int) -> int | None:
        place = bisect_left(self._there, there)
        if place == len(self._there) or self._there[place] != there:
            return there
        return self._here[place] or None

    def __len__(self) -> int:
        return len(self._there)


@dataclass(slots=True)
class RowImportTally:
    """What became of the rows, table by table, and the first of those whose id changed: (table, there, here)."""

    counts: dict[str, Counter[str]] = field(default_factory=dict)
    forgotten: int = 0  # nodes that were left out because they were forgotten here on request
    moved: list[tuple[str, int, int]] = field(default_factory=list)

    def count(self, table: str, outcome: str) -> None:
        self.counts.setdefault(table, Counter())[outcome] += 1

    def uncount(self, table: str, gone: int) -> None:
        """Rows that had been added and could not stay."""
        if gone:
            counted = self.counts[table]
            counted["added"] -= gone
            counted["skipped"] += gone
            self.counts[table] = +counted


@dataclass(frozen=True, slots=True)
class ExportLine:
    """One line of an export: its number, the table it belongs to, its fields."""

    number: int
    table: str
    fields: dict[str, Any]


# What an import would bring back though it was forgotten here: it is left out, and so is what only it said.


_TEXT_FIELDS = ("text", "summary", "speaker", "task_id")
_JSON_FIELDS = ("details", "attributes", "tags")
_CHECKED_TABLES = ("session", "entity", "relation")  # what may have come for the sake of a node that was left out


class ErasedRowFilter:
    """One import; asked about every row, and at the end for what the rows left out have left behind."""

    def __init__(self) -> None:
        self._guard: tombstones.TombstoneGuard | None = None
        self._now = 0
        self._said: list[str] = []
        self._sessions: set[int] = set()
        self._new: set[tuple[str, int]] = set()
        self._touched: set[int] = set()

    def look(self, db: apsw.Connection, now: int) -> None:
        """Before each batch: somebody may have forgotten something meanwhile."""
        self._guard, self._now = tombstones.TombstoneGuard(db, now), now
        if self._guard.armed:  # what turns out to have come in vain leaves no bytes
            db.execute("PRAGMA secure_delete = ON")

    def refuses(self, table: str, row: dict[str, Any]) -> bool:
        """Whether a row is a node that was forgotten here: by its ULID, or by what it says and when."""
        if table != "node" or self._guard is None or not self._guard.armed:
            return False
        if self._guard.knows(row["ulid"]) is None and self._guard.refuses(_draft_of_row(row)) is None:
            return False
        self._said += [row[name] for name in _TEXT_FIELDS if row.get(name)]
        for name in _JSON_FIELDS:
            self._said += texts_in_value(json.loads(row[name]), names=name == "details") if row.get(name) else ()
        if row.get("session_id") is not None:
            self._sessions.add(row["session_id"])
        return True

    def added(self, table: str, id: int) -> None:
        if table in _CHECKED_TABLES:
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
        doomed = ErasureState(
            ids=frozenset(),
            now=self._now,
            touched=tuple(sorted(id for id in self._touched if ("entity", id) in self._new)),
            said_in=tuple(sorted(id for id in self._sessions if ("session", id) in self._new)),
            said=self._said,
        )
        doomed.sweep = ErasedWords(db, doomed.said)
        for place in erasable_columns.CHECKED_ON_IMPORT:
            place.erase(db, doomed)
        return {table: self._gone(db, table) for table in _CHECKED_TABLES}

    def _gone(self, db: apsw.Connection, table: str) -> int:
        came = [id for name, id in self._new if name == table]
        held = f"SELECT count(*) FROM {table} WHERE id IN (SELECT value FROM json_each(?))"
        return len(came) - int(db.execute(held, (json.dumps(came),)).get)


def _draft_of_row(row: dict[str, Any]) -> Draft:
    return Draft(
        kind=row["kind"],
        text=row["text"],
        event_at=row["event_at"],
        origin=row["origin"],
        source_type=row["source_type"],
        attributes=json.loads(row.get("attributes") or "{}"),
        key=row.get("key"),
    )
