"""Verified copies of the file, made page by page beside live traffic; names of unfinished copies tell their writer."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import apsw

from omoide.errors import CannotWrite, Damaged, InvalidInput
from omoide.store.engine import doctor, process
from omoide.store.engine.connection import Connection, open_copy, open_file
from omoide.store.engine.encryption import FileKey

_PARTIAL_NAME = re.compile(r"\.(?P<mark>\d+-[0-9a-f]{16})-[0-9a-f]{8}\.part$")
FILE_SUFFIXES = ("", "-wal", "-shm", "-journal")


def partial_path(target: Path) -> Path:
    """A unique name beside the path."""
    return Path(f"{target}.{process.process_mark()}-{os.urandom(4).hex()}.part")


def is_partial(path: str) -> bool:
    return _PARTIAL_NAME.search(path) is not None


def is_abandoned_partial(path: str) -> bool:
    """Whether the process that wrote it has ended."""
    found = _PARTIAL_NAME.search(path)
    return found is not None and process.mark_has_ended(found["mark"]) is True


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


def is_same_file(path: str, other: str) -> bool:
    return os.path.realpath(path) == os.path.realpath(other)


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
    target = open_copy(str(partial), source)
    try:
        with target.backup("main", source, "main") as backup:
            while not backup.done:
                backup.step(_PAGES_PER_STEP)
                if progress is not None:
                    progress(backup.page_count - backup.remaining, backup.page_count)
    finally:
        target.close()


def verify(partial: Path, key: FileKey | None) -> FileFingerprint:
    """Checks every page and index, returns the fingerprint. Damaged text is copied unchanged: the doctor reports it."""
    db = open_file(str(partial), apsw.SQLITE_OPEN_READWRITE, key)
    try:
        finding = doctor.check_structure(db)
        if not finding.ok:
            raise Damaged(f"the copy would be damaged ({finding.detail}); it was not kept")
        return fingerprint(db)
    finally:
        db.close()


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
