"""Copies that are not finished yet: their name tells who writes them, so that what a crash leaves is found."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from pathlib import Path

from omoide.store import process

_PART = re.compile(r"\.(?P<mark>\d+-[0-9a-f]{16})-[0-9a-f]{8}\.part$")
ENDINGS = ("", "-wal", "-shm", "-journal")


def named(place: Path) -> Path:
    """A name of our own beside the place."""
    return Path(f"{place}.{process.mark()}-{os.urandom(4).hex()}.part")


def is_part(path: str) -> bool:
    return _PART.search(path) is not None


def is_left(path: str) -> bool:
    """Whether whoever wrote it has ended."""
    found = _PART.search(path)
    return found is not None and process.is_mark_gone(found["mark"]) is True


def is_there(path: str) -> bool:
    return any(os.path.exists(f"{path}{ending}") for ending in ENDINGS)


def remove(path: str | Path) -> None:
    for ending in ENDINGS:
        with suppress(FileNotFoundError):
            Path(f"{path}{ending}").unlink()


def beside(path: str) -> list[str]:
    """What restoring left beside a file."""
    place = Path(path)
    if not place.parent.is_dir():
        return []
    found = (each for each in place.parent.iterdir() if each.name.startswith(f"{place.name}."))
    return sorted(str(each) for each in found if is_part(each.name))
