"""Helpers of the row import: changed ids, counts, and the filter against content that was erased here."""

from __future__ import annotations

import json
from array import array
from bisect import bisect_left
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from omoide.domain import Draft
from omoide.errors import InvalidInput
from omoide.store.engine.connection import Connection
from omoide.store.erasure import erasable_columns, tombstones
from omoide.store.erasure.erased_words import ErasedWords, texts_in_value
from omoide.store.erasure.free_text import ErasureState


class IdMap:
    """Ids that changed on import, sixteen bytes each. Must be filled in ascending order."""

    def __init__(self) -> None:
        self._theirs: array[int] = array("q")
        self._ours: array[int] = array("q")  # 0: not imported

    def note(self, theirs: int, ours: int) -> None:
        if theirs == ours:
            return
        if self._theirs and theirs <= self._theirs[-1]:
            raise InvalidInput(f"id {theirs} comes after id {self._theirs[-1]}; the lines are not in order")
        self._theirs.append(theirs)
        self._ours.append(ours)

    def get(self, theirs: int) -> int | None:
        group = bisect_left(self._theirs, theirs)
        if group == len(self._theirs) or self._theirs[group] != theirs:
            return theirs
        return self._ours[group] or None

    def __len__(self) -> int:
        return len(self._theirs)


@dataclass(slots=True)
class RowImportTally:
    """What became of the rows, by table, and the first changed ids: (table, old id, new id)."""

    counts: dict[str, Counter[str]] = field(default_factory=dict)
    erased: int = 0  # nodes skipped because they were erased here on request
    changed_ids: list[tuple[str, int, int]] = field(default_factory=list)

    def count(self, table: str, outcome: str) -> None:
        self.counts.setdefault(table, Counter())[outcome] += 1

    def uncount(self, table: str, gone: int) -> None:
        """Counts rows as skipped that were added and removed again."""
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


_TEXT_FIELDS = ("text", "summary", "speaker", "task_id")
_JSON_FIELDS = ("details", "attributes", "tags")
_CHECKED_TABLES = ("session", "entity", "relation")  # may have come only with a refused node


class ErasedRowFilter:
    """Refuses erased nodes during an import, and at the end removes what came only with them."""

    def __init__(self) -> None:
        self._guard: tombstones.TombstoneGuard | None = None
        self._now = 0
        self._refused_texts: list[str] = []
        self._sessions: set[int] = set()
        self._new: set[tuple[str, int]] = set()
        self._entity_ids: set[int] = set()

    def refresh(self, db: Connection, now: int) -> None:
        """Call before each batch: someone may have erased something meanwhile."""
        self._guard, self._now = tombstones.TombstoneGuard(db, now), now
        if self._guard.armed:  # rows that are removed again must leave no bytes
            db.execute("PRAGMA secure_delete = ON")

    def refuses(self, table: str, row: dict[str, Any]) -> bool:
        """Whether a row is a node that was erased here, by its ULID or by its text and time."""
        if table != "node" or self._guard is None or not self._guard.armed:
            return False
        if self._guard.knows(row["ulid"]) is None and self._guard.refuses(_draft_of_row(row)) is None:
            return False
        self._refused_texts += [row[name] for name in _TEXT_FIELDS if row.get(name)]
        for name in _JSON_FIELDS:
            self._refused_texts += texts_in_value(json.loads(row.get(name) or "null"), names=name == "details")
        if row.get("session_id") is not None:
            self._sessions.add(row["session_id"])
        return True

    def added(self, table: str, id: int) -> None:
        if table in _CHECKED_TABLES:
            self._new.add((table, id))

    def found_entity(self, db: Connection, table: str, id: int, row: dict[str, Any]) -> None:
        """Marks an erased entity for removal at the end, unless a kept node mentions it. An entity that was created
        again here has another ULID."""
        if table != "entity" or self._guard is None or not self._guard.knows_entity(row["ulid"]):
            return
        if db.execute("SELECT ulid FROM entity WHERE id = ?", (id,)).get == row["ulid"]:
            self._entity_ids.add(id)
            self._new.add(("entity", id))

    def skipped(self, table: str, row: dict[str, Any]) -> None:
        """Records a skipped row: what else it refers to may have come only with it."""
        ends = {"node_entity": ("entity_id",), "relation": ("source_id", "target_id")}.get(table, ())
        self._entity_ids |= {row[name] for name in ends if row.get(name)}

    def clear(self, db: Connection) -> dict[str, int]:
        """Removes entities, sessions and text that came only with refused nodes; returns removed rows by table."""
        if not self._refused_texts and not self._entity_ids:
            db.execute("PRAGMA secure_delete = FAST")
            return {}
        state = ErasureState(
            ids=frozenset(),
            now=self._now,
            entity_ids=tuple(sorted(id for id in self._entity_ids if ("entity", id) in self._new)),
            session_ids=tuple(sorted(id for id in self._sessions if ("session", id) in self._new)),
            texts=self._refused_texts,
        )
        state.erased_words = ErasedWords(db, state.texts)
        for group in erasable_columns.CHECKED_ON_IMPORT:
            group.erase(db, state)
        return {table: self._gone(db, table) for table in _CHECKED_TABLES}

    def _gone(self, db: Connection, table: str) -> int:
        added = [id for name, id in self._new if name == table]
        kept = f"SELECT count(*) FROM {table} WHERE id IN (SELECT value FROM json_each(?))"
        return len(added) - int(db.execute(kept, (added,)).get)


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
