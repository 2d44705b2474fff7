"""Opening the file: one function per pragma, each saying why."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import apsw

from omoide.errors import CannotWrite, FileProblem, NotAMemory

APPLICATION_ID = 0x4F4D4F49  # "OMOI": how we know our own files
OLDEST_SQLITE = 3_051_003  # earlier ones can corrupt a WAL file that is reset while another connection checkpoints
_HEADER = b"SQLite format 3\x00"
MEMORY = ":memory:"


def connect(path: str, busy_timeout: float) -> apsw.Connection:
    """A connection with all our pragmas."""
    if apsw.SQLITE_VERSION_NUMBER < OLDEST_SQLITE:
        raise FileProblem(
            f"SQLite {apsw.sqlite_lib_version()} is too old to be safe; install apsw-sqlite3mc 3.51.3 or newer"
        )
    connection = apsw.Connection(path)
    connection.set_busy_timeout(int(busy_timeout * 1000))
    for setting in PRAGMAS:
        setting(connection)
    return connection


def write_ahead(connection: apsw.Connection) -> None:
    """Readers never wait for the writer, nor it for them."""
    connection.pragma("journal_mode", "wal")


def synchronous_full(connection: apsw.Connection) -> None:
    """Acknowledged means on the disk: NORMAL lost up to 62 acknowledged rows at a simulated power cut, FULL none."""
    connection.pragma("synchronous", "full")


def foreign_keys(connection: apsw.Connection) -> None:
    """SQLite leaves them off; a node's vectors, edges and queue rows must go with it."""
    connection.pragma("foreign_keys", True)


def untrusted_schema(connection: apsw.Connection) -> None:
    """A file from elsewhere may carry views and triggers; they must not call anything with side effects."""
    connection.pragma("trusted_schema", False)


def temporary_in_memory(connection: apsw.Connection) -> None:
    """Sorting a result must not write private text into a temporary file."""
    connection.pragma("temp_store", "memory")


def page_cache(connection: apsw.Connection) -> None:
    """16 MB: the upper levels of every index of a store of 100k nodes, far below what we promise to use."""
    connection.pragma("cache_size", -16_000)


def bounded_wal(connection: apsw.Connection) -> None:
    """A burst may grow the log; afterwards it shrinks to 16 MB instead of keeping the disk for ever."""
    connection.pragma("journal_size_limit", 16_000_000)


def strict_quotes(connection: apsw.Connection) -> None:
    """A misspelt column in double quotes is an error, not a string."""
    connection.config(apsw.SQLITE_DBCONFIG_DQS_DML, 0)
    connection.config(apsw.SQLITE_DBCONFIG_DQS_DDL, 0)


PRAGMAS: tuple[Callable[[apsw.Connection], None], ...] = (
    write_ahead,
    synchronous_full,
    foreign_keys,
    untrusted_schema,
    temporary_in_memory,
    page_cache,
    bounded_wal,
    strict_quotes,
)


def inspect(path: str) -> bool:
    """Refuses a path that holds something else before SQLite touches it; tells whether the file is ready for use.

    A file that is new, or not yet in WAL mode, must be opened behind the gate: the change of mode needs it alone.
    """
    place = Path(path)
    if place.is_dir():
        raise NotAMemory(f"{path} is a folder; name a file in it, for example {place / 'memory.db'}")
    if not place.parent.exists():
        raise CannotWrite(f"{path}: the folder {place.parent} does not exist; create it first")
    if not place.exists():
        if not os.access(place.parent, os.W_OK):
            raise CannotWrite(f"{path} cannot be created: the folder {place.parent} may not be written")
        return False
    try:
        with place.open("rb") as file:
            start = file.read(len(_HEADER) + 4)
    except OSError as error:
        raise CannotWrite(f"{path} cannot be read: {error.strerror}") from error
    if start and not start.startswith(_HEADER):
        raise NotAMemory(f"{path} is not an Omoide file; it was left untouched, choose another path")
    return start[18:20] == b"\x02\x02"  # the header's write and read version: 2 is WAL


def is_ours(connection: apsw.Connection) -> bool:
    """Whether the file carries our mark. A new, empty one does not yet."""
    return bool(connection.pragma("application_id") == APPLICATION_ID)


def is_empty(connection: apsw.Connection) -> bool:
    return bool(connection.execute("SELECT count(*) FROM sqlite_schema").get == 0)
