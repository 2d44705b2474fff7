"""Brings a file to the last transaction of its space: only the rows that it misses, or all of them into a new file."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import apsw

from omoide.clock import system_clock
from omoide.errors import Damaged, FileProblem, NotFound
from omoide.store.engine import connection as connections
from omoide.store.engine import migrate
from omoide.store.engine.connection import Connection as FileConnection
from omoide.store.engine.gate import Gate
from omoide.store.fleet.database import Connection, FleetDatabase, TwinTable, twin_tables
from omoide.store.fleet.replication import key_text
from omoide.store.search import fulltext

_PATIENCE = 10.0  # seconds to wait for whoever still has the file
_MARK = "INSERT OR REPLACE INTO fleet_position (id, space, sequence) VALUES (1, ?, ?)"
_PARTS = ("", "-wal", "-shm", "-gate")


@dataclass(frozen=True, slots=True)
class CatchUp:
    """What bringing a file up to date took."""

    sequence: int
    rows: int
    rebuilt: bool
    upgraded: bool = False  # the rows in PostgreSQL are of an older format than the file now


def catch_up(database: FleetDatabase, space: str, path: str) -> CatchUp:
    """Makes a file hold exactly what PostgreSQL holds of a space. Nobody may have the file open.

    A file that is missing, of another space, damaged, of an older format or older than an erasure is built anew.
    """
    with database.connection() as db:
        _read_at_leisure(db)
        uid, sequence, floor, schema = _state(db, space)
        if sequence and schema < migrate.latest_version():
            remove_file(path)
            return CatchUp(sequence, _build_from_older(db, space, path, schema), rebuilt=True, upgraded=True)
        position = _position(path, uid)
        if position == sequence and floor <= sequence:
            return CatchUp(sequence, 0, rebuilt=False)
        rebuild = position is None or position < floor or position > sequence
        if rebuild:
            remove_file(path)
        with _without_triggers(path) as file:
            rows = 0  # a new space has nothing yet
            if sequence:
                rows = _apply(db, file, database.tables, space, -1 if rebuild or position is None else position)
            file.execute(_MARK, (uid, sequence))
    return CatchUp(sequence, rows, rebuilt=rebuild)


def _state(db: Connection, space: str) -> tuple[str, int, int, int]:
    """The id of a space, its last transaction, its floor, and the format of its rows."""
    found = db.execute("SELECT uid, sequence, floor, schema FROM omoide.space WHERE name = %s", (space,)).fetchone()
    if found is None:
        raise NotFound(f"there is no space {space} in this fleet; `omoide fleet status` lists all")
    return found[0], found[1], found[2], found[3]


def _build_from_older(db: Connection, space: str, path: str, schema: int) -> int:
    """Writes rows of an older format into a file of that format, and brings it to this version's by the migrations."""
    with _without_triggers(path, [each for each in migrate.shipped_migrations() if each.number <= schema]) as file:
        rows = _copy_all(db, file, twin_tables(file), space)
    with _without_triggers(path) as file:
        _index(file, None)
    for copy in Path(path).parent.glob(f"{Path(path).name}.before-*"):
        copy.unlink()
    return rows


def mark(path: str, uid: str, sequence: int) -> None:
    """Notes that a file holds what PostgreSQL holds. Nobody else may have the file open."""
    with closing(connections.connect(path, _PATIENCE)) as file:
        file.execute(_MARK, (uid, sequence))


def write_copy(database: FleetDatabase, space: str, path: str) -> int:
    """Writes a space into a new file that belongs to no fleet. Returns the rows written."""
    with database.connection() as db:
        _read_at_leisure(db)
        _, sequence, _, schema = _state(db, space)
        if sequence and schema < migrate.latest_version():
            return _build_from_older(db, space, path, schema)
        with _without_triggers(path) as file:
            return _apply(db, file, database.tables, space, -1)


def _read_at_leisure(db: Connection) -> None:
    """One state of the database for the whole transaction, which may pause: it holds no lock that others need."""
    db.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
    db.execute("SET LOCAL idle_in_transaction_session_timeout = 0")


def remove_file(path: str) -> None:
    for part in _PARTS:
        with suppress(FileNotFoundError):
            os.unlink(path + part)


def _position(path: str, uid: str) -> int | None:
    """The sequence that a file holds; None if it is not a usable file of this space and of this version."""
    if not Path(path).exists():
        return None
    try:
        with closing(connections.connect(path, _PATIENCE)) as db:
            if migrate.file_version(db, path) != migrate.latest_version():
                return None
            found = db.execute("SELECT sequence FROM fleet_position WHERE space = ?", (uid,)).get
    except (apsw.Error, FileProblem):
        return None
    return None if found is None else int(found)


@contextmanager
def _without_triggers(path: str, migrations: Sequence[migrate.Migration] | None = None) -> Iterator[FileConnection]:
    """A file in one transaction in which rows are taken as they are: no trigger, no cascade."""
    gate = Gate(f"{path}-gate", _PATIENCE)
    db = connections.connect_new(path, _PATIENCE)
    try:
        db.config(apsw.SQLITE_DBCONFIG_ENABLE_TRIGGER, 0)
        migrate.upgrade(db, path, gate, system_clock, migrations)
        db.pragma("foreign_keys", False)
        with gate.held():
            db.execute("BEGIN IMMEDIATE")
            try:
                yield db
                db.execute("COMMIT")
            except BaseException:
                if db.in_transaction:
                    db.execute("ROLLBACK")
                raise
    finally:
        connections.close(db)
        gate.close()


