"""What a maintenance run changed, row by row, so that one night can be put back whole.

Each transaction of a run is recorded as an SQLite changeset in the same transaction. Indexes and counters are not
recorded: triggers keep them in step while a night is put back. Erasing a memory removes all records, since they hold
words.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, TypeVar

import apsw

from omoide.errors import Conflict, NotFound
from omoide.store.ageing import archive_blocks
from omoide.store.engine.connection import Connection
from omoide.store.records import rows
from omoide.store.search import fulltext

T = TypeVar("T")

NIGHTS_KEPT = 7
# Tables that are not put back: indexes and counters follow by triggers, the rest is about the runs themselves or
# must not come back (erasures).
NOT_RECORDED = frozenset(
    """
    counter write_mark cache_invalidation migration embedding_model lease maintenance_run job_run set_aside
    night_change spending erasure erased tombstone tombstone_key known_copy live_board given
    """.split()
)
_INDEXES = ("nodes_fts", "sqlite_", "vector_block")
# Values that change by use. A node of which only these differ is still as the night left it.
_USE_COLUMNS = frozenset({"score", "access_count", "last_accessed_at", "last_hit_at", "updated_at"})
_DERIVED = frozenset({"vector", "token_state", "entity_vector", "embedding_queue"})  # the recorded one is right
_MERGED_BY_COLUMN = frozenset({"session", "entity"})  # rows that go on changing after the night


def is_recorded(table: str) -> bool:
    return table not in NOT_RECORDED and not table.startswith(_INDEXES)


def record(db: Connection, night: int, work: Callable[[Connection], T]) -> T:
    """Does the work and records what it changed."""
    with closing(apsw.Session(db, "main")) as session:
        session.table_filter(is_recorded)
        session.attach()
        result = work(db)
        changes = b"" if session.is_empty else session.changeset()
    if changes:
        db.execute("INSERT INTO night_change (run_id, changes) VALUES (?, ?)", (night, zlib.compress(changes, 1)))
    return result


def drop_old_records(db: Connection) -> None:
    """Keeps the records of the last few nights that changed anything."""
    db.execute(
        """
        DELETE FROM night_change
        WHERE run_id NOT IN (SELECT DISTINCT run_id FROM night_change ORDER BY run_id DESC LIMIT ?)
        """,
        (NIGHTS_KEPT,),
    )


@dataclass(frozen=True, slots=True)
class Night:
    """One maintenance run: what it did by verb, and whether it can be put back."""

    id: int
    started_at: datetime
    ended_at: datetime | None
    outcome: str
    counts: dict[str, int]
    undone_at: datetime | None
    can_undo: bool


def list_nights(db: Connection, limit: int) -> list[Night]:
    """The last runs, the latest first."""
    found: list[tuple[Any, ...]] = db.execute(
        """
        SELECT
            id, started_at, ended_at, outcome, undone_at,
            EXISTS (SELECT 1 FROM night_change WHERE run_id = maintenance_run.id)
        FROM maintenance_run
        ORDER BY id DESC
        LIMIT ?
        """,
        (limit,),
    ).fetchall()
    return [rows.record(Night, (*row[:4], _counts(db, row[0]), *row[4:])) for row in found]


@dataclass(frozen=True, slots=True)
class NightChange:
    """What a night did to one memory: made, removed, or changed in some columns, with the values before."""

    id: int
    did: str
    columns: tuple[str, ...]
    text: str | None  # as it was before, where the night changed or removed it


_DID = {"INSERT": "made", "DELETE": "removed", "UPDATE": "changed"}
_UNSEEN = frozenset({"updated_at", "state_at", "stays_since", "content_hash", "token_count", "folded_text"})


def night_changes(db: Connection, night: int) -> list[NightChange]:
    """What a recorded night did, memory by memory."""
    columns = _columns(db, "node")
    place = columns.index("text")
    found: dict[int, NightChange] = {}
    for (changes,) in db.execute("SELECT changes FROM night_change WHERE run_id = ? ORDER BY id", (night,)):
        for change in apsw.Changeset.iter(zlib.decompress(changes)):
            if change.name != "node":
                continue
            id = int(((change.new if change.op == "INSERT" else change.old) or (0,))[0])  # type: ignore[arg-type]
            new = zip(columns, change.new or (), strict=False) if change.op == "UPDATE" else ()
            names = {name for name, value in new if value is not apsw.no_change} - _UNSEEN - _USE_COLUMNS
            before = change.old[place] if change.old and change.op != "INSERT" else None
            text = before if isinstance(before, str) else None
            known = found.get(id)
            did = known.did if known is not None and known.did == "made" else _DID[change.op]
            seen = tuple(sorted(names | set(known.columns if known else ())))
            if did != "changed" or seen:
                found[id] = NightChange(id, did, seen, known.text if known and known.text else text)
    return list(found.values())


def _counts(db: Connection, night: int) -> dict[str, int]:
    total: dict[str, int] = {}
    for (counts,) in db.execute("SELECT counts FROM job_run WHERE run_id = ? ORDER BY id", (night,)):
        for verb, count in json.loads(counts).items():
            total[verb] = total.get(verb, 0) + int(count)
    return total


@dataclass(frozen=True, slots=True)
class UndoneNight:
    """What putting a night back did: rows changed, nodes removed that it had made, and what was left as it is."""

    night: int
    rows: int
    removed: int
    kept: tuple[int, ...]  # memories that the night made or changed and that somebody changed since


@dataclass(slots=True)
class _Undo:
    db: Connection
    kept: set[int]
    rows: int = 0
    removed: int = 0
    dangling: bool = False
    merges: list[tuple[str, dict[str, Any], dict[str, Any]]] = field(default_factory=list)
    columns: dict[str, list[str]] = field(default_factory=dict)

    def wants(self, change: apsw.TableChange) -> bool:
        """Leaves alone what belongs to memories that were changed since."""
        row = self.named(change, change.old if change.op == "DELETE" else change.new, change.old)
        ids = {row.get(name) for name in ("node_id", "target_id", "source_id")} if change.name != "relation" else set()
        if change.name == "node":
            ids = {row["id"]}
        if ids & self.kept:
            return False
        self.rows += 1
        self.removed += change.name == "node" and change.op == "DELETE"
        return True

    def named(self, change: apsw.TableChange, *sources: Any) -> dict[str, Any]:
        """Values by column; the first source that has a value counts."""
        names = self.columns.setdefault(change.name, _columns(self.db, change.name))
        found: dict[str, Any] = {}
        for source in sources:
            for name, value in zip(names, source or (), strict=False):
                if name not in found and value is not apsw.no_change:
                    found[name] = value
        return found

    def conflict(self, reason: int, change: apsw.TableChange) -> int:
        if reason == apsw.SQLITE_CHANGESET_FOREIGN_KEY:
            self.dangling = True  # `undo` looks at what points nowhere
            return apsw.SQLITE_CHANGESET_OMIT
        if reason == apsw.SQLITE_CHANGESET_DATA and change.op == "DELETE" and change.name != "archive_block":
            return apsw.SQLITE_CHANGESET_REPLACE  # made by the night and only used since
        if reason in (apsw.SQLITE_CHANGESET_DATA, apsw.SQLITE_CHANGESET_CONFLICT) and change.name in _DERIVED:
            return apsw.SQLITE_CHANGESET_REPLACE
        if reason == apsw.SQLITE_CHANGESET_DATA and change.op == "UPDATE" and change.name in _MERGED_BY_COLUMN:
            self.merges.append((change.name, self.named(change, change.old), self.named(change, change.new)))
        self.rows -= 1
        return apsw.SQLITE_CHANGESET_OMIT

    def merge_columns(self) -> None:
        """Puts those values back that nobody changed since."""
        for table, after, before in self.merges:
            for name in before:
                self.db.execute(
                    f"UPDATE {table} SET {name} = :before WHERE id = :id AND {name} IS :after",
                    {"before": before[name], "after": after.get(name), "id": after["id"]},
                )


def undo(db: Connection, night: int | None = None) -> UndoneNight:
    """Puts a night back. Memories that somebody changed since are left as they are and reported."""
    night = _require_last(db, night)
    builder: Any = apsw.ChangesetBuilder()  # type: ignore[no-untyped-call]
    for (changes,) in db.execute("SELECT changes FROM night_change WHERE run_id = ? ORDER BY id", (night,)):
        builder.add(zlib.decompress(changes))
    whole = builder.output()
    work = _Undo(db, _changed_since(db, whole))
    apsw.Changeset.apply(apsw.Changeset.invert(whole), db, filter_change=work.wants, conflict=work.conflict)
    # Token states come back with their vector; where it was made anew since, or its memory is kept, they stay away.
    db.execute("DELETE FROM token_state WHERE vector_id NOT IN (SELECT id FROM vector)")
    if work.dangling and db.execute("PRAGMA foreign_key_check").fetchone() is not None:
        raise Conflict(f"night {night} cannot be put back: what it made or removed is used by what came after it")
    work.merge_columns()
    fulltext.index_nodes(db, db.column("SELECT id FROM node WHERE id NOT IN (SELECT id FROM nodes_fts_docsize)"))
    archive_blocks.remove_unknown(db)  # a block that others use by now still has the texts that are back in their rows
    db.execute("DELETE FROM night_change WHERE run_id = ?", (night,))
    db.execute("UPDATE maintenance_run SET undone_at = ? WHERE id = ?", (db.now, night))
    db.execute("UPDATE counter SET value = value + ? WHERE name = 'undone'", (work.removed,))
    return UndoneNight(night, work.rows, work.removed, tuple(sorted(work.kept)))


def _require_last(db: Connection, night: int | None) -> int:
    """The night to put back. Only the last recorded one can be: later ones build on it."""
    last = db.execute("SELECT max(run_id) FROM night_change").get
    if last is None:
        raise NotFound("no night can be put back: none changed anything, or an erasure removed the records")
    if night is None or night == last:
        return int(last)
    if not db.execute("SELECT EXISTS (SELECT 1 FROM night_change WHERE run_id = ?)", (night,)).get:
        raise NotFound(
            f"night {night} cannot be put back: it changed nothing, is older than the last {NIGHTS_KEPT}, "
            "was put back already, or an erasure removed its record"
        )
    raise Conflict(f"night {last} came after night {night}; put it back first")


def _changed_since(db: Connection, whole: bytes) -> set[int]:
    """Nodes that the night made or changed and somebody changed since, other than by using them."""
    columns = _columns(db, "node")
    kept: set[int] = set()
    for change in apsw.Changeset.iter(whole):
        if change.name != "node" or change.op == "DELETE":
            continue
        id: Any = ((change.new if change.op == "INSERT" else change.old) or (None,))[0]
        now = db.execute("SELECT * FROM node WHERE id = ?", (id,)).fetchone() or ()
        left = zip(columns, change.new or (), now, strict=False)
        if any(then not in (apsw.no_change, value) for name, then, value in left if name not in _USE_COLUMNS):
            kept.add(int(id))
    return kept


def _columns(db: Connection, table: str) -> list[str]:
    return [str(row[1]) for row in db.execute(f"PRAGMA table_info({table})")]
