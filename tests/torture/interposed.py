"""A memory in which something else happens right before a chosen write, as another process would do it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from omoide import Memory
from omoide.store.engine.gate import Gate


class InterposedGate(Gate):
    """Lets somebody else through first, before the n-th writer; counts the writers."""

    def __init__(self, memory: Memory, at: int, other: Callable[[], object]) -> None:
        super().__init__(f"{memory.path}-gate", 10.0)
        self.count = 0
        self.happened = False
        self._at = at
        self._other = other
        memory._store._file._writer._gate = self

    @contextmanager
    def held(self) -> Iterator[None]:
        self.count += 1
        if self.count == self._at:
            self.happened = True
            self._other()
        with super().held():
            yield
