"""The PostgreSQL database of a fleet: connections, its schema, and its errors in our words."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from omoide.clock import system_clock
from omoide.errors import Busy, CannotWrite, InvalidInput, MissingExtra, NewerFile, OmoideError
from omoide.store.engine import connection, migrate
from omoide.store.engine.gate import NoGate
from omoide.store.fleet.twin_schema import TwinTable, twin_tables

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
