"""What a time expression means before it is placed: something that recurs (Tuesday, May, 5 pm) or stands fixed (2023).

Everything composes by one idea, narrowing: the finer pattern is looked for inside the coarser one, so "May of last year",
"Tuesday the 19th" and "yesterday evening at eight" need no rules of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Literal

from .calendar import DAY, midnight
from .span import EARLIEST, LATEST, Grain, Span, add, rank

Prefer = Literal["past", "future"]
Find = Callable[[datetime, datetime], Iterator[Span]]

# Days to look ahead or back for a pattern's next turn; 41 years hold every (weekday, date) pair and each leap day.
_HORIZONS = (3, 40, 400, 9 * 366, 41 * 366)
_OF_A_DAY = frozenset({"weekday", "part", "clock"})


@dataclass(frozen=True, slots=True)
class Pattern:
    """`find(low, high)` yields, in order, the spans that start in [low, high)."""

    grain: Grain
    kinds: frozenset[str]
    find: Find
    fixed: Span | None = None
    weak: bool = False  # could be another word: "may", "sun", "8". Needs company or a preposition

    def strong(self) -> Pattern:
        return replace(self, weak=False)

    def place(self, now: datetime, prefer: Prefer) -> Span | None:
        """The occurrence a speaker means: the latest that has begun, or the first that is not over."""
        if self.fixed is not None:
            return self.fixed if self.fixed.start < self.fixed.end else None
        # On a Tuesday, "on Tuesday" is not today: for that one says today.
        other_day = "weekday" in self.kinds and not self.kinds & {"dom", "month"}
        if prefer == "past":
            return self.before(midnight(now) if other_day else add(now, timedelta(microseconds=1)))
        if other_day:
            return self.after(midnight(add(now, DAY)))
        for days in _HORIZONS:
            for span in self._look(add(now, -400 * DAY), add(now, days * DAY)):
                if span.end > now:
                    return span
        return None

    def after(self, moment: datetime) -> Span | None:
        """The first occurrence that starts at or after `moment`."""
        if self.fixed is not None:
            return self.fixed
        for days in _HORIZONS:
            for span in self._look(moment, add(moment, days * DAY)):
                return span
        return None

    def before(self, moment: datetime) -> Span | None:
        """The last occurrence that starts before `moment`."""
        if self.fixed is not None:
            return self.fixed
        for days in _HORIZONS:
            spans = list(self._look(add(moment, -days * DAY), moment))
            if spans:
                return spans[-1]
        return None

    def _look(self, low: datetime, high: datetime) -> Iterator[Span]:
        # A coarse part may have begun long before the fine one inside it: July, for "July 15" looked for from the 13th.
        margin = 3 if self.kinds <= _OF_A_DAY else 400
        return (span for span in self.find(add(low, -margin * DAY), high) if low <= span.start < high)


def fixed(span: Span, *kinds: str, weak: bool = False) -> Pattern:
    def find(low: datetime, high: datetime) -> Iterator[Span]:
        if low <= span.start < high:
            yield span

    return Pattern(span.grain, frozenset(kinds), find, span, weak)


def yearly(
    grain: Grain, kind: str, of_year: Callable[[int], Iterable[Span]], *, weak: bool = False
) -> Pattern:
    """Something that a year can list: a month, a season, a holiday."""

    def find(low: datetime, high: datetime) -> Iterator[Span]:
        for year in range(max(low.year - 1, 1), min(high.year + 1, 9999)):
            for span in of_year(year):
                if low <= span.start < high:
                    yield span

    return Pattern(grain, frozenset({kind}), find, None, weak)


def daily(
    grain: Grain, kind: str, of_day: Callable[[datetime], Iterable[Span]], *, weak: bool = False
) -> Pattern:
    """Something that a day can list: a weekday (or not), a part of the day, an hour."""

    def find(low: datetime, high: datetime) -> Iterator[Span]:
        day = midnight(low)
        while day < high:
            yield from (span for span in of_day(day) if low <= span.start < high)
            if day >= LATEST - DAY:
                return
            day += DAY

    return Pattern(grain, frozenset({kind}), find, None, weak)


def narrow(one: Pattern, other: Pattern) -> Pattern | None:
    """Both at once; None when they speak of the same thing twice."""
    if one.kinds & other.kinds:
        return None
    coarse, fine = (one, other) if rank(one.grain) >= rank(other.grain) else (other, one)
    if fine.fixed is not None and coarse.fixed is None and coarse.grain != fine.grain:
        return replace(fine, kinds=one.kinds | other.kinds, weak=False)
    if coarse.grain == fine.grain and fine.fixed is not None:
        coarse, fine = fine, coarse
    kinds = one.kinds | other.kinds
    if coarse.fixed is not None:
        span = next(_inside(fine, coarse.fixed), None)
        return None if span is None else fixed(span, *kinds)

    def find(low: datetime, high: datetime) -> Iterator[Span]:
        for outer in coarse.find(low, high):
            yield from _inside(fine, outer)

    return Pattern(fine.grain, kinds, find)


def _inside(fine: Pattern, outer: Span) -> Iterator[Span]:
    if fine.fixed is not None:
        if outer.meets(fine.fixed):
            yield fine.fixed
        return
    yield from fine.find(max(outer.start, EARLIEST), outer.end)
