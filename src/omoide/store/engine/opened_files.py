"""Watches that a file and its log stay those that were opened.

What is written to a file or a log that was deleted or replaced is lost. Another copy of SQLite in the same process that
opens and closes the file drops our locks with it and deletes the log. And the log that a replaced file leaves behind
must not be read into the new file: the gate file keeps the numbers (inodes) of the last pair that belonged together.
"""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from omoide.errors import CannotWrite

FileIdentity = tuple[int, int]
_RECORD_BYTES = 128


def file_identity(path: str) -> FileIdentity | None:
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino


@dataclass(slots=True)
class OpenedFiles:
    """The file and its log when they were opened; the log may appear with the first read."""

    path: str
    file: FileIdentity | None
    log: FileIdentity | None

    @classmethod
    def of(cls, path: str) -> OpenedFiles:
        found = cls(path, file_identity(path), file_identity(f"{path}-wal"))
        _record(found)
        return found

    def require_same(self) -> None:
        """Raises CannotWrite if the file was deleted or replaced, or its log removed."""
        if file_identity(self.path) != self.file:
            raise CannotWrite(f"{self.path} was moved or replaced while it was open; open it again")
        if self.log is None:
            self.log = file_identity(f"{self.path}-wal")
            _record(self)
        elif file_identity(f"{self.path}-wal") != self.log:
            raise CannotWrite(
                f"{self.path}-wal was removed by another program while the file was open; this write was not kept, "
                "open the file again"
            )


def has_stale_log(path: str) -> bool:
    """Whether the log beside a file belongs to one that it has replaced."""
    log, known = file_identity(f"{path}-wal"), _recorded(path)
    return log is not None and known is not None and known[1] == log and known[0] != file_identity(path)


def set_aside_stale_log(path: str) -> None:
    """Renames the log of a file that was replaced, which SQLite would read into the new one."""
    if has_stale_log(path):
        os.replace(f"{path}-wal", f"{path}-wal.of-replaced-file")
        Path(f"{path}-shm").unlink(missing_ok=True)


def _record(opened: OpenedFiles) -> None:
    if opened.file is None or opened.log is None or _recorded(opened.path) == (opened.file, opened.log):
        return
    line = " ".join(map(str, (*opened.file, *opened.log))).ljust(_RECORD_BYTES - 1) + "\n"
    with suppress(OSError):  # it only protects the next opening
        gate = os.open(f"{opened.path}-gate", os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o600)
        try:
            os.write(gate, line.encode())
        finally:
            os.close(gate)


def _recorded(path: str) -> tuple[FileIdentity, FileIdentity] | None:
    try:
        with open(f"{path}-gate", "rb") as gate:
            numbers = [int(each) for each in gate.read(_RECORD_BYTES).split()]
    except (OSError, ValueError):
        return None
    return ((numbers[0], numbers[1]), (numbers[2], numbers[3])) if len(numbers) == 4 else None
