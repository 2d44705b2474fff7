"""What a time expression means: a pattern that recurs (Tuesday, May, 5 pm) or one fixed span (2023).

Patterns combine by intersection: the finer one is looked for inside the coarser one, so "May of last year", "Tuesday
the 19th" and "yesterday evening at eight" need no rules of their own.
"""

from __future__ import annotations

import threading
from calendar import monthrange
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Literal

from omoide.language.english_words import AMBIGUOUS_DATE_WORDS
from omoide.language.languages.english import LANGUAGE as ENGLISH
from omoide.language.time.calendar import (
    DAY,
    LATEST,
    Grain,
    TimeSpan,
    add_clamped,
    calendar_unit,
    grain_rank,
    midnight,
    shift,
)

TimePreference = Literal["past", "future"]
FindSpans = Callable[[datetime, datetime], Iterator[TimeSpan]]

# Days to look ahead or back for an occurrence; 41 years contain every (weekday, date) pair and each leap day.
_HORIZONS = (3, 40, 400, 9 * 366, 41 * 366)
_OF_A_DAY = frozenset({"weekday", "part", "clock"})


@dataclass(frozen=True, slots=True)
class TimePattern:
    """A recurring or fixed time. `find(low, high)` yields, in order, the spans that start in [low, high)."""

    grain: Grain
    kinds: frozenset[str]
    find: FindSpans
    fixed: TimeSpan | None = None
    ambiguous: bool = False  # may be another word: "may", "sun", "8". Needs a preposition or another pattern beside it

    def certain(self) -> TimePattern:
        return replace(self, ambiguous=False)

    def nearest(self, now: datetime, prefer: TimePreference) -> TimeSpan | None:
        """Return the occurrence a speaker means: the latest that has begun, or the first that is not over."""
        if self.fixed is not None:
            return self.fixed if self.fixed.start < self.fixed.end else None
        # On a Tuesday, "on Tuesday" does not mean today.
        other_day = "weekday" in self.kinds and not self.kinds & {"dom", "month"}
        if prefer == "past":
            return self.before(midnight(now) if other_day else add_clamped(now, timedelta(microseconds=1)))
        if other_day:
            return self.after(midnight(add_clamped(now, DAY)))
        for days in self._horizons():
            for span in self._look(add_clamped(now, -400 * DAY), add_clamped(now, days * DAY)):
                if span.end > now:
                    return span
        return None

    def after(self, moment: datetime) -> TimeSpan | None:
        """Return the first occurrence that starts at or after `moment`."""
        if self.fixed is not None:
            return self.fixed
        for days in self._horizons():
            for span in self._look(moment, add_clamped(moment, days * DAY)):
                return span
        return None

    def before(self, moment: datetime) -> TimeSpan | None:
        """Return the last occurrence that starts before `moment`."""
        if self.fixed is not None:
            return self.fixed
        for days in self._horizons():
            spans = list(self._look(add_clamped(moment, -days * DAY), moment))
            if spans:
                return spans[-1]
        return None

    def _horizons(self) -> tuple[int, ...]:
        """Most patterns recur within nine years; only a weekday on a date may take 41."""
        far = "weekday" in self.kinds and bool(self.kinds & {"month", "dom"})
        near = 0 if self.kinds <= _OF_A_DAY else 1 if self.kinds <= {"dom", *_OF_A_DAY} else 2
        return _HORIZONS[near:] if far else _HORIZONS[near:-1]

    def _look(self, low: datetime, high: datetime) -> Iterator[TimeSpan]:
        # A coarse part may begin long before the fine one inside it: July, for "July 15" looked for from the 13th.
        margin = 3 if self.kinds <= _OF_A_DAY else 400
        return (span for span in self.find(add_clamped(low, -margin * DAY), high) if low <= span.start < high)


def fixed_pattern(span: TimeSpan, *kinds: str, ambiguous: bool = False) -> TimePattern:
    def find(low: datetime, high: datetime) -> Iterator[TimeSpan]:
        if low <= span.start < high:
            yield span

    return TimePattern(span.grain, frozenset(kinds), find, span, ambiguous)


def pattern_at(span: TimeSpan | None, *kinds: str) -> TimePattern | None:
    """Return a fixed pattern for a span, or None without one."""
    return None if span is None else fixed_pattern(span, "rel", *kinds)


