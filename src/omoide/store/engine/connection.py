"""Opening the file: one function per pragma, each saying why."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import apsw

from omoide.clock import Clock, system_clock
from omoide.domain.decay import ConfidenceState
from omoide.domain.kinds import KINDS
from omoide.domain.node import TRUSTED_SOURCE_TYPES
from omoide.errors import CannotWrite, FileProblem, NotAMemory
from omoide.ids import UlidFactory, new_ulid

APPLICATION_ID = 0x4F4D4F49  # "OMOI": how we know our own files
OLDEST_SQLITE = 3_051_003  # earlier ones can corrupt a WAL file that is reset while another connection checkpoints
_HEADER = b"SQLite format 3\x00"
_HEADER_BYTES = 100
IN_MEMORY = ":memory:"


class Connection(apsw.Connection):
    """An SQLite connection that knows the time of its transaction and makes new ids."""

    clock: Clock = staticmethod(system_clock)
    ids: UlidFactory = staticmethod(new_ulid)
    _now: int | None = None

    @property
    def now(self) -> int:
        """The time of the current transaction in microseconds: read on first use, then constant until it ends."""
        if self._now is None:
            self._now = self.clock()
        return self._now

    @contextmanager
    def fresh_time(self) -> Iterator[None]:
        """Inside, `now` is read again."""
        before, self._now = self._now, None
        try:
            yield
        finally:
            self._now = before


def connect(path: str, busy_timeout: float) -> Connection:
    """A connection with all our pragmas, to a file that is there and known to be ours."""
    return apply_pragmas(open_bare(path, busy_timeout, create=path == IN_MEMORY))


def open_bare(path: str, busy_timeout: float, *, create: bool) -> Connection:
    """A bare connection: nothing of the file has been touched yet."""
    if apsw.SQLITE_VERSION_NUMBER < OLDEST_SQLITE:
        raise FileProblem(
            f"SQLite {apsw.sqlite_lib_version()} is too old to be safe; install apsw-sqlite3mc 3.51.3 or newer"
        )
    flags = apsw.SQLITE_OPEN_READWRITE | (apsw.SQLITE_OPEN_CREATE if create else 0)
    if create and path != IN_MEMORY:
        _create_private(path)
    connection = Connection(path, flags)
    connection.set_busy_timeout(int(busy_timeout * 1000))
    keep_log_when_dropped(connection)
    return connection


def _create_private(path: str) -> None:
    """A memory is its owner's alone to read; SQLite gives its log and its index of it the same rights."""
    with suppress(FileExistsError, OSError):  # what is wrong with the place, SQLite will say
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))


def apply_pragmas(connection: Connection) -> Connection:
    """The connection with all our pragmas. The first may write: only for a file that is ours or empty."""
    for setting in PRAGMAS:
        setting(connection)
    register_functions(connection)
    return connection


def close(connection: apsw.Connection) -> None:
    """On purpose, by the process that opened it: whoever closes last folds the log back into the file."""
    connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 0)
    with suppress(apsw.IOError, apsw.FullError):  # nothing is lost: the log stays, and whoever opens next folds it
        connection.close()


def close_untouched(connection: apsw.Connection, path: str) -> None:
    """Leaves a file that is not ours as it was found: a log with something in it is not ours to fold."""
    log = Path(f"{path}-wal")
    if log.exists() and log.stat().st_size:
        connection.close()
    else:
        close(connection)  # takes along the empty log that opening made


def keep_log_when_dropped(connection: apsw.Connection) -> None:
    """A connection that is merely dropped may be a forked child's copy: it must not fold or delete a log."""
    connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)


def use_wal(connection: apsw.Connection) -> None:
    """Readers never wait for the writer, nor it for them."""
    connection.pragma("journal_mode", "wal")


def synchronous_full(connection: apsw.Connection) -> None:
    """Acknowledged means on the disk: NORMAL lost up to 62 acknowledged rows at a simulated power cut, FULL none."""
    connection.pragma("synchronous", "full")
    connection.pragma("fullfsync", True)  # macOS alone: there, a plain fsync may stay in the drive's cache


def enforce_foreign_keys(connection: apsw.Connection) -> None:
    """SQLite leaves them off; a node's vectors, edges and queue rows must go with it."""
    connection.pragma("foreign_keys", True)


def distrust_schema(connection: apsw.Connection) -> None:
    """A file from elsewhere may carry views and triggers; they must not call anything with side effects."""
    connection.pragma("trusted_schema", False)


def keep_temporary_tables_in_memory(connection: apsw.Connection) -> None:
    """Sorting a result must not write private text into a temporary file."""
    connection.pragma("temp_store", "memory")


