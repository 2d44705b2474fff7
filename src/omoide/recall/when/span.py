"""A stretch of time, and how fine the words that named it were."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta, tzinfo
from typing import Literal

Grain = Literal[
    "second",
    "minute",
    "hour",
    "part",
    "day",
    "weekend",
    "week",
    "month",
    "quarter",
    "season",
    "year",
    "decade",
    "century",
]

FINENESS: tuple[Grain, ...] = (
    "second", "minute", "hour", "part", "day", "weekend", "week",
    "month", "quarter", "season", "year", "decade", "century",
)  # fmt: skip

# Two days inside what datetime can hold, so that a caller may move any span to any timezone without overflow.
EARLIEST = datetime(1, 1, 3)
LATEST = datetime(9999, 12, 29)


@dataclass(frozen=True, slots=True)
class Span:
    """Half-open: `start` belongs to it, `end` does not.

    `slack` is how far off the speaker may be ("six days ago" is often the seventh): a caller who finds
    nothing inside the span looks in `widened()` before giving up.
    """

    start: datetime
    end: datetime
    grain: Grain
    slack: timedelta = timedelta(0)

    def widened(self) -> Span:
        """The same span with its slack on both sides."""
        return replace(self, start=self._move(self.start, -1), end=self._move(self.end, 1), slack=timedelta(0))

    def holds(self, moment: datetime) -> bool:
        return self.start <= moment < self.end

    def meets(self, other: Span) -> bool:
        return self.start < other.end and other.start < self.end

    def located(self, zone: tzinfo | None) -> Span:
        """Inside this package time is wall-clock time without a zone; the door puts the asker's zone back."""
        return replace(self, start=self.start.replace(tzinfo=zone), end=self.end.replace(tzinfo=zone))

    def _move(self, moment: datetime, sign: int) -> datetime:
        zone = moment.tzinfo
        return add(moment.replace(tzinfo=None), sign * self.slack).replace(tzinfo=zone)


def rank(grain: Grain) -> int:
    """Coarser is higher."""
    return FINENESS.index(grain)


def clamp(moment: datetime) -> datetime:
    return min(max(moment, EARLIEST), LATEST)


def add(moment: datetime, distance: timedelta) -> datetime:
    try:
        return clamp(moment + distance)
    except OverflowError:
        return LATEST if distance > timedelta(0) else EARLIEST
