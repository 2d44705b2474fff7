"""Who may write: the lock that lets one writer of all processes through, the files that were opened, and processes.

SQLite retries its own lock with sleeps and in no order: under load one of sixteen writers waited 5.5 s. With a lock
file in front the longest wait was 0.6 s. The operating system releases the lock when its holder dies.
"""

from __future__ import annotations

import hashlib
import os
import random
import sys
import time
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from omoide.errors import Busy, CannotWrite, Closed

_SHORTEST_PAUSE, _LONGEST_PAUSE = 0.0002, 0.005  # seconds between attempts: most are done within a millisecond or two

_QUEUE = 2**40  # the first of the bytes in which writers stand in line
_PLACES = 32
_CLAIM_PAUSE = 0.02  # seconds between attempts: a language model takes much longer to answer


class Gate:
    """A lock file beside the database. It is never deleted, because deleting a lock file is a race."""

    def __init__(self, path: str, timeout: float) -> None:
        self._path = path
        self._timeout = timeout
        self._file: int | None = None
        self._in_line = False
        _GATES.add(self)

    @contextmanager
    def held(self) -> Iterator[None]:
        """While inside, no other process writes."""
        if self._file is None:
            self._file = self._open()
        try:
            self._stand_in_line(time.monotonic() + self._timeout)
            yield
        finally:  # also after an interrupt while acquiring; unlocking twice is harmless
            try:
                self._release()
            except BaseException:  # an interrupt right here must not leave everybody else waiting
                self._release()
                raise

    def _release(self) -> None:
        if self._file is None:  # in a child that was forked while inside
            return
        _unlock(self._file)
        if self._in_line:
            _release_claims(self._file, _QUEUE, _PLACES)
            self._in_line = False

    def close(self) -> None:
        if self._file is not None:
            os.close(self._file)
            self._file = None

    def _open(self) -> int:
        try:
            return os.open(self._path, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o600)
        except OSError as error:
            raise CannotWrite(f"{self._path} {error.strerror}; the folder must be writable") from error

    def _stand_in_line(self, deadline: float) -> None:
        """Moves from place to place, one lock each, so that nobody is overtaken; more than 32 come in any order."""
        if self._try(_try_alone):
            return
        self._in_line = True
        try:
            for place in range(_QUEUE + _PLACES - 1, _QUEUE - 1, -1):
                self._acquire(partial(_try_claim, place=place), deadline)
                if place + 1 < _QUEUE + _PLACES and self._file is not None:
                    _release_claims(self._file, place + 1, 1)
            self._acquire(_try_lock, deadline)
        finally:
            if self._file is not None:
                _release_claims(self._file, _QUEUE, _PLACES)

    def _acquire(self, attempt: Callable[[int], bool], deadline: float) -> None:
        pause = _SHORTEST_PAUSE
        while not self._try(attempt):
            if time.monotonic() > deadline:
                raise Busy(f"{self._path} has been held for {self._timeout:g} s by another process; try again")
            time.sleep(pause * random.uniform(0.5, 1.5))
            pause = min(pause * 2, _LONGEST_PAUSE)

    def _try(self, attempt: Callable[[int], bool]) -> bool:
        if self._file is None:  # closed by another thread meanwhile
            raise Closed(f"{self._path} was closed")
        try:
            return attempt(self._file)
        except OSError as error:
            raise CannotWrite(f"{self._path} cannot be locked: {error.strerror}; is it on a network drive?") from error


_GATES: weakref.WeakSet[Gate] = weakref.WeakSet()


def _close_gates_in_child() -> None:
    """A forked child shares its parent's locks, which would outlive a parent that dies while holding one."""
    for gate in list(_GATES):
        gate.close()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_close_gates_in_child)


class NoGate(Gate):
    """For a memory without a file, which no other process can open."""

    def __init__(self) -> None:
        super().__init__("", 0)

    @contextmanager
    def held(self) -> Iterator[None]:
        yield


@contextmanager
def claimed(path: str, number: int, timeout: float) -> Iterator[None]:
    """While inside, nobody else holds the claim of this number, in any thread or process. Writers are not hindered.

    A claim locks one byte of the gate file, behind its end, through an open file of its own.
    """
    file = os.open(f"{path}-gate", os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o600)
    deadline = time.monotonic() + timeout
    try:
        while not _try_claim(file, number + 1):
            if time.monotonic() > deadline:
                raise Busy(f"{path}: another process has been learning from this session for {timeout:g} s; try again")
            time.sleep(_CLAIM_PAUSE)
        yield
    finally:
        os.close(file)  # releases the claim


