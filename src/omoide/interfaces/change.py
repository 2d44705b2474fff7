"""A change to somebody else's file: shown first, made in one step, with the file as it was kept beside it."""

from __future__ import annotations

import difflib
import os
from dataclasses import dataclass
from pathlib import Path

from omoide.errors import CannotWrite


@dataclass(frozen=True, slots=True)
class Change:
    """A file as it is and as it would be."""

    path: Path
    before: str
    after: str

    @property
    def needed(self) -> bool:
        return self.before != self.after

    @property
    def diff(self) -> list[str]:
        return list(
            difflib.unified_diff(self.before.splitlines(), self.after.splitlines(), "before", "after", lineterm="")
        )


def apply(change: Change) -> None:
    """In one step, so that nobody ever reads half a file; through a link to the file that it names."""
    path = change.path.resolve()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if change.before:
            path.with_name(path.name + ".before-omoide").write_text(change.before, "utf-8")
        part = path.with_name(path.name + ".part")
        part.write_text(change.after, "utf-8")
        if path.exists():
            part.chmod(path.stat().st_mode & 0o777)  # a file with keys in it stays as private as it was
        os.replace(part, path)
    except OSError as error:
        raise CannotWrite(f"{path} cannot be written: {error.strerror}") from error
