"""Whole time expressions: times of day, a moment of several parts ("Fri, Jul 18, 2014 at 7 pm"), and ranges."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta

from omoide.language.time.calendar import (
    DAY,
    EARLIEST,
    LATEST,
    Grain,
    TimeSpan,
    add_clamped,
    calendar_unit,
    grain_rank,
    shift,
)
from omoide.language.time.combinators import (
    NUMBER,
    GrammarRule,
    RuleMatch,
    TokenReader,
    choice,
    either,
    glued_word,
    maybe,
    phrase,
    recursive,
    seq,
    starts_with,
    table,
    word,
)
from omoide.language.time.compounds import apply_suffix, compounds
from omoide.language.time.dates import calendar_date, day_number, unambiguous
from omoide.language.time.pattern import TimePattern, daily_pattern, day_of_month_pattern, fixed_pattern, intersect_all
from omoide.language.time.quantities import Duration, duration, plain_number
from omoide.language.time.relative import earlier, just_after, relative

# Times of day: 5 pm, 17:30, half past four, noon.


AM, PM = "am", "pm"
_HALVES = {
    "am": AM, "pm": PM, "a . m .": AM, "p . m .": PM, "a . m": AM, "p . m": PM, "a m": AM, "p m": PM,
}  # fmt: skip
_LENGTH: dict[Grain, timedelta] = {
    "hour": timedelta(hours=1),
    "minute": timedelta(minutes=1),
    "second": timedelta(seconds=1),
}


def clock(
    hour: int,
    minute: int | None = None,
    second: int | None = None,
    half: str | None = None,
    *,
    ambiguous: bool = False,
    day: bool = False,
) -> TimePattern | None:
    """Return the pattern of a clock time. `day`: hours run from 0 to 23; else one up to twelve may be am or pm."""
    if (
        not 0 <= hour <= 24
        or not 0 <= (minute or 0) < 60
        or not 0 <= (second or 0) < 60
        or (half and not 1 <= hour <= 12)
    ):
        return None
    grain: Grain = "second" if second is not None else "minute" if minute is not None else "hour"
    if half is not None:
        hours = [hour % 12 + (12 if half == PM else 0)]
    else:
        hours = [hour % 24] if day or hour == 0 or hour > 12 else [hour % 12, hour % 12 + 12]

    def of_day(start: datetime) -> Iterable[TimeSpan]:
        for h in hours:
            begin = add_clamped(start, timedelta(hours=h, minutes=minute or 0, seconds=second or 0))
            yield TimeSpan(begin, add_clamped(begin, _LENGTH[grain]), grain)

    return daily_pattern(grain, "clock", of_day, ambiguous=ambiguous)


@starts_with(NUMBER)
def _colon(reader: TokenReader, at: int) -> RuleMatch | None:
    """3:20, 15:23:24, 15h20; not 3.20, which is a decimal far more often."""
    hour, minute = reader.number(at), reader.number(at + 2)
    if hour is None or hour > 24 or reader.word(at + 1) not in {":", "h"} or not reader.glued(at + 1):
        return None
    if minute is None or not reader.glued(at + 2) or len(reader.word(at + 2)) != 2:
        found = clock(hour, 0, day=hour > 12) if reader.word(at + 1) == "h" else None
        return None if found is None else (found, at + 2)
    end, second = at + 3, None
    if reader.word(end) == ":" and reader.glued(end + 1) and reader.number(end + 1) is not None:
        second, end = reader.number(end + 1), end + 2
    half = _half(reader, end)
    from_midnight = reader.word(at).startswith("0") or second is not None
    found = clock(hour, minute, second, half[0] if half else None, day=from_midnight)
    return None if found is None else (found, half[1] if half else end)


@starts_with("a", "p")
def _letter(reader: TokenReader, at: int) -> RuleMatch | None:
    name = reader.word(at)
    return (
        ({"a": AM, "p": PM}[name], at + 1)
        if name in {"a", "p"} and reader.glued(at) and reader.word(at + 1) != "."
        else None
    )


_half = either(table(_HALVES), _letter)


@starts_with(like=plain_number)
def _hour_said(reader: TokenReader, at: int) -> RuleMatch | None:
    hit = plain_number(reader, at)
    if hit is None or not float(hit[0].value).is_integer() or not 0 <= hit[0].value <= 24:
        return None
    return int(hit[0].value), hit[1]


@starts_with(like=plain_number)
def _minutes(reader: TokenReader, at: int) -> RuleMatch | None:
    hit = plain_number(reader, at)
    if hit is None or not float(hit[0].value).is_integer() or not 1 <= hit[0].value <= 59:
        return None
    return int(hit[0].value), hit[1]


@starts_with(NUMBER)
def _four_digits(reader: TokenReader, at: int) -> RuleMatch | None:
    value, text = reader.number(at), reader.word(at)
    if value is None or len(text) not in {3, 4} or value % 100 > 59 or value > 2359 or value < 100:
        return None
    half = _half(reader, at + 1)
    found = clock(value // 100, value % 100, half=half[0] if half else None, ambiguous=half is None)
    return None if found is None else (found, half[1] if half else at + 1)


_NOON = clock(12, half=PM, ambiguous=True)
_MIDNIGHT = clock(0, day=True, ambiguous=True)
_named = table({"noon": _NOON, "midday": _NOON, "midnight": _MIDNIGHT})
_ish = maybe(either(glued_word("ish"), seq(glued_word("-"), glued_word("ish")), word("ish")))
_noon_hour = table({"noon": (12, PM), "midnight": (12, AM)})
_whole = either(
    seq(_hour_said, maybe(phrase("o'clock")), maybe(_half, None), to=lambda _, h, half: (h, half)), _noon_hour
)
_quarters = either(
    seq(phrase("a quarter", "quarter"), to=lambda _: 15),
    seq(word("half"), to=lambda _: 30),
    seq(_minutes, word("minutes", "minute", "mins", "min")),
)


def _if_sure(rule: GrammarRule) -> GrammarRule:
    """Accept only what must be an hour: "13 to 15 July" is no time of day, "15 to noon" is."""

    def sure(reader: TokenReader, at: int) -> RuleMatch | None:
        hit = rule(reader, at)
        return hit if hit is not None and (hit[0][1] or reader.word(hit[1] - 1) == "o'clock") else None

    return GrammarRule(sure, rule.first)


def _past(_: TokenReader, minutes: int, hour: tuple[int, str | None]) -> TimePattern | None:
    return clock(hour[0], minutes, half=hour[1])


def _to(_: TokenReader, minutes: int, hour: tuple[int, str | None]) -> TimePattern | None:
    h, half = hour
    if h == 12 and half:
        half = AM if half == PM else PM
    return clock((h - 1) or 12, 60 - minutes, half=half)


_local = either(
    seq(_colon, _ish),
    seq(_hour_said, _half, _ish, to=lambda _, h, half: clock(h, half=half)),
    seq(_hour_said, phrase("o'clock", "oclock"), maybe(_half, None), to=lambda _, h, half: clock(h, half=half)),
    seq(_hour_said, _minutes, _half, to=lambda _, h, m, half: clock(h, m, half=half)),
    seq(word("at", "@"), _hour_said, _ish, to=lambda _, h: clock(h, ambiguous=True)),
    seq(word("at", "@"), _hour_said, _minutes, to=lambda _, h, m: clock(h, m, ambiguous=True)),
    seq(maybe(word("at", "@", "around", "approximately", "about")), _four_digits, _ish),
    seq(_quarters, word("past", "after"), _whole, to=_past),
    seq(_quarters, word("to", "before", "till", "of"), _whole, to=_to),
    seq(_minutes, word("past", "after"), _if_sure(_whole), to=_past),
    seq(_minutes, word("to", "before", "till", "of"), _if_sure(_whole), to=_to),
    _named,
)

# Hours from UTC; an abbreviation with several meanings has its usual one among English speakers.
_ZONES = {"utc": 0, "gmt": 0, "bst": 1, "cet": 1, "cest": 2, "eet": 2, "eest": 3, "msk": 3, "ist": 5.5, "jst": 9}
_ZONES |= {"aest": 10, "est": -5, "edt": -4, "cst": -6, "cdt": -5, "mst": -7, "mdt": -6, "pst": -8, "pdt": -7}


def _zoned(reader: TokenReader, local: TimePattern, hours: float) -> TimePattern | None:
    """A time of day in another zone, converted to the asker's."""
    ahead = reader.offset - timedelta(hours=hours)

    def find(low: datetime, high: datetime) -> Iterator[TimeSpan]:
        for span in local.find(add_clamped(low, -ahead), add_clamped(high, -ahead)):
            yield TimeSpan(add_clamped(span.start, ahead), add_clamped(span.end, ahead), span.grain)

    return TimePattern(local.grain, local.kinds, find)


