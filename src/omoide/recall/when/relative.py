"""Time told from the moment of asking: yesterday, last week, three months ago, the week before last."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial

from .amount import Amount, amount, distant, unit_name
from .calendar import DAY, floor, midnight, shift, unit
from .combine import Reader, Rule, either, maybe, phrase, seq, table, word
from .cycles import PARTS, PLURALS
from .dates import holiday_name, month_name, season_name, weekday_name, weekend_name
from .number import Count, count, exactly, plain, vague
from .pattern import Pattern, fixed
from .span import Grain, Span, add, rank

Unit = tuple[Grain, int]
_AN_INSTANT = timedelta(seconds=1)

LAST, THIS, NEXT = -1, 0, 1
_LASTS = ["last", "past", "previous", "prior", "preceding"]
_NEXTS = ["next", "coming", "upcoming", "following"]
_side: Rule = table(
    dict.fromkeys([*_LASTS, "this past", "this last"], LAST)
    | dict.fromkeys(["this", "current", "this current", "this very"], THIS)
    | dict.fromkeys([*_NEXTS, "this coming", "this upcoming", "this next"], NEXT)
)
_calendar_side: Rule = table(
    dict.fromkeys(_LASTS, LAST) | dict.fromkeys(["this", "current"], THIS) | dict.fromkeys(_NEXTS, NEXT)
)
_back: Rule = table(
    dict.fromkeys(["last", "past", "previous", "this past", "this last", "preceding", "prior"], LAST)
)
_ahead: Rule = table(dict.fromkeys(_NEXTS, NEXT))
_part: Rule = table(PARTS)
_cycle: Rule = either(weekday_name, month_name, season_name, holiday_name, weekend_name, _part)


def _day(offset: int, reader: Reader) -> Pattern:
    return fixed(unit(add(reader.now, offset * DAY), "day"), "rel", "dom", "weekday", "month", "year")


def _night(offset: int, reader: Reader) -> Pattern:
    start = add(midnight(reader.now), offset * DAY + timedelta(hours=18))
    # Last night runs into the small hours; tonight's are still to come and belong to tomorrow's date.
    return fixed(Span(start, add(start, timedelta(hours=11 if offset < 0 else 6)), "part"), "rel", "part")


def _instant(reader: Reader) -> Pattern:
    return fixed(Span(reader.now, add(reader.now, _AN_INSTANT), "second"), "rel", "now", weak=True)


def _whole(reader: Reader, side: int, named: Unit) -> Pattern | None:
    """Last week, this month, next year."""
    grain, times = named
    if rank(grain) < rank("day"):
        return None if side == THIS else _stretch(reader, side, exactly(1), named)
    start = shift(floor(reader.now, grain), side * times, grain)
    if grain == "weekend":
        return fixed(unit(add(start, DAY), grain), "rel", "weekend")
    return fixed(replace(unit(start, grain), end=shift(start, times, grain)), "rel", grain)


def _turn(reader: Reader, side: int, cycle: Pattern) -> Pattern | None:
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


def _stretch(reader: Reader, side: int, number: Count, named: Unit) -> Pattern:
    """The last three days, the next two weeks: a number of units that touches now."""
    grain, times = named
    now = reader.now
    if side == LAST:
        far = shift(now, -number.high * times, grain)
        start = far if rank(grain) < rank("day") else midnight(far)
        return fixed(Span(start, present(now), grain), "rel", grain)
    start = now if rank(grain) < rank("day") else shift(floor(now, grain), 1, grain)
    return fixed(Span(start, shift(start, number.value * times, grain), grain), "rel", grain)


def _ago(reader: Reader, length: Amount, sign: int) -> Pattern:
    kinds = (
        ("rel", "year", length.grain)
        if rank(length.grain) >= rank("day")
        else ("rel", "year", "month", "dom", "clock")
    )
    return fixed(distant(reader.now, length, sign, point=reader.point), *kinds)


def length_alone(reader: Reader, length: Amount) -> Pattern:
    """ "1 year 2 months" and nothing else: how long ago, or how long from now."""
    return _ago(reader, length, -1 if reader.prefer == "past" else 1)


def _turns(reader: Reader, number: Count, cycle: Pattern, sign: int) -> Pattern | None:
    """Two Fridays ago, three Christmases from now."""
    found: Span | None = unit(reader.now, "day")
    for _ in range(min(int(number.value), 400)):
        if found is None:
            return None
        found = cycle.before(found.start) if sign < 0 else cycle.after(found.end)
    return None if found is None else fixed(found, "rel", *cycle.kinds)


def _second(reader: Reader, cycle: Pattern, sign: int) -> Pattern | None:
    return _turns(reader, exactly(2), cycle, sign)


def _unit_twice(reader: Reader, named: Unit, sign: int) -> Pattern | None:
    return _whole(reader, sign * 2, named)


def _earlier(reader: Reader, around: Pattern) -> Pattern | None:
    """Earlier today, earlier this month: the part of it that is over."""
    span = around.fixed or around.place(reader.now, "past")
    if span is None or span.start >= reader.now:
        return None
    # Of a running day "earlier" leaves out the present conversation: half an hour is a long turn and a
    # short absence.
    cut = add(reader.now, timedelta(minutes=-30)) if rank(span.grain) <= rank("day") else reader.now
    return fixed(
        replace(span, end=min(span.end, cut if cut > span.start else present(reader.now))),
        "rel",
        *around.kinds,
    )


def _later(reader: Reader, around: Pattern) -> Pattern | None:
    span = around.fixed or around.place(reader.now, reader.prefer)
    return (
        None
        if span is None or span.end <= reader.now
        else fixed(replace(span, start=max(span.start, reader.now)), "rel")
    )


_the = maybe(word("the"))
_sign: Rule = table(
    {
        "ago": -1,
        "back": -1,
        "earlier": -1,
        "from now": 1,
        "hence": 1,
        "later": 1,
        "from today": 1,
        "ago today": -1,
    }
)
_during = word("in", "over", "during", "within", "for", "throughout", "across")
_roughly = maybe(
    word("about", "around", "approximately", "roughly", "nearly", "almost", "exactly", "like", "just", "over")
)
day_name: Rule = either(
    seq(phrase("today", "at this time", "this day", "till date", "to date"), to=partial(_day, 0)),
    seq(phrase("yesterday", "the day before today"), to=partial(_day, -1)),
    seq(phrase("tomorrow", "tomorrows", "tmrw"), to=partial(_day, 1)),
    seq(_the, phrase("day before yesterday", "other yesterday"), to=partial(_day, -2)),
    seq(_the, phrase("day after tomorrow", "day following tomorrow"), to=partial(_day, 2)),
    seq(phrase("tonight", "tonite", "this night", "today evening"), to=partial(_night, 0)),
    seq(phrase("last night", "yesterday night", "yesternight"), to=partial(_night, -1)),
    seq(phrase("tomorrow night"), to=partial(_night, 1)),
    seq(phrase("just now", "right now", "now", "at the moment"), to=_instant),
    seq(
        _the,
        phrase("other day"),
        to=lambda r: fixed(Span(midnight(add(r.now, -7 * DAY)), midnight(r.now), "day", 7 * DAY), "rel"),
    ),
)
_now_word = phrase("now")

relative: Rule = either(
    day_name,
    seq(_the, _calendar_side, unit_name, to=_whole),
    seq(_the, _side, word("season", "seasons"), to=lambda r, side: _whole(r, side, ("season", 1))),
    seq(_the, _side, _cycle, to=_turn),
    seq(_the, _side, either(plain, vague), unit_name, to=_stretch),
    seq(
        _the,
        either(plain, vague),
        either(_ahead, _back),
        unit_name,
        to=lambda r, n, side, u: _stretch(r, side, n, u),
    ),
    seq(_during, _the, _back, unit_name, to=lambda r, side, u: _stretch(r, side, exactly(1), u)),
    seq(
        phrase("the past", "this past", "this last", "these past", "these last"),
        unit_name,
        to=lambda r, u: _stretch(r, LAST, exactly(1), u),
    ),
    seq(_roughly, amount, _sign, to=_ago),
    seq(
        word("in", "after"),
        _roughly,
        amount,
        maybe(word("'", "’")),
        maybe(phrase("time")),
        to=lambda r, a: _ago(r, a, 1),
    ),
    seq(_now_word, word("-"), amount, to=lambda r, a: _ago(r, a, -1)),
    seq(_now_word, word("+"), amount, to=lambda r, a: _ago(r, a, 1)),
    seq(count, either(_cycle, table(PLURALS)), _sign, to=_turns),
    seq(_the, unit_name, phrase("before last", "before the last"), to=lambda r, u: _unit_twice(r, u, -1)),
    seq(_the, unit_name, phrase("after next", "after the next"), to=lambda r, u: _unit_twice(r, u, 1)),
    seq(_the, _cycle, phrase("before last"), to=lambda r, c: _second(r, c, -1)),
    seq(_the, _cycle, phrase("after next"), to=lambda r, c: _second(r, c, 1)),
    seq(
        phrase("all", "this whole", "all of this", "the whole", "the entire", "the current"),
        unit_name,
        to=lambda r, u: _whole(r, THIS, u),
    ),
)
whole_or_turn: Rule = either(
    day_name,
    seq(_the, _calendar_side, unit_name, to=_whole),
    seq(_the, _side, _cycle, to=_turn),
    seq(word("in"), word("the"), unit_name, to=lambda r, u: _whole(r, THIS, u)),
    seq(word("in"), word("the"), _part, to=lambda r, c: _turn(r, THIS, c)),
)
earlier: Rule = either(
    seq(word("earlier"), maybe(word("on")), whole_or_turn, to=_earlier),
    seq(whole_or_turn, word("earlier"), to=_earlier),
    seq(word("later"), whole_or_turn, to=_later),
)
