"""Parts that tests pass in: a clock that ticks by itself, ids that count, a memory on a real file."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from omoide import Memory
from omoide.clock import micros
from omoide.ids import encode

NOW = datetime(2026, 2, 11, 9, 30, tzinfo=UTC)


class Ticking:
    """A clock that moves one millisecond each time it is read, and further when told."""

    def __init__(self, start: datetime = NOW) -> None:
        self.now = micros(start)

    def __call__(self) -> int:
        self.now += 1_000
        return self.now

    def advance(self, *, days: float) -> None:
        self.now += int(days * 86_400_000_000)


class Counting:
    """ULIDs that count up from one."""

    def __init__(self) -> None:
        self.last = 0

    def __call__(self, at: int) -> str:
        self.last += 1
        return encode(at // 1000 << 80 | self.last)


@pytest.fixture
def clock() -> Ticking:
    return Ticking()


@pytest.fixture
def memory(tmp_path: Path, clock: Ticking) -> Iterator[Memory]:
    """On a real file, without an embedder: words, links and time must serve alone."""
    with Memory(tmp_path / "otto.db", embedder=None, clock=clock, ids=Counting()) as opened:
        yield opened