time_of_day = either(_local, seq(_local, maybe(word("(")), table(_ZONES), maybe(word(")")), to=_zoned))


_JOINS = 7
_connect = maybe(
    seq(
        maybe(word(",")),
        maybe(word("of", "in", "on", "at", "@", "for", "during", "from", "'", "’", "t")),
        maybe(word("the")),
    )
)
moment = recursive(lambda: _moment)
_primary = either(calendar_date, time_of_day, relative, earlier, compounds(moment))
moment.first = None if _primary.first is None or plain_number.first is None else _primary.first | plain_number.first


def _hour(reader: TokenReader, at: int) -> RuleMatch | None:
    """The eight of "eight tonight": a number that means an hour beside a part of the day."""
    hit = plain_number(reader, at)
    if hit is None or hit[0].value not in range(1, 25):
        return None
    found = clock(int(hit[0].value), ambiguous=True)
    return None if found is None else (found, hit[1])


def _moment(reader: TokenReader, at: int) -> RuleMatch | None:
    """Match as many dates, clock times and relative words as fit together."""
    hit = _primary(reader, at)
    best = None if hit is None else _extend(reader, *hit)
    if hit is None or hit[0].ambiguous:
        hour = _hour(reader, at)
        joined = None if hour is None else _extend(reader, *hour)
        if joined is not None and "part" in joined[0].kinds and (best is None or joined[1] > best[1]):
            best = joined
    return best


