"""A clock that the simulation sets; it advances one tick with each reading."""

from __future__ import annotations

from datetime import datetime, timedelta

from omoide.clock import to_micros

_TICK = 1_000  # microseconds


class MovingClock:
    """Set to a moment by the simulation; `off` is its error."""

    def __init__(self, start: datetime) -> None:
        self._now = to_micros(start)
        self.off = timedelta(0)

    def put(self, moment: datetime) -> None:
        self._now = to_micros(moment)

    def __call__(self) -> int:
        self._now += _TICK
        return self._now + self.off // timedelta(microseconds=1)
