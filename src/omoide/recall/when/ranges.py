"""Whole time expressions: a moment as it stands in a sentence, and ranges with one end or two."""

from __future__ import annotations

from datetime import timedelta

from .amount import Amount, amount
from .calendar import DAY, shift, unit
from .clock import clock, time_of_day
from .combine import Reader, Rule, either, maybe, phrase, seq, table, word
from .cycles import day_of_month
from .dates import day_number
from .doubt import sound
from .moment import moment
from .pattern import Pattern, fixed
from .span import EARLIEST, LATEST, Span, add, rank
from .turns import present


def span_of(reader: Reader, pattern: Pattern) -> Span | None:
    return pattern.place(reader.now, reader.prefer)


def _between(reader: Reader, one: Pattern, other: Pattern) -> Pattern | None:
    """The side that is placed by itself places the other: "13 to 15 July", "from May 8 to June 9 2023"."""
    if one.fixed is None and (other.fixed is not None or ("month" in other.kinds and not one.kinds & _OF_A_YEAR)):
        last = span_of(reader, other)
        first = one.before(add(last.start, timedelta(microseconds=1))) if last else None
    else:
        first = span_of(reader, one)
        last = other.after(first.start) if first else None
    if first is None or last is None or last.end <= first.start:
        return None
    grain = min(first.grain, last.grain, key=rank)
    # "3:30 to 6 pm" ends at six, not when the hour of six is over.
    end = shift(last.start, 1, grain) if last.grain == "hour" and grain != "hour" else last.end
    # "From 12 to 8 pm", "210-230": without a day a habit or no time at all.
    weak = not reader.point and all(
        p.kinds <= {"clock", "part"} or "loose" in p.kinds or p.kinds == {"dom"} for p in (one, other)
    )
    return fixed(Span(first.start, end, grain), "rel", "range", "year", weak=weak)


_OF_A_YEAR = frozenset({"month", "holiday", "season", "quarter"})


def _apart(reader: Reader, low: Pattern, high: Pattern) -> Pattern | None:
    """After one and before the other: neither belongs to it."""
    both = _between(reader, low, high)
    first, last = span_of(reader, low), (both.fixed if both else None)
    if both is None or first is None or last is None:
        return None
    start = first.end if rank(first.grain) >= rank("day") else last.start
    end = shift(last.end, -1, last.grain) if rank(last.grain) >= rank("day") else last.end
    return fixed(Span(start, end, last.grain), "rel", "range", "year") if start < end else None


def _open(reader: Reader, which: str, of: Pattern) -> Pattern | None:
    span = span_of(reader, of)
    if span is None:
        return None
    now = reader.now
    match which:
        case "since":
            low, high = span.start, present(now) if span.start <= now else LATEST
        case "after":
            low, high = span.end, present(now) if span.end <= now and reader.prefer == "past" else LATEST
        case "before":
            low, high = EARLIEST, span.start
        case "until":
            low, high = EARLIEST, span.end
        case _:  # by: from now on if it is still to come
            low, high = (now if span.end > now and reader.prefer == "future" else EARLIEST), span.end
    return None if low >= high else fixed(Span(low, high, span.grain), "rel", "range", "year")


def _close(reader: Reader, which: str, of: Pattern) -> Pattern | None:
    """Shortly before, right after: within the fortnight, or within an hour of a clock time."""
    span = span_of(reader, of)
    if span is None or which in {"until", "by"}:
        return None
    reach = 14 * DAY if rank(span.grain) >= rank("day") else timedelta(hours=1)
    if which == "before":
        return fixed(Span(add(span.start, -reach), span.start, span.grain, reach), "rel", "range", "year")
    return fixed(Span(span.end, add(span.end, reach), span.grain, reach), "rel", "range", "year")


