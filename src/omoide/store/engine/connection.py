"""Opens connections, with the pragmas and their reasons; checks paths; translates SQLite errors; watches what a
derivation rests on."""

from __future__ import annotations

import json
import os
import stat
import weakref
import zlib
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import apsw

from omoide.clock import DAY, Clock, system_clock
from omoide.domain.decay import ASK_AGAIN_DAYS, ConfidenceState
from omoide.domain.kinds import KINDS
from omoide.domain.node import INFERRED_SOURCE_TYPES, TRUSTED_SOURCE_TYPES
from omoide.errors import Busy, CannotWrite, Closed, Damaged, FileProblem, InvalidInput, NotAMemory, OmoideError
from omoide.ids import UlidFactory, new_ulid
from omoide.store.engine import encryption
from omoide.store.engine.encryption import FileKey

APPLICATION_ID = 0x4F4D4F49  # "OMOI": identifies our files
OLDEST_SQLITE = 3_051_003  # earlier versions can corrupt a WAL file that is reset while another connection checkpoints
_HEADER = b"SQLite format 3\x00"
_HEADER_BYTES = 100
IN_MEMORY = ":memory:"


class Connection(apsw.Connection):
    """An SQLite connection that knows the time of its transaction and makes new ids. It binds a list as JSON."""

    clock: Clock = staticmethod(system_clock)
    ids: UlidFactory = staticmethod(new_ulid)
    _now: int | None = None
    basis: Basis | None = None  # notes what is read, while something is derived from it
    in_one_state = False  # several reads share a transaction
    state_read: Any = None  # meanwhile: how far the file is, once it was asked
    key: FileKey | None = None  # of an encrypted file

    def __init__(self, filename: str, flags: int = apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE) -> None:
        super().__init__(filename, flags)
        self.convert_binding = _list_as_json

    if TYPE_CHECKING:  # bindings may be lists

        def execute(self, statements: str, bindings: Any = None, **options: Any) -> apsw.Cursor: ...

    @property
    def now(self) -> int:
        """The time of the current transaction in microseconds: read on first use, then constant until it ends."""
        if self._now is None:
            self._now = self.clock()
        return self._now

    def column(self, sql: str, values: Any = ()) -> list[Any]:
        """The first column of all rows of a query."""
        return [row[0] for row in self.execute(sql, values)]

    def insert(self, table: str, **values: Any) -> int:
        """Inserts a row and returns its id."""
        self.execute(_insertion(table, values), values)
        return self.last_insert_rowid()

    def upsert(self, table: str, key: Sequence[str], kept: Sequence[str] = (), **values: Any) -> None:
        """Inserts a row, or sets the values of the row with the same key, except those that are kept."""
        changes = ", ".join(f"{name} = excluded.{name}" for name in values if name not in (*key, *kept))
        self.execute(f"{_insertion(table, values)} ON CONFLICT ({', '.join(key)}) DO UPDATE SET {changes}", values)

    def update(self, table: str, id: int, values: Mapping[str, Any]) -> None:
        """Sets columns of a row."""
        changes = ", ".join(f"{name} = :{name}" for name in values)
        self.execute(f"UPDATE {table} SET {changes} WHERE id = :_id", {**values, "_id": id})

    @contextmanager
    def fresh_time(self) -> Iterator[None]:
        """Inside, `now` is read again."""
        before, self._now = self._now, None
        try:
            yield
        finally:
            self._now = before


def _list_as_json(cursor: object, number: int, value: Any) -> str:
    return json.dumps(list(value))


def _insertion(table: str, values: Mapping[str, Any]) -> str:
    return f"INSERT INTO {table} ({', '.join(values)}) VALUES ({', '.join(f':{name}' for name in values)})"


def connect(path: str, busy_timeout: float, key: FileKey | None = None) -> Connection:
    """Opens an existing memory file (or one in memory) with all pragmas."""
    return apply_pragmas(open_bare(path, busy_timeout, create=path == IN_MEMORY, key=key))


def connect_new(path: str, busy_timeout: float) -> Connection:
    """As `connect`, and creates the file if it is missing."""
    return apply_pragmas(open_bare(path, busy_timeout, create=True))


