"""Every transaction of a file goes to PostgreSQL before the file commits it.

The order is: PostgreSQL commits, then the file, then the caller is told. What fails before PostgreSQL's commit rolls
both back. A file that missed its own commit is behind: it is caught up from PostgreSQL before it is used again.
"""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any

import apsw
import psycopg

from omoide.errors import Busy
from omoide.store.engine import migrate
from omoide.store.engine.connection import Connection as FileConnection
from omoide.store.erasure import receipts
from omoide.store.fleet.database import Connection, FleetDatabase, TwinTable, is_canonical, translate

_ATTEMPTS = 3
_OUT_OF_REACH = "its write-ahead log, dead rows until VACUUM, and its own backups"  # named by the receipt of an erasure
_LOCK_WAIT = "5s"  # for a transaction whose connection broke: the server may still be busy with it


class NotHolder(Busy):
    """Another server holds the space by now. Nothing was written; asking again reaches the other server."""


@dataclass(slots=True)
class Lease:
    """The right of this server to write a space, as long as its epoch is the space's."""

    space: str
    uid: str
    epoch: int
    sequence: int
    lost: bool = False


@dataclass(slots=True)
class RowChanges:
    """What a transaction changed: rows as they are now, and keys of rows that are gone, by table."""

    rows: dict[str, list[tuple[Any, ...]]] = field(default_factory=dict)
    gone: dict[str, list[tuple[Any, ...]]] = field(default_factory=dict)

    @property
    def erases(self) -> bool:
        """Whether something is erased for good, so that no trace of deleted rows may remain."""
        return "erasure" in self.rows


class ReadingReplica:
    """The replica of a copy that is only read: what would write is refused."""

    def __init__(self, space: str) -> None:
        self._space = space

    def begin(self, db: FileConnection) -> None:
        raise NotHolder(
            f"this is a copy of the space {self._space} for reading; send what writes without asking for it"
        )

    def publish(self, db: FileConnection) -> None: ...

    def finish(self, *, committed: bool) -> None: ...


class SpaceReplica:
    """Publishes the transactions of one file under its lease."""

    def __init__(
        self, database: FleetDatabase, lease: Lease, committed: Callable[[float], object] = lambda seconds: None
    ) -> None:
        """
        Args:
            database: Where the transactions go.
            lease: The right to write the space.
            committed: Told how many seconds PostgreSQL took for each.
        """
        self._database = database
        self._lease = lease
        self._committed = committed
        self._session: apsw.Session | None = None
        self._published = False
        self._highest: dict[str, int] = {}

    @property
    def lease(self) -> Lease:
        return self._lease

    def begin(self, db: FileConnection) -> None:
        if self._lease.lost:
            raise NotHolder(f"the space {self._lease.space} is held by another server; nothing was written, try again")
        session = apsw.Session(db, "main")
        session.config(apsw.SQLITE_SESSION_OBJCONFIG_ROWID, 1)  # tables without a primary key too
        session.table_filter(is_canonical)
        session.attach()
        self._session, self._published = session, False

    def publish(self, db: FileConnection) -> None:
        assert self._session is not None
        if self._session.is_empty:
            return
        changes = read_changes(db, self._session.changeset(), self._database.tables)
        highest = _highest_ids(db)
        news = {name: value for name, value in highest.items() if self._highest.get(name) != value}
        began = perf_counter()
        self._send(changes, news)
        self._committed(perf_counter() - began)
        self._published = True
        if changes.erases:
            receipts.add_copy(db, f"{self._database.name}: {_OUT_OF_REACH}", "backup", db.now)
        self._highest = highest
        db.execute(
            "INSERT OR REPLACE INTO fleet_position (id, space, sequence) VALUES (1, ?, ?)",
            (self._lease.uid, self._lease.sequence + 1),
        )

    def finish(self, *, committed: bool) -> None:
        if self._session is not None:
            self._session.close()
            self._session = None
        if self._published and committed:
            self._lease.sequence += 1
        elif self._published:
            self._lease.lost = True  # PostgreSQL has what this file has not: it must be caught up first
        self._published = False

    def _send(self, changes: RowChanges, highest: dict[str, int]) -> None:
        for attempt in range(_ATTEMPTS):
            write = secrets.token_hex(8)
            try:
                with self._database.raw_connection() as db:
                    kept = write_changes(db, self._lease, write, changes, highest, self._database.tables)
                if not kept:
                    self._lease.lost = True
                    raise NotHolder(
                        f"the space {self._lease.space} was taken over by another server; nothing was written, "
                        "try again"
                    )
                return
            except psycopg.OperationalError as error:
                if _is_answer(error):
                    raise translate(error) from error
                if self._was_kept(write):
                    return
                if attempt == _ATTEMPTS - 1:
                    raise translate(error) from error
            except psycopg.Error as error:
                raise translate(error) from error

    def _was_kept(self, write: str) -> bool:
        """Looks up what became of a transaction whose answer was lost. If it was not kept, it never will be: a new
        epoch refuses it, should the server still have it before itself."""
        lease = self._lease
        try:
            with self._database.raw_connection() as db, db.transaction():
                db.execute("SELECT set_config('lock_timeout', %s, true)", (_LOCK_WAIT,))
                found = db.execute(
                    "SELECT epoch, last_write FROM omoide.space WHERE name = %s AND uid = %s FOR UPDATE",
                    (lease.space, lease.uid),
                ).fetchone()
                if found is None or found[0] != lease.epoch:
                    lease.lost = True
                    raise NotHolder(f"the space {lease.space} was taken over by another server; try again")
                if found[1] == write:
                    return True
                db.execute("UPDATE omoide.space SET epoch = epoch + 1 WHERE name = %s", (lease.space,))
            lease.epoch += 1
            return False
        except psycopg.Error as error:
            lease.lost = True  # nobody knows yet; opening the space again finds out
            raise Busy(
                f"PostgreSQL was lost while it stored this ({type(error).__name__}); whether it was kept is found out "
                "when the space is opened again; send it again with the same key"
            ) from error


