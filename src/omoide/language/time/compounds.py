"""Expressions with a moment inside: "early March", "the week before Christmas", "the last Sunday of May"."""

from __future__ import annotations

from datetime import timedelta
from functools import partial

from omoide.language.time.calendar import (
    DAY,
    Grain,
    TimeSpan,
    add_clamped,
    calendar_unit,
    grain_rank,
    shift,
    unit_start,
)
from omoide.language.time.combinators import (
    GrammarRule,
    RuleMatch,
    TokenReader,
    choice,
    either,
    maybe,
    phrase,
    seq,
    word,
)
from omoide.language.time.dates import (
    day_number,
    holiday_name,
    month_name,
    part_name,
    season_name,
    unambiguous,
    weekday_name,
    weekend_name,
)
from omoide.language.time.pattern import TimePattern, day_of_month_pattern, fixed_pattern, intersect, pattern_at
from omoide.language.time.quantities import (
    Duration,
    Quantity,
    duration,
    ordinal_number,
    plain_number,
    unit_name,
    vague_number,
)
from omoide.language.time.relative import NamedUnit


def share_of(share: str, reader: TokenReader, of: TimePattern) -> TimePattern | None:
    """Early March, mid 2023, the end of last week."""
    span = of.nearest(reader.now, reader.prefer)
    if span is None:
        return None
    start, end = span.start, span.end
    if span.grain == "month":
        first, second = add_clamped(start, 10 * DAY), add_clamped(start, 20 * DAY)
    elif span.grain == "year":
        months = 3 if share in {"start", "end"} else 4
        first, second = shift(start, months, "month"), shift(start, 12 - months, "month")
    elif span.grain == "week":
        first, second = add_clamped(start, 3 * DAY), add_clamped(start, 4 * DAY)
    elif grain_rank(span.grain) <= grain_rank("part"):
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
    grain = span.grain if grain_rank(span.grain) < grain_rank("day") else "day"
    return fixed_pattern(TimeSpan(low, high, grain, span.slack), "rel", *of.kinds, ambiguous=of.ambiguous)


def nth_inside(reader: TokenReader, n: int, what: NamedUnit | TimePattern, of: TimePattern) -> TimePattern | None:
    """The first week of 2024, the last Sunday of March, the second to last day of the month."""
    outer = of.nearest(reader.now, reader.prefer)
    if outer is None:
        return None
    if isinstance(what, TimePattern):
        spans = list(what.find(outer.start, outer.end))
    else:
        if grain_rank(what[0]) >= grain_rank(outer.grain):
            return None
        spans = _units(outer, what)
    k = n - 1 if n > 0 else n
    return pattern_at(spans[k], "year", "month", "dom") if -len(spans) <= k < len(spans) else None


def _units(outer: TimeSpan, named: NamedUnit) -> list[TimeSpan]:
    """Whole units inside a span; a week belongs to the span with its Thursday, as in ISO 8601."""
    spans: list[TimeSpan] = []
    grain = named[0]
    here = unit_start(outer.start, grain)
    while here < outer.end and len(spans) < 400:
        one = calendar_unit(add_clamped(here, DAY) if grain == "weekend" else here, grain)
        middle = add_clamped(one.start, 3 * DAY) if grain == "week" else one.start
        if outer.start <= middle < outer.end:
            spans.append(one)
        following = shift(here, 1, grain)
        if following <= here:
            break
        here = following
    return spans


def first_or_last_units(
    side: int, reader: TokenReader, number: Quantity, named: NamedUnit, of: TimePattern
) -> TimePattern | None:
    """The first three days of May."""
    outer = of.nearest(reader.now, reader.prefer)
    if outer is None or grain_rank(named[0]) >= grain_rank(outer.grain):
        return None
    length = number.value * named[1]
    if side > 0:
        return pattern_at(TimeSpan(outer.start, min(shift(outer.start, length, named[0]), outer.end), named[0]))
    return pattern_at(TimeSpan(max(shift(outer.end, -length, named[0]), outer.start), outer.end, named[0]))


def unit_containing(reader: TokenReader, named: NamedUnit, of: TimePattern) -> TimePattern | None:
    """The week of October 6th, the weekend of May 5th."""
    span = of.nearest(reader.now, reader.prefer)
    if span is None or grain_rank(span.grain) > grain_rank(named[0]):
        return None
    return pattern_at(calendar_unit(span.start, named[0]), "year", "month", "dom")


