"""Parts and neighbours of a moment: early March, the last Sunday of May, the week before Christmas."""

from __future__ import annotations

from datetime import timedelta
from functools import partial

from .amount import Amount, amount, unit_name
from .calendar import DAY, floor, shift, unit
from .combine import Reader, Rule, either, maybe, phrase, seq, table, word
from .cycles import day_of_month
from .dates import (
    day_number,
    holiday_name,
    month_name,
    part_name,
    season_name,
    weekday_name,
    weekend_name,
)
from .doubt import sound
from .number import Count, ordinal, plain, vague
from .pattern import Pattern, fixed, narrow
from .relative import Unit
from .span import Grain, Span, add, rank
from .suffix import lasting


def _cut(share: str, reader: Reader, of: Pattern) -> Pattern | None:
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


def _place(span: Span | None, *kinds: str) -> Pattern | None:
    return None if span is None else fixed(span, "rel", *kinds)


def _nth(reader: Reader, n: int, what: Unit | Pattern, of: Pattern) -> Pattern | None:
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
    return _place(spans[k], "year", "month", "dom") if -len(spans) <= k < len(spans) else None


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


def _run(side: int, reader: Reader, number: Count, named: Unit, of: Pattern) -> Pattern | None:
    """The first three days of May."""
    outer = of.place(reader.now, reader.prefer)
    if outer is None or rank(named[0]) >= rank(outer.grain):
        return None
    length = number.value * named[1]
    if side > 0:
        return _place(Span(outer.start, min(shift(outer.start, length, named[0]), outer.end), named[0]))
    return _place(Span(max(shift(outer.end, -length, named[0]), outer.start), outer.end, named[0]))


def _holding(reader: Reader, named: Unit, of: Pattern) -> Pattern | None:
    """The week of October 6th, the weekend of May 5th."""
    span = of.place(reader.now, reader.prefer)
    if span is None or rank(span.grain) > rank(named[0]):
        return None
    return _place(unit(span.start, named[0]), "year", "month", "dom")


def _beside(reader: Reader, what: Unit | Pattern, sign: int, of: Pattern) -> Pattern | None:
    """The week before Christmas, the day after my ... (a known date), the Tuesday before Easter."""
    span = of.place(reader.now, reader.prefer)
    if span is None:
        return None
    if isinstance(what, Pattern):
        return _place(what.before(span.start) if sign < 0 else what.after(span.end), "year", "month", "dom")
    grain, times = what
    if grain == "weekend":
        here = unit(add(span.start, -7 * DAY), grain) if sign < 0 else unit(add(span.end, 2 * DAY), grain)
        nearer = unit(span.start, grain)
        return _place(nearer if sign < 0 and nearer.end <= span.start else here)
    if rank(span.grain) < rank("day"):
        # "The day after tomorrow at 5 pm": the hour stays.
        moved = Span(shift(span.start, sign * times, grain), shift(span.end, sign * times, grain), span.grain)
        return _place(moved, "year", "month", "dom", "clock")
    if sign < 0:
        return _place(Span(shift(span.start, -times, grain), span.start, grain), "year", "month", "dom")
    return _place(Span(span.end, shift(span.end, times, grain), grain), "year", "month", "dom")


def _offset(reader: Reader, length: Amount, sign: int, of: Pattern) -> Pattern | None:
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
    return _place(Span(start, unit(start, grain).end, grain, slack), "year", "month", "dom")


def _count_after(reader: Reader, n: int, what: Pattern, sign: int, of: Pattern) -> Pattern | None:
    """The third Tuesday after Christmas."""
    span = of.place(reader.now, reader.prefer)
    for _ in range(min(n, 60)):
        if span is None:
            return None
        span = what.after(span.end) if sign > 0 else what.before(span.start)
    return _place(span, "year", "month", "dom")


def _closest(reader: Reader, n: int | None, what: Pattern, of: Pattern) -> Pattern | None:
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
    return _place(found[k]) if k < len(found) else None


