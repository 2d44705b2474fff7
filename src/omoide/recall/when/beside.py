"""Neighbours of a moment: the week before Christmas, three days after Easter, the Monday closest to it."""

from __future__ import annotations

from datetime import timedelta

from .amount import Amount
from .calendar import DAY, shift, unit
from .combine import Reader
from .pattern import Pattern, placed
from .span import Span, add, rank
from .turns import Unit


def beside(reader: Reader, what: Unit | Pattern, sign: int, of: Pattern) -> Pattern | None:
    """The week before Christmas, the day after my ... (a known date), the Tuesday before Easter."""
    span = of.place(reader.now, reader.prefer)
    if span is None:
        return None
    if isinstance(what, Pattern):
        return placed(what.before(span.start) if sign < 0 else what.after(span.end), "year", "month", "dom")
    grain, times = what
    if grain == "weekend":
        here = unit(add(span.start, -7 * DAY), grain) if sign < 0 else unit(add(span.end, 2 * DAY), grain)
        nearer = unit(span.start, grain)
        return placed(nearer if sign < 0 and nearer.end <= span.start else here)
    if rank(span.grain) < rank("day"):
        # "The day after tomorrow at 5 pm": the hour stays.
        moved = Span(shift(span.start, sign * times, grain), shift(span.end, sign * times, grain), span.grain)
        return placed(moved, "year", "month", "dom", "clock")
    if sign < 0:
        return placed(Span(shift(span.start, -times, grain), span.start, grain), "year", "month", "dom")
    return placed(Span(span.end, shift(span.end, times, grain), grain), "year", "month", "dom")


def offset(reader: Reader, length: Amount, sign: int, of: Pattern) -> Pattern | None:
    """Two weeks before August 11, three days after Easter, a week from Tuesday."""
    span = of.place(reader.now, reader.prefer)
    if span is None:
        return None
    start = length.move(span.start, sign)
    slack = min(abs(start - span.start) / 7, 15 * DAY) if rank(length.grain) > rank("day") else timedelta(0)
    grain = (
        span.grain
        if rank(span.grain) <= rank(length.grain)
        else "day"
        if rank(length.grain) >= rank("day")
        else length.grain
    )
    return placed(Span(start, unit(start, grain).end, grain, slack), "year", "month", "dom")


def counted(reader: Reader, n: int, what: Pattern, sign: int, of: Pattern) -> Pattern | None:
    """The third Tuesday after Christmas."""
    span = of.place(reader.now, reader.prefer)
    for _ in range(min(n, 60)):
        if span is None:
            return None
        span = what.after(span.end) if sign > 0 else what.before(span.start)
    return placed(span, "year", "month", "dom")


def closest(reader: Reader, n: int | None, what: Pattern, of: Pattern) -> Pattern | None:
    span = of.place(reader.now, reader.prefer)
    if span is None:
        return None
    origin = span.start
    found: list[Span] = []
    back, on = what.before(origin), what.after(origin)
    for _ in range(min(n or 1, 60)):
        found += [s for s in (back, on) if s is not None]
        back = what.before(back.start) if back else None
        on = what.after(on.end) if on else None
    found.sort(key=lambda s: abs(s.start - origin))
    k = (n or 1) - 1
    return placed(found[k]) if k < len(found) else None


def long_weekend(reader: Reader, holiday: Pattern) -> Pattern | None:
    """Labor Day weekend: the weekend that the holiday lies in or touches, and the days between them."""
    day = holiday.place(reader.now, reader.prefer)
    if day is None:
        return None
    nearest = min(
        (unit(add(day.start, k * DAY), "weekend") for k in (-7, 0, 7)), key=lambda w: abs(w.start - day.start)
    )
    return placed(Span(min(nearest.start, day.start), max(nearest.end, day.end), "weekend"), "holiday", "year")