def yearly_pattern(
    grain: Grain, kind: str, of_year: Callable[[int], Iterable[TimeSpan]], *, ambiguous: bool = False
) -> TimePattern:
    """Return a pattern whose occurrences a year can list: a month, a season, a holiday."""

    def find(low: datetime, high: datetime) -> Iterator[TimeSpan]:
        for year in range(low.year, min(high.year, 9998) + 1):
            spend()
            for span in of_year(year):
                if low <= span.start < high:
                    yield span

    return TimePattern(grain, frozenset({kind}), find, None, ambiguous)


def daily_pattern(
    grain: Grain, kind: str, of_day: Callable[[datetime], Iterable[TimeSpan]], *, ambiguous: bool = False
) -> TimePattern:
    """Return a pattern whose occurrences a day can list: a weekday (or none), a part of the day, an hour."""

    def find(low: datetime, high: datetime) -> Iterator[TimeSpan]:
        day = midnight(low)
        while day < high:
            spend()
            yield from (span for span in of_day(day) if low <= span.start < high)
            if day >= LATEST - DAY:
                return
            day += DAY

    return TimePattern(grain, frozenset({kind}), find, None, ambiguous)


def intersect(one: TimePattern, other: TimePattern) -> TimePattern | None:
    """Return the pattern of both at once; None if both name the same kind of unit or they never overlap."""
    if one.kinds & other.kinds:
        return None
    coarse, fine = sorted((one, other), key=_width, reverse=True)
    kinds = one.kinds | other.kinds
    if fine.fixed is not None:
        around = coarse.fixed or coarse.before(add_clamped(fine.fixed.start, timedelta(microseconds=1)))
        agrees = around is not None and around.overlaps(fine.fixed)
        return replace(fine, kinds=kinds, ambiguous=False) if agrees else None
    if coarse.fixed is not None:
        span = next(_inside(fine, coarse.fixed), None)
        return None if span is None else fixed_pattern(span, *kinds)

    def find(low: datetime, high: datetime) -> Iterator[TimeSpan]:
        for outer in coarse.find(low, high):
            yield from _inside(fine, outer)

    # "The sun may": two ambiguous words do not confirm each other.
    return TimePattern(
        fine.grain, kinds, find, None, one.ambiguous and other.ambiguous and kinds <= {"weekday", "month"}
    )


def intersect_all(patterns: list[TimePattern]) -> TimePattern | None:
    """Intersect patterns, the coarsest first whatever their order in the text."""
    first, *rest = sorted(patterns, key=_width, reverse=True)
    found: TimePattern | None = first
    for pattern in rest:
        found = None if found is None else intersect(found, pattern)
    return found


def _width(pattern: TimePattern) -> tuple[int, bool, bool]:
    """Sort key: of one grain the fixed and the rare are coarser, so Friday is looked for on July 18th."""
    return (
        grain_rank(pattern.grain),
        pattern.fixed is not None,
        bool(pattern.kinds & {"month", "dom", "holiday", "year"}),
    )


def _inside(fine: TimePattern, outer: TimeSpan) -> Iterator[TimeSpan]:
    found = False
    for span in fine.find(outer.start, outer.end):
        found = True
        yield span
    if not found and outer.grain == "part":
        # People say "this evening at 5" although evenings begin at six: take the nearest hour of that day.
        day = midnight(outer.start)
        near = list(fine.find(day, add_clamped(day, timedelta(hours=30))))
        if near:
            yield min(near, key=lambda s: max(outer.start - s.start, s.start - outer.end))


def month_pattern(m: int, *, ambiguous: bool = False) -> TimePattern:
    return yearly_pattern(
        "month", "month", lambda year: [calendar_unit(datetime(year, m, 1), "month")], ambiguous=ambiguous
    )


def day_of_month_pattern(d: int, *, ambiguous: bool = False) -> TimePattern:
    def find(low: datetime, high: datetime) -> Iterator[TimeSpan]:
        here = low.replace(day=1)
        while here < high:
            spend()
            if 1 <= d <= monthrange(here.year, here.month)[1]:
                start = midnight(here.replace(day=d))
                if low <= start < high:
                    yield TimeSpan(start, start + DAY, "day")
            here = shift(here, 1, "month")
            if here >= LATEST - 40 * DAY:
                return

    return TimePattern("day", frozenset({"dom"}), find, None, ambiguous)


def weekday_pattern(w: int, *, ambiguous: bool = False) -> TimePattern:
    return daily_pattern(
        "day", "weekday", lambda day: [calendar_unit(day, "day")] if day.weekday() == w else [], ambiguous=ambiguous
    )