# Seconds on each side for "around": a clock time is good to the half hour, a day to half a week, a month to
# a third.
_GIVE = {"second": 60, "minute": 1800, "hour": 3600, "part": 10800, "day": 3 * 86400, "weekend": 3 * 86400}
_GIVE |= {"week": 4 * 86400, "month": 10 * 86400, "quarter": 20 * 86400, "season": 20 * 86400}


def _around(reader: Reader, of: Pattern) -> Pattern | None:
    span = span_of(reader, of)
    if span is None or reader.point:
        return None if span is None else fixed(span, "rel", *of.kinds, weak=of.weak)
    give = timedelta(seconds=_GIVE.get(span.grain, 90 * 86400))
    return fixed(Span(add(span.start, -give), add(span.end, give), span.grain, give), "rel", "range", weak=of.weak)


def _within(reader: Reader, length: Amount) -> Pattern:
    if reader.prefer == "past":
        start = length.move(reader.now, -1)
        return fixed(Span(start, present(reader.now), length.grain), "rel", "range")
    end = unit(length.move(reader.now, 1), "day").start
    return fixed(Span(reader.now, max(end, present(reader.now)), length.grain), "rel", "range")


def _numbered(n: int, other: Pattern) -> Pattern:
    """A bare number is an hour beside an hour and a day beside anything else."""
    hour = clock(n, weak=True) if "clock" in other.kinds else None
    return hour or day_of_month(n, weak=True)


_the = maybe(word("the"))
_sure: Rule = sound(moment)
_day: Rule = seq(day_number, to=lambda _, n: day_of_month(n, weak=True))
_dash = either(word("-", "–", "—", "to", "through", "thru", "until", "till", "til", "/"), phrase("up to", "up until"))
_from = seq(maybe(word("in")), word("between", "from"), _the)
_and: Rule = either(_dash, word("and"))
_after_word = phrase("after", "later than", "since")
_before_word = phrase("before", "earlier than", "prior to", "until")

_range: Rule = either(
    seq(_from, moment, _and, _the, moment, to=_between),
    seq(_from, day_number, _and, _the, moment, to=lambda r, n, b: _between(r, _numbered(n, b), b)),
    seq(_from, moment, _and, _the, day_number, to=lambda r, a, n: _between(r, a, _numbered(n, a))),
    seq(moment, _dash, _the, moment, to=_between),
    seq(_day, _dash, _the, moment, to=lambda r, a, b: _between(r, a, b) if "month" in b.kinds else None),
    seq(
        moment,
        word("-", "–", "—"),
        _the,
        _day,
        to=lambda r, a, b: _between(r, a, b) if "month" in a.kinds else None,
    ),
    seq(_after_word, moment, maybe(word(",")), maybe(word("and", "but")), _before_word, moment, to=_apart),
)
_side: Rule = table(
    dict.fromkeys(["since", "ever since", "starting", "starting from", "as of", "beginning"], "since")
    | dict.fromkeys(["after", "anytime after", "any time after", "later than", "following"], "after")
    | dict.fromkeys(["before", "prior to", "earlier than", "anytime before", "ahead of"], "before")
    | dict.fromkeys(["until", "till", "til", "up to", "up until", "through"], "until")
    | dict.fromkeys(["by"], "by")
)
_held: Rule = seq(
    word("in", "on", "during", "at", "over", "for", "throughout", "within", "of", "from", "@", "across", "back"),
    maybe(word("in", "on", "of", "for")),
    _the,
    maybe(phrase("course of", "period of")),
)

expression: Rule = either(
    moment,
    _range,
    seq(_side, _the, _sure, to=_open),
    seq(word("shortly", "just", "right", "soon", "immediately"), _side, _the, _sure, to=_close),
    seq(word("around", "approximately", "circa", "roughly", "near"), _the, sound(moment), to=_around),
    seq(word("about"), time_of_day, to=_around),
    seq(_held, _sure),
    seq(_held, _range),
    seq(phrase("within", "within the", "in the"), amount, to=_within),
)
