"""Whole time expressions: dates put together, parts of them, ranges with one end or two."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from .amount import Amount, amount, unit_name
from .calendar import DAY, floor, shift, unit
from .clock import clock, time_of_day
from .combine import Hit, Reader, Rule, either, inner, maybe, phrase, seq, table, word
from .dates import (
    date,
    day_of_month,
    holiday_name,
    month_name,
    part_name,
    season_name,
    weekday_name,
    weekend_name,
)
from .number import Count, ordinal, plain, vague
from .pattern import Pattern, fixed, narrow
from .relative import Unit, earlier, present, relative
from .span import EARLIEST, LATEST, Span, add, rank

_JOINS = 7
_connect: Rule = maybe(
    seq(
        maybe(word(",")),
        maybe(word("of", "in", "on", "at", "@", "for", "during", "from", "'", "’")),
        maybe(word("the")),
    )
)


def span_of(reader: Reader, pattern: Pattern) -> Span | None:
    return pattern.place(reader.now, reader.prefer)


def _bare_hour(reader: Reader, at: int) -> Hit | None:
    """The eight of "eight tonight": a number that becomes an hour in company."""
    hit = plain(reader, at)
    if hit is None or hit[0].value not in range(1, 25):
        return None
    found = clock(int(hit[0].value), weak=True)
    return None if found is None else (found, hit[1])


_primary: Rule = either(date, time_of_day, relative, earlier, inner(lambda: _compound))


def _moment(reader: Reader, at: int) -> Hit | None:
    """One or more primaries, each narrowing the ones before: "Fri, Jul 18, 2014 at 7 pm"."""
    hit = _primary(reader, at)
    if (hit is None or hit[0].weak) and (hour := _bare_hour(reader, at)) is not None:
        joined = _extend(reader, *hour)
        if (
            joined[1] > hour[1]
            and "part" in joined[0].kinds
            and (hit is None or joined[1] > _extend(reader, *hit)[1])
        ):
            return joined
    return None if hit is None else _extend(reader, *hit)


def _extend(reader: Reader, found: Pattern, at: int) -> Hit:
    for _ in range(_JOINS):
        step = _connect(reader, at)
        more = _primary(reader, step[1]) if step else None
        if more is None or (more[0].weak and step is not None and reader.word(step[1]) in {"a", "an"}):
            hour = (
                _bare_hour(reader, at + 1)
                if found.grain == "part" and reader.word(at) in {"at", "@"}
                else None
            )
            more = hour
        if more is None:
            break
        both = narrow(found, more[0])
        if both is None:
            break
        found, at = both, more[1]
    return found, at


moment: Rule = inner(lambda: _moment)


# --- parts and neighbours of a moment


def _cut(share: str, reader: Reader, of: Pattern) -> Pattern | None:
    """Early March, mid 2023, the end of last week."""
    span = span_of(reader, of)
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
        first = second = start + (end - start) / 2
    else:
        first, second = start + (end - start) / 3, start + (end - start) * 2 / 3
    middle = {
        "first half": (start, start + (end - start) / 2),
        "second half": (start + (end - start) / 2, end),
    }
    low, high = middle.get(share) or {
        "early": (start, first), "start": (start, first), "mid": (first, second), "late": (second, end), "end": (second, end),
    }[share]  # fmt: skip
    if low >= high:
        return None
    return fixed(
        Span(low, high, span.grain if rank(span.grain) < rank("day") else "day", span.slack), "rel", *of.kinds
    )


def _place(reader: Reader, span: Span | None, *kinds: str) -> Pattern | None:
    return None if span is None else fixed(span, "rel", *kinds)


def _nth(reader: Reader, n: int, what: Unit | Pattern, of: Pattern) -> Pattern | None:
    """The first week of 2024, the last Sunday of March, the second to last day of the month."""
    outer = span_of(reader, of)
    if outer is None:
        return None
    if isinstance(what, Pattern):
        spans = list(what.find(outer.start, outer.end))
    else:
        if rank(what[0]) >= rank(outer.grain):
            return None
        spans = _units(outer, what)
    k = n - 1 if n > 0 else n
    return _place(reader, spans[k], "year", "month", "dom") if -len(spans) <= k < len(spans) else None


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


def _run(reader: Reader, side: int, number: Count, named: Unit, of: Pattern) -> Pattern | None:
    """The first three days of May."""
    outer = span_of(reader, of)
    if outer is None or rank(named[0]) >= rank(outer.grain):
        return None
    length = number.value * named[1]
    if side > 0:
        return _place(
            reader, Span(outer.start, min(shift(outer.start, length, named[0]), outer.end), named[0])
        )
    return _place(reader, Span(max(shift(outer.end, -length, named[0]), outer.start), outer.end, named[0]))


def _holding(reader: Reader, named: Unit, of: Pattern) -> Pattern | None:
    """The week of October 6th, the weekend of May 5th."""
    span = span_of(reader, of)
    if span is None or rank(span.grain) > rank(named[0]):
        return None
    return _place(reader, unit(span.start, named[0]), "year", "month", "dom")


def _beside(reader: Reader, what: Unit | Pattern, sign: int, of: Pattern) -> Pattern | None:
    """The week before Christmas, the day after my ... (a known date), the Tuesday before Easter."""
    span = span_of(reader, of)
    if span is None:
        return None
    if isinstance(what, Pattern):
        return _place(
            reader, what.before(span.start) if sign < 0 else what.after(span.end), "year", "month", "dom"
        )
    grain, times = what
    if grain == "weekend":
        here = unit(add(span.start, -7 * DAY), grain) if sign < 0 else unit(add(span.end, 2 * DAY), grain)
        nearer = unit(span.start, grain)
        return _place(reader, nearer if sign < 0 and nearer.end <= span.start else here)
    if sign < 0:
        return _place(
            reader, Span(shift(span.start, -times, grain), span.start, grain), "year", "month", "dom"
        )
    return _place(reader, Span(span.end, shift(span.end, times, grain), grain), "year", "month", "dom")


def _offset(reader: Reader, length: Amount, sign: int, of: Pattern) -> Pattern | None:
    """Two weeks before August 11, three days after Easter, a week from Tuesday."""
    span = span_of(reader, of)
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
    return _place(reader, Span(start, unit(start, grain).end, grain, slack), "year", "month", "dom")


def _count_after(reader: Reader, n: int, what: Pattern, sign: int, of: Pattern) -> Pattern | None:
    """The third Tuesday after Christmas."""
    span = span_of(reader, of)
    for _ in range(min(n, 60)):
        if span is None:
            return None
        span = what.after(span.end) if sign > 0 else what.before(span.start)
    return _place(reader, span, "year", "month", "dom")


def _closest(reader: Reader, n: int | None, what: Pattern, of: Pattern) -> Pattern | None:
    span = span_of(reader, of)
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
    return _place(reader, found[k]) if k < len(found) else None


def _for_length(reader: Reader, of: Pattern, length: Amount) -> Pattern | None:
    span = span_of(reader, of)
    return (
        None
        if span is None
        else _place(reader, Span(span.start, unit(length.move(span.start, 1), span.grain).end, span.grain))
    )


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
_this_unit: Rule = seq(_the, unit_name, to=lambda r, u: fixed(unit(r.now, u[0]), "rel", u[0]))
_frame: Rule = either(moment, _this_unit)

_compound: Rule = either(
    seq(_shares, _frame, to=lambda r, share, of: _cut(share, r, of)),
    seq(
        maybe(phrase("by", "at")),
        _the,
        phrase("eom", "end of month"),
        to=lambda r: _cut("end", r, fixed(unit(r.now, "month"), "month")),
    ),
    seq(_the, phrase("eoy", "end of year"), to=lambda r: _cut("end", r, fixed(unit(r.now, "year"), "year"))),
    seq(_the, phrase("eod", "end of day"), to=lambda r: _cut("late", r, fixed(unit(r.now, "day"), "day"))),
    seq(_the, _rank, either(unit_name, _repeating), _of, _frame, to=_nth),
    seq(
        _the,
        phrase("first"),
        either(plain, vague),
        unit_name,
        _of,
        _frame,
        to=lambda r, n, u, of: _run(r, 1, n, u, of),
    ),
    seq(
        _the,
        phrase("last", "final"),
        either(plain, vague),
        unit_name,
        _of,
        _frame,
        to=lambda r, n, u, of: _run(r, -1, n, u, of),
    ),
    seq(_the, unit_name, phrase("of", "including", "containing"), moment, to=_holding),
    seq(_the, maybe(phrase("last", "very")), unit_name, _beside_word, moment, to=_beside),
    seq(_the, maybe(phrase("last", "very")), _repeating, _beside_word, moment, to=_beside),
    seq(amount, _sided, moment, to=_offset),
    seq(_the, ordinal, _repeating, _beside_word, moment, to=_count_after),
    seq(
        _the, maybe(ordinal, None), phrase("closest", "nearest"), _repeating, word("to"), moment, to=_closest
    ),
    seq(maybe(word("from")), moment, word("for"), amount, to=_for_length),
    seq(word("for"), amount, word("from", "starting"), moment, to=lambda r, a, of: _for_length(r, of, a)),
    seq(moment, word("in"), amount, to=lambda r, of, a: _in_years(r, of, a)),
)


def _in_years(reader: Reader, of: Pattern, length: Amount) -> Pattern | None:
    """Thanksgiving in three years."""
    if of.fixed is not None or rank(length.grain) < rank("year"):
        return None
    there = unit(length.move(reader.now, 1), "year")
    return narrow(fixed(there, "year"), of)


# --- is it time at all?

_FOLLOWS = frozenset(
    'and or but , . ? ! ; : ) ( " - – — to until till through that what which who whom whose when where why how if did do does was '
    "were is are am be been has have had will would could should can i we you he she they it my our your his her their its the a an "
    "in on at for with about from of as by into than then so because please while during before after since not also "
    "meeting call email chat session conversation trip".split()
)


def _sound(rule: Rule) -> Rule:
    """A doubtful reading made sure by the preposition before it, unless what follows shows that it counts something else."""

    def sound(reader: Reader, at: int) -> Hit | None:
        hit = rule(reader, at)
        if hit is None or not hit[0].weak:
            return hit
        kinds, after = hit[0].kinds, hit[1]
        if reader.point:
            return hit[0].strong(), after
        if kinds <= {"clock"} or kinds <= {"part"}:
            return None
        counts = kinds <= {"dom"} or kinds <= {"year"}
        free = after >= len(reader.tokens) or reader.word(after) in _FOLLOWS or reader.tokens[after].capital
        return None if counts and not free else (hit[0].strong(), after)

    return sound


# --- ranges


def _between(reader: Reader, one: Pattern, other: Pattern) -> Pattern | None:
    """The fixed side places the other one: "13 to 15 July", "July 13-15", "from May 8 to June 9 2023"."""
    if one.fixed is None and other.fixed is not None:
        last: Span | None = other.fixed
        first = one.before(add(other.fixed.start, timedelta(microseconds=1)))
    elif (
        one.fixed is None
        and other.fixed is None
        and not one.kinds & {"month", "holiday", "season"}
        and other.kinds & {"month"}
    ):
        last = span_of(reader, other)
        first = one.before(last.start) if last else None
    else:
        first = span_of(reader, one)
        last = other.after(first.start) if first else None
    if first is None or last is None or last.end <= first.start:
        return None
    return fixed(Span(first.start, last.end, min(first.grain, last.grain, key=rank)), "rel", "range", "year")


def _open(which: str, reader: Reader, of: Pattern) -> Pattern | None:
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
        case _:  # by: from now if it is still to come
            low, high = (now if span.end > now and reader.prefer == "future" else EARLIEST), span.end
    return None if low >= high else fixed(Span(low, high, span.grain), "rel", "range", "year")


_AROUND = {"second": 60, "minute": 1800, "hour": 3600, "part": 3 * 3600}


def _around(reader: Reader, of: Pattern) -> Pattern | None:
    span = span_of(reader, of)
    if span is None:
        return None
    if reader.point:
        return fixed(span, "rel", *of.kinds)
    days = {"day": 3, "weekend": 3, "week": 4, "month": 10, "quarter": 20, "season": 20}.get(span.grain, 90)
    give = timedelta(seconds=_AROUND[span.grain]) if span.grain in _AROUND else days * DAY
    return fixed(Span(add(span.start, -give), add(span.end, give), span.grain, give), "rel", "range")


def _within(reader: Reader, length: Amount) -> Pattern:
    if reader.prefer == "past":
        return fixed(Span(length.move(reader.now, -1), present(reader.now), length.grain), "rel", "range")
    return fixed(
        Span(reader.now, unit(length.move(reader.now, 1), "day").start, length.grain), "rel", "range"
    )


_edge: Rule = either(moment, seq(plain, to=lambda _, n: _hour_or_day(n)))


def _hour_or_day(n: Count) -> Pattern | None:
    return day_of_month(int(n.value), weak=True) if n.value in range(1, 32) else None


_dash = word("-", "–", "—", "to", "through", "thru", "until", "till", "til", "/", "up")
_range: Rule = either(
    seq(
        maybe(word("in")),
        word("between", "from", "betwixt"),
        _the,
        _edge,
        either(_dash, word("and"), seq(word("up"), word("to"))),
        _the,
        _edge,
        to=_between,
    ),
    seq(word("between"), _edge, word("and"), _edge, to=_between),
    seq(_edge, _dash, _the, _edge, to=_between),
)
_since: Rule = table(
    dict.fromkeys(["since", "ever since", "from", "starting", "starting from", "as of", "beginning"], "since")
    | dict.fromkeys(["after", "anytime after", "later than", "following", "any time after"], "after")
    | dict.fromkeys(["before", "prior to", "earlier than", "anytime before", "ahead of"], "before")
    | dict.fromkeys(["until", "till", "up to", "up until", "through", "til"], "until")
    | dict.fromkeys(["by"], "by")
)
_held: Rule = word(
    "in",
    "on",
    "during",
    "at",
    "over",
    "for",
    "throughout",
    "within",
    "of",
    "from",
    "@",
    "across",
    "as",
    "back",
)
_framed: Rule = _sound(_frame)
_prepared: Rule = seq(
    _held,
    maybe(word("in", "on", "of", "for")),
    _the,
    maybe(word("course", "period")),
    maybe(word("of")),
    _framed,
)

expression: Rule = either(
    moment,
    _range,
    seq(_since, _the, _framed, to=lambda r, which, of: _open(which, r, of)),
    seq(word("around", "approximately", "circa", "roughly", "near"), _sound(moment), to=_around),
    seq(word("about"), time_of_day, to=_around),
    _prepared,
    seq(word("within", "in"), word("the"), amount, to=_within),
    seq(word("within"), amount, to=_within),
)