def neighbour(reader: TokenReader, what: NamedUnit | TimePattern, sign: int, of: TimePattern) -> TimePattern | None:
    """The week before Christmas, the Tuesday before Easter."""
    span = of.nearest(reader.now, reader.prefer)
    if span is None:
        return None
    if isinstance(what, TimePattern):
        return pattern_at(what.before(span.start) if sign < 0 else what.after(span.end), "year", "month", "dom")
    grain, times = what
    if grain == "weekend":
        here = (
            calendar_unit(add_clamped(span.start, -7 * DAY), grain)
            if sign < 0
            else calendar_unit(add_clamped(span.end, 2 * DAY), grain)
        )
        nearer = calendar_unit(span.start, grain)
        return pattern_at(nearer if sign < 0 and nearer.end <= span.start else here)
    if grain_rank(span.grain) < grain_rank("day"):
        # "The day after tomorrow at 5 pm" keeps the hour.
        moved = TimeSpan(shift(span.start, sign * times, grain), shift(span.end, sign * times, grain), span.grain)
        return pattern_at(moved, "year", "month", "dom", "clock")
    if sign < 0:
        return pattern_at(TimeSpan(shift(span.start, -times, grain), span.start, grain), "year", "month", "dom")
    return pattern_at(TimeSpan(span.end, shift(span.end, times, grain), grain), "year", "month", "dom")


def ahead_of(reader: TokenReader, length: Duration, of: TimePattern) -> TimePattern | None:
    """A week from Tuesday: counted from the coming one, also in a sentence that looks back."""
    return _at_offset(of.nearest(reader.now, "future"), length, 1)


def offset_from(reader: TokenReader, length: Duration, sign: int, of: TimePattern) -> TimePattern | None:
    """Two weeks before August 11, three days after Easter."""
    return _at_offset(of.nearest(reader.now, reader.prefer), length, sign)


def _at_offset(span: TimeSpan | None, length: Duration, sign: int) -> TimePattern | None:
    if span is None:
        return None
    start = length.move(span.start, sign)
    slack = min(abs(start - span.start) / 7, 15 * DAY) if grain_rank(length.grain) > grain_rank("day") else timedelta(0)
    grain = (
        span.grain
        if grain_rank(span.grain) <= grain_rank(length.grain)
        else "day"
        if grain_rank(length.grain) >= grain_rank("day")
        else length.grain
    )
    return pattern_at(TimeSpan(start, calendar_unit(start, grain).end, grain, slack), "year", "month", "dom")


def nth_neighbour(reader: TokenReader, n: int, what: TimePattern, sign: int, of: TimePattern) -> TimePattern | None:
    """The third Tuesday after Christmas."""
    span = of.nearest(reader.now, reader.prefer)
    for _ in range(min(n, 60)):
        if span is None:
            return None
        span = what.after(span.end) if sign > 0 else what.before(span.start)
    return pattern_at(span, "year", "month", "dom")


def closest(reader: TokenReader, n: int | None, what: TimePattern, of: TimePattern) -> TimePattern | None:
    span = of.nearest(reader.now, reader.prefer)
    if span is None:
        return None
    origin = span.start
    found: list[TimeSpan] = []
    back, on = what.before(origin), what.after(origin)
    for _ in range(min(n or 1, 60)):
        found += [s for s in (back, on) if s is not None]
        back = what.before(back.start) if back else None
        on = what.after(on.end) if on else None
    found.sort(key=lambda s: abs(s.start - origin))
    k = (n or 1) - 1
    return pattern_at(found[k]) if k < len(found) else None


def long_weekend(reader: TokenReader, holiday: TimePattern) -> TimePattern | None:
    """Labor Day weekend: the weekend nearest to the holiday, and the days between them."""
    day = holiday.nearest(reader.now, reader.prefer)
    if day is None:
        return None
    nearest = min(
        (calendar_unit(add_clamped(day.start, k * DAY), "weekend") for k in (-7, 0, 7)),
        key=lambda w: abs(w.start - day.start),
    )
    return pattern_at(TimeSpan(min(nearest.start, day.start), max(nearest.end, day.end), "weekend"), "holiday", "year")


def apply_suffix(reader: TokenReader, found: TimePattern, at: int) -> RuleMatch:
    """Apply what follows a moment: "18th December for ten days", "Thanksgiving in three years"."""
    link = reader.word(at)
    hit = duration(reader, at + 1) if link in {"for", "in"} else None
    if hit is None:
        return found, at
    changed = extended_by(reader, found, hit[0]) if link == "for" else _years_on(reader, found, hit[0])
    return (found, at) if changed is None else (changed, hit[1])


