"""Times of day: 5 pm, 17:30, half past four, noon."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta

from .combine import Hit, Reader, Rule, either, glued, maybe, phrase, seq, starting, table, word
from .number import plain
from .pattern import Pattern, daily
from .span import Grain, Span, add
from .tokens import NUMBER

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
    weak: bool = False,
    day: bool = False,
) -> Pattern | None:
    """`day`: the hour counts from midnight to 23; else up to twelve it may be either half of the day."""
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

    def of_day(start: datetime) -> Iterable[Span]:
        for h in hours:
            begin = add(start, timedelta(hours=h, minutes=minute or 0, seconds=second or 0))
            yield Span(begin, add(begin, _LENGTH[grain]), grain)

    return daily(grain, "clock", of_day, weak=weak)


@starting(NUMBER)
def _colon(reader: Reader, at: int) -> Hit | None:
    """3:20, 15:23:24, 15h20, 3.20pm is left alone (it is a decimal far more often)."""
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


@starting("a", "p")
def _letter(reader: Reader, at: int) -> Hit | None:
    name = reader.word(at)
    return (
        ({"a": AM, "p": PM}[name], at + 1)
        if name in {"a", "p"} and reader.glued(at) and reader.word(at + 1) != "."
        else None
    )


_half: Rule = either(table(_HALVES), _letter)


@starting(like=plain)
def _hour(reader: Reader, at: int) -> Hit | None:
    hit = plain(reader, at)
    if hit is None or not float(hit[0].value).is_integer() or not 0 <= hit[0].value <= 24:
        return None
    return int(hit[0].value), hit[1]


@starting(like=plain)
def _minutes(reader: Reader, at: int) -> Hit | None:
    hit = plain(reader, at)
    if hit is None or not float(hit[0].value).is_integer() or not 1 <= hit[0].value <= 59:
        return None
    return int(hit[0].value), hit[1]


@starting(NUMBER)
def _four_digits(reader: Reader, at: int) -> Hit | None:
    value, text = reader.number(at), reader.word(at)
    if value is None or len(text) not in {3, 4} or value % 100 > 59 or value > 2359 or value < 100:
        return None
    half = _half(reader, at + 1)
    found = clock(value // 100, value % 100, half=half[0] if half else None, weak=half is None)
    return None if found is None else (found, half[1] if half else at + 1)


_NOON = clock(12, half=PM, weak=True)
_MIDNIGHT = clock(0, day=True, weak=True)
_named: Rule = table({"noon": _NOON, "midday": _NOON, "midnight": _MIDNIGHT})
_ish: Rule = maybe(either(glued("ish"), seq(glued("-"), glued("ish")), word("ish")))
_noon_hour: Rule = table({"noon": (12, PM), "midnight": (12, AM)})
_whole: Rule = either(
    seq(_hour, maybe(phrase("o'clock")), maybe(_half, None), to=lambda _, h, half: (h, half)),
    _noon_hour,
)
_quarters: Rule = either(
    seq(phrase("a quarter", "quarter"), to=lambda _: 15),
    seq(word("half"), to=lambda _: 30),
    seq(_minutes, word("minutes", "minute", "mins", "min")),
)


def _sure(rule: Rule) -> Rule:
    """An hour that cannot be anything else: "13 to 15 July" is no time of day, "15 to noon" is."""

    def sure(reader: Reader, at: int) -> Hit | None:
        hit = rule(reader, at)
        return hit if hit is not None and (hit[0][1] or reader.word(hit[1] - 1) == "o'clock") else None

    return Rule(sure, rule.first)


def _past(_: Reader, minutes: int, hour: tuple[int, str | None]) -> Pattern | None:
    return clock(hour[0], minutes, half=hour[1])


def _to(_: Reader, minutes: int, hour: tuple[int, str | None]) -> Pattern | None:
    h, half = hour
    if h == 12 and half:
        half = AM if half == PM else PM
    return clock((h - 1) or 12, 60 - minutes, half=half)


_local: Rule = either(
    seq(_colon, _ish),
    seq(_hour, _half, _ish, to=lambda _, h, half: clock(h, half=half)),
    seq(_hour, phrase("o'clock", "oclock"), maybe(_half, None), to=lambda _, h, half: clock(h, half=half)),
    seq(_hour, _minutes, _half, to=lambda _, h, m, half: clock(h, m, half=half)),
    seq(word("at", "@"), _hour, _ish, to=lambda _, h: clock(h, weak=True)),
    seq(word("at", "@"), _hour, _minutes, to=lambda _, h, m: clock(h, m, weak=True)),
    seq(maybe(word("at", "@", "around", "approximately", "about")), _four_digits, _ish),
    seq(_quarters, word("past", "after"), _whole, to=_past),
    seq(_quarters, word("to", "before", "till", "of"), _whole, to=_to),
    seq(_minutes, word("past", "after"), _sure(_whole), to=_past),
    seq(_minutes, word("to", "before", "till", "of"), _sure(_whole), to=_to),
    _named,
)

# Hours from UTC; a name that several places share means the one that English speakers use it for.
_ZONES = {
    "utc": 0,
    "gmt": 0,
    "bst": 1,
    "cet": 1,
    "cest": 2,
    "eet": 2,
    "eest": 3,
    "msk": 3,
    "ist": 5.5,
    "jst": 9,
}
_ZONES |= {"aest": 10, "est": -5, "edt": -4, "cst": -6, "cdt": -5, "mst": -7, "mdt": -6, "pst": -8, "pdt": -7}


def _zoned(reader: Reader, local: Pattern, hours: float) -> Pattern | None:
    """A time of day told in another zone, as the asker's clock shows it."""
    ahead = reader.offset - timedelta(hours=hours)

    def find(low: datetime, high: datetime) -> Iterator[Span]:
        for span in local.find(add(low, -ahead), add(high, -ahead)):
            yield Span(add(span.start, ahead), add(span.end, ahead), span.grain)

    return Pattern(local.grain, local.kinds, find)


time_of_day: Rule = either(_local, seq(_local, maybe(word("(")), table(_ZONES), maybe(word(")")), to=_zoned))
