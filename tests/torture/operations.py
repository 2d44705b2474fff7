"""Counts the work of a call in function calls, which are the same on a busy machine as on a quiet one."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from types import FrameType


def calls_of(work: Callable[[], object]) -> int:
    """How many functions are called, those of C too, also in threads that the work starts."""
    count = 0

    def called(frame: FrameType, event: str, argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(called)
    threading.setprofile(called)
    try:
        work()
    finally:
        sys.setprofile(before)
        threading.setprofile(None)
    return count


def interrupt(at: int, work: Callable[[], object]) -> tuple[bool, str]:
    """Runs work that Ctrl-C ends at its n-th moment; whether it had so many, and which function that was.

    CPython handles signals where a function begins and where a call of C returns: those are the moments.
    """
    left, where = at, ""

    def happened(frame: FrameType, event: str, argument: object) -> None:
        nonlocal left, where
        if event in ("call", "c_return"):
            left -= 1
            if left == 0:
                where = f"{frame.f_code.co_filename}:{frame.f_lineno}, {frame.f_code.co_name} {argument}"
                raise KeyboardInterrupt

    before = sys.getprofile()
    sys.setprofile(happened)
    try:
        work()
    except KeyboardInterrupt:
        pass
    finally:
        sys.setprofile(before)
    return left <= 0, where
