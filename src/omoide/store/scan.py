"""Reading bytes: whether what was erased can still be seen in the file, beside it, or in a copy of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

import apsw

from omoide.store.connection import MEMORY
from omoide.store.forgotten import Scan

_PIECE = 16_000_000  # bytes read at once


def own_files(path: str) -> list[str]:
    """The file and what SQLite and we keep beside it while it is open."""
    return [each for ending in ("", "-wal", "-shm", "-gate", "-journal") if Path(each := f"{path}{ending}").exists()]


def copies_beside(path: str) -> list[str]:
    """What migrations left beside the file: whole copies of it, from before."""
    if path == MEMORY:
        return []
    place = Path(path)
    return sorted(str(each) for each in place.parent.glob(f"{_literal(place.name)}.before-*"))


def scan(db: apsw.Connection, path: str, needles: Sequence[str]) -> Scan:
    """Looks into all that is ours. A memory without a file is asked for the bytes it would have."""
    wanted = _forms(needles)
    if path == MEMORY:
        seen = _holds([db.serialize("main")], wanted)
        return Scan((MEMORY,), len(needles), (MEMORY,) if seen else (), made=True)
    files = own_files(path)
    return Scan(tuple(files), len(needles), tuple(file for file in files if holds(file, needles)), made=True)


def holds(file: str, needles: Sequence[str]) -> bool:
    """Whether one of the needles stands in a file, in any case."""
    with suppress(OSError):
        return _holds(_pieces(file), _forms(needles))
    return False


def _holds(pieces: Iterable[bytes], wanted: Sequence[bytes]) -> bool:
    for piece in pieces:
        lowered = piece.lower()
        if any(needle in lowered for needle in wanted):
            return True
    return False


def _pieces(file: str) -> Iterator[bytes]:
    """With an overlap, so that nothing hides between two of them."""
    before = b""
    with open(file, "rb") as opened:
        while piece := opened.read(_PIECE):
            yield before + piece
            before = piece[-4_096:]


def _forms(needles: Sequence[str]) -> list[bytes]:
    """As the bytes may have them: ASCII is lowered on both sides, other letters stand as they were or lowered."""
    forms = dict.fromkeys(
        form.encode().lower() for needle in needles for form in (needle, needle.lower(), needle.upper(), needle.title())
    )
    return list(forms)


def _literal(name: str) -> str:
    """A file name in a pattern."""
    return "".join(f"[{letter}]" if letter in "*?[" else letter for letter in name)