def _extend(reader: TokenReader, first: TimePattern, at: int) -> RuleMatch:
    found, parts = first, [first]
    for _ in range(_JOINS):
        more = _next(reader, found, at)
        if more is None:
            break
        joined = intersect_all([*parts, more[0]])
        if joined is None:
            break
        parts.append(more[0])
        found, at = joined, more[1]
    return apply_suffix(reader, found, at)


def _next(reader: TokenReader, found: TimePattern, at: int) -> RuleMatch | None:
    step = _connect(reader, at)
    start = at if step is None else step[1]
    more = _primary(reader, start)
    if more is None and "part" in found.kinds and reader.word(start - 1) in {"at", "@"}:
        return _hour(reader, start)
    return more


def span_of(reader: TokenReader, pattern: TimePattern) -> TimeSpan | None:
    return pattern.nearest(reader.now, reader.prefer)


def _between(reader: TokenReader, one: TimePattern, other: TimePattern) -> TimePattern | None:
    """A range; the side that is complete completes the other: "13 to 15 July", "from May 8 to June 9 2023"."""
    if one.fixed is None and (other.fixed is not None or ("month" in other.kinds and not one.kinds & _OF_A_YEAR)):
        last = span_of(reader, other)
        first = one.before(add_clamped(last.start, timedelta(microseconds=1))) if last else None
    else:
        first = span_of(reader, one)
        last = other.after(first.start) if first else None
    if first is None or last is None or last.end <= first.start:
        return None
    grain = min(first.grain, last.grain, key=grain_rank)
    # "3:30 to 6 pm" ends at six, not at the end of that hour.
    end = shift(last.start, 1, grain) if last.grain == "hour" and grain != "hour" else last.end
    # "From 12 to 8 pm", "210-230": without a day it is a habit or no time at all.
    ambiguous = not reader.exact_day and all(
        p.kinds <= {"clock", "part"} or "loose" in p.kinds or p.kinds == {"dom"} for p in (one, other)
    )
    return fixed_pattern(TimeSpan(first.start, end, grain), "rel", "range", "year", ambiguous=ambiguous)


_OF_A_YEAR = frozenset({"month", "holiday", "season", "quarter"})


def _apart(reader: TokenReader, low: TimePattern, high: TimePattern) -> TimePattern | None:
    """After one and before the other, both excluded."""
    both = _between(reader, low, high)
    first, last = span_of(reader, low), (both.fixed if both else None)
    if both is None or first is None or last is None:
        return None
    start = first.end if grain_rank(first.grain) >= grain_rank("day") else last.start
    end = shift(last.end, -1, last.grain) if grain_rank(last.grain) >= grain_rank("day") else last.end
    return fixed_pattern(TimeSpan(start, end, last.grain), "rel", "range", "year") if start < end else None


def _open(reader: TokenReader, which: str, of: TimePattern) -> TimePattern | None:
    span = span_of(reader, of)
    if span is None:
        return None
    now = reader.now
    match which:
        case "since":
            low, high = span.start, just_after(now) if span.start <= now else LATEST
        case "after":
            low, high = span.end, just_after(now) if span.end <= now and reader.prefer == "past" else LATEST
        case "before":
            low, high = EARLIEST, span.start
        case "until":
            low, high = EARLIEST, span.end
        case _:  # by: from now on if it is still to come
            low, high = (now if span.end > now and reader.prefer == "future" else EARLIEST), span.end
    return None if low >= high else fixed_pattern(TimeSpan(low, high, span.grain), "rel", "range", "year")


def _close(reader: TokenReader, which: str, of: TimePattern) -> TimePattern | None:
    """Shortly before, right after: within two weeks, or within an hour of a clock time."""
    span = span_of(reader, of)
    if span is None or which in {"until", "by"}:
        return None
    reach = 14 * DAY if grain_rank(span.grain) >= grain_rank("day") else timedelta(hours=1)
    if which == "before":
        return fixed_pattern(
            TimeSpan(add_clamped(span.start, -reach), span.start, span.grain, reach), "rel", "range", "year"
        )
    return fixed_pattern(TimeSpan(span.end, add_clamped(span.end, reach), span.grain, reach), "rel", "range", "year")


