"""A memory in which something else happens right before a chosen write, as another process would do it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from omoide import Memory
from omoide.store.engine.connection import Connection
from omoide.store.engine.gate import Gate


class InterposedGate(Gate):
    """Lets somebody else through first, before the n-th writer; counts the writers.

    With `reads`, also before a transaction that reads: within one, what others write is not seen.
    """

    def __init__(self, memory: Memory, at: int, other: Callable[[], object], *, reads: bool = False) -> None:
        super().__init__(f"{memory.path}-gate", 10.0)
        self.count = 0
        self.happened = False
        self._at = at
        self._other = other
        file = memory._store._file
        file._writer._gate = self
        if reads:
            begin = file._begin

            def begin_later(db: Connection) -> None:
                self._step()
                begin(db)

            file._begin = begin_later  # type: ignore[method-assign]

    @contextmanager
    def held(self) -> Iterator[None]:
        self._step()
        with super().held():
            yield

    def _step(self) -> None:
        self.count += 1
        if self.count == self._at:
            self.happened = True
            self._other()
