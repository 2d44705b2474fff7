"""What a time expression means before it is placed: it recurs (Tuesday, May, 5 pm) or stands fixed (2023).

Everything composes by one idea, narrowing: the finer pattern is looked for inside the coarser one, so "May of
last year", "Tuesday the 19th" and "yesterday evening at eight" need no rules of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Literal

from .calendar import DAY, midnight
from .span import LATEST, Grain, Span, add, rank

Prefer = Literal["past", "future"]
Find = Callable[[datetime, datetime], Iterator[Span]]

# Days to look ahead or back for a pattern's next turn; 41 years hold every (weekday, date) pair and each
# leap day.
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
        for days in self._horizons():
            for span in self._look(add(now, -400 * DAY), add(now, days * DAY)):
                if span.end > now:
                    return span
        return None

    def after(self, moment: datetime) -> Span | None:
        """The first occurrence that starts at or after `moment`."""
        if self.fixed is not None:
            return self.fixed
        for days in self._horizons():
            for span in self._look(moment, add(moment, days * DAY)):
                return span
        return None

    def before(self, moment: datetime) -> Span | None:
        """The last occurrence that starts before `moment`."""
        if self.fixed is not None:
            return self.fixed
        for days in self._horizons():
            spans = list(self._look(add(moment, -days * DAY), moment))
            if spans:
                return spans[-1]
        return None

    def _horizons(self) -> tuple[int, ...]:
        """Most things turn within nine years; only a weekday on a date may take 41."""
        far = "weekday" in self.kinds and bool(self.kinds & {"month", "dom"})
        near = 0 if self.kinds <= _OF_A_DAY else 1 if self.kinds <= {"dom", *_OF_A_DAY} else 2
        return _HORIZONS[near:] if far else _HORIZONS[near:-1]

    def _look(self, low: datetime, high: datetime) -> Iterator[Span]:
        # A coarse part may have begun long before the fine one inside it: July, for "July 15"
        # looked for from the 13th.
        margin = 3 if self.kinds <= _OF_A_DAY else 400
        return (span for span in self.find(add(low, -margin * DAY), high) if low <= span.start < high)


def fixed(span: Span, *kinds: str, weak: bool = False) -> Pattern:
    def find(low: datetime, high: datetime) -> Iterator[Span]:
        if low <= span.start < high:
            yield span

    return Pattern(span.grain, frozenset(kinds), find, span, weak)


def placed(span: Span | None, *kinds: str) -> Pattern | None:
    """A span that was found from another one, if it was found."""
    return None if span is None else fixed(span, "rel", *kinds)


def yearly(grain: Grain, kind: str, of_year: Callable[[int], Iterable[Span]], *, weak: bool = False) -> Pattern:
    """Something that a year can list: a month, a season, a holiday."""

    def find(low: datetime, high: datetime) -> Iterator[Span]:
        for year in range(low.year, min(high.year, 9998) + 1):
            for span in of_year(year):
                if low <= span.start < high:
                    yield span

    return Pattern(grain, frozenset({kind}), find, None, weak)


def daily(grain: Grain, kind: str, of_day: Callable[[datetime], Iterable[Span]], *, weak: bool = False) -> Pattern:
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
    """Both at once; None when they speak of the same thing twice or never meet."""
    if one.kinds & other.kinds:
        return None
    coarse, fine = sorted((one, other), key=_width, reverse=True)
    kinds = one.kinds | other.kinds
    if fine.fixed is not None:
        around = coarse.fixed or coarse.before(add(fine.fixed.start, timedelta(microseconds=1)))
        agrees = around is not None and around.meets(fine.fixed)
        return replace(fine, kinds=kinds, weak=False) if agrees else None
    if coarse.fixed is not None:
        span = next(_inside(fine, coarse.fixed), None)
        return None if span is None else fixed(span, *kinds)

    def find(low: datetime, high: datetime) -> Iterator[Span]:
        for outer in coarse.find(low, high):
            yield from _inside(fine, outer)

    # "The sun may": two doubtful names do not make each other sure.
    return Pattern(fine.grain, kinds, find, None, one.weak and other.weak and kinds <= {"weekday", "month"})


def together(patterns: list[Pattern]) -> Pattern | None:
    """All at once, the coarsest first whatever the order they were said in."""
    first, *rest = sorted(patterns, key=_width, reverse=True)
    found: Pattern | None = first
    for pattern in rest:
        found = None if found is None else narrow(found, pattern)
    return found


def _width(pattern: Pattern) -> tuple[int, bool, bool]:
    """Of one grain the fixed and the rare come first: Friday is looked for on July 18th."""
    return (
        rank(pattern.grain),
        pattern.fixed is not None,
        bool(pattern.kinds & {"month", "dom", "holiday", "year"}),
    )


def _inside(fine: Pattern, outer: Span) -> Iterator[Span]:
    found = False
    for span in fine.find(outer.start, outer.end):
        found = True
        yield span
    if not found and outer.grain == "part":
        # "This evening at 5" is said, though evenings begin at six: the hour of that day nearest to the part.
        day = midnight(outer.start)
        near = list(fine.find(day, add(day, timedelta(hours=30))))
        if near:
            yield min(near, key=lambda s: max(outer.start - s.start, s.start - outer.end))
