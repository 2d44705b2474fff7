"""A clock that stands where it is put, and a tick further each time somebody looks."""

from __future__ import annotations

from datetime import datetime, timedelta

from omoide.clock import to_micros

_TICK = 1_000  # microseconds


class Moving:
    """Put to a moment by the simulation; `off` is how wrong it goes."""

    def __init__(self, start: datetime) -> None:
        self._now = to_micros(start)
        self.off = timedelta(0)

    def put(self, moment: datetime) -> None:
        self._now = to_micros(moment)

    def __call__(self) -> int:
        self._now += _TICK
        return self._now + self.off // timedelta(microseconds=1)
