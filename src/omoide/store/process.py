"""Who is at work: enough of a process to tell later whether it is still there."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any


def this() -> dict[str, Any]:
    """This process, as others can look for it."""
    pid = os.getpid()
    return {"pid": pid, "place": _place(), "born": _born(pid)}


def is_gone(process: Mapping[str, Any]) -> bool | None:
    """Whether a process has ended; None where that cannot be told from here."""
    if process.get("place") != _place() or os.name != "posix":
        return None
    pid = int(process["pid"])
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    except PermissionError:
        pass  # somebody else's: it is there
    return _born(pid) != process.get("born")  # its number may belong to another by now


def mark() -> str:
    """This process in a file's name: its number, then the machine, its start, the container and the process's start."""
    pid = os.getpid()
    return f"{pid}-{''.join(map(_short, (*_parts(), _born(pid))))}"


def is_mark_gone(mark: str) -> bool | None:
    """The same as `is_gone`; what ran before this machine was started has ended."""
    pid, _, rest = mark.partition("-")
    host, boot, space, born = (rest[start : start + 4] for start in range(0, 16, 4))
    here = [_short(each) for each in _parts()]
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
    return _short(_born(int(pid))) != born


def _short(text: str) -> str:
    return hashlib.blake2b(text.encode(), digest_size=2).hexdigest()


def _place() -> str:
    """Where a number means one process: this machine since it started, and in it this container."""
    return "|".join(_parts())


def _parts() -> tuple[str, str, str]:
    return _host(), _read("/proc/sys/kernel/random/boot_id"), _link("/proc/self/ns/pid")


def _host() -> str:
    return os.uname().nodename if os.name == "posix" else ""


def _born(pid: int) -> str:
    """When it started, in ticks since the machine did; empty where the system does not say."""
    return next(iter(_read(f"/proc/{pid}/stat").rpartition(")")[2].split()[19:20]), "")


def _read(path: str) -> str:
    try:
        return Path(path).read_text("utf-8", "replace").strip()
    except OSError:
        return ""


def _link(path: str) -> str:
    try:
        return os.readlink(path)
    except OSError:
        return ""
