"""Verified copies of the file, made beside live traffic: backups, exports, files with another key, partial copies."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import apsw

from omoide.errors import Busy, CannotWrite, Damaged, InvalidInput, NotFound
from omoide.store.engine import connection as connections
from omoide.store.engine import doctor, encryption, gate
from omoide.store.engine.connection import IN_MEMORY, Connection, open_copy, open_file, translate_errors
from omoide.store.engine.encryption import FileKey
from omoide.store.engine.file import Table, reads
from omoide.store.engine.gate import Gate
from omoide.store.erasure import byte_scan, receipts
from omoide.store.exchange import exported_tables

_PARTIAL_NAME = re.compile(r"\.(?P<mark>\d+-[0-9a-f]{16})-[0-9a-f]{8}\.part$")
FILE_SUFFIXES = ("", "-wal", "-shm", "-journal")


def partial_path(target: Path) -> Path:
    """A unique name beside the path."""
    return Path(f"{target}.{gate.process_mark()}-{os.urandom(4).hex()}.part")


def is_partial(path: str) -> bool:
    return _PARTIAL_NAME.search(path) is not None


def is_abandoned_partial(path: str) -> bool:
    """Whether the process that wrote it has ended."""
    found = _PARTIAL_NAME.search(path)
    return found is not None and gate.mark_has_ended(found["mark"]) is True


def partial_exists(path: str) -> bool:
    return any(os.path.exists(f"{path}{ending}") for ending in FILE_SUFFIXES)


def remove_partial(path: str | Path) -> None:
    """Deletes an unfinished copy. What cannot be deleted is found again by its name, once its process has ended."""
    for ending in FILE_SUFFIXES:
        with suppress(OSError):
            Path(f"{path}{ending}").unlink()


def partials_beside(path: str) -> list[str]:
    """Unfinished copies beside a file."""
    target = Path(path)
    if not target.parent.is_dir():
        return []
    found = (each for each in target.parent.iterdir() if each.name.startswith(f"{target.name}."))
    return sorted(str(each) for each in found if is_partial(each.name))


_PAGES_PER_STEP = 256  # a megabyte per step, so that writers can checkpoint in between
_UNCOMPARED_TABLES = ("lease", "write_mark")

BackupProgress = Callable[[int, int], object]
"""Called with the number of copied pages and of all pages."""


@dataclass(frozen=True, slots=True)
class BackupResult:
    """A verified copy: path, size, number of memories."""

    path: str
    bytes: int
    nodes: int


def back_up(source: Connection, target: Path, partial: Path, progress: BackupProgress | None) -> BackupResult:
    """Copies the state of a read transaction that the caller holds on `source`.

    Without that transaction SQLite would restart the copy after every write of another process."""
    list(source.execute("SELECT 1 FROM sqlite_schema LIMIT 1"))  # BEGIN alone takes no snapshot
    with partial_file(target, partial):
        copy_pages(source, partial, progress)
        copied = verify(partial, source.key)
        if copied != fingerprint(source):
            raise Damaged(f"the copy differs from its source; {target} was not written, run `omoide admin doctor`")
        move_into_place(partial, target)
    return BackupResult(str(target), target.stat().st_size, copied.nodes)


@dataclass(frozen=True, slots=True)
class FileFingerprint:
    """Row counts of all tables and a digest of all memories; equal for a file and its copy."""

    tables: tuple[tuple[str, int], ...]
    digest: str

    @property
    def nodes(self) -> int:
        return dict(self.tables).get("node", 0)


def fingerprint(db: Connection) -> FileFingerprint:
    names = [
        row[0]
        for row in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
        if row[0] not in _UNCOMPARED_TABLES and not row[0].startswith(("nodes_fts", "sqlite_", "word"))
    ]
    tables = tuple((name, int(db.execute(f'SELECT count(*) FROM "{name}"').get)) for name in names)
    digest = hashlib.blake2b(digest_size=16)
    for row in db.execute("SELECT id, ulid, kind, state, updated_at, content_hash, text FROM node ORDER BY id"):
        digest.update(repr(row).encode())
    return FileFingerprint(tables, digest.hexdigest())


def require_free_path(path: str, overwrite: bool) -> Path:
    target = Path(os.path.realpath(path))
    if target.is_dir():
        raise InvalidInput(f"{path} is a folder; name a file in it")
    if not target.parent.is_dir():
        raise CannotWrite(f"{path}: the folder {target.parent} does not exist; create it first")
    if target.exists() and not overwrite:
        raise InvalidInput(f"{path} exists; choose another name, or allow overwriting (--overwrite, overwrite=True)")
    if Path(f"{target}-wal").exists():
        raise InvalidInput(f"{path} is open as a memory or was not closed; choose another name")
    return target


@contextmanager
def partial_file(target: Path, partial: Path | None = None) -> Iterator[Path]:
    """Yields an unfinished file beside the path and removes it at the end."""
    partial = partial or partial_path(target)
    try:
        yield partial
    except OSError as error:
        raise CannotWrite(f"{target} cannot be written: {error.strerror}") from error
    finally:
        remove_partial(partial)


def copy_pages(source: Connection, partial: Path, progress: BackupProgress | None) -> None:
    try:
        os.close(os.open(partial, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))  # readable by its owner only
    except OSError as error:
        raise CannotWrite(f"{partial.parent} cannot be written: {error.strerror}") from error
    with closing(open_copy(str(partial), source)) as target, target.backup("main", source, "main") as backup:
        while not backup.done:
            backup.step(_PAGES_PER_STEP)
            if progress is not None:
                progress(backup.page_count - backup.remaining, backup.page_count)


def verify(partial: Path, key: FileKey | None) -> FileFingerprint:
    """Checks every page and index, returns the fingerprint. Damaged text is copied unchanged: the doctor reports it."""
    with closing(open_file(str(partial), apsw.SQLITE_OPEN_READWRITE, key)) as db:
        finding = doctor.check_structure(db)
        if not finding.ok:
            raise Damaged(f"the copy would be damaged ({finding.detail}); it was not kept")
        return fingerprint(db)


def move_into_place(partial: Path, target: Path) -> None:
    """Moves the copy into place in one step: there is never half a copy under that name."""
    with open(partial, "rb+") as file:
        os.fsync(file.fileno())
    partial.replace(target)
    with suppress(OSError):  # folders cannot be opened on Windows
        folder = os.open(target.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


# Copies of the file and of its rows: backups, exports, and the list of copies that receipts name.


_KINDS = ("backup", "export", "migration")
EmitRow = Callable[[str, Mapping[str, Any]], object]
"""Takes an exported row with the name of its table."""


class CopyTable(Table):
    """Makes copies and records them, since an erasure does not reach them."""

    known = reads(receipts.known_copies)

    def add(self, path: str, kind: str) -> None:
        """Records a backup, an export or a migration's copy."""
        if kind not in _KINDS:
            raise InvalidInput(f"kind: expected {', '.join(_KINDS)}, got {kind!r}")
        self._file.write(lambda db: receipts.add_copy(db, os.path.realpath(path), kind, db.now))

    def remove(self, path: str) -> None:
        """Removes the record of a copy that no longer exists."""
        self._file.write(receipts.remove_copy, os.path.realpath(path))

    def back_up(self, path: str, overwrite: bool, progress: BackupProgress | None = None) -> BackupResult:
        """Copies one state of the file and verifies the copy, while others go on writing."""
        if self._file.path != IN_MEMORY and os.path.realpath(path) == self._file.path:
            raise InvalidInput(f"{path} is the memory itself; choose another path for the backup")
        target = require_free_path(path, overwrite)
        with self.partial_copy(target, "backup") as partial:
            try:
                copy = self._file.snapshot(lambda db: back_up(db, target, partial, progress))
            except SystemError as error:  # apsw, when reading or writing fails while it copies
                raise CannotWrite(f"{path}: copying failed ({error}); check the disk") from error
        self.add(copy.path, "backup")
        return copy

    @contextmanager
    def partial_copy(self, target: Path, kind: str) -> Iterator[Path]:
        """A path beside `place` to write to. It is recorded first, so that a killed process leaves no unknown copy."""
        self.clear_partials()
        partial = partial_path(target)
        self.add(str(partial), kind)
        try:
            yield partial
        finally:
            self._remove_partial(str(partial))

    move_into_place = staticmethod(move_into_place)

    def clear_partials(self) -> list[str]:
        """Deletes partial copies of processes that have ended; returns those that existed."""
        recorded = [copy.path for copy in self.known() if is_partial(copy.path)]
        path = self._file.path
        beside = [] if path == IN_MEMORY else partials_beside(os.path.realpath(path))
        abandoned = [each for each in dict.fromkeys((*recorded, *beside)) if is_abandoned_partial(each)]
        existing = [each for each in abandoned if partial_exists(each)]
        for each in abandoned:
            self._remove_partial(each)
        return existing

    def _remove_partial(self, path: str) -> None:
        remove_partial(path)
        if not partial_exists(path):  # else it stays a known copy
            self._file.write(receipts.remove_copy, path)

    def send_rows(
        self, embeddings: bool, header: Callable[[dict[str, int], dict[str, int]], object], emit: EmitRow
    ) -> None:
        """Exports one state of the file: the row counts and last ids to `header`, then every row to `emit`."""

        def work(db: Connection) -> None:
            header(exported_tables.row_counts(db, embeddings), exported_tables.last_ids(db))
            for name, row in _exported_rows(db, embeddings):
                emit(name, row)

        self._file.snapshot(work)


