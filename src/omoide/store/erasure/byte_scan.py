"""Searches the bytes of the file, the files beside it and its copies for erased words."""

from __future__ import annotations

import glob
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import NamedTuple

import apsw

from omoide.errors import KeyRefused
from omoide.store.ageing import archive_blocks
from omoide.store.engine.connection import IN_MEMORY, Connection, unlocked
from omoide.store.engine.encryption import FileKey, file_start, is_encrypted
from omoide.store.erasure.erasable_columns import ERASABLE, WITHOUT_TEXT
from omoide.store.erasure.receipts import ByteScan


def table_of_offsets(db: Connection, offsets: Iterable[int]) -> tuple[str, ...]:
    """The tables that hold these bytes of the file; empty if SQLite cannot tell."""
    page_size = int(db.execute("PRAGMA page_size").get)
    wanted = sorted({offset // page_size + 1 for offset in offsets})
    if not wanted:
        return ()
    with suppress(apsw.SQLError):  # SQLite built without `dbstat`
        tables = _page_tables(db)
        return tuple(dict.fromkeys(_table_label(tables.get(page)) for page in wanted))
    return ()


def _page_tables(db: Connection) -> dict[int, str]:
    """Table by page; an index page belongs to its table, a free page to none."""
    return dict(
        db.execute(
            """
            SELECT dbstat.pageno, coalesce(sqlite_schema.tbl_name, dbstat.name)
            FROM dbstat
            LEFT JOIN sqlite_schema ON sqlite_schema.name = dbstat.name
            """
        )
    )


def _table_label(table: str | None) -> str:
    if table is None:
        return "free pages"
    group = next((group.name for group in ERASABLE if table in group.columns), None)
    if group is None and table not in WITHOUT_TEXT:
        return f"the table {table}"
    return f"{group or 'bookkeeping'} ({table})"


_READ_BYTES = 1_000_000  # bytes read at once: a cache of the processor holds them
_OVERLAP = 4_096


def own_files(path: str) -> list[str]:
    """The file and what is kept beside it while it is open."""
    return [each for ending in ("", "-wal", "-shm", "-gate", "-journal") if Path(each := f"{path}{ending}").exists()]


def copies_beside(path: str) -> list[str]:
    """Older copies of the file that migrations and restores left beside it."""
    if path == IN_MEMORY:
        return []
    folder = Path(path).parent
    name = glob.escape(Path(path).name)
    found = [each for ending in ("before", "replaced") for each in folder.glob(f"{name}.{ending}-*")]
    return sorted(str(each) for each in found if not each.name.endswith(("-wal", "-shm", "-gate")))


def files_in(folder: str) -> Iterator[str]:
    """Every file of an export folder, recursively."""
    for group, _, names in os.walk(folder):
        yield from (os.path.join(group, name) for name in sorted(names))


def scan_files(db: Connection, path: str, search_terms: Sequence[str | bytes]) -> ByteScan:
    """Searches the file and the files beside it; of a database in memory or an encrypted one, what SQLite reads."""
    unreadable = () if db.key is None else (f"{path}-wal", f"{path}-journal")  # short terms occur in noise by chance
    seen = {
        file: [] if file in unreadable else _offsets_in(file, search_terms)
        for file in (() if path == IN_MEMORY else own_files(path))
    }
    if path == IN_MEMORY or db.key is not None:
        seen[path] = _offsets(_readable_pieces(db), _search_forms(search_terms))
    left = tuple(file for file, offsets in seen.items() if offsets)
    return ByteScan(tuple(seen), len(search_terms), left, done=True, tables=table_of_offsets(db, seen[path]))


def copy_holds(copy: str, search_terms: Sequence[str | bytes], key: FileKey | None = None) -> bool | None:
    """Whether a copy contains one of the terms: any file of a folder, or a file with its log and its archive.

    None if it cannot be read, or is encrypted with another key, which hides it from us as well.
    """
    try:
        if os.path.isdir(copy):
            return any(_offsets_in(each, search_terms) for each in files_in(copy))
        if is_encrypted(file_start(copy)):
            return _encrypted_copy_holds(copy, search_terms, key)
        files = (copy, f"{copy}-wal", f"{copy}-journal")
        return any(_offsets_in(each, search_terms) for each in files) or _archive_holds(copy, search_terms, None)
    except (OSError, apsw.Error):
        return None


def _encrypted_copy_holds(copy: str, search_terms: Sequence[str | bytes], key: FileKey | None) -> bool | None:
    log = Path(f"{copy}-wal")
    frozen = "?immutable=1" if not log.exists() or not log.stat().st_size else ""  # leaves no log beside the copy
    flags = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
    try:
        db = unlocked(Connection(f"{Path(copy).as_uri()}{frozen}", flags), copy, key)
    except (KeyRefused, apsw.Error):
        return None
    with closing(db):
        found = bool(_offsets(_readable_pieces(db), _search_forms(search_terms)))
    return found or _archive_holds(copy, search_terms, key)


def _readable_pieces(db: Connection) -> Iterator[tuple[int, bytes]]:
    """(offset, bytes) of a whole database as SQLite reads it, overlapping. It takes the memory of its size."""
    whole = db.serialize("main")
    for start in range(0, len(whole), _READ_BYTES):
        before = min(start, _OVERLAP)
        yield start - before, whole[start - before : start + _READ_BYTES]


def _offsets_in(file: str, search_terms: Sequence[str | bytes]) -> list[int]:
    try:
        return _offsets(_read_pieces(file), _search_forms(search_terms))
    except (OSError, apsw.Error):
        if os.path.exists(file):  # what could not be read may hold them
            raise
        return []


def _archive_holds(copy: str, search_terms: Sequence[str | bytes], key: FileKey | None) -> bool:
    """Whether the archive of a copy contains one of the terms: compressed text cannot be found in the raw bytes."""
    if not search_terms:
        return False
    with suppress(apsw.NotADBError, apsw.CorruptError, apsw.SQLError, ValueError):  # no file of ours, or damaged
        flags = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
        with closing(unlocked(Connection(f"{Path(copy).as_uri()}?immutable=1", flags), copy, key)) as db:
            texts = (
                (0, text.encode())
                for block in archive_blocks.all_blocks(db)
                for words in block.values()
                for text in words.columns
                if text
            )
            return bool(_offsets(texts, _search_forms(search_terms)))
    return False


def _offsets(pieces: Iterable[tuple[int, bytes]], wanted: _SearchForms) -> list[int]:
    """Every offset of one of the terms."""
    found: list[int] = []
    for start, piece in pieces:
        lowered = piece.lower()
        for search_terms, data in ((wanted.lowered, lowered), (wanted.exact, piece)):
            found += [start + at for term in search_terms for at in _all_offsets(data, term)]
    return found


def _all_offsets(data: bytes, term: bytes) -> Iterator[int]:
    at = data.find(term)
    while at >= 0:
        yield at
        at = data.find(term, at + 1)


def _read_pieces(file: str) -> Iterator[tuple[int, bytes]]:
    """(offset, bytes), overlapping so that a term across a boundary is found."""
    size, read = _open_reader(file)
    for start in range(0, size, _READ_BYTES):
        before = min(start, _OVERLAP)
        yield start - before, read(before + min(_READ_BYTES, size - start), start - before)


def _open_reader(file: str) -> tuple[int, Callable[[int, int], bytes]]:
    """Reads through SQLite: closing a file that SQLite has open would drop its POSIX locks."""
    if file.endswith("-shm"):
        kept = _shm_descriptor(file)
        return os.fstat(kept).st_size, lambda amount, offset: _read_at(kept, amount, offset)
    opened = apsw.VFSFile("", file, [apsw.SQLITE_OPEN_MAIN_DB | apsw.SQLITE_OPEN_READONLY, 0])
    return opened.xFileSize(), opened.xRead


def _read_at(file: int, amount: int, offset: int) -> bytes:
    os.lseek(file, offset, os.SEEK_SET)
    return os.read(file, amount)


def _shm_descriptor(file: str) -> int:
    """A descriptor of the -shm file that is never closed: it holds SQLite's locks and its VFS cannot open it."""
    known = os.stat(file)
    identity = (known.st_dev, known.st_ino)
    if identity not in _SHM_DESCRIPTORS:
        _SHM_DESCRIPTORS[identity] = os.open(file, os.O_RDONLY | getattr(os, "O_CLOEXEC", 0))
    return _SHM_DESCRIPTORS[identity]


_SHM_DESCRIPTORS: dict[tuple[int, int], int] = {}


class _SearchForms(NamedTuple):
    """Search terms as they may occur in the bytes."""

    lowered: tuple[bytes, ...]
    exact: tuple[bytes, ...]


def _search_forms(search_terms: Sequence[str | bytes]) -> _SearchForms:
    """ASCII is compared in lower case, other letters in several cases; byte samples exactly."""
    forms = dict.fromkeys(
        form.encode().lower()
        for term in search_terms
        if isinstance(term, str)
        for form in (term, term.lower(), term.upper(), term.title())
    )
    return _SearchForms(tuple(forms), tuple(term for term in search_terms if isinstance(term, bytes)))
