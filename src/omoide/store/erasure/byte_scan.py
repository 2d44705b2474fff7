"""Which kind of row a byte of the file belongs to, in plain words: what was seen there can then be acted on."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import apsw

from omoide.store.ageing import archive_blocks
from omoide.store.engine.connection import IN_MEMORY
from omoide.store.erasure.erasable_columns import ERASABLE, WITHOUT_TEXT
from omoide.store.erasure.receipts import ByteScan


def table_of_offsets(db: apsw.Connection, offsets: Iterable[int]) -> tuple[str, ...]:
    """The places that hold these bytes of the file, each once; none where SQLite cannot tell."""
    wanted = sorted({offset // _page_size(db) + 1 for offset in offsets})
    if not wanted:
        return ()
    with suppress(apsw.SQLError):  # a SQLite that was built without `dbstat`
        tables = _page_tables(db)
        return tuple(dict.fromkeys(_table_label(tables.get(page)) for page in wanted))
    return ()


def _page_size(db: apsw.Connection) -> int:
    return int(db.execute("PRAGMA page_size").get)


def _page_tables(db: apsw.Connection) -> dict[int, str]:
    """{page: the table it belongs to}; a page of an index belongs to its table, a free page to none."""
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
    place = next((place.name for place in ERASABLE if table in place.words), None)
    if place is None and table not in WITHOUT_TEXT:
        return f"the table {table}"
    return f"{place or 'bookkeeping'} ({table})"


# Reading bytes: whether what was erased can still be seen in the file, beside it, or in a copy of it.


_READ_BYTES = 16_000_000  # bytes read at once
_OVERLAP = 4_096


def own_files(path: str) -> list[str]:
    """The file and what SQLite and we keep beside it while it is open."""
    return [each for ending in ("", "-wal", "-shm", "-gate", "-journal") if Path(each := f"{path}{ending}").exists()]


def copies_beside(path: str) -> list[str]:
    """What migrations and restoring left beside the file: whole copies of it, from before."""
    if path == IN_MEMORY:
        return []
    place = Path(path)
    name = _glob_escaped(place.name)
    found = [each for ending in ("before", "replaced") for each in place.parent.glob(f"{name}.{ending}-*")]
    return sorted(str(each) for each in found if not each.name.endswith(("-wal", "-shm", "-gate")))


def files_in(folder: str) -> Iterator[str]:
    """Every file of a folder that something was exported to, however deep."""
    for place, _, names in os.walk(folder):
        yield from (os.path.join(place, name) for name in sorted(names))


def scan_files(db: apsw.Connection, path: str, needles: Sequence[str | bytes]) -> ByteScan:
    """Looks into all that is ours. A memory without a file is asked for the bytes it would have."""
    if path == IN_MEMORY:
        seen = {IN_MEMORY: _offsets([(0, db.serialize("main"))], _search_forms(needles))}
    else:
        seen = {file: _offsets_in(file, needles) for file in own_files(path)}
    left = tuple(file for file, offsets in seen.items() if offsets)
    return ByteScan(tuple(seen), len(needles), left, made=True, places=table_of_offsets(db, seen[path]))


def file_holds(file: str, needles: Sequence[str | bytes]) -> bool:
    """Whether one of the needles stands in a file, in any case."""
    return bool(_offsets_in(file, needles))


def _offsets_in(file: str, needles: Sequence[str | bytes]) -> list[int]:
    with suppress(OSError, apsw.Error):
        return _offsets(_read_pieces(file), _search_forms(needles))
    return []


def copy_archive_holds(copy: str, needles: Sequence[str | bytes]) -> bool:
    """Whether the archive of a copy has one of them: packed beside other words it looks different there."""
    if not needles:
        return False
    with suppress(OSError, apsw.Error, ValueError):
        db = apsw.Connection(f"{Path(copy).as_uri()}?immutable=1", apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI)
        try:
            said = (
                (0, text.encode())
                for block in archive_blocks.all_blocks(db)
                for words in block.values()
                for text in words.columns
                if text
            )
            return bool(_offsets(said, _search_forms(needles)))
        finally:
            db.close()
    return False


def _offsets(pieces: Iterable[tuple[int, bytes]], wanted: _SearchForms) -> list[int]:
    """Wherever one of the needles stands."""
    found: list[int] = []
    for start, piece in pieces:
        lowered = piece.lower()
        for needles, data in ((wanted.lowered, lowered), (wanted.exact, piece)):
            found += [start + at for needle in needles for at in _all_offsets(data, needle)]
    return found


def _all_offsets(data: bytes, needle: bytes) -> Iterator[int]:
    at = data.find(needle)
    while at >= 0:
        yield at
        at = data.find(needle, at + 1)


def _read_pieces(file: str) -> Iterator[tuple[int, bytes]]:
    """Each with where it begins, and with an overlap, so that nothing hides between two of them."""
    size, read = _open_reader(file)
    for start in range(0, size, _READ_BYTES):
        before = min(start, _OVERLAP)
        yield start - before, read(before + min(_READ_BYTES, size - start), start - before)


def _open_reader(file: str) -> tuple[int, Callable[[int, int], bytes]]:
    """Reads through SQLite itself: a file that we open and close behind its back loses the locks it has on it."""
    if file.endswith("-shm"):
        kept = _shm_descriptor(file)
        return os.fstat(kept).st_size, lambda amount, offset: os.read(kept, amount) if _read_at(kept, offset) else b""
    opened = apsw.VFSFile("", file, [apsw.SQLITE_OPEN_MAIN_DB | apsw.SQLITE_OPEN_READONLY, 0])
    return opened.xFileSize(), opened.xRead


def _read_at(file: int, offset: int) -> bool:
    return os.lseek(file, offset, os.SEEK_SET) == offset


def _shm_descriptor(file: str) -> int:
    """The index of the log holds SQLite's locks and is not opened by its file system layer: ours stays open."""
    known = os.stat(file)
    identity = (known.st_dev, known.st_ino)
    if identity not in _SHM_DESCRIPTORS:
        _SHM_DESCRIPTORS[identity] = os.open(file, os.O_RDONLY | getattr(os, "O_CLOEXEC", 0))
    return _SHM_DESCRIPTORS[identity]


_SHM_DESCRIPTORS: dict[tuple[int, int], int] = {}


class _SearchForms(NamedTuple):
    """Needles as the bytes may have them."""

    lowered: tuple[bytes, ...]
    exact: tuple[bytes, ...]


def _search_forms(needles: Sequence[str | bytes]) -> _SearchForms:
    """ASCII is lowered on both sides, other letters stand as they were or lowered; packed bytes have no case."""
    forms = dict.fromkeys(
        form.encode().lower()
        for needle in needles
        if isinstance(needle, str)
        for form in (needle, needle.lower(), needle.upper(), needle.title())
    )
    return _SearchForms(tuple(forms), tuple(needle for needle in needles if isinstance(needle, bytes)))


def _glob_escaped(name: str) -> str:
    """A file name in a pattern."""
    return "".join(f"[{letter}]" if letter in "*?[" else letter for letter in name)
