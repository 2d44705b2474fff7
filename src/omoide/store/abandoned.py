"""Tasks that nobody ended: their process is gone, or, where that cannot be told, nothing was heard of them for long."""

from __future__ import annotations

from omoide.layers.trace import CRASHED
from omoide.store import process
from omoide.store.tasks import Ending, Open

_HOUR = 3_600_000_000


def is_abandoned(open: Open, now: int, lease_hours: float) -> bool:
    gone = None if open.process is None else process.is_gone(open.process)
    return now - open.seen_at > lease_hours * _HOUR if gone is None else gone


def crashed(open: Open) -> Ending:
    """The end of a task that nobody ended."""
    who = f"process {open.process['pid']} is gone" if open.process else "nothing was heard of it"
    return Ending(outcome="failure", error={"type": CRASHED, "message": who, "resolution": None})
