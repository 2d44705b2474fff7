"""A change to another program's file: shown first, written in one step. A copy from before the first one is kept."""

from __future__ import annotations

import difflib
import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from omoide.errors import CannotWrite


@dataclass(frozen=True, slots=True)
class FileChange:
    """A file as it is and as it would be; one that would be empty is deleted."""

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

    def write(self) -> None:
        """Replaces the file in one step, so that nobody reads half of it; a link is followed to its file."""
        path = self.path.resolve()
        try:
            if not self.after:
                path.unlink(missing_ok=True)
                return
            path.parent.mkdir(parents=True, exist_ok=True)
            first = path.with_name(path.name + ".before-omoide")
            if self.before and not first.exists():  # a later copy would have Omoide in it
                first.write_text(self.before, "utf-8")
            part = path.with_name(path.name + ".part")
            part.write_text(self.after, "utf-8")
            if path.exists():
                part.chmod(path.stat().st_mode & 0o777)  # a file with keys in it stays as private as it was
            os.replace(part, path)
        except OSError as error:
            raise CannotWrite(f"{path} cannot be written: {error.strerror}") from error


def pretty_json(value: dict[str, Any]) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"
