"""Calendar arithmetic on wall-clock time: units, shifts by units, and the days that move every year."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta

from .span import EARLIEST, LATEST, Grain, Span, add, clamp

DAY = timedelta(days=1)

_SECONDS: dict[Grain, int] = {
    "second": 1, "minute": 60, "hour": 3600, "part": 6 * 3600,
    "day": 86400, "weekend": 7 * 86400, "week": 7 * 86400,
}  # fmt: skip
_MONTHS: dict[Grain, int] = {
    "month": 1,
    "quarter": 3,
    "season": 3,
    "year": 12,
    "decade": 120,
    "century": 1200,
}


def midnight(moment: datetime) -> datetime:
    return datetime.combine(moment.date(), time())


def floor(moment: datetime, grain: Grain) -> datetime:
    """Where the calendar unit that holds `moment` begins. Weeks begin on Monday, seasons in March, June."""
    day = midnight(moment)
    match grain:
        case "second":
            return clamp(moment.replace(microsecond=0))
        case "minute":
            return clamp(moment.replace(second=0, microsecond=0))
        case "hour":
            return clamp(moment.replace(minute=0, second=0, microsecond=0))
        case "part":
            return clamp(day.replace(hour=moment.hour // 6 * 6))
        case "day":
            return clamp(day)
        case "week":
            return add(day, -day.weekday() * DAY)
        case "weekend":
            # Friday evening counts; on a working day the unit is the weekend that comes, as in
            # "this weekend".
            return add(day, (4 - day.weekday()) * DAY + timedelta(hours=18))
        case "season":
            return shift(day.replace(day=1), -(day.month % 3), "month")
        case _:
            months = _MONTHS[grain]
            ordinal = (day.year * 12 + day.month - 1) // months * months
            return clamp(_month(ordinal))


def shift(moment: datetime, count: float, grain: Grain) -> datetime:
    """`moment` moved by `count` units; the 31st becomes the last day of a shorter month. Never leaves the
    years we hold.
    """
    if grain in _SECONDS:
        try:
            return add(moment, timedelta(seconds=count * _SECONDS[grain]))
        except OverflowError:
            return LATEST if count > 0 else EARLIEST
    months = count * _MONTHS[grain]
    if abs(months) > 12 * 9999:
        return LATEST if months > 0 else EARLIEST
    whole = int(months)
    first = _month(moment.year * 12 + moment.month - 1 + whole)
    last_day = (add(_month(first.year * 12 + first.month), -DAY)).day if first < LATEST else 28
    moved = first.replace(day=min(moment.day, last_day), hour=moment.hour, minute=moment.minute, second=moment.second)
    return add(clamp(moved), timedelta(days=round((months - whole) * 30)))


def unit(moment: datetime, grain: Grain) -> Span:
    """The calendar unit that holds `moment`."""
    start = floor(moment, grain)
    end = add(start, timedelta(hours=54)) if grain == "weekend" else shift(start, 1, grain)
    return Span(start, end, grain)


def nth_weekday(year: int, month: int, weekday: int, n: int) -> date:
    """The n-th weekday of a month; -1 is the last one."""
    if n > 0:
        first = date(year, month, 1)
        return first + timedelta(days=(weekday - first.weekday()) % 7 + 7 * (n - 1))
    last = (date(year, month, 28) + timedelta(days=4)).replace(day=1) - DAY
    return last - timedelta(days=(last.weekday() - weekday) % 7)


def easter(year: int) -> date:
    """Western Easter Sunday, by the anonymous Gregorian computus."""
    a, b, c = year % 19, year // 100, year % 100
    d = (19 * a + b - b // 4 - (b - (b + 8) // 25 + 1) // 3 + 15) % 30
    e = (32 + 2 * (b % 4) + 2 * (c // 4) - d - c % 4) % 7
    f = d + e - 7 * ((a + 11 * d + 22 * e) // 451) + 114
    return date(year, f // 31, f % 31 + 1)


def orthodox_easter(year: int) -> date:
    """Eastern Easter: Meeus's Julian computus, moved to our calendar."""
    a = (19 * (year % 19) + 15) % 30
    b = (2 * (year % 4) + 4 * (year % 7) - a + 34) % 7
    month, day = divmod(a + b + 114, 31)
    return date(year, month, day + 1) + timedelta(days=year // 100 - year // 400 - 2)


def _month(ordinal: int) -> datetime:
    year, month = divmod(ordinal, 12)
    if year < 1:
        return EARLIEST
    return datetime(year, month + 1, 1) if year <= 9999 else LATEST