def _is_answer(error: psycopg.OperationalError) -> bool:
    """Whether the server itself refused, so that nothing was kept; a broken connection has no code."""
    return error.sqlstate is not None and not error.sqlstate.startswith(("08", "57P"))


def read_changes(db: apsw.Connection, changeset: bytes, tables: dict[str, TwinTable]) -> RowChanges:
    """The rows that a changeset touched, as they are now."""
    keys: dict[str, dict[tuple[Any, ...], None]] = {}
    for change in apsw.Changeset.iter(changeset):
        table = tables[change.name]
        values: Any = change.new if change.op == "INSERT" else change.old
        keys.setdefault(change.name, {})[tuple(values[place] for place in table.key_places)] = None
    found = RowChanges()
    for name, touched in keys.items():
        table = tables[name]
        for key in touched:
            row = db.execute(table.select, key).fetchone()
            if row is None:
                found.gone.setdefault(name, []).append(key)
            else:
                found.rows.setdefault(name, []).append(table.to_twin(row))
    return found


def write_changes(
    db: Connection,
    lease: Lease,
    write: str,
    changes: RowChanges,
    highest: dict[str, int],
    tables: dict[str, TwinTable],
) -> bool:
    """One statement, and so one round trip and one transaction; whether the lease was still the space's.

    Every part joins the row of `moved`: without it nothing is written.
    """
    sequence = lease.sequence + 1
    parts = _Statement()
    parts.add(
        "moved",
        """
        UPDATE omoide.space
        SET
            sequence = %s,
            last_write = %s,
            written_at = clock_timestamp(),
            floor = CASE WHEN %s THEN %s ELSE floor END
        WHERE name = %s AND uid = %s AND epoch = %s AND sequence = %s
        RETURNING name AS space, sequence
        """,
        (sequence, write, changes.erases, sequence, lease.space, lease.uid, lease.epoch, lease.sequence),
    )
    for name, keys in changes.gone.items():
        parts.add(f"gone_{name}", tables[name].delete, _columns(keys))
    for name, rows in changes.rows.items():
        parts.add(f"rows_{name}", tables[name].upsert, _columns(rows))
    if changes.erases:
        parts.add("noted", "DELETE FROM omoide.deleted USING moved WHERE deleted.space = moved.space")
    else:
        noted = [(name, key_text(tables[name], key)) for name, keys in changes.gone.items() for key in keys]
        if noted:
            parts.add("noted", _NOTE_DELETIONS, _columns(noted))
    if highest:
        parts.add("highest", _SET_HIGHEST, _columns(list(highest.items())))
    return db.execute(parts.text, parts.values).fetchone() is not None


