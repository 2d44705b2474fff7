"""Parts of a moment: early March, the last Sunday of May, the first three days of June."""

from __future__ import annotations

from datetime import timedelta

from .calendar import DAY, floor, shift, unit
from .combine import Reader
from .number import Count
from .pattern import Pattern, fixed, placed
from .span import Span, add, rank
from .turns import Unit


def cut(share: str, reader: Reader, of: Pattern) -> Pattern | None:
    """Early March, mid 2023, the end of last week."""
    span = of.place(reader.now, reader.prefer)
    if span is None:
        return None
    start, end = span.start, span.end
    if span.grain == "month":
        first, second = add(start, 10 * DAY), add(start, 20 * DAY)
    elif span.grain == "year":
        months = 3 if share in {"start", "end"} else 4
        first, second = shift(start, months, "month"), shift(start, 12 - months, "month")
    elif span.grain == "week":
        first, second = add(start, 3 * DAY), add(start, 4 * DAY)
    elif rank(span.grain) <= rank("part"):
        # "Late last night" begins at nine; an early morning is its first half.
        first = second = start + min((end - start) / 2, timedelta(hours=6 if start.hour < 12 else 3))
    else:
        first, second = start + (end - start) / 3, start + (end - start) * 2 / 3
    half = start + (end - start) / 2
    shares = {
        "early": (start, first), "start": (start, first), "mid": (first, second), "late": (second, end),
        "end": (second, end), "first half": (start, half), "second half": (half, end),
    }  # fmt: skip
    low, high = shares[share]
    if low >= high:
        return None
    grain = span.grain if rank(span.grain) < rank("day") else "day"
    return fixed(Span(low, high, grain, span.slack), "rel", *of.kinds, weak=of.weak)


def nth(reader: Reader, n: int, what: Unit | Pattern, of: Pattern) -> Pattern | None:
    """The first week of 2024, the last Sunday of March, the second to last day of the month."""
    outer = of.place(reader.now, reader.prefer)
    if outer is None:
        return None
    if isinstance(what, Pattern):
        spans = list(what.find(outer.start, outer.end))
    else:
        if rank(what[0]) >= rank(outer.grain):
            return None
        spans = _units(outer, what)
    k = n - 1 if n > 0 else n
    return placed(spans[k], "year", "month", "dom") if -len(spans) <= k < len(spans) else None


def _units(outer: Span, named: Unit) -> list[Span]:
    """Whole units inside; a week belongs to the stretch that holds its Thursday, as ISO weeks do."""
    spans: list[Span] = []
    grain = named[0]
    here = floor(outer.start, grain)
    while here < outer.end and len(spans) < 400:
        one = unit(add(here, DAY) if grain == "weekend" else here, grain)
        middle = add(one.start, 3 * DAY) if grain == "week" else one.start
        if outer.start <= middle < outer.end:
            spans.append(one)
        following = shift(here, 1, grain)
        if following <= here:
            break
        here = following
    return spans


def run(side: int, reader: Reader, number: Count, named: Unit, of: Pattern) -> Pattern | None:
    """The first three days of May."""
    outer = of.place(reader.now, reader.prefer)
    if outer is None or rank(named[0]) >= rank(outer.grain):
        return None
    length = number.value * named[1]
    if side > 0:
        return placed(Span(outer.start, min(shift(outer.start, length, named[0]), outer.end), named[0]))
    return placed(Span(max(shift(outer.end, -length, named[0]), outer.start), outer.end, named[0]))


def holding(reader: Reader, named: Unit, of: Pattern) -> Pattern | None:
    """The week of October 6th, the weekend of May 5th."""
    span = of.place(reader.now, reader.prefer)
    if span is None or rank(span.grain) > rank(named[0]):
        return None
    return placed(unit(span.start, named[0]), "year", "month", "dom")
