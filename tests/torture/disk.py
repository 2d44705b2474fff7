"""A disk that fails at a chosen call, and one that loses power: every file of SQLite goes through it."""

from __future__ import annotations

import os
import random
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import apsw

KINDS = ("open", "read", "write", "sync", "truncate", "delete")
MODES = ("error", "short", "late", "cut")  # before, half of a write, done but reported as failed, power lost


class Disk(apsw.VFS):
    """Counts the calls of each kind and fails the one that is set by `fail`."""

    def __init__(self) -> None:
        super().__init__("failing", "unix", makedefault=True)
        self.calls = dict.fromkeys(KINDS, 0)
        self.kind, self.mode, self.at = "", "", 0
        self.is_off = False  # power is lost: nothing works any more
        self.files: dict[str, Platter] = {}

    def fail(self, kind: str, mode: str, at: int) -> None:
        self.kind, self.mode, self.at = kind, mode, at
        self.calls = dict.fromkeys(KINDS, 0)

    def happened(self) -> bool:
        return bool(self.at) and self.calls[self.kind] >= self.at

    def due(self, kind: str) -> str:
        """How this call fails; empty if it does not."""
        if self.is_off:
            raise apsw.IOError("there is no power")
        self.calls[kind] += 1
        if kind != self.kind or self.calls[kind] != self.at:
            return ""
        if self.mode == "cut":
            self.is_off = True
            raise apsw.IOError("the power is gone")
        return self.mode

    def xOpen(self, name: Any, flags: Any) -> Any:
        if self.due("open"):
            raise apsw.CantOpenError("the disk says no")
        return _File(self, name, flags)

    def xDelete(self, filename: str, syncdir: bool) -> None:
        mode = self.due("delete")
        if mode != "error":
            super().xDelete(filename, syncdir)
            self.files.pop(filename, None)
        if mode:
            raise apsw.IOError("the disk says no")

    def after_power_cut(self, seed: int) -> dict[str, bytes]:
        """What the files may hold now: everything synced, and any of the later writes, some of them torn."""
        luck = random.Random(seed)
        return {name: platter.image(luck) for name, platter in self.files.items()}


class Platter:
    """What of a file is certainly on disk, and what was written since the last sync."""

    def __init__(self, content: bytes) -> None:
        self.synced = bytearray(content)
        self.pending: list[tuple[int, bytes | None]] = []  # None: truncated there

    def sync(self) -> None:
        for offset, data in self.pending:
            _put(self.synced, offset, data)
        self.pending = []

    def image(self, luck: random.Random, share: float = 0.5) -> bytes:
        """What it may hold after a power cut: about that share of what was not synced, some of it torn."""
        found = bytearray(self.synced)
        for offset, data in self.pending:
            if luck.random() < share:
                torn = (
                    data
                    if data is None or share == 1 or luck.random() < 0.7
                    else data[: luck.randrange(0, len(data) + 1, 512)]
                )
                _put(found, offset, torn)
        return bytes(found)


def _put(content: bytearray, offset: int, data: bytes | None) -> None:
    if data is None:
        del content[offset:]
        return
    content.extend(bytes(max(0, offset - len(content))))
    content[offset : offset + len(data)] = data


class _File(apsw.VFSFile):
    def __init__(self, disk: Disk, name: Any, flags: Any) -> None:
        self._disk = disk
        path = name.filename() if isinstance(name, apsw.URIFilename) else name
        self._name = path or ""
        if self._name and self._name not in disk.files:
            place = Path(self._name)
            disk.files[self._name] = Platter(place.read_bytes() if place.exists() and place.stat().st_size else b"")
        super().__init__("unix", name, flags)

    @property
    def _platter(self) -> Platter:
        return self._disk.files.setdefault(self._name, Platter(b""))

    def xRead(self, amount: int, offset: int) -> bytes:
        if self._disk.due("read"):
            raise apsw.IOError("the disk says no")
        return super().xRead(amount, offset)

    def xWrite(self, data: Any, offset: int) -> None:
        mode = self._disk.due("write")
        done = b"" if mode == "error" else bytes(data)[: len(data) // 2] if mode == "short" else bytes(data)
        if done:
            self._platter.pending.append((offset, done))
            super().xWrite(done, offset)
        if mode:
            raise apsw.FullError("the disk is full") if mode == "error" else apsw.IOError("the disk says no")

    def xTruncate(self, newsize: int) -> None:
        mode = self._disk.due("truncate")
        if mode != "error":
            self._platter.pending.append((newsize, None))
            super().xTruncate(newsize)
        if mode:
            raise apsw.IOError("the disk says no")

    def xSync(self, flags: int) -> None:
        mode = self._disk.due("sync")
        if mode != "error":
            super().xSync(flags)
            self._platter.sync()
        if mode:
            raise apsw.IOError("the disk says no")


@contextmanager
def failing_disk() -> Iterator[Disk]:
    """Inside, every connection that is opened uses this disk."""
    disk = Disk()
    try:
        yield disk
    finally:
        disk.unregister()


class DyingDisk(apsw.VFS):
    """Ends its process right before, in the middle of, or right after a call that changes a file."""

    def __init__(self, at: int) -> None:
        super().__init__("dying", "unix", makedefault=True)
        self.left = at

    def xOpen(self, name: Any, flags: Any) -> Any:
        return _DyingFile(self, name, flags)

    def xDelete(self, filename: str, syncdir: bool) -> None:
        self.step()
        super().xDelete(filename, syncdir)
        self.step()

    def step(self) -> bool:
        """Whether the call is the one at which to stop halfway."""
        self.left -= 1
        if self.left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return self.left == 1


class _DyingFile(apsw.VFSFile):
    def __init__(self, disk: DyingDisk, name: Any, flags: Any) -> None:
        self._disk = disk
        super().__init__("unix", name, flags)

    def xWrite(self, data: Any, offset: int) -> None:
        if self._disk.step():
            super().xWrite(bytes(data)[: len(data) // 2], offset)
        else:
            super().xWrite(data, offset)
        self._disk.step()

    def xTruncate(self, newsize: int) -> None:
        self._disk.step()
        super().xTruncate(newsize)
        self._disk.step()

    def xSync(self, flags: int) -> None:
        self._disk.step()
        super().xSync(flags)
        self._disk.step()
