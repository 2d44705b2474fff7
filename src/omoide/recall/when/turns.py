"""Which turn is meant: last week, this morning, next summer, two Fridays ago, the last three days."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

from .calendar import DAY, floor, midnight, shift, unit
from .combine import Reader
from .number import Count, exactly
from .pattern import Pattern, fixed
from .span import Grain, Span, add, rank

Unit = tuple[Grain, int]
LAST, THIS, NEXT = -1, 0, 1
_AN_INSTANT = timedelta(seconds=1)


def whole(reader: Reader, side: int, named: Unit) -> Pattern | None:
    """Last week, this month, next year."""
    grain, times = named
    if rank(grain) < rank("day"):
        return None if side == THIS else stretch(reader, side, exactly(1), named)
    start = shift(floor(reader.now, grain), side * times, grain)
    if grain == "weekend":
        return fixed(unit(add(start, DAY), grain), "rel", "weekend")
    return fixed(replace(unit(start, grain), end=shift(start, times, grain)), "rel", grain)


def turn(reader: Reader, side: int, cycle: Pattern) -> Pattern | None:
    """Last Tuesday, this morning, next summer: a turn of something that recurs."""
    now = reader.now
    today = unit(now, "day")
    if side == THIS:
        found = _this(reader, cycle)
    elif side == LAST:
        if "part" in cycle.kinds:
            found = next(cycle.find(add(today.start, -DAY), today.start), None)
        else:
            current = cycle.before(add(now, _AN_INSTANT))
            found = current if current is None or current.end <= today.start else cycle.before(current.start)
    else:
        found = cycle.after(today.end)
    return None if found is None else fixed(found, "rel", *cycle.kinds)


def _this(reader: Reader, cycle: Pattern) -> Span | None:
    today = unit(reader.now, "day")
    if "part" in cycle.kinds:
        return next(cycle.find(today.start, today.end), None)
    frame = unit(reader.now, "week" if "weekday" in cycle.kinds else "year")
    if "weekday" in cycle.kinds and (on := next(cycle.find(today.start, today.end), None)):
        return on
    mine = next((s for s in cycle.find(frame.start, frame.end)), None)
    running = cycle.before(add(reader.now, _AN_INSTANT))
    if running is not None and running.end > reader.now:
        return running
    if mine is not None and (reader.prefer == "future") == (mine.end > reader.now):
        return mine
    return cycle.place(reader.now, reader.prefer)


def present(now: datetime) -> datetime:
    """Just after now, so that what was said this second is inside."""
    return add(now, _AN_INSTANT)


def stretch(reader: Reader, side: int, number: Count, named: Unit) -> Pattern:
    """The last three days, the next two weeks: a number of units that touches now."""
    grain, times = named
    now = reader.now
    if side == LAST:
        far = shift(now, -number.high * times, grain)
        start = far if rank(grain) < rank("day") else midnight(far)
        return fixed(Span(start, present(now), grain), "rel", grain)
    start = now if rank(grain) < rank("day") else shift(floor(now, grain), 1, grain)
    return fixed(Span(start, shift(start, number.value * times, grain), grain), "rel", grain)


def turns(reader: Reader, number: Count, cycle: Pattern, sign: int) -> Pattern | None:
    """Two Fridays ago, three Christmases from now."""
    running = cycle.before(add(reader.now, _AN_INSTANT))
    # On a Sunday two weekends ago is counted from the weekend that is going on.
    found: Span | None = running if running is not None and running.end > reader.now else unit(reader.now, "day")
    for _ in range(min(int(number.value), 400)):
        if found is None:
            return None
        found = cycle.before(found.start) if sign < 0 else cycle.after(found.end)
    return None if found is None else fixed(found, "rel", *cycle.kinds)