# Seconds on each side for "around": half an hour for a clock time, half a week for a day, a third for a month.
_GIVE = {"second": 60, "minute": 1800, "hour": 3600, "part": 10800, "day": 3 * 86400, "weekend": 3 * 86400}
_GIVE |= {"week": 4 * 86400, "month": 10 * 86400, "quarter": 20 * 86400, "season": 20 * 86400}


def _around(reader: TokenReader, of: TimePattern) -> TimePattern | None:
    span = span_of(reader, of)
    if span is None or reader.exact_day:
        return None if span is None else fixed_pattern(span, "rel", *of.kinds, ambiguous=of.ambiguous)
    give = timedelta(seconds=_GIVE.get(span.grain, 90 * 86400))
    return fixed_pattern(
        TimeSpan(add_clamped(span.start, -give), add_clamped(span.end, give), span.grain, give),
        "rel",
        "range",
        ambiguous=of.ambiguous,
    )


def _within(reader: TokenReader, length: Duration) -> TimePattern:
    if reader.prefer == "past":
        start = length.move(reader.now, -1)
        return fixed_pattern(TimeSpan(start, just_after(reader.now), length.grain), "rel", "range")
    end = calendar_unit(length.move(reader.now, 1), "day").start
    return fixed_pattern(TimeSpan(reader.now, max(end, just_after(reader.now)), length.grain), "rel", "range")


def _numbered(n: int, other: TimePattern) -> TimePattern:
    """A bare number means an hour beside an hour, and a day beside anything else."""
    hour = clock(n, ambiguous=True) if "clock" in other.kinds else None
    return hour or day_of_month_pattern(n, ambiguous=True)


_the = maybe(word("the"))
_sure = unambiguous(moment)
_day = seq(day_number, to=lambda _, n: day_of_month_pattern(n, ambiguous=True))


@starts_with(NUMBER)
def _ending(reader: TokenReader, at: int) -> RuleMatch | None:
    """A day number with which a clause ends: "December 3 to 5", but not "December 3 to 5 people"."""
    hit = _day(reader, at)
    return hit if hit and reader.word(hit[1]) in {"", ".", ",", ";", "!", "?", ")"} else None


_dash = either(word("-", "–", "—", "to", "through", "thru", "until", "till", "til", "/"), phrase("up to", "up until"))
_from = seq(maybe(word("in")), word("between", "from"), _the)
_and = either(_dash, word("and"))
_after_word = phrase("after", "later than", "since")
_before_word = phrase("before", "earlier than", "prior to", "until")

_range = either(
    seq(_from, moment, _and, _the, moment, to=_between),
    seq(_from, day_number, _and, _the, moment, to=lambda r, n, b: _between(r, _numbered(n, b), b)),
    seq(_from, moment, _and, _the, day_number, to=lambda r, a, n: _between(r, a, _numbered(n, a))),
    seq(moment, _dash, _the, moment, to=_between),
    seq(_day, _dash, _the, moment, to=lambda r, a, b: _between(r, a, b) if "month" in b.kinds else None),
    seq(moment, word("-", "–", "—"), _the, _day, to=lambda r, a, b: _between(r, a, b) if "month" in a.kinds else None),
    seq(moment, _dash, _ending, to=lambda r, a, b: _between(r, a, b) if a.kinds >= {"month", "dom"} else None),
    seq(_after_word, moment, maybe(word(",")), maybe(word("and", "but")), _before_word, moment, to=_apart),
)
_side = choice(
    {
        "since": "since, ever since, starting, starting from, as of, beginning",
        "after": "after, anytime after, any time after, later than, following",
        "before": "before, prior to, earlier than, anytime before, ahead of",
        "until": "until, till, til, up to, up until, through",
        "by": "by",
    }
)
_held = seq(
    word("in", "on", "during", "at", "over", "for", "throughout", "within", "of", "from", "@", "across", "back"),
    maybe(word("in", "on", "of", "for")),
    _the,
    maybe(phrase("course of", "period of")),
)

expression = either(
    moment,
    _range,
    seq(_side, _the, _sure, to=_open),
    seq(word("shortly", "just", "right", "soon", "immediately"), _side, _the, _sure, to=_close),
    seq(word("around", "approximately", "circa", "roughly", "near"), _the, unambiguous(moment), to=_around),
    seq(word("about"), time_of_day, to=_around),
    seq(_held, _sure),
    seq(_held, _range),
    seq(phrase("within", "within the", "in the"), duration, to=_within),
)