def year_pattern(y: int, *, ambiguous: bool = False) -> TimePattern:
    return fixed_pattern(calendar_unit(datetime(y, 6, 1), "year"), "year", ambiguous=ambiguous)


def season_pattern(first_month: int) -> TimePattern:
    def of_year(y: int) -> Iterable[TimeSpan]:
        # Three whole months; counted from the solstice it is three weeks later.
        yield replace(calendar_unit(datetime(y, first_month, 1), "season"), slack=timedelta(days=21))

    return yearly_pattern("season", "season", of_year, ambiguous=True)


def week_pattern(n: int) -> TimePattern:
    """Weeks are numbered as in ISO 8601: the first week has the first Thursday."""

    def of_year(y: int) -> Iterable[TimeSpan]:
        try:
            yield calendar_unit(datetime.fromisocalendar(y, n, 1), "week")
        except ValueError:  # most years have no week 53
            return

    return yearly_pattern("week", "week", of_year, ambiguous=True)


def quarter_pattern(q: int) -> TimePattern:
    return yearly_pattern("quarter", "quarter", lambda y: [calendar_unit(datetime(y, 3 * q - 2, 1), "quarter")])


def day_part_pattern(low: int, high: int) -> TimePattern:
    def of_day(day: datetime) -> Iterable[TimeSpan]:
        yield TimeSpan(add_clamped(day, timedelta(hours=low)), add_clamped(day, timedelta(hours=high)), "part")

    return daily_pattern("part", "part", of_day, ambiguous=True)


def weekend_pattern() -> TimePattern:
    return daily_pattern(
        "weekend", "weekend", lambda day: [calendar_unit(day, "weekend")] if day.weekday() == 4 else [], ambiguous=True
    )


def _forms(words: str, first: int = 0) -> dict[str, int]:
    """Map every form of a list of words to the word's place in it, counted from `first`."""
    return {form: place for place, forms in enumerate(words.split(), first) for form in forms.split("/")}


_WEEKDAYS = _forms(ENGLISH.weekdays)
_SEASONS = {name: 3 * place for name, place in _forms(ENGLISH.seasons, 1).items()}  # the month each begins with
# Hours. Looking back, a morning begins at midnight ("this morning at 1"), and parts overlap as in speech.
_DAY_PARTS = {"morning": (0, 12), "afternoon": (12, 19), "evening": (18, 24), "night": (18, 29), "lunchtime": (12, 14)}
SEASON_PATTERNS = {name: season_pattern(first) for name, first in _SEASONS.items()}
DAY_PART_PATTERNS = {name: day_part_pattern(low, high) for name, (low, high) in _DAY_PARTS.items()}
MONTH_PATTERNS = {
    name: month_pattern(m, ambiguous=name in AMBIGUOUS_DATE_WORDS) for name, m in _forms(ENGLISH.months, 1).items()
}
WEEKDAY_PATTERNS = {name: weekday_pattern(w, ambiguous=name in AMBIGUOUS_DATE_WORDS) for name, w in _WEEKDAYS.items()}
# "On Tuesdays" is a habit, not a day; the plural only counts occurrences: "two Tuesdays ago".
PLURAL_PATTERNS = {name + "s": weekday_pattern(w) for name, w in _WEEKDAYS.items() if name.endswith("day")}
PLURAL_PATTERNS |= {name + "s": season_pattern(first) for name, first in _SEASONS.items()}
PLURAL_PATTERNS["weekends"] = weekend_pattern()


# Bounds the work of reading times: "9000 weekends ago" looks at 63,000 days, and a text may say so a thousand times.
#
# Work is counted in days, months and years looked at, so that the same text gives the same result on every machine.


MOST_STEPS = 100_000  # a weekday on a date takes up to 30,000; this many take about a fifth of a second


class TooMuchWork(Exception):
    """The text asks for more than the budget of one reading."""


class _Budget(threading.local):
    left: int | None = None


_budget = _Budget()


@contextmanager
def bounded(steps: int = MOST_STEPS) -> Iterator[None]:
    """Inside, all reading together may take so many steps; within another budget, that one counts."""
    if _budget.left is not None:
        yield
        return
    _budget.left = steps
    try:
        yield
    finally:
        _budget.left = None


def spend() -> None:
    """Counts one step. Raises TooMuchWork when the budget is used up."""
    if _budget.left is not None:
        _budget.left -= 1
        if _budget.left < 0:
            raise TooMuchWork
