"""The PostgreSQL database of a fleet: connections, errors in our words, and its tables, made from those of a file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import apsw

from omoide.clock import system_clock
from omoide.errors import Busy, CannotWrite, InvalidInput, MissingExtra, NewerFile, OmoideError
from omoide.store.engine import connection, migrate
from omoide.store.engine.gate import NoGate

try:
    import psycopg
    from psycopg import conninfo, errors
    from psycopg_pool import ConnectionPool, PoolTimeout
except ImportError as error:
    raise MissingExtra('a fleet needs PostgreSQL\'s driver: `pip install "omoide[fleet]"`') from error

Connection = psycopg.Connection[tuple[Any, ...]]

_VERSION = 1  # of control.sql
_CONTROL = Path(__file__).with_name("control.sql")
_VIEWS = Path(__file__).with_name("views.sql")
_LOCK = 0x4F4D4F49  # of those who create the schema at once
_PATIENCE = 10.0  # seconds to wait for a connection
_DEAD_AFTER = "10"  # seconds without an answer from the other side of a connection


class FleetDatabase:
    """Opens the database of a fleet and creates what is missing in it."""

    def __init__(self, dsn: str, connections: int = 8) -> None:
        """
        Args:
            dsn: `postgresql://user:password@host:port/name`, or `key=value` words.
            connections: The most connections to keep open.

        Raises:
            InvalidInput: The address is wrong, or the server refuses the user.
            Busy: The server cannot be reached.
            NewerFile: A newer Omoide manages this database.
        """
        self._dsn = _with_defaults(dsn)
        self.tables = file_tables()
        with translated():
            psycopg.connect(self._dsn).close()  # the pool would hide the reason
            self._pool: ConnectionPool[Connection] = ConnectionPool(
                self._dsn,
                min_size=1,
                max_size=connections,
                timeout=_PATIENCE,
                open=True,
                kwargs={"autocommit": True},
            )
        try:
            with self.connection() as db:
                self._prepare(db)
        except BaseException:
            self.close()
            raise

    @property
    def name(self) -> str:
        """The address without user and password."""
        found = conninfo.conninfo_to_dict(self._dsn)
        return f"PostgreSQL database {found.get('dbname', '')} on {found.get('host', 'this machine')}"

    def close(self) -> None:
        self._pool.close()

    @contextmanager
    def connection(self) -> Iterator[Connection]:
        """A connection in a transaction, committed at the end. Errors are in our words."""
        with translated(), self._pool.connection() as db, db.transaction():
            yield db

    @contextmanager
    def raw_connection(self) -> Iterator[Connection]:
        """A connection in which each statement is a transaction. The caller handles its errors."""
        with self._pool.connection() as db:
            yield db

    def _prepare(self, db: Connection) -> None:
        ours = migrate.latest_version()
        db.execute("SELECT pg_advisory_xact_lock(%s)", (_LOCK,))
        if db.execute("SELECT to_regclass('omoide.format')").fetchone() != (None,):
            found = db.execute("SELECT version, schema FROM omoide.format").fetchone()
            if found == (_VERSION, ours):
                return
            if found is not None and (found[0] > _VERSION or found[1] > ours):
                raise NewerFile(
                    f"the fleet in {self.name} has format {found[0]}.{found[1]}, this Omoide knows up to "
                    f"{_VERSION}.{ours}; upgrade this server"
                )
        db.execute(_CONTROL.read_text("utf-8"))
        for table in self.tables.values():
            _create(db, table)
        db.execute(_VIEWS.read_text("utf-8"))
        db.execute("DELETE FROM omoide.format")
        db.execute("INSERT INTO omoide.format (version, schema) VALUES (%s, %s)", (_VERSION, ours))


def _create(db: Connection, table: TwinTable) -> None:
    db.execute(table.create)
    for addition in table.additions:
        db.execute(addition)
    db.execute(f'CREATE INDEX IF NOT EXISTS "{table.name}_by_sequence" ON {table.twin} (space, _sequence)')


def file_tables() -> dict[str, TwinTable]:
    """The canonical tables of a memory file of this version."""
    db = connection.connect(connection.IN_MEMORY, 1.0)
    try:
        migrate.upgrade(db, connection.IN_MEMORY, NoGate(), system_clock)
        return twin_tables(db)
    finally:
        db.close()


def _with_defaults(dsn: str) -> str:
    """A dead server is noticed after seconds, not after the hours of TCP's own limits."""
    limits = {
        "connect_timeout": _DEAD_AFTER,
        "keepalives_idle": _DEAD_AFTER,
        "keepalives_interval": "5",
        "keepalives_count": "2",
        "tcp_user_timeout": "15000",
        "application_name": "omoide",
        # A server that hangs in a transaction must not keep its locks: the next holder waits for them.
        "options": "-c idle_in_transaction_session_timeout=5s",
    }
    try:
        return conninfo.make_conninfo(dsn, **(limits | conninfo.conninfo_to_dict(dsn)))
    except psycopg.Error as error:
        raise InvalidInput(f"this is no address of a PostgreSQL database: {_one_line(error)}") from error


