"""An open file, the clock and the ids: what every verb of the store stands on."""

from __future__ import annotations

from collections.abc import Hashable

from omoide.clock import Clock
from omoide.ids import UlidFactory
from omoide.store.engine.file import DatabaseFile


class Opened:
    """One file. Reading never waits for writing; every write is durable when its verb returns."""

    def __init__(self, path: str, clock: Clock, ids: UlidFactory, busy_timeout: float) -> None:
        self._file = DatabaseFile(path, clock, busy_timeout)
        self._read = self._file.read
        self._write = self._file.write
        self._clock = clock
        self._ids = ids

    @property
    def path(self) -> str:
        return self._file.path

    @property
    def is_forked(self) -> bool:
        return self._file.is_forked

    def require_open(self) -> None:
        self._file.require_open()

    def state(self) -> Hashable:
        """Changes with every write of any process."""
        return self._file.state()

    def _after_forgotten_rows(self) -> None:
        """Rows went, or were left out, that had been forgotten here: no byte of what came with them may stay."""

    def close(self) -> None:
        """Closes every connection, once the verbs under way are done."""
        self._file.close()
