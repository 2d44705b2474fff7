"""Files that only their owner can read, written in one step and never through a symbolic link."""

from __future__ import annotations

import os
from pathlib import Path

from omoide.errors import CannotWrite


def make_private_folder(folder: Path) -> None:
    """Creates a folder that only its owner opens, with those above it."""
    missing = [each for each in (folder, *folder.parents) if not each.exists()]
    for each in reversed(missing):
        each.mkdir(mode=0o700, exist_ok=True)


def write_private(path: Path, data: bytes, inside: Path) -> None:
    """Writes a file in a folder. A link in its place is replaced; a link on its way out of the folder is refused."""
    if not path.parent.resolve().is_relative_to(inside.resolve()):
        raise CannotWrite(f"{path.parent} is a link out of {inside}; nothing was written through it")
    part = path.with_name(f".{path.name}.part")
    part.unlink(missing_ok=True)
    with open(os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb") as file:
        file.write(data)
    part.replace(path)
