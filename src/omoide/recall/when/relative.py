"""Time told from the moment of asking: yesterday, last week, three months ago, the week before last."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from functools import partial

from .amount import Amount, amount, distant, unit_name
from .calendar import DAY, midnight, shift, unit
from .combine import Reader, Rule, either, maybe, phrase, seq, table, word
from .cycles import PARTS, PLURALS, weekend
from .dates import holiday_name, month_name, season_name, weekday_name, weekend_name
from .number import count, exactly, plain, vague
from .pattern import Pattern, fixed
from .span import Span, add, rank
from .turns import LAST, NEXT, THIS, Unit, present, stretch, turn, turns, whole

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
_back: Rule = table(dict.fromkeys([*_LASTS, "this past", "this last"], LAST))
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
    return fixed(Span(reader.now, add(reader.now, timedelta(seconds=1)), "second"), "rel", "now", weak=True)


def _ago(reader: Reader, length: Amount, sign: int) -> Pattern | None:
    if [grain for _, grain in length.parts] == ["weekend"]:
        return turns(reader, length.parts[0][0], weekend(), sign)
    coarse = rank(length.grain) >= rank("day")
    kinds = ("rel", "year", length.grain) if coarse else ("rel", "year", "month", "dom", "clock")
    return fixed(distant(reader.now, length, sign, point=reader.point), *kinds)


def _to_the_day(reader: Reader, length: Amount) -> Pattern:
    """A week ago today."""
    return fixed(distant(reader.now, length, LAST, point=True), "rel", "year", "month", "dom")


def _same_time(reader: Reader, named: Unit) -> Pattern:
    """This time last year: the days around."""
    there = unit(shift(reader.now, -named[1], named[0]), "day")
    return fixed(Span(add(there.start, -3 * DAY), add(there.end, 3 * DAY), "day", 7 * DAY), "rel", "year")


def _same_day(reader: Reader, named: Unit) -> Pattern:
    return fixed(unit(shift(reader.now, -named[1], named[0]), "day"), "rel", "year", "month", "dom")


def length_alone(reader: Reader, length: Amount) -> Pattern | None:
    """ "1 year 2 months" and nothing else: how long ago, or how long from now."""
    return _ago(reader, length, -1 if reader.prefer == "past" else 1)


def _earlier(reader: Reader, around: Pattern) -> Pattern | None:
    """Earlier today, earlier this month: the part of it that is over."""
    span = around.fixed or around.place(reader.now, "past")
    if span is None or span.start >= reader.now:
        return None
    # Of today, "earlier" leaves out the conversation that is going on: its last half hour.
    cut = add(reader.now, timedelta(minutes=-30)) if rank(span.grain) <= rank("day") else reader.now
    end = cut if cut > span.start else present(reader.now)
    return fixed(replace(span, end=min(span.end, end)), "rel", *around.kinds)


def _later(reader: Reader, around: Pattern) -> Pattern | None:
    span = around.fixed or around.place(reader.now, reader.prefer)
    if span is None or span.end <= reader.now:
        return None
    return fixed(replace(span, start=max(span.start, reader.now)), "rel")


_the = maybe(word("the"))
_sign: Rule = table(
    dict.fromkeys(["ago", "back", "earlier"], LAST) | dict.fromkeys(["from now", "from today", "hence", "later"], NEXT)
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
    seq(_the, phrase("night before last"), to=partial(_night, -2)),
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
    seq(_the, _calendar_side, unit_name, to=whole),
    seq(_the, _side, word("season", "seasons"), to=lambda r, side: whole(r, side, ("season", 1))),
    seq(_the, _side, _cycle, to=turn),
    seq(_the, _side, either(plain, vague), unit_name, to=stretch),
    seq(
        _the,
        either(plain, vague),
        either(_ahead, _back),
        unit_name,
        to=lambda r, n, side, u: stretch(r, side, n, u),
    ),
    seq(_during, _the, _back, unit_name, to=lambda r, side, u: stretch(r, side, exactly(1), u)),
    seq(
        phrase("the past", "this past", "this last", "these past", "these last"),
        unit_name,
        to=lambda r, u: stretch(r, LAST, exactly(1), u),
    ),
    seq(_roughly, amount, _sign, to=_ago),
    seq(_roughly, amount, phrase("ago today", "ago to the day"), to=_to_the_day),
    seq(
        maybe(word("around", "about")),
        _the,
        phrase("this time", "same time"),
        _back,
        unit_name,
        to=lambda r, _, u: _same_time(r, u),
    ),
    seq(
        _the,
        phrase("this day", "same day", "same date"),
        _back,
        unit_name,
        to=lambda r, _, u: _same_day(r, u),
    ),
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
    seq(count, either(_cycle, table(PLURALS)), _sign, to=turns),
    seq(_the, unit_name, phrase("before last", "before the last"), to=lambda r, u: whole(r, 2 * LAST, u)),
    seq(_the, unit_name, phrase("after next", "after the next"), to=lambda r, u: whole(r, 2 * NEXT, u)),
    seq(_the, _cycle, phrase("before last"), to=lambda r, c: turns(r, exactly(2), c, LAST)),
    seq(_the, _cycle, phrase("after next"), to=lambda r, c: turns(r, exactly(2), c, NEXT)),
    seq(
        phrase("all", "this whole", "all of this", "the whole", "the entire", "the current"),
        unit_name,
        to=lambda r, u: whole(r, THIS, u),
    ),
)
whole_or_turn: Rule = either(
    day_name,
    seq(_the, _calendar_side, unit_name, to=whole),
    seq(_the, _side, _cycle, to=turn),
    seq(word("in"), word("the"), unit_name, to=lambda r, u: whole(r, THIS, u)),
    seq(word("in"), word("the"), _part, to=lambda r, c: turn(r, THIS, c)),
)
earlier: Rule = either(
    seq(word("earlier"), maybe(word("on")), whole_or_turn, to=_earlier),
    seq(whole_or_turn, word("earlier"), to=_earlier),
    seq(word("later"), whole_or_turn, to=_later),
)
