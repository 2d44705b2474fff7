"""Restoring is opening: this only puts a verified backup where a memory is looked for."""

from __future__ import annotations

from pathlib import Path

from omoide import config
from omoide.clock import Clock, system_clock
from omoide.errors import InvalidInput
from omoide.store import Restored
from omoide.store import restore as put_in_place


def restore(
    backup: str | Path, to: str | Path | None = None, *, force: bool = False, clock: Clock = system_clock
) -> Restored:
    """Puts a backup in the place of a memory, by default the user's own; what stands there is put aside, never
    deleted. Refuses what is open or was written later than the backup, unless forced."""
    place = config.place(to, create=True)
    if place == ":memory:":
        raise InvalidInput("a backup is restored to a file; name one")
    return put_in_place(str(backup), place, force, config.load().busy_timeout, clock())