@dataclass(slots=True)
class _Statement:
    """A statement of several named parts."""

    parts: list[str] = field(default_factory=list)
    values: list[Any] = field(default_factory=list)

    def add(self, name: str, part: str, values: Sequence[Any] = ()) -> None:
        self.parts.append(f'"{name}" AS ({part})')
        self.values += values

    @property
    def text(self) -> str:
        return f"WITH {', '.join(self.parts)} SELECT 1 FROM moved"


_NOTE_DELETIONS = """
    INSERT INTO omoide.deleted (space, _sequence, table_name, key)
    SELECT moved.space, moved.sequence, noted.*
    FROM moved, unnest(%s::text[], %s::text[]) AS noted
"""
_SET_HIGHEST = """
    INSERT INTO omoide.highest_id (space, table_name, value)
    SELECT moved.space, highest.*
    FROM moved, unnest(%s::text[], %s::bigint[]) AS highest
    ON CONFLICT (space, table_name) DO UPDATE SET value = excluded.value
"""


def _columns(rows: Sequence[tuple[Any, ...]]) -> list[list[Any] | None]:
    """One array for each column. None, which `unnest` fills up, is cheaper to send than an array without values."""
    columns = (list(column) for column in zip(*rows, strict=True))
    return [None if column.count(None) == len(column) else column for column in columns]


def key_text(table: TwinTable, key: tuple[Any, ...]) -> str:
    """A key for the list of deletions: numbers as they are, words as a digest."""
    if all(isinstance(part, int) for part in key):
        return json.dumps(key)
    return hashlib.sha256(repr((table.name, key)).encode()).hexdigest()


def _highest_ids(db: apsw.Connection) -> dict[str, int]:
    found = db.execute("SELECT name, seq FROM sqlite_sequence")
    return {str(name): int(value) for name, value in found if is_canonical(str(name))}


def copy_whole_file(database: FleetDatabase, lease: Lease, path: str) -> int:
    """Replaces what PostgreSQL has of a space by the rows of a file, in one transaction. Returns the rows sent."""
    sent = 0
    with closing(apsw.Connection(path, apsw.SQLITE_OPEN_READONLY)) as file, database.connection() as db:
        held = db.execute(
            """
            UPDATE omoide.space
            SET
                sequence = sequence + 1,
                floor = sequence + 1,
                written_at = clock_timestamp(),
                last_write = NULL,
                schema = %s
            WHERE name = %s AND uid = %s AND epoch = %s
            RETURNING sequence
            """,
            (migrate.latest_version(), lease.space, lease.uid, lease.epoch),
        ).fetchone()
        if held is None:
            lease.lost = True
            raise NotHolder(f"the space {lease.space} was taken over by another server; nothing was written")
        file.execute("BEGIN")
        delete_rows(db, database, lease.space)
        for table in database.tables.values():
            names = ", ".join(f'"{name}"' for name in table.columns)
            target = f"{table.twin} (space, _sequence, {names})"
            with db.cursor().copy(f"COPY {target} FROM STDIN") as copy:
                for row in file.execute(f'SELECT {names} FROM "{table.name}"'):
                    copy.write_row((lease.space, held[0], *table.to_twin(row)))
                    sent += 1
        for name, value in _highest_ids(file).items():
            db.execute("INSERT INTO omoide.highest_id VALUES (%s, %s, %s)", (lease.space, name, value))
    lease.sequence = held[0]
    return sent


def delete_rows(db: Connection, database: FleetDatabase, space: str) -> None:
    """Deletes every row of a space, but not the space itself."""
    for table in database.tables.values():
        db.execute(f"DELETE FROM {table.twin} WHERE space = %s", (space,))
    db.execute("DELETE FROM omoide.deleted WHERE space = %s", (space,))
    db.execute("DELETE FROM omoide.highest_id WHERE space = %s", (space,))