def _apply(db: Connection, file: FileConnection, tables: dict[str, TwinTable], space: str, after: int) -> int:
    """Takes every row that was written after a sequence, and forgets those that were deleted since."""
    if after < 0:
        count = _copy_all(db, file, tables, space)
        _index(file, None)
        return count
    changed = [row[0] for row in db.execute(_CHANGED_NODES, (space, after))]
    gone = _deleted_keys(db, file, tables, space, after)
    _unindex(file, [*changed, *(key[0] for key in gone.get("node", ()))])
    for name, keys in gone.items():
        file.executemany(tables[name].remove, keys)
    count = _copy_rows(db, file, tables, space, after)
    _index(file, changed)
    return count


def _copy_all(db: Connection, file: FileConnection, tables: dict[str, TwinTable], space: str) -> int:
    """Takes every row into a new file."""
    for table in tables.values():
        file.execute(f'DELETE FROM "{table.name}"')  # rows that the migrations put there
    return _copy_rows(db, file, tables, space, -1)


def _copy_rows(db: Connection, file: FileConnection, tables: dict[str, TwinTable], space: str, after: int) -> int:
    count = sum(_copy_table(db, file, table, space, after) for table in tables.values())
    for name, value in db.execute("SELECT table_name, value FROM omoide.highest_id WHERE space = %s", (space,)):
        file.execute("DELETE FROM sqlite_sequence WHERE name = ?", (name,))
        file.execute("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", (name, value))
    return count


_CHANGED_NODES = "SELECT id FROM omoide.node WHERE space = %s AND _sequence > %s"


def _copy_table(db: Connection, file: FileConnection, table: TwinTable, space: str, after: int) -> int:
    names = ", ".join(f'"{name}"' for name in table.columns)
    order = ", ".join(f'"{name}"' for name in table.key)
    query = f"SELECT {names} FROM {table.twin} WHERE space = %s AND _sequence > %s ORDER BY {order}"
    with db.cursor().copy(f"COPY ({query}) TO STDOUT (FORMAT BINARY)", (space, after)) as copy:
        copy.set_types(table.types)
        rows = [table.from_twin(row) for row in copy.rows()]
    file.executemany(table.insert, rows)
    return len(rows)


def _deleted_keys(
    db: Connection, file: FileConnection, tables: dict[str, TwinTable], space: str, after: int
) -> dict[str, list[tuple[Any, ...]]]:
    """Keys that the file has and PostgreSQL no longer."""
    noted: dict[str, set[str]] = {}
    query = "SELECT table_name, key FROM omoide.deleted WHERE space = %s AND _sequence > %s"
    for name, key in db.execute(query, (space, after)):
        noted.setdefault(name, set()).add(key)
    found: dict[str, list[tuple[Any, ...]]] = {}
    for name, keys in noted.items():
        table = tables[name]
        if "text" in {table.types[place] for place in table.key_places}:
            listed = ", ".join(f'"{column}"' for column in table.key)
            rows = file.execute(f'SELECT {listed} FROM "{name}"')
            found[name] = [tuple(row) for row in rows if key_text(table, tuple(row)) in keys]
        else:
            found[name] = [tuple(json.loads(key)) for key in keys if key.startswith("[")]
    return found


def _unindex(file: FileConnection, ids: list[int]) -> None:
    """Takes nodes out of the full-text index while their rows are still the old ones."""
    file.execute(
        """
        INSERT INTO nodes_fts (nodes_fts, rowid, text, speaker, tags)
        SELECT 'delete', id, text, speaker, tags
        FROM indexed_text_with_archive
        WHERE
            id IN (SELECT value FROM json_each(?))
            AND EXISTS (SELECT 1 FROM nodes_fts_docsize WHERE nodes_fts_docsize.id = indexed_text_with_archive.id)
        """,
        (json.dumps(ids),),
    )


def _index(file: FileConnection, changed: list[int] | None) -> None:
    """Indexes the nodes that changed, or all of a new file, and makes caches read everything again."""
    ids = file.column("SELECT id FROM node ORDER BY id") if changed is None else changed
    for start in range(0, len(ids), 5_000):
        fulltext.index_nodes(file, ids[start : start + 5_000])
    for name in file.column(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name LIKE 'vector\\_block%' ESCAPE '\\'"
    ):
        file.execute(f'DELETE FROM "{name}"')  # made from the vectors when it is missing
    fulltext.invalidate_all(file)
    if file.execute("SELECT EXISTS (SELECT 1 FROM node WHERE id NOT IN (SELECT id FROM nodes_fts_docsize))").get:
        raise Damaged("the full-text index misses memories after catching up; remove the file, it is built anew")


def differences(database: FleetDatabase, space: str, path: str, most: int = 20) -> list[str]:
    """Compares a file with its twin row by row; returns what differs, at most `most` lines."""
    found: list[str] = []
    with database.connection() as db, closing(connections.connect(path, _PATIENCE)) as file:
        _read_at_leisure(db)
        file.execute("BEGIN")
        for table in database.tables.values():
            names = ", ".join(f'"{name}"' for name in table.columns)
            here = {_key(table, row): tuple(row) for row in file.execute(f'SELECT {names} FROM "{table.name}"')}
            query = f"SELECT {names} FROM {table.twin} WHERE space = %s"
            for row in map(table.from_twin, db.execute(query, (space,), binary=True)):
                key = _key(table, row)
                mine = here.pop(key, None)
                if mine is None:
                    found.append(f"{table.name} {key}: missing in the file")
                elif mine != row:
                    columns = [name for name, a, b in zip(table.columns, mine, row, strict=True) if a != b]
                    found.append(f"{table.name} {key}: {', '.join(columns)} differ")
            found += [f"{table.name} {key}: missing in PostgreSQL" for key in here]
            if len(found) >= most:
                break
    return found[:most]


def _key(table: TwinTable, row: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(row[place] for place in table.key_places)