@contextmanager
def translated() -> Iterator[None]:
    try:
        yield
    except (psycopg.Error, PoolTimeout) as error:
        raise translate(error) from error


_REFUSED = (
    "authentication failed",
    "does not exist",
    "no password supplied",
    "no pg_hba.conf entry",
    "could not translate",
)


def translate(error: Exception) -> OmoideError:
    """An error of PostgreSQL as one of ours. In every case the transaction was rolled back."""
    why = _one_line(error)
    match error:
        case errors.DiskFull() | errors.InsufficientPrivilege() | errors.ReadOnlySqlTransaction():
            return CannotWrite(f"PostgreSQL refuses to write ({why}); nothing was written")
        case errors.UndefinedTable() | errors.UndefinedColumn() | errors.InvalidSchemaName():
            return CannotWrite(f"the tables of the fleet are not as expected ({why}); nothing was written")
        case psycopg.OperationalError() | PoolTimeout():
            if any(words in why for words in _REFUSED):
                return InvalidInput(f"PostgreSQL refuses the connection: {why}")
            return Busy(f"PostgreSQL cannot be reached ({why}); nothing was written, try again")
    return CannotWrite(f"PostgreSQL: {why}; nothing was written")


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split()) or type(error).__name__


# The tables of a fleet in PostgreSQL, made from the tables of a memory file: the migrations are their one source.
#
# Every canonical table has a twin with the same columns, and `space` and `_sequence` besides: the space that the row
# belongs to, and the transaction that last wrote it.


SCHEMA = "omoide"

# Tables that stay in each file: indexes and caches, which are built from the rows, and what is about one machine.
LOCAL_TABLES = frozenset({"cache_invalidation", "fleet_position", "known_copy", "lease", "migration", "write_mark"})
_LOCAL_PREFIXES = ("sqlite_", "nodes_fts", "word", "vector_block")

_TYPES = {"INTEGER": "bigint", "REAL": "double precision", "TEXT": "text", "BLOB": "bytea"}
# PostgreSQL's text cannot hold NUL. It and the mark itself are written as a mark and a letter.
_MARK, _NUL = "\ue000", "\x00"
_ESCAPES = {_MARK: f"{_MARK}m", _NUL: f"{_MARK}0"}


def is_canonical(table: str) -> bool:
    """Whether the rows of a table of the file belong to the truth that PostgreSQL holds."""
    return table not in LOCAL_TABLES and not table.startswith(_LOCAL_PREFIXES)