_the = maybe(word("the"))
_of: Rule = seq(word("of", "in"), _the)
_shares: Rule = table(
    dict.fromkeys(["early", "early in", "early on in"], "early")
    | dict.fromkeys(
        [
            "beginning of",
            "start of",
            "the beginning of",
            "the start of",
            "at the beginning of",
            "at the start of",
        ],
        "start",
    )
    | dict.fromkeys(
        [
            "mid",
            "mid -",
            "middle of",
            "the middle of",
            "in the middle of",
            "midway through",
            "halfway through",
        ],
        "mid",
    )
    | dict.fromkeys(["late", "late in", "later in"], "late")
    | dict.fromkeys(
        ["end of", "the end of", "at the end of", "towards the end of", "toward the end of"], "end"
    )
    | dict.fromkeys(["first half of", "the first half of"], "first half")
    | dict.fromkeys(
        ["second half of", "the second half of", "latter half of", "the latter half of"], "second half"
    )
)
_rank: Rule = either(
    ordinal,
    seq(phrase("last", "final", "very last"), to=lambda _: -1),
    seq(
        phrase(
            "second last", "second to last", "2nd last", "penultimate", "second - to - last", "next to last"
        ),
        to=lambda _: -2,
    ),
    seq(ordinal, word("last"), to=lambda _, n: -n),
)
_sided: Rule = table(
    {"before": -1, "prior to": -1, "preceding": -1, "after": 1, "following": 1, "from": 1, "since": 1}
)
_beside_word: Rule = table({"before": -1, "prior to": -1, "preceding": -1, "after": 1, "following": 1})
_repeating: Rule = either(weekday_name, month_name, season_name, holiday_name, weekend_name, part_name)
_this_unit: Rule = seq(word("the", "this"), unit_name, to=lambda r, u: _running(r, u[0]))


def _running(reader: Reader, grain: Grain) -> Pattern | None:
    """ "The end of the day" is a saying more often than a date."""
    return None if grain == "day" and not reader.point else fixed(unit(reader.now, grain), "rel", grain)


def _end_of(grain: Grain, reader: Reader) -> Pattern | None:
    return _cut("end", reader, fixed(unit(reader.now, grain), grain))


def _day_of(reader: Reader, day: int, of: Pattern) -> Pattern | None:
    """The 20th of next month."""
    return narrow(of, day_of_month(day)) if of.grain == "month" and 1 <= day <= 31 else None


def framed(moment: Rule) -> Rule:
    """A moment, or a unit that is going on: "the end of the month"."""
    return either(moment, _this_unit)


def compounds(moment: Rule) -> Rule:
    """Everything that has a moment inside it."""
    anything, moment = moment, sound(moment)
    frame = framed(moment)
    some = either(plain, vague)
    thing = either(unit_name, _repeating)
    return either(
        seq(_shares, either(frame, sound(anything, habits=True)), to=lambda r, share, of: _cut(share, r, of)),
        seq(_the, phrase("eom", "end of month"), to=partial(_end_of, "month")),
        seq(_the, phrase("eoy", "end of year"), to=partial(_end_of, "year")),
        seq(_the, phrase("eod", "end of day"), to=partial(_end_of, "day")),
        seq(_the, either(ordinal, day_number), maybe(word("day")), _of, moment, to=_day_of),
        seq(_the, _rank, thing, _of, frame, to=_nth),
        seq(_the, phrase("first"), some, unit_name, _of, frame, to=partial(_run, 1)),
        seq(_the, phrase("last", "final"), some, unit_name, _of, frame, to=partial(_run, -1)),
        seq(_the, unit_name, phrase("of", "including", "containing"), moment, to=_holding),
        seq(_the, maybe(phrase("last", "very")), thing, _beside_word, moment, to=_beside),
        seq(amount, _sided, moment, to=_offset),
        seq(_the, ordinal, _repeating, _beside_word, moment, to=_count_after),
        seq(
            _the,
            maybe(ordinal, None),
            phrase("closest", "nearest"),
            _repeating,
            word("to"),
            moment,
            to=_closest,
        ),
        seq(word("for"), amount, word("from", "starting"), moment, to=lambda r, a, of: lasting(r, of, a)),
    )