def open_bare(path: str, busy_timeout: float, *, create: bool, key: FileKey | None = None) -> Connection:
    """Opens a connection without writing to the file yet."""
    if apsw.SQLITE_VERSION_NUMBER < OLDEST_SQLITE:
        raise FileProblem(
            f"SQLite {apsw.sqlite_lib_version()} is too old to be safe; install apsw-sqlite3mc 3.51.3 or newer"
        )
    in_memory = path == IN_MEMORY or path.startswith("file:/omoide-")
    flags = apsw.SQLITE_OPEN_READWRITE | (apsw.SQLITE_OPEN_CREATE if create or in_memory else 0)
    flags |= apsw.SQLITE_OPEN_URI if in_memory else 0
    if create and not in_memory:
        create_private(path)
    connection = Connection(path, flags)
    connection.set_busy_timeout(int(busy_timeout * 1000))
    keep_log_when_dropped(connection)
    return unlocked(connection, path, key)


def open_file(path: str, flags: int, key: FileKey | None) -> Connection:
    """Opens a file for one purpose, such as checking a copy, without any pragma."""
    return unlocked(Connection(path, flags), path, key)


def unlocked(connection: Connection, path: str, key: FileKey | None) -> Connection:
    """The connection, with its key. Raises KeyRefused."""
    try:
        encryption.unlock(connection, path, key)
    except BaseException:
        connection.close()
        raise
    connection.key = key
    return connection


def open_copy(path: str, source: apsw.Connection) -> Connection:
    """Opens a copy of a file, with the key of that file: one that is not there yet gets its salt too."""
    key = source.key if isinstance(source, Connection) else None
    copy = Connection(path)
    if key is not None:
        encryption.set_key(copy, key.with_salt(encryption.salt_of(source.filename)))
    copy.key = key
    return copy


def key_of(path: str, key: FileKey | None) -> FileKey | None:
    """The key, if the file is encrypted: a file beside an encrypted one need not be."""
    return key if encryption.is_encrypted(encryption.file_start(path)) else None


def create_private(path: str) -> None:
    """Creates the file readable by its owner only; SQLite gives its log the same permissions."""
    with suppress(FileExistsError, OSError):  # SQLite reports what is wrong with the path
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))


def apply_pragmas(connection: Connection) -> Connection:
    """Applies all pragmas. The first one may write, so the file must be ours or empty."""
    for name, value in PRAGMAS.items():
        connection.pragma(name, value)
    connection.config(apsw.SQLITE_DBCONFIG_DQS_DML, 0)  # a misspelt column in double quotes is an error, not a string
    connection.config(apsw.SQLITE_DBCONFIG_DQS_DDL, 0)
    # Plans do not depend on bound values: otherwise a statement with `LIMIT :limit` is parsed again for each use.
    connection.config(apsw.SQLITE_DBCONFIG_ENABLE_QPSG, 1)
    register_functions(connection)
    return connection


def close(connection: apsw.Connection) -> None:
    """Closes a connection on purpose: the last one to close a file checkpoints its log."""
    with suppress(apsw.ConnectionClosedError):
        connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 0)
    with suppress(apsw.IOError, apsw.FullError):  # the log remains, and the next connection checkpoints it
        connection.close()


def close_untouched(connection: apsw.Connection, path: str) -> None:
    """Closes a file of another program as it was found: a log with content is not checkpointed."""
    log = Path(f"{path}-wal")
    if log.exists() and log.stat().st_size:
        connection.close()
    else:
        close(connection)  # also deletes the empty log that opening created


def keep_log_when_dropped(connection: apsw.Connection) -> None:
    """A dropped connection may be a forked child's copy: it must not checkpoint or delete the log."""
    connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)


PRAGMAS = {
    "journal_mode": "wal",  # readers do not wait for the writer, nor the writer for readers
    "synchronous": "full",  # a commit is on disk: a simulated power cut lost up to 62 rows with NORMAL, 0 with FULL
    "fullfsync": True,  # macOS only: a plain fsync may stay in the drive's cache there
    "secure_delete": "fast",  # zeroes what is deleted in pages that are written anyway: few erasures rebuild the file
    "foreign_keys": True,  # deleting a node must delete its vectors, edges and queue rows
    "trusted_schema": False,  # views and triggers of a file from elsewhere must not call functions with side effects
    "temp_store": "memory",  # sorting must not write private text to a temporary file
    "cache_size": -16_000,  # 16 MB hold the upper levels of every index of a store with 100,000 nodes
    "journal_size_limit": 16_000_000,  # after a burst the log shrinks to 16 MB instead of keeping its size
}


