"""How many nodes a night may take from a file that is too large: a quota, so that running again takes no more."""

from __future__ import annotations

from dataclasses import dataclass

import apsw

from omoide.store import ageing, archive, bookmark
from omoide.store.archive import Leaving

_NAME = "prune"
_NIGHT = 20 * 3_600_000_000  # microseconds: a run so soon after the last belongs to the same night


@dataclass(frozen=True, slots=True)
class Quota:
    """Since when, and how many are still to leave. The order of use is taken as it stood at that moment."""

    at: int
    left: int


def quota(db: apsw.Connection, now: int, percent: float, tight: bool) -> Quota:
    """What is left of the last one; else, where the file is too large and none was set tonight, a share of the nodes.

    What was begun is finished even if the file has become small enough by it: a run that was not interrupted would.
    """
    held = _held(db)
    if held is not None and held.left > 0:
        return held
    if not tight or (held is not None and held.at <= now < held.at + _NIGHT):
        return Quota(now, 0)
    live = ageing.live(db)
    return Quota(now, min(live, max(1, int(live * percent / 100))) if percent > 0 else 0)


def take(db: apsw.Connection, night: Quota, leaving: list[Leaving]) -> Quota:
    """Archives some of the quota and notes what is left of it, in one transaction."""
    archive.pack(db, leaving, night.at)
    rest = Quota(night.at, max(0, night.left - len(leaving)))
    bookmark.put(db, _NAME, [rest.at, rest.left])
    return rest


def _held(db: apsw.Connection) -> Quota | None:
    found = bookmark.get(db, _NAME)
    return None if found is None else Quota(*found)
