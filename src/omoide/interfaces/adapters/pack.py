"""The pack for a message, or nothing where memory fails: an agent without memory is better than no agent."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TypeVar

from omoide.memory import Memory

log = logging.getLogger("omoide.adapters")
T = TypeVar("T")
Otherwise = TypeVar("Otherwise")


def pack(memory: Memory, message: str, budget: int | None = None) -> str:
    """What matters for a message, fenced as data; empty when nothing does, or when memory fails."""
    if not message.strip():
        return ""
    return open_to_failure("no memories for this message", lambda: memory.context(message, budget=budget).markdown, "")


def open_to_failure(loss: str, work: Callable[[], T], otherwise: Otherwise) -> T | Otherwise:
    """Does it; what goes wrong is logged with what is lost by it, and never reaches the agent."""
    try:
        return work()
    except Exception:  # whatever it is: memory is an addition to the call, no part of it
        log.exception("memory failed, and the call goes on: %s", loss)
        return otherwise
