"""Times of day: 5 pm, 17:30, half past four, noon."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta

from omoide.language.time.calendar import Grain, TimeSpan, add_clamped
from omoide.language.time.combinators import (
    NUMBER,
    GrammarRule,
    RuleMatch,
    TokenReader,
    either,
    glued_word,
    maybe,
    phrase,
    seq,
    starts_with,
    table,
    word,
)
from omoide.language.time.pattern import TimePattern, daily_pattern
from omoide.language.time.quantities import plain_number

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
def _hour(reader: TokenReader, at: int) -> RuleMatch | None:
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
_whole = either(seq(_hour, maybe(phrase("o'clock")), maybe(_half, None), to=lambda _, h, half: (h, half)), _noon_hour)
_quarters = either(
    seq(phrase("a quarter", "quarter"), to=lambda _: 15),
    seq(word("half"), to=lambda _: 30),
    seq(_minutes, word("minutes", "minute", "mins", "min")),
)


def _sure(rule: GrammarRule) -> GrammarRule:
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
    seq(_hour, _half, _ish, to=lambda _, h, half: clock(h, half=half)),
    seq(_hour, phrase("o'clock", "oclock"), maybe(_half, None), to=lambda _, h, half: clock(h, half=half)),
    seq(_hour, _minutes, _half, to=lambda _, h, m, half: clock(h, m, half=half)),
    seq(word("at", "@"), _hour, _ish, to=lambda _, h: clock(h, ambiguous=True)),
    seq(word("at", "@"), _hour, _minutes, to=lambda _, h, m: clock(h, m, ambiguous=True)),
    seq(maybe(word("at", "@", "around", "approximately", "about")), _four_digits, _ish),
    seq(_quarters, word("past", "after"), _whole, to=_past),
    seq(_quarters, word("to", "before", "till", "of"), _whole, to=_to),
    seq(_minutes, word("past", "after"), _sure(_whole), to=_past),
    seq(_minutes, word("to", "before", "till", "of"), _sure(_whole), to=_to),
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