if sys.platform == "win32":
    import msvcrt

    def _try_claim(file: int, place: int) -> bool:
        try:
            os.lseek(file, place, os.SEEK_SET)
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

    def _release_claims(file: int, first: int, count: int) -> None:
        for place in range(first, first + count):
            os.lseek(file, place, os.SEEK_SET)
            with suppress(OSError):
                msvcrt.locking(file, msvcrt.LK_UNLCK, 1)

    def _try_alone(file: int) -> bool:
        return False

    def _try_lock(file: int) -> bool:
        return _try_claim(file, 0)

    def _unlock(file: int) -> None:
        _release_claims(file, 0, 1)

else:
    import fcntl
    import struct

    def _try_claim(file: int, place: int) -> bool:
        try:
            _set_claim(file, place, fcntl.F_WRLCK)
        except (BlockingIOError, PermissionError):
            return False
        return True

    def _release_claims(file: int, first: int, count: int) -> None:
        _set_claim(file, first, fcntl.F_UNLCK, count)

    def _set_claim(file: int, place: int, kind: int, count: int = 1) -> None:
        if sys.platform == "linux":  # a lock of the open file, which also keeps threads of one process apart
            fcntl.fcntl(file, fcntl.F_OFD_SETLK, _claim(kind, place, count))
        else:
            fcntl.lockf(file, fcntl.LOCK_UN if kind == fcntl.F_UNLCK else fcntl.LOCK_EX | fcntl.LOCK_NB, count, place)

    def _claim(kind: int, place: int, count: int) -> bytes:
        return struct.pack("hhxxxxqqixxxx", kind, os.SEEK_SET, place, count, 0)

    def _try_alone(file: int) -> bool:
        """Takes the lock if nobody stands in line."""
        if sys.platform != "linux":  # elsewhere only by walking through the line
            return False
        found = fcntl.fcntl(file, fcntl.F_OFD_GETLK, _claim(fcntl.F_WRLCK, _QUEUE, _PLACES))
        return struct.unpack_from("h", found)[0] == fcntl.F_UNLCK and _try_lock(file)

    def _try_lock(file: int) -> bool:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def _unlock(file: int) -> None:
        fcntl.flock(file, fcntl.LOCK_UN)


# Watches that a file and its log stay those that were opened.
#
# What is written to a file or a log that was deleted or replaced is lost. Another copy of SQLite in the same process
# that opens and closes the file drops our locks with it and deletes the log. And the log that a replaced file leaves
# behind must not be read into the new file: the gate file keeps the numbers (inodes) of the last pair that belonged
# together.


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


# Identifies processes, so that another process can tell later whether one has ended.


def process_mark() -> str:
    """This process, in a form that other processes can check: its id and hashes of host, boot, container and start."""
    pid = os.getpid()
    return f"{pid}-{''.join(map(_short_hash, (*_machine_parts(), _start_time(pid))))}"


def mark_has_ended(mark: str) -> bool | None:
    """Whether a process has ended: one of an earlier boot has. None if that cannot be known here."""
    pid, _, rest = mark.partition("-")
    host, boot, space, born = (rest[start : start + 4] for start in range(0, 16, 4))
    here = [_short_hash(each) for each in _machine_parts()]
    if os.name != "posix" or host != here[0] or (boot == here[1] and space != here[2]):
        return None
    if boot != here[1]:
        return True
    return not _exists(int(pid)) or _short_hash(_start_time(int(pid))) != born  # the id may have been reused


def _exists(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:  # a process of another user
        pass
    return True


def _short_hash(text: str) -> str:
    return hashlib.blake2b(text.encode(), digest_size=2).hexdigest()


def _machine_parts() -> tuple[str, str, str]:
    """Host, boot and container: within them a process id is unique."""
    return _host_name(), _read_text("/proc/sys/kernel/random/boot_id"), _read_link("/proc/self/ns/pid")


def _host_name() -> str:
    return os.uname().nodename if os.name == "posix" else ""


def _start_time(pid: int) -> str:
    """Start time of a process in clock ticks since boot; empty if the system does not tell."""
    return next(iter(_read_text(f"/proc/{pid}/stat").rpartition(")")[2].split()[19:20]), "")


def _read_text(path: str) -> str:
    try:
        return Path(path).read_text("utf-8", "replace").strip()
    except OSError:
        return ""


def _read_link(path: str) -> str:
    try:
        return os.readlink(path)
    except OSError:
        return ""