def check_path(path: str, key: FileKey | None = None) -> bool:
    """Raises if a path holds something other than a memory; returns whether the file is ready for use.

    A file that is new, or not yet in WAL mode, must be opened while holding the gate: switching to WAL needs exclusive
    access.
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
    if not stat.S_ISREG(kind):  # reading a pipe would block
        raise NotAMemory(f"{path} is not a regular file; choose another path")
    try:
        with place.open("rb") as file:
            start = file.read(_HEADER_BYTES)
    except OSError as error:
        raise CannotWrite(f"{path} cannot be read: {error.strerror}") from error
    return _is_ready(start, path, key)


def _is_ready(start: bytes, path: str, key: FileKey | None) -> bool:
    """Checks the header only. In WAL mode the application id may still be in the log; an empty file has none yet."""
    if not start:
        return False
    if encryption.is_encrypted(start):
        encryption.require_fitting(start, path, key)
        return start[18:20] == b"\x02\x02"
    if not start.startswith(_HEADER):
        raise NotAMemory(f"{path} is not an Omoide file; it was left untouched, choose another path")
    uses_log = start[18:20] == b"\x02\x02"  # write and read version; 2 means WAL
    mark = int.from_bytes(start[68:72], "big")
    if mark != APPLICATION_ID and not (uses_log and mark == 0):
        raise NotAMemory(f"{path} is a SQLite database of another program; it was left untouched, choose another path")
    encryption.require_fitting(start, path, key)
    return uses_log


def _require_folder(place: Path) -> None:
    if not place.parent.exists():
        raise CannotWrite(f"{place}: the folder {place.parent} does not exist; create it first")
    if not os.access(place.parent, os.W_OK):
        raise CannotWrite(f"{place} cannot be created: the folder {place.parent} may not be written")


def is_ours(connection: apsw.Connection) -> bool:
    """Whether the file has our application id; a new, empty file does not yet."""
    return bool(connection.pragma("application_id") == APPLICATION_ID)


def is_empty(connection: apsw.Connection) -> bool:
    return bool(connection.execute("SELECT count(*) FROM sqlite_schema").get == 0)


# The SQL forms of domain/decay.py; the formulas themselves are only there.


EFFECTIVE_CONFIDENCE = """effective_confidence(
    node.kind, node.source_type, node.attributes ->> 'predicate', node.decay_rate, node.confidence,
    node.recorded_at, node.confirmed_at, node.last_accessed_at, node.access_count, :now
)"""
ASK_AGAIN_AT = """ask_again_at(
    node.kind, node.attributes ->> 'predicate', node.attributes ->> 'form',
    node.event_at, node.confirmed_at, node.valid_until
)"""
# The same as Node.protected, in SQL because it is evaluated for every row.
PROTECTED = f"""(
    node.decay_rate = 0
    OR (
        (node.confirmed_at IS NOT NULL OR node.source_type IN {TRUSTED_SOURCE_TYPES})
        AND node.origin NOT IN ('document', 'import')
        AND node.origin NOT LIKE 'tool:%'
    )
)"""


# The text of a row of `node`, also of an archived one.
TEXT_WITH_ARCHIVE = "iif(node.text = '', coalesce(archived_index_text(node.id), ''), node.text)"


def register_functions(db: apsw.Connection) -> None:
    """Makes our functions available to queries, and `archived_index_text`, which only reads, also to the schema."""
    db.create_scalar_function("effective_confidence", _effective_confidence, 10, deterministic=True)
    db.create_scalar_function("ask_again_at", _ask_again_at, 6, deterministic=True)
    db.create_scalar_function("bytes_checksum", _checksum, 1, deterministic=True)
    db.create_scalar_function("archived_index_text", _archived_index_text(db), 1, flags=apsw.SQLITE_INNOCUOUS)


def _checksum(*data: Any) -> int:
    return zlib.crc32(data[0])


def _archived_index_text(db: apsw.Connection) -> Callable[..., str | None]:
    connection = weakref.proxy(db)  # the connection owns the function

    def read(id: Any) -> str | None:
        from omoide.store.ageing import archive_blocks

        return archive_blocks.index_text_of(connection, id)

    return read


def _effective_confidence(*given: Any) -> float:
    kind, source, predicate, rate, confidence, recorded, confirmed, accessed, accesses, now = given
    if confirmed is not None or source not in INFERRED_SOURCE_TYPES:
        return float(confidence)
    held = ConfidenceState(
        confidence=confidence, recorded_at=recorded, confirmed_at=confirmed, accessed_at=accessed, accesses=accesses
    )
    return KINDS[kind].decay_for(rate, predicate).remaining(held, now)


def _ask_again_at(*given: Any) -> int | None:
    """The SQL form of `currency_state`."""
    kind, predicate, form, event_at, confirmed_at, valid_until = given
    days = ASK_AGAIN_DAYS[KINDS[kind].currency_of(predicate, form)]
    if days is None:
        return None
    if form == "plan" and valid_until is not None:
        return int(valid_until)
    return int(max(event_at, confirmed_at or event_at)) + days * DAY


@contextmanager
def translate_errors(path: str) -> Iterator[None]:
    """Translates SQLite errors raised in the block; the original is the cause."""
    try:
        yield
    except (apsw.Error, OverflowError) as error:
        raise translate_error(error, path) from error


def _first_error(error: Exception) -> Exception:
    """A failing disk may end a transaction; what fails then is that nothing is left to be rolled back."""
    before = error.__context__
    return _first_error(before) if isinstance(error, apsw.SQLError) and isinstance(before, apsw.Error) else error


def translate_error(error: Exception, path: str) -> OmoideError:
    """The matching error of our error tree."""
    error = _first_error(error)
    match error:
        case OverflowError():
            return InvalidInput(f"a number does not fit into 64 bits ({error})")
        case apsw.BusyError() | apsw.LockedError():
            return Busy(f"{path} is being written by another process; try again, or raise busy_timeout")
        case apsw.ConnectionClosedError():
            return Closed(f"{path} was closed; open it again with Memory({path!r})")
        case apsw.FullError():
            return CannotWrite(f"the disk that holds {path} is full; this write was not kept, make room and retry")
        case apsw.ReadOnlyError() | apsw.PermissionsError() | apsw.AuthError():
            return CannotWrite(f"{path} cannot be written; check the permissions of the file and its folder")
        case apsw.CantOpenError():
            return CannotWrite(f"{path} cannot be opened; check that its folder exists and may be written")
        case apsw.NotADBError():
            return NotAMemory(f"{path} is not an Omoide file; it was left untouched, choose another path")
        case apsw.CorruptError():
            return Damaged(f"{path} is damaged ({error}); restore a backup, or `omoide admin salvage` it")
        case apsw.TooBigError():
            return InvalidInput("the text is too large for a SQLite file; split it")
        case apsw.ConstraintError() | apsw.MismatchError():
            return InvalidInput(f"a constraint of the file failed ({error}); nothing was written")
        case apsw.IOError():
            return CannotWrite(f"{path}: reading or writing failed ({error}); check the disk")
        case UnicodeDecodeError() | json.JSONDecodeError():
            return Damaged(
                f"{path} holds what cannot be read ({error}); restore a backup, or `omoide admin salvage` it"
            )
        case _:
            return Damaged(f"{path}: unexpected SQLite error ({type(error).__name__}: {error})")


# What a derivation rests on: the memories that were read, and that nothing was erased since.
#
# Summaries, lessons and narratives are read in one transaction and written in another, with a model between them. The
# rule for all of them: the writing transaction checks that no erasure happened since reading began and that every
# memory that was read still exists with the same text and state. If not, nothing is written and the work begins
# again.


class SourcesChanged(Exception):
    """Something that was read has been erased, reworded or retired. Raised before anything is written."""


@dataclass(slots=True)
class Basis:
    """The last erasure when reading began, and the version of each memory that was read since."""

    erasures: int
    seen: dict[int, tuple[bytes, str]] = field(default_factory=dict)

    def note(self, db: Connection, ids: Collection[int]) -> None:
        """Keeps the version that was read first."""
        self.seen = _versions(db, ids) | self.seen

    def is_current(self, db: Connection) -> bool:
        return last_erasure(db) == self.erasures and _versions(db, self.seen) == self.seen

    def require_current(self, db: Connection) -> None:
        if not self.is_current(db):
            raise SourcesChanged

    def renew(self, db: Connection) -> None:
        """Takes over the changes of the own transaction."""
        self.seen = _versions(db, self.seen)


def last_erasure(db: Connection) -> int:
    return int(db.execute("SELECT coalesce(max(id), 0) FROM erasure").get)


def _versions(db: Connection, ids: Collection[int]) -> dict[int, tuple[bytes, str]]:
    if not ids:
        return {}
    known = "SELECT id, content_hash, state FROM node WHERE id IN (SELECT value FROM json_each(?))"
    found = db.execute(known, ([int(id) for id in ids],))
    return {id: (hash, state) for id, hash, state in found}
