"""Keeping: that everything is embedded, counted and sound."""

from __future__ import annotations

from collections.abc import Callable

from omoide.memory.rooms import Rooms
from omoide.store import Finding


class Keeping(Rooms):
    """Upkeep by hand."""

    def doctor(self, *, repair: bool = False) -> list[Finding]:
        """Compares the indexes with the rows; with `repair`, makes again from the rows what differs."""
        found = self._store.examine(repair)
        if repair:
            self._background.wake()
        return found

    def flush(self, *, timeout: float | None = None, progress: Callable[[int], None] | None = None) -> bool:
        """Does all background work now: everything embedded, every access counted. True when nothing is left.

        `timeout` in seconds; `progress` is called with how many texts still wait for their vector.
        """
        self._store.require_open()
        return self._background.flush(timeout, progress)

    def waiting(self) -> int:
        """How many texts still wait for a vector; 0 without an embedder, since none is coming."""
        return 0 if self._embedder is None else self._store.waiting_texts()