def extended_by(reader: TokenReader, found: TimePattern, length: Duration) -> TimePattern | None:
    span = found.nearest(reader.now, reader.prefer)
    if span is None:
        return None
    last = calendar_unit(length.move(span.start, 1), span.grain)
    return fixed_pattern(TimeSpan(span.start, last.end, span.grain), "rel", "range")


def _years_on(reader: TokenReader, found: TimePattern, length: Duration) -> TimePattern | None:
    if found.fixed is not None or grain_rank(length.grain) < grain_rank("year"):
        return None
    return intersect(fixed_pattern(calendar_unit(length.move(reader.now, 1), "year"), "year"), found)


_the = maybe(word("the"))
_of = seq(word("of", "in"), _the)
_shares = choice(
    {
        "early": "early, early in, early on in",
        "start": "beginning of, start of, the beginning of, the start of, at the beginning of, at the start of",
        "mid": "mid, mid -, middle of, the middle of, in the middle of, midway through, halfway through",
        "late": "late, late in, later in",
        "end": "end of, the end of, at the end of, towards the end of, toward the end of",
        "first half": "first half of, the first half of",
        "second half": "second half of, the second half of, latter half of, last half of,"
        " the last half of, the latter half of",
    }
)
_rank = either(
    ordinal_number,
    seq(phrase("last", "final", "very last"), to=lambda _: -1),
    seq(
        phrase("second last", "second to last", "2nd last", "penultimate", "second - to - last", "next to last"),
        to=lambda _: -2,
    ),
    seq(ordinal_number, word("last"), to=lambda _, n: -n),
)
_sided = choice({-1: "before, prior to, preceding", 1: "after, following, since"})
_beside_word = choice({-1: "before, prior to, preceding", 1: "after, following"})
_repeating = either(weekday_name, month_name, season_name, holiday_name, weekend_name, part_name)
_this_unit = seq(word("the", "this"), unit_name, to=lambda r, u: _current(r, u[0]))


def _current(reader: TokenReader, grain: Grain) -> TimePattern | None:
    """The current unit; "the end of the day" is an idiom more often than a date."""
    if grain == "day" and not reader.exact_day:
        return None
    return fixed_pattern(calendar_unit(reader.now, grain), "rel", grain)


def _end_of(grain: Grain, reader: TokenReader) -> TimePattern | None:
    return share_of("end", reader, fixed_pattern(calendar_unit(reader.now, grain), grain))


def _day_of(reader: TokenReader, day: int, of: TimePattern) -> TimePattern | None:
    """The 20th of next month."""
    return intersect(of, day_of_month_pattern(day)) if of.grain == "month" and 1 <= day <= 31 else None


def compounds(moment: GrammarRule) -> GrammarRule:
    """Build the rules of all expressions that contain `moment`."""
    anything, moment = moment, unambiguous(moment)
    frame = either(moment, _this_unit)
    some = either(plain_number, vague_number)
    thing = either(unit_name, _repeating)
    return either(
        seq(_shares, either(frame, unambiguous(anything, habits=True)), to=lambda r, share, of: share_of(share, r, of)),
        seq(_the, phrase("eom", "end of month"), to=partial(_end_of, "month")),
        seq(_the, phrase("eoy", "end of year"), to=partial(_end_of, "year")),
        seq(_the, phrase("eod", "end of day"), to=partial(_end_of, "day")),
        seq(_the, either(ordinal_number, day_number), maybe(word("day")), _of, moment, to=_day_of),
        seq(_the, _rank, thing, _of, frame, to=nth_inside),
        seq(_the, phrase("first"), some, unit_name, _of, frame, to=partial(first_or_last_units, 1)),
        seq(_the, phrase("last", "final"), some, unit_name, _of, frame, to=partial(first_or_last_units, -1)),
        seq(_the, unit_name, phrase("of", "including", "containing"), moment, to=unit_containing),
        seq(holiday_name, word("weekend"), to=long_weekend),
        seq(_the, maybe(phrase("last", "very")), thing, _beside_word, moment, to=neighbour),
        seq(duration, _sided, moment, to=offset_from),
        seq(duration, word("from"), moment, to=ahead_of),
        seq(_the, ordinal_number, _repeating, _beside_word, moment, to=nth_neighbour),
        seq(
            _the, maybe(ordinal_number, None), phrase("closest", "nearest"), _repeating, word("to"), moment, to=closest
        ),
        seq(word("for"), duration, word("from", "starting"), moment, to=lambda r, a, of: extended_by(r, of, a)),
    )