def _exported_rows(db: Connection, embeddings: bool) -> Iterator[tuple[str, exported_tables.ExportedRow]]:
    """All rows. Columns that refer to later rows follow as soon as those are there."""
    for table in exported_tables.EXPORTED_TABLES:
        if table.embedding and not embeddings:
            continue
        yield from ((table.name, row) for row in exported_tables.export_rows(db, table))
        for earlier in exported_tables.EXPORTED_TABLES:
            if earlier.late and table.name == exported_tables.completed_by(earlier):
                late = exported_tables.export_late_columns(db, earlier)
                yield from ((earlier.name + exported_tables.LATE_MARK, row) for row in late)


# Encrypts a whole file, changes its key, or decrypts it: a verified new file takes the place of the old one.


_PIECE = 1_000_000  # bytes that are overwritten at once


@dataclass(frozen=True, slots=True)
class KeyChange:
    """The file after its encryption changed. `other_copies` are copies of it that were left as they are."""

    path: str
    encrypted: bool
    bytes: int
    nodes: int
    other_copies: tuple[str, ...]


def reencrypt(path: str, old: FileKey | None, new: FileKey | None, busy_timeout: float) -> KeyChange:
    """Rewrites a file with another key; None is no encryption. Nobody may have it open.

    Until the new file is complete and verified the old one stays in place, and its bytes are overwritten after that.
    """
    target = Path(os.path.realpath(path))
    if not target.is_file():
        raise NotFound(f"there is no memory at {path}")
    gate = Gate(f"{target}-gate", busy_timeout)
    try:
        with translate_errors(path), gate.held(), partial_file(target) as partial:
            if not connections.check_path(str(target), old) and not target.stat().st_size:
                raise InvalidInput(f"{path} is empty; a new memory is encrypted from its first write")
            with closing(_alone(target, old, busy_timeout)) as db:
                copies = _other_copies(db, str(target))
                held = fingerprint(db)
                _copy_into(db, partial, new)
            if verify(partial, new) != held:
                raise Damaged(f"the new file differs from the old one; {path} was left as it was")
            _replace(target, partial)
    finally:
        gate.close()
    return KeyChange(str(target), new is not None, target.stat().st_size, held.nodes, copies)


