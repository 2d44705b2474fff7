"""Who is at work: enough of a process to tell later whether it is still there."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any


def this_process() -> dict[str, Any]:
    """This process, as others can look for it."""
    pid = os.getpid()
    return {"pid": pid, "place": _machine(), "born": _start_time(pid)}


def has_ended(process: Mapping[str, Any]) -> bool | None:
    """Whether a process has ended; None where that cannot be told from here."""
    if process.get("place") != _machine() or os.name != "posix":
        return None
    pid = int(process["pid"])
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    except PermissionError:
        pass  # somebody else's: it is there
    return _start_time(pid) != process.get("born")  # its number may belong to another by now


def process_mark() -> str:
    """This process in a file's name: its number, then the machine, its start, the container and the process's start."""
    pid = os.getpid()
    return f"{pid}-{''.join(map(_short_hash, (*_machine_parts(), _start_time(pid))))}"


def mark_has_ended(mark: str) -> bool | None:
    """The same as `is_gone`; what ran before this machine was started has ended."""
    pid, _, rest = mark.partition("-")
    host, boot, space, born = (rest[start : start + 4] for start in range(0, 16, 4))
    here = [_short_hash(each) for each in _machine_parts()]
    if os.name != "posix" or host != here[0] or (boot == here[1] and space != here[2]):
        return None
    if boot != here[1]:
        return True
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return True
    except PermissionError:
        pass
    return _short_hash(_start_time(int(pid))) != born


def _short_hash(text: str) -> str:
    return hashlib.blake2b(text.encode(), digest_size=2).hexdigest()


def _machine() -> str:
    """Where a number means one process: this machine since it started, and in it this container."""
    return "|".join(_machine_parts())


def _machine_parts() -> tuple[str, str, str]:
    return _host_name(), _read_text("/proc/sys/kernel/random/boot_id"), _read_link("/proc/self/ns/pid")


def _host_name() -> str:
    return os.uname().nodename if os.name == "posix" else ""


def _start_time(pid: int) -> str:
    """When it started, in ticks since the machine did; empty where the system does not say."""
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
