"""Time relative to now: yesterday, last week, three months ago, two Fridays ago, the week before last."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial

from omoide.language.time.calendar import (
    DAY,
    Grain,
    TimeSpan,
    add_clamped,
    calendar_unit,
    grain_rank,
    midnight,
    shift,
    unit_start,
)
from omoide.language.time.combinators import TokenReader, choice, either, maybe, phrase, seq, table, word
from omoide.language.time.dates import holiday_name, month_name, season_name, weekday_name, weekend_name
from omoide.language.time.pattern import DAY_PART_PATTERNS, PLURAL_PATTERNS, TimePattern, fixed_pattern, weekend_pattern
from omoide.language.time.quantities import (
    Duration,
    Quantity,
    any_number,
    duration,
    exactly,
    plain_number,
    span_at_distance,
    unit_name,
    vague_number,
)

NamedUnit = tuple[Grain, int]
LAST, THIS, NEXT = -1, 0, 1
_AN_INSTANT = timedelta(seconds=1)


def whole_unit(reader: TokenReader, side: int, named: NamedUnit) -> TimePattern | None:
    """Last week, this month, next year."""
    grain, times = named
    if grain_rank(grain) < grain_rank("day"):
        return None if side == THIS else unit_range(reader, side, exactly(1), named)
    start = shift(unit_start(reader.now, grain), side * times, grain)
    if grain == "weekend":
        return fixed_pattern(calendar_unit(add_clamped(start, DAY), grain), "rel", "weekend")
    return fixed_pattern(replace(calendar_unit(start, grain), end=shift(start, times, grain)), "rel", grain)


def occurrence(reader: TokenReader, side: int, cycle: TimePattern) -> TimePattern | None:
    """Last Tuesday, this morning, next summer: an occurrence of something that recurs."""
    now = reader.now
    today = calendar_unit(now, "day")
    if side == THIS:
        found = _this(reader, cycle)
    elif side == LAST:
        if "part" in cycle.kinds:
            found = next(cycle.find(add_clamped(today.start, -DAY), today.start), None)
        else:
            current = cycle.before(add_clamped(now, _AN_INSTANT))
            found = current if current is None or current.end <= today.start else cycle.before(current.start)
    else:
        found = cycle.after(today.end)
    return None if found is None else fixed_pattern(found, "rel", *cycle.kinds)


def _this(reader: TokenReader, cycle: TimePattern) -> TimeSpan | None:
    today = calendar_unit(reader.now, "day")
    if "part" in cycle.kinds:
        return next(cycle.find(today.start, today.end), None)
    frame = calendar_unit(reader.now, "week" if "weekday" in cycle.kinds else "year")
    if "weekday" in cycle.kinds and (on := next(cycle.find(today.start, today.end), None)):
        return on
    mine = next((s for s in cycle.find(frame.start, frame.end)), None)
    running = cycle.before(add_clamped(reader.now, _AN_INSTANT))
    if running is not None and running.end > reader.now:
        return running
    if mine is not None and (reader.prefer == "future") == (mine.end > reader.now):
        return mine
    return cycle.nearest(reader.now, reader.prefer)


def just_after(now: datetime) -> datetime:
    """Return the moment just after now, so that a span includes what was said this second."""
    return add_clamped(now, _AN_INSTANT)


def unit_range(reader: TokenReader, side: int, number: Quantity, named: NamedUnit) -> TimePattern:
    """The last three days, the next two weeks: a number of units up to now, or from now on."""
    grain, times = named
    now = reader.now
    if side == LAST:
        far = shift(now, -number.high * times, grain)
        start = far if grain_rank(grain) < grain_rank("day") else midnight(far)
        return fixed_pattern(TimeSpan(start, just_after(now), grain), "rel", grain)
    start = now if grain_rank(grain) < grain_rank("day") else shift(unit_start(now, grain), 1, grain)
    return fixed_pattern(TimeSpan(start, shift(start, number.value * times, grain), grain), "rel", grain)


def nth_occurrence(reader: TokenReader, number: Quantity, cycle: TimePattern, sign: int) -> TimePattern | None:
    """Two Fridays ago, three Christmases from now."""
    running = cycle.before(add_clamped(reader.now, _AN_INSTANT))
    # On a Sunday, "two weekends ago" is counted from the current weekend.
    found: TimeSpan | None = (
        running if running is not None and running.end > reader.now else calendar_unit(reader.now, "day")
    )
    for _ in range(min(int(number.value), 400)):
        if found is None:
            return None
        found = cycle.before(found.start) if sign < 0 else cycle.after(found.end)
    return None if found is None else fixed_pattern(found, "rel", *cycle.kinds)


_LASTS = "last, past, previous, prior, preceding"
_NEXTS = "next, coming, upcoming, following"
_side = choice(
    {
        LAST: f"{_LASTS}, this past, this last",
        THIS: "this, current, this current, this very",
        NEXT: f"{_NEXTS}, this coming, this upcoming, this next",
    }
)
_calendar_side = choice({LAST: _LASTS, THIS: "this, current", NEXT: _NEXTS})
_back = choice({LAST: f"{_LASTS}, this past, this last"})
_ahead = choice({NEXT: _NEXTS})
_part = table(DAY_PART_PATTERNS)
_cycle = either(weekday_name, month_name, season_name, holiday_name, weekend_name, _part)


def _day(offset: int, reader: TokenReader) -> TimePattern:
    return fixed_pattern(
        calendar_unit(add_clamped(reader.now, offset * DAY), "day"), "rel", "dom", "weekday", "month", "year"
    )


def _night(offset: int, reader: TokenReader) -> TimePattern:
    start = add_clamped(midnight(reader.now), offset * DAY + timedelta(hours=18))
    # Last night includes the hours after midnight; those of tonight belong to tomorrow.
    return fixed_pattern(
        TimeSpan(start, add_clamped(start, timedelta(hours=11 if offset < 0 else 6)), "part"), "rel", "part"
    )


def _instant(reader: TokenReader) -> TimePattern:
    return fixed_pattern(
        TimeSpan(reader.now, add_clamped(reader.now, timedelta(seconds=1)), "second"), "rel", "now", ambiguous=True
    )


def _ago(reader: TokenReader, length: Duration, sign: int) -> TimePattern | None:
    if [grain for _, grain in length.parts] == ["weekend"]:
        return nth_occurrence(reader, length.parts[0][0], weekend_pattern(), sign)
    coarse = grain_rank(length.grain) >= grain_rank("day")
    kinds = ("rel", "year", length.grain) if coarse else ("rel", "year", "month", "dom", "clock")
    return fixed_pattern(span_at_distance(reader.now, length, sign, exact_day=reader.exact_day), *kinds)


def _to_the_day(reader: TokenReader, length: Duration) -> TimePattern:
    """A week ago today."""
    return fixed_pattern(span_at_distance(reader.now, length, LAST, exact_day=True), "rel", "year", "month", "dom")


def _same_time(reader: TokenReader, named: NamedUnit) -> TimePattern:
    """This time last year: the days around that date."""
    there = calendar_unit(shift(reader.now, -named[1], named[0]), "day")
    return fixed_pattern(
        TimeSpan(add_clamped(there.start, -3 * DAY), add_clamped(there.end, 3 * DAY), "day", 7 * DAY), "rel", "year"
    )


def _same_day(reader: TokenReader, named: NamedUnit) -> TimePattern:
    return fixed_pattern(calendar_unit(shift(reader.now, -named[1], named[0]), "day"), "rel", "year", "month", "dom")


def bare_duration(reader: TokenReader, length: Duration) -> TimePattern | None:
    """A bare "1 year 2 months": that long ago, or from now."""
    return _ago(reader, length, -1 if reader.prefer == "past" else 1)


def _earlier(reader: TokenReader, around: TimePattern) -> TimePattern | None:
    """Earlier today, earlier this month: the part that is over."""
    span = around.fixed or around.nearest(reader.now, "past")
    if span is None or span.start >= reader.now:
        return None
    # "Earlier today" does not mean the current conversation: leave out the last half hour.
    cut = add_clamped(reader.now, timedelta(minutes=-30)) if grain_rank(span.grain) <= grain_rank("day") else reader.now
    end = cut if cut > span.start else just_after(reader.now)
    return fixed_pattern(replace(span, end=min(span.end, end)), "rel", *around.kinds)


def _later(reader: TokenReader, around: TimePattern) -> TimePattern | None:
    span = around.fixed or around.nearest(reader.now, reader.prefer)
    if span is None or span.end <= reader.now:
        return None
    return fixed_pattern(replace(span, start=max(span.start, reader.now)), "rel")


_the = maybe(word("the"))
_sign = choice({LAST: "ago, back, earlier", NEXT: "from now, from today, hence, later"})
_during = word("in", "over", "during", "within", "for", "throughout", "across")
_roughly = maybe(
    word("about", "around", "approximately", "roughly", "nearly", "almost", "exactly", "like", "just", "over")
)
day_name = either(
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
        to=lambda r: fixed_pattern(
            TimeSpan(midnight(add_clamped(r.now, -7 * DAY)), midnight(r.now), "day", 7 * DAY), "rel"
        ),
    ),
)
_now_word = phrase("now")

relative = either(
    day_name,
    seq(_the, _calendar_side, unit_name, to=whole_unit),
    seq(_the, _side, word("season", "seasons"), to=lambda r, side: whole_unit(r, side, ("season", 1))),
    seq(_the, _side, _cycle, to=occurrence),
    seq(_the, _side, either(plain_number, vague_number), unit_name, to=unit_range),
    seq(
        _the,
        either(plain_number, vague_number),
        either(_ahead, _back),
        unit_name,
        to=lambda r, n, side, u: unit_range(r, side, n, u),
    ),
    seq(_during, _the, _back, unit_name, to=lambda r, side, u: unit_range(r, side, exactly(1), u)),
    seq(
        phrase("the past", "this past", "this last", "these past", "these last"),
        unit_name,
        to=lambda r, u: unit_range(r, LAST, exactly(1), u),
    ),
    seq(_roughly, duration, _sign, to=_ago),
    seq(_roughly, duration, phrase("ago today", "ago to the day"), to=_to_the_day),
    seq(
        maybe(word("around", "about")),
        _the,
        phrase("this time", "same time"),
        _back,
        unit_name,
        to=lambda r, _, u: _same_time(r, u),
    ),
    seq(_the, phrase("this day", "same day", "same date"), _back, unit_name, to=lambda r, _, u: _same_day(r, u)),
    seq(
        word("in", "after"),
        _roughly,
        duration,
        maybe(word("'", "’")),
        maybe(phrase("time")),
        to=lambda r, a: _ago(r, a, 1),
    ),
    seq(_now_word, word("-"), duration, to=lambda r, a: _ago(r, a, -1)),
    seq(_now_word, word("+"), duration, to=lambda r, a: _ago(r, a, 1)),
    seq(any_number, either(_cycle, table(PLURAL_PATTERNS)), _sign, to=nth_occurrence),
    seq(_the, unit_name, phrase("before last", "before the last"), to=lambda r, u: whole_unit(r, 2 * LAST, u)),
    seq(_the, unit_name, phrase("after next", "after the next"), to=lambda r, u: whole_unit(r, 2 * NEXT, u)),
    seq(_the, _cycle, phrase("before last"), to=lambda r, c: nth_occurrence(r, exactly(2), c, LAST)),
    seq(_the, _cycle, phrase("after next"), to=lambda r, c: nth_occurrence(r, exactly(2), c, NEXT)),
    seq(
        phrase("all", "this whole", "all of this", "the whole", "the entire", "the current"),
        unit_name,
        to=lambda r, u: whole_unit(r, THIS, u),
    ),
)
unit_or_occurrence = either(
    day_name,
    seq(_the, _calendar_side, unit_name, to=whole_unit),
    seq(_the, _side, _cycle, to=occurrence),
    seq(word("in"), word("the"), unit_name, to=lambda r, u: whole_unit(r, THIS, u)),
    seq(word("in"), word("the"), _part, to=lambda r, c: occurrence(r, THIS, c)),
)
earlier = either(
    seq(word("earlier"), maybe(word("on")), unit_or_occurrence, to=_earlier),
    seq(unit_or_occurrence, word("earlier"), to=_earlier),
    seq(word("later"), unit_or_occurrence, to=_later),
)
