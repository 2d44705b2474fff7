"""Reading bytes: whether what was erased can still be seen in the file, beside it, or in a copy of it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import apsw

from omoide.store import blocks, pages
from omoide.store.connection import MEMORY
from omoide.store.forgotten import Scan

_PIECE = 16_000_000  # bytes read at once
_OVERLAP = 4_096


def own_files(path: str) -> list[str]:
    """The file and what SQLite and we keep beside it while it is open."""
    return [each for ending in ("", "-wal", "-shm", "-gate", "-journal") if Path(each := f"{path}{ending}").exists()]


def copies_beside(path: str) -> list[str]:
    """What migrations and restoring left beside the file: whole copies of it, from before."""
    if path == MEMORY:
        return []
    place = Path(path)
    name = _literal(place.name)
    found = [each for ending in ("before", "replaced") for each in place.parent.glob(f"{name}.{ending}-*")]
    return sorted(str(each) for each in found if not each.name.endswith(("-wal", "-shm", "-gate")))


def files_in(folder: str) -> Iterator[str]:
    """Every file of a folder that something was exported to, however deep."""
    for place, _, names in os.walk(folder):
        yield from (os.path.join(place, name) for name in sorted(names))


def scan(db: apsw.Connection, path: str, needles: Sequence[str | bytes]) -> Scan:
    """Looks into all that is ours. A memory without a file is asked for the bytes it would have."""
    if path == MEMORY:
        seen = {MEMORY: _seen([(0, db.serialize("main"))], _forms(needles))}
    else:
        seen = {file: _seen_in(file, needles) for file in own_files(path)}
    left = tuple(file for file, offsets in seen.items() if offsets)
    return Scan(tuple(seen), len(needles), left, made=True, places=pages.told(db, seen[path]))


def holds(file: str, needles: Sequence[str | bytes]) -> bool:
    """Whether one of the needles stands in a file, in any case."""
    return bool(_seen_in(file, needles))


def _seen_in(file: str, needles: Sequence[str | bytes]) -> list[int]:
    with suppress(OSError, apsw.Error):
        return _seen(_pieces(file), _forms(needles))
    return []


def packs(copy: str, needles: Sequence[str | bytes]) -> bool:
    """Whether the archive of a copy has one of them: packed beside other words it looks different there."""
    if not needles:
        return False
    with suppress(OSError, apsw.Error, ValueError):
        db = apsw.Connection(f"{Path(copy).as_uri()}?immutable=1", apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI)
        try:
            said = (
                (0, text.encode())
                for block in blocks.every(db)
                for words in block.values()
                for text in words.columns
                if text
            )
            return bool(_seen(said, _forms(needles)))
        finally:
            db.close()
    return False


def _seen(pieces: Iterable[tuple[int, bytes]], wanted: _Forms) -> list[int]:
    """Wherever one of the needles stands."""
    found: list[int] = []
    for start, piece in pieces:
        lowered = piece.lower()
        for needles, data in ((wanted.lowered, lowered), (wanted.exact, piece)):
            found += [start + at for needle in needles for at in _every(data, needle)]
    return found


def _every(data: bytes, needle: bytes) -> Iterator[int]:
    at = data.find(needle)
    while at >= 0:
        yield at
        at = data.find(needle, at + 1)


def _pieces(file: str) -> Iterator[tuple[int, bytes]]:
    """Each with where it begins, and with an overlap, so that nothing hides between two of them."""
    size, read = _reader(file)
    for start in range(0, size, _PIECE):
        before = min(start, _OVERLAP)
        yield start - before, read(before + min(_PIECE, size - start), start - before)


def _reader(file: str) -> tuple[int, Callable[[int, int], bytes]]:
    """Reads through SQLite itself: a file that we open and close behind its back loses the locks it has on it."""
    if file.endswith("-shm"):
        kept = _kept(file)
        return os.fstat(kept).st_size, lambda amount, offset: os.read(kept, amount) if _at(kept, offset) else b""
    opened = apsw.VFSFile("", file, [apsw.SQLITE_OPEN_MAIN_DB | apsw.SQLITE_OPEN_READONLY, 0])
    return opened.xFileSize(), opened.xRead


def _at(file: int, offset: int) -> bool:
    return os.lseek(file, offset, os.SEEK_SET) == offset


def _kept(file: str) -> int:
    """The index of the log holds SQLite's locks and is not opened by its file system layer: ours stays open."""
    known = os.stat(file)
    identity = (known.st_dev, known.st_ino)
    if identity not in _OPEN:
        _OPEN[identity] = os.open(file, os.O_RDONLY | getattr(os, "O_CLOEXEC", 0))
    return _OPEN[identity]


_OPEN: dict[tuple[int, int], int] = {}


class _Forms(NamedTuple):
    """Needles as the bytes may have them."""

    lowered: tuple[bytes, ...]
    exact: tuple[bytes, ...]


def _forms(needles: Sequence[str | bytes]) -> _Forms:
    """ASCII is lowered on both sides, other letters stand as they were or lowered; packed bytes have no case."""
    forms = dict.fromkeys(
        form.encode().lower()
        for needle in needles
        if isinstance(needle, str)
        for form in (needle, needle.lower(), needle.upper(), needle.title())
    )
    return _Forms(tuple(forms), tuple(needle for needle in needles if isinstance(needle, bytes)))


def _literal(name: str) -> str:
    """A file name in a pattern."""
    return "".join(f"[{letter}]" if letter in "*?[" else letter for letter in name)