def _alone(target: Path, key: FileKey | None, busy_timeout: float) -> Connection:
    """Opens the file without a log, which is possible only if nobody else has it open."""
    flags = apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_URI
    db = connections.open_file(str(target), flags, key)
    try:
        connections.register_functions(db)
        db.pragma("temp_store", "memory")
        db.set_busy_timeout(int(min(busy_timeout, 1.0) * 1000))
        with suppress(apsw.BusyError):
            if db.pragma("journal_mode", "delete") == "delete":
                return db
    except BaseException:
        db.close()
        raise
    db.close()
    raise Busy(f"{target} is open elsewhere; end the programs that use it and try again")


def _copy_into(db: Connection, partial: Path, key: FileKey | None) -> None:
    os.close(os.open(partial, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    failed = ""
    try:
        db.execute("VACUUM INTO ?", (encryption.encrypted_target(str(partial), key),))
    except apsw.Error as error:
        failed = type(error).__name__  # its text holds the key
    if failed:
        raise CannotWrite(f"{partial} cannot be written ({failed}); check the disk")


def _replace(target: Path, partial: Path) -> None:
    """Puts the new file in place and overwrites the old bytes: a deleted file can be read from the disk."""
    old = os.open(target, os.O_RDWR)
    try:
        move_into_place(partial, target)
        size = os.fstat(old).st_size
        for start in range(0, size, _PIECE):
            os.pwrite(old, bytes(min(_PIECE, size - start)), start)
        os.fsync(old)
    finally:
        os.close(old)


def _other_copies(db: Connection, path: str) -> tuple[str, ...]:
    known = [copy.path for copy in receipts.known_copies(db) if os.path.exists(copy.path)]
    return tuple(dict.fromkeys((*known, *byte_scan.copies_beside(path))))
