"""Spans of time and calendar arithmetic, on wall-clock time without a time zone."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta, tzinfo
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

GRAINS: tuple[Grain, ...] = (
    "second", "minute", "hour", "part", "day", "weekend", "week",
    "month", "quarter", "season", "year", "decade", "century",
)  # fmt: skip

# Two days inside the range of datetime, so that any span can be moved to any time zone without overflow.
EARLIEST = datetime(1, 1, 3)
LATEST = datetime(9999, 12, 29)


@dataclass(frozen=True, slots=True)
class TimeSpan:
    """A half-open span of time: `start` is inside, `end` is not.

    `grain` is the precision of the words that named it. `slack` is how far off the speaker may be ("six days ago" is
    often the seventh): a caller who finds nothing inside the span tries `widened()`.
    """

    start: datetime
    end: datetime
    grain: Grain
    slack: timedelta = timedelta(0)

    def widened(self) -> TimeSpan:
        """Return the span with its slack added on both sides."""
        return replace(self, start=self._move(self.start, -1), end=self._move(self.end, 1), slack=timedelta(0))

    def holds(self, moment: datetime) -> bool:
        return self.start <= moment < self.end

    def overlaps(self, other: TimeSpan) -> bool:
        return self.start < other.end and other.start < self.end

    def in_zone(self, zone: tzinfo | None) -> TimeSpan:
        """Return the span in a time zone; the grammar itself knows none."""
        return replace(self, start=self.start.replace(tzinfo=zone), end=self.end.replace(tzinfo=zone))

    def _move(self, moment: datetime, sign: int) -> datetime:
        zone = moment.tzinfo
        return add_clamped(moment.replace(tzinfo=None), sign * self.slack).replace(tzinfo=zone)


def grain_rank(grain: Grain) -> int:
    """Return a number that is higher for coarser grains."""
    return GRAINS.index(grain)


def clamp_moment(moment: datetime) -> datetime:
    return min(max(moment, EARLIEST), LATEST)


def add_clamped(moment: datetime, distance: timedelta) -> datetime:
    try:
        return clamp_moment(moment + distance)
    except OverflowError:
        return LATEST if distance > timedelta(0) else EARLIEST


DAY = timedelta(days=1)

_SECONDS: dict[Grain, int] = {
    "second": 1, "minute": 60, "hour": 3600, "part": 6 * 3600,
    "day": 86400, "weekend": 7 * 86400, "week": 7 * 86400,
}  # fmt: skip
_MONTHS: dict[Grain, int] = {"month": 1, "quarter": 3, "season": 3, "year": 12, "decade": 120, "century": 1200}


def midnight(moment: datetime) -> datetime:
    return datetime.combine(moment.date(), time())


def unit_start(moment: datetime, grain: Grain) -> datetime:
    """Return the start of the calendar unit around `moment`. Weeks start on Monday, seasons in March, June, …"""
    day = midnight(moment)
    match grain:
        case "second":
            return clamp_moment(moment.replace(microsecond=0))
        case "minute":
            return clamp_moment(moment.replace(second=0, microsecond=0))
        case "hour":
            return clamp_moment(moment.replace(minute=0, second=0, microsecond=0))
        case "part":
            return clamp_moment(day.replace(hour=moment.hour // 6 * 6))
        case "day":
            return clamp_moment(day)
        case "week":
            return add_clamped(day, -day.weekday() * DAY)
        case "weekend":
            # From Friday evening; on a working day it is the coming weekend, as in "this weekend".
            return add_clamped(day, (4 - day.weekday()) * DAY + timedelta(hours=18))
        case "season":
            return shift(day.replace(day=1), -(day.month % 3), "month")
        case _:
            months = _MONTHS[grain]
            ordinal = (day.year * 12 + day.month - 1) // months * months
            return clamp_moment(_month(ordinal))


def shift(moment: datetime, count: float, grain: Grain) -> datetime:
    """Return `moment` moved by `count` units, within EARLIEST and LATEST.

    The 31st becomes the last day of a shorter month.
    """
    if grain in _SECONDS:
        try:
            return add_clamped(moment, timedelta(seconds=count * _SECONDS[grain]))
        except OverflowError:
            return LATEST if count > 0 else EARLIEST
    months = count * _MONTHS[grain]
    if abs(months) > 12 * 9999:
        return LATEST if months > 0 else EARLIEST
    whole = int(months)
    first = _month(moment.year * 12 + moment.month - 1 + whole)
    last_day = (add_clamped(_month(first.year * 12 + first.month), -DAY)).day if first < LATEST else 28
    moved = first.replace(day=min(moment.day, last_day), hour=moment.hour, minute=moment.minute, second=moment.second)
    return add_clamped(clamp_moment(moved), timedelta(days=round((months - whole) * 30)))


def calendar_unit(moment: datetime, grain: Grain) -> TimeSpan:
    """Return the calendar unit around `moment`."""
    start = unit_start(moment, grain)
    end = add_clamped(start, timedelta(hours=54)) if grain == "weekend" else shift(start, 1, grain)
    return TimeSpan(start, end, grain)


def nth_weekday(year: int, month: int, weekday: int, n: int) -> date:
    """Return the n-th such weekday of a month; -1 is the last one."""
    if n > 0:
        first = date(year, month, 1)
        return first + timedelta(days=(weekday - first.weekday()) % 7 + 7 * (n - 1))
    last = (date(year, month, 28) + timedelta(days=4)).replace(day=1) - DAY
    return last - timedelta(days=(last.weekday() - weekday) % 7)


def easter(year: int) -> date:
    """Return Western Easter Sunday (anonymous Gregorian computus)."""
    a, b, c = year % 19, year // 100, year % 100
    d = (19 * a + b - b // 4 - (b - (b + 8) // 25 + 1) // 3 + 15) % 30
    e = (32 + 2 * (b % 4) + 2 * (c // 4) - d - c % 4) % 7
    f = d + e - 7 * ((a + 11 * d + 22 * e) // 451) + 114
    return date(year, f // 31, f % 31 + 1)


def orthodox_easter(year: int) -> date:
    """Return Orthodox Easter Sunday (Meeus's Julian computus) as a Gregorian date."""
    a = (19 * (year % 19) + 15) % 30
    b = (2 * (year % 4) + 4 * (year % 7) - a + 34) % 7
    month, day = divmod(a + b + 114, 31)
    return date(year, month, day + 1) + timedelta(days=year // 100 - year // 400 - 2)


def _month(ordinal: int) -> datetime:
    year, month = divmod(ordinal, 12)
    if year < 1:
        return EARLIEST
    return datetime(year, month + 1, 1) if year <= 9999 else LATEST