@dataclass(frozen=True)
class TwinTable:
    """A canonical table and its twin."""

    name: str
    columns: tuple[str, ...]  # as in the file; `_rowid_` first where the table has no primary key
    types: tuple[str, ...]  # of PostgreSQL
    defaults: tuple[str | None, ...]
    key: tuple[str, ...]

    @cached_property
    def key_places(self) -> tuple[int, ...]:
        return tuple(self.columns.index(name) for name in self.key)

    @cached_property
    def text_places(self) -> tuple[int, ...]:
        return tuple(place for place, type in enumerate(self.types) if type == "text")

    @cached_property
    def create(self) -> str:
        columns = ", ".join(f'"{name}" {type}' for name, type in zip(self.columns, self.types, strict=True))
        return (
            f"CREATE TABLE IF NOT EXISTS {self.twin} (space text NOT NULL, _sequence bigint NOT NULL, {columns}, "
            f"PRIMARY KEY (space, {_listed(self.key)}))"
        )

    @cached_property
    def additions(self) -> tuple[str, ...]:
        """Adds the columns that later migrations brought."""
        return tuple(
            f'ALTER TABLE {self.twin} ADD COLUMN IF NOT EXISTS "{name}" {type}'
            + (f" DEFAULT {default}" if default is not None else "")
            for name, type, default in zip(self.columns, self.types, self.defaults, strict=True)
        )

    @property
    def twin(self) -> str:
        return f'{SCHEMA}."{self.name}"'

    @cached_property
    def upsert(self) -> str:
        """Takes one array for each column; `moved` gives the space and the sequence."""
        arrays = ", ".join(f"%s::{type}[]" for type in self.types)
        changed = ", ".join(f'"{name}" = excluded."{name}"' for name in ("_sequence", *self.columns))
        return (
            f"INSERT INTO {self.twin} (space, _sequence, {_listed(self.columns)}) "
            f"SELECT moved.space, moved.sequence, given.* FROM moved, unnest({arrays}) AS given "
            f"ON CONFLICT (space, {_listed(self.key)}) DO UPDATE SET {changed}"
        )

    @cached_property
    def delete(self) -> str:
        """Takes one array for each column of the key; `moved` gives the space."""
        arrays = ", ".join(f"%s::{self.types[place]}[]" for place in self.key_places)
        same = " AND ".join(f't."{name}" = gone."{name}"' for name in self.key)
        return (
            f"DELETE FROM {self.twin} AS t USING moved, unnest({arrays}) AS gone({_listed(self.key)}) "
            f"WHERE t.space = moved.space AND {same}"
        )

    @cached_property
    def select(self) -> str:
        """Reads the row of a key from the file."""
        same = " AND ".join(f'"{name}" = ?' for name in self.key)
        return f'SELECT {_listed(self.columns)} FROM "{self.name}" WHERE {same}'

    @cached_property
    def insert(self) -> str:
        """Writes a row to the file."""
        marks = ", ".join("?" * len(self.columns))
        return f'INSERT OR REPLACE INTO "{self.name}" ({_listed(self.columns)}) VALUES ({marks})'

    @cached_property
    def remove(self) -> str:
        """Deletes the row of a key from the file."""
        return f'DELETE FROM "{self.name}" WHERE ' + " AND ".join(f'"{name}" = ?' for name in self.key)

    def to_twin(self, row: tuple[Any, ...]) -> tuple[Any, ...]:
        """A row of the file as PostgreSQL can hold it."""
        return self._with_texts(row, escaped)

    def from_twin(self, row: tuple[Any, ...]) -> tuple[Any, ...]:
        return self._with_texts(row, unescaped)

    def _with_texts(self, row: tuple[Any, ...], change: Any) -> tuple[Any, ...]:
        if not any(isinstance(row[place], str) and _is_special(row[place]) for place in self.text_places):
            return row
        return tuple(change(value) if isinstance(value, str) else value for value in row)


def _is_special(text: str) -> bool:
    return _NUL in text or _MARK in text


def escaped(text: str) -> str:
    return text.replace(_MARK, _ESCAPES[_MARK]).replace(_NUL, _ESCAPES[_NUL]) if _is_special(text) else text


def unescaped(text: str) -> str:
    return text.replace(_ESCAPES[_NUL], _NUL).replace(_ESCAPES[_MARK], _MARK) if _MARK in text else text


def _listed(names: Iterable[str]) -> str:
    return ", ".join(f'"{name}"' for name in names)


def twin_tables(db: apsw.Connection) -> dict[str, TwinTable]:
    """Every canonical table of a file, as its schema is now."""
    found = {}
    for name in db.execute("SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' ORDER BY name"):
        if is_canonical(str(name[0])):
            found[str(name[0])] = _twin_table(db, str(name[0]))
    return found


def _twin_table(db: apsw.Connection, table: str) -> TwinTable:
    rows = list(db.execute("SELECT name, type, pk, dflt_value FROM pragma_table_info(?) ORDER BY cid", (table,)))
    key = [name for _, name in sorted((pk, str(name)) for name, _, pk, _ in rows if pk)]
    columns = [str(row[0]) for row in rows]
    types = [_TYPES[str(row[1])] for row in rows]
    defaults = [row[3] for row in rows]
    if not key:
        key, columns, types, defaults = ["_rowid_"], ["_rowid_", *columns], ["bigint", *types], [None, *defaults]
    return TwinTable(table, tuple(columns), tuple(types), tuple(defaults), tuple(key))
