"""Identifies processes, so that another process can tell later whether one has ended."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any


def this_process() -> dict[str, Any]:
    """This process, in a form that other processes can check."""
    pid = os.getpid()
    return {"pid": pid, "place": _machine(), "born": _start_time(pid)}


def has_ended(process: Mapping[str, Any]) -> bool | None:
    """Whether a process has ended; None if that cannot be known here."""
    if process.get("place") != _machine() or os.name != "posix":
        return None
    pid = int(process["pid"])
    return not _exists(pid) or _start_time(pid) != process.get("born")  # the id may have been reused


def process_mark() -> str:
    """This process as part of a file name: its id and hashes of host, boot, container and start time."""
    pid = os.getpid()
    return f"{pid}-{''.join(map(_short_hash, (*_machine_parts(), _start_time(pid))))}"


def mark_has_ended(mark: str) -> bool | None:
    """Like `has_ended`, for a mark; a process of an earlier boot has ended."""
    pid, _, rest = mark.partition("-")
    host, boot, space, born = (rest[start : start + 4] for start in range(0, 16, 4))
    here = [_short_hash(each) for each in _machine_parts()]
    if os.name != "posix" or host != here[0] or (boot == here[1] and space != here[2]):
        return None
    if boot != here[1]:
        return True
    return not _exists(int(pid)) or _short_hash(_start_time(int(pid))) != born


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


def _machine() -> str:
    """Host, boot and container: within them a process id is unique."""
    return "|".join(_machine_parts())


def _machine_parts() -> tuple[str, str, str]:
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
