"""What recurs in a calendar, months, weekdays, seasons, parts of a day, and the names people call them by."""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta

from .calendar import DAY, midnight, shift, unit
from .pattern import Pattern, daily, fixed, yearly
from .span import LATEST, Span, add

_MONTHS = ["january", "february", "march", "april", "may", "june", "july", "august"]
_MONTHS += ["september", "october", "november", "december"]
_WEEKDAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
_SHORT_DAYS = {"mon": 0, "tue": 1, "tues": 1, "wed": 2, "weds": 2, "thu": 3, "thur": 3, "thurs": 3}
_SHORT_DAYS |= {"fri": 4, "sat": 5, "sun": 6}
_SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}
# Hours. Looking back, a morning begins at midnight ("this morning at 1"), and parts overlap as in speech.
_PARTS = {"morning": (0, 12), "afternoon": (12, 19), "evening": (18, 24), "night": (18, 29)}
_PARTS |= {"lunchtime": (12, 14)}
# These are other words or names as well.
_DOUBTFUL = {"may", "march", "mar", "jan", "dec", "sun", "sat", "mon", "wed", "weds", "fri"}


def month(m: int, *, weak: bool = False) -> Pattern:
    return yearly("month", "month", lambda year: [unit(datetime(year, m, 1), "month")], weak=weak)


def day_of_month(d: int, *, weak: bool = False) -> Pattern:
    def find(low: datetime, high: datetime) -> Iterator[Span]:
        here = low.replace(day=1)
        while here < high:
            if d <= monthrange(here.year, here.month)[1]:
                start = midnight(here.replace(day=d))
                if low <= start < high:
                    yield Span(start, start + DAY, "day")
            here = shift(here, 1, "month")
            if here >= LATEST - 40 * DAY:
                return

    return Pattern("day", frozenset({"dom"}), find, None, weak)


def weekday(w: int, *, weak: bool = False) -> Pattern:
    return daily("day", "weekday", lambda day: [unit(day, "day")] if day.weekday() == w else [], weak=weak)


def year(y: int, *, weak: bool = False) -> Pattern:
    return fixed(unit(datetime(y, 6, 1), "year"), "year", weak=weak)


def season(first_month: int) -> Pattern:
    def of_year(y: int) -> Iterable[Span]:
        # Three whole months; whoever counts from the solstice is three weeks off.
        yield Span(*_pair(unit(datetime(y, first_month, 1), "season")), "season", timedelta(days=21))

    return yearly("season", "season", of_year, weak=True)


def week_of_year(n: int) -> Pattern:
    """Numbered as in ISO 8601: the first week is the one with the first Thursday."""

    def of_year(y: int) -> Iterable[Span]:
        try:
            yield unit(datetime.fromisocalendar(y, n, 1), "week")
        except ValueError:  # most years have no week 53
            return

    return yearly("week", "week", of_year, weak=True)


def quarter(q: int) -> Pattern:
    return yearly("quarter", "quarter", lambda y: [unit(datetime(y, 3 * q - 2, 1), "quarter")])


def part(low: int, high: int) -> Pattern:
    def of_day(day: datetime) -> Iterable[Span]:
        yield Span(add(day, timedelta(hours=low)), add(day, timedelta(hours=high)), "part")

    return daily("part", "part", of_day, weak=True)


def weekend() -> Pattern:
    return daily("weekend", "weekend", lambda day: [unit(day, "weekend")] if day.weekday() == 4 else [], weak=True)


def _pair(span: Span) -> tuple[datetime, datetime]:
    return span.start, span.end


MONTH_NAMES = {name: k + 1 for k, name in enumerate(_MONTHS)} | {name[:3]: k + 1 for k, name in enumerate(_MONTHS)}
MONTH_NAMES["sept"] = 9
WEEKDAY_NAMES = {name: k for k, name in enumerate(_WEEKDAYS)} | _SHORT_DAYS
SEASONS = {name: season(first) for name, first in _SEASONS.items()}
PARTS = {name: part(low, high) for name, (low, high) in _PARTS.items()}
MONTHS = {name: month(m, weak=name in _DOUBTFUL) for name, m in MONTH_NAMES.items()}
WEEKDAYS = {name: weekday(w, weak=name in _DOUBTFUL) for name, w in WEEKDAY_NAMES.items()}
# "On Tuesdays" is a habit, not a day; the plural only counts turns: "two Tuesdays ago".
PLURALS = {name + "s": weekday(k) for k, name in enumerate(_WEEKDAYS)} | {"weekends": weekend()}
PLURALS |= {name + "s": season(first) for name, first in _SEASONS.items()}