def size_page_cache(connection: apsw.Connection) -> None:
    """16 MB: the upper levels of every index of a store of 100k nodes, far below what we promise to use."""
    connection.pragma("cache_size", -16_000)


def limit_wal(connection: apsw.Connection) -> None:
    """A burst may grow the log; afterwards it shrinks to 16 MB instead of keeping the disk for ever."""
    connection.pragma("journal_size_limit", 16_000_000)


def refuse_double_quoted_strings(connection: apsw.Connection) -> None:
    """A misspelt column in double quotes is an error, not a string."""
    connection.config(apsw.SQLITE_DBCONFIG_DQS_DML, 0)
    connection.config(apsw.SQLITE_DBCONFIG_DQS_DDL, 0)


PRAGMAS: tuple[Callable[[apsw.Connection], None], ...] = (
    use_wal,
    synchronous_full,
    enforce_foreign_keys,
    distrust_schema,
    keep_temporary_tables_in_memory,
    size_page_cache,
    limit_wal,
    refuse_double_quoted_strings,
)


def check_path(path: str) -> bool:
    """Refuses a path that holds something else before anything touches it; tells whether the file is ready for use.

    A file that is new, or not yet in WAL mode, must be opened behind the gate: the change of mode needs it alone.
    """
    place = Path(path)
    try:
        kind = place.stat().st_mode
    except FileNotFoundError:
        _require_folder(place)
        return False
    except OSError as error:
        raise CannotWrite(f"{path} cannot be opened: {error.strerror}") from error
    if stat.S_ISDIR(kind):
        raise NotAMemory(f"{path} is a folder; name a file in it, for example {place / 'memory.db'}")
    if not stat.S_ISREG(kind):  # reading a pipe would wait for ever
        raise NotAMemory(f"{path} is not a regular file; choose another path")
    try:
        with place.open("rb") as file:
            start = file.read(_HEADER_BYTES)
    except OSError as error:
        raise CannotWrite(f"{path} cannot be read: {error.strerror}") from error
    return _is_ready(start, path)


def _is_ready(start: bytes, path: str) -> bool:
    """Reads the header alone. In WAL mode its mark may still be in the log, and an empty file has none yet."""
    if not start:
        return False
    if not start.startswith(_HEADER):
        raise NotAMemory(f"{path} is not an Omoide file; it was left untouched, choose another path")
    uses_log = start[18:20] == b"\x02\x02"  # the write and read version: 2 is WAL
    mark = int.from_bytes(start[68:72], "big")
    if mark != APPLICATION_ID and not (uses_log and mark == 0):
        raise NotAMemory(f"{path} is a SQLite database of another program; it was left untouched, choose another path")
    return uses_log


def _require_folder(place: Path) -> None:
    if not place.parent.exists():
        raise CannotWrite(f"{place}: the folder {place.parent} does not exist; create it first")
    if not os.access(place.parent, os.W_OK):
        raise CannotWrite(f"{place} cannot be created: the folder {place.parent} may not be written")


def is_ours(connection: apsw.Connection) -> bool:
    """Whether the file carries our mark. A new, empty one does not yet."""
    return bool(connection.pragma("application_id") == APPLICATION_ID)


def is_empty(connection: apsw.Connection) -> bool:
    return bool(connection.execute("SELECT count(*) FROM sqlite_schema").get == 0)


# What is left of a confidence, lent to SQL: the formula stands in layers/decay.py and nowhere else.


EFFECTIVE_CONFIDENCE = """effective_confidence(
    node.kind, node.attributes ->> 'predicate', node.decay_rate, node.confidence,
    node.recorded_at, node.confirmed_at, node.last_accessed_at, node.access_count, :now
)"""
# As Node.protected says it; written out, since it is asked of every row.
PROTECTED = f"""(
    node.decay_rate = 0
    OR (
        (node.confirmed_at IS NOT NULL OR node.source_type IN {TRUSTED_SOURCE_TYPES})
        AND node.origin NOT IN ('document', 'import')
        AND node.origin NOT LIKE 'tool:%'
    )
)"""


def register_functions(db: apsw.Connection) -> None:
    """Makes the function known to a connection; only queries may call it, never a schema."""
    db.create_scalar_function("effective_confidence", _effective_confidence, 9, deterministic=True)


def _effective_confidence(*given: Any) -> float:
    kind, predicate, rate, confidence, recorded, confirmed, accessed, accesses, now = given
    held = ConfidenceState(
        confidence=confidence,
        recorded_at=recorded,
        confirmed_at=confirmed,
        accessed_at=accessed,
        accesses=accesses,
    )
    return KINDS[kind].decay_for(rate, predicate).remaining(held, now)
