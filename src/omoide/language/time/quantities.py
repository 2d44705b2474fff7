"""Numbers and durations, in digits and in words: "8th", "a few", "two weeks and a day"."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from omoide.language.languages.english import NUMBER_WORDS, ORDINAL_WORDS, TENS
from omoide.language.time.calendar import DAY, Grain, TimeSpan, add_clamped, calendar_unit, grain_rank, midnight, shift
from omoide.language.time.combinators import (
    NUMBER,
    RuleMatch,
    TokenReader,
    either,
    maybe,
    memoized,
    phrase,
    seq,
    starts_with,
    table,
    word,
)

CARDINALS = {name: value for value, name in enumerate(NUMBER_WORDS)} | {
    name: 20 + 10 * k for k, name in enumerate(TENS)
}
ORDINALS = {name: value for value, name in enumerate(ORDINAL_WORDS) if value} | {
    name[:-1] + "ieth": 20 + 10 * k for k, name in enumerate(TENS)
}


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number; "a few" is a range with its usual value."""

    value: float
    low: float
    high: float


def exactly(value: float) -> Quantity:
    return Quantity(value, value, value)


# Studies agree on 2 to 3 for "a couple" and 3 to 5 for "a few", with 2 not ruled out.
_VAGUE = {
    "couple": Quantity(2, 2, 3), "few": Quantity(3, 2, 5), "several": Quantity(5, 3, 8), "some": Quantity(3, 2, 6),
    "handful": Quantity(5, 3, 6),
}  # fmt: skip


@starts_with(NUMBER)
def _digits(reader: TokenReader, at: int) -> RuleMatch | None:
    value = reader.number(at)
    if value is None:
        return None
    fraction = reader.word(at + 2)
    tight = reader.word(at + 1) in {".", ","} and reader.glued(at + 1) and reader.glued(at + 2)
    if tight and reader.number(at + 2) is not None and len(fraction) <= 2:
        return exactly(float(f"{value}.{fraction}")), at + 3
    return exactly(value), at + 1


@starts_with(*CARDINALS)
def _words(reader: TokenReader, at: int) -> RuleMatch | None:
    """Twenty, twenty-one, two hundred and five, two thousand nineteen."""
    total, part, start = 0, 0, at
    while True:
        name = reader.word(at)
        if name in CARDINALS and (part % 100 == 0 or (part % 10 == 0 and part % 100 >= 20 and CARDINALS[name] < 10)):
            part += CARDINALS[name]
        elif name == "hundred" and 0 < part < 100:
            part *= 100
        elif name == "thousand" and 0 < part < 1000 and total == 0:
            total, part = part * 1000, 0
        elif not (
            name in {"-", "and"} and at > start and reader.word(at + 1) in CARDINALS and (name == "-" or part >= 100)
        ):
            break
        at += 1
    return (exactly(total + part), at) if at > start else None


@starts_with("dozen")
def _dozen(reader: TokenReader, at: int) -> RuleMatch | None:
    return (exactly(12), at + 1) if reader.word(at) == "dozen" else None


@starts_with(NUMBER, *ORDINALS, *TENS)
def _ordinal(reader: TokenReader, at: int) -> RuleMatch | None:
    """8th, eighth, twenty-first."""
    name, value = reader.word(at), reader.number(at)
    if value is not None and reader.word(at + 1) in {"st", "nd", "rd", "th"} and reader.glued(at + 1):
        return value, at + 2
    if name in ORDINALS:
        return ORDINALS[name], at + 1
    step = 2 if reader.word(at + 1) == "-" else 1
    rest = ORDINALS.get(reader.word(at + step), 99)
    if name in CARDINALS and CARDINALS[name] >= 20 and rest < 10:
        return CARDINALS[name] + rest, at + step + 1
    return None


ordinal_number = memoized(_ordinal)
plain_number = memoized(either(_digits, _words))
vague_number = seq(maybe(word("a", "the", "this")), table(_VAGUE), maybe(word("of")), maybe(word("more", "the")))
fraction = either(
    seq(phrase("half a", "half an", "a half"), to=lambda _: exactly(0.5)),
    seq(phrase("a quarter of a", "a quarter of an", "quarter of an"), to=lambda _: exactly(0.25)),
    seq(phrase("three quarters of an", "three - quarters of an"), to=lambda _: exactly(0.75)),
    seq(phrase("1 / 4"), to=lambda _: exactly(0.25)),
    seq(phrase("1 / 2"), to=lambda _: exactly(0.5)),
    seq(phrase("3 / 4"), to=lambda _: exactly(0.75)),
)
any_number = memoized(
    either(
        plain_number,
        vague_number,
        fraction,
        seq(maybe(word("a")), _dozen),
        seq(phrase("a", "an"), to=lambda _: exactly(1)),
        seq(plain_number, phrase("and a half"), to=lambda _, n: exactly(n.value + 0.5)),
    )
)


_UNITS: dict[str, tuple[Grain, int]] = {
    "second": ("second", 1), "sec": ("second", 1),
    "minute": ("minute", 1), "min": ("minute", 1),
    "hour": ("hour", 1), "hr": ("hour", 1),
    "day": ("day", 1), "night": ("day", 1),
    "week": ("week", 1), "wk": ("week", 1), "fortnight": ("week", 2), "weekend": ("weekend", 1),
    "month": ("month", 1), "mo": ("month", 1), "mon": ("month", 1),
    "quarter": ("quarter", 1), "qtr": ("quarter", 1),
    "year": ("year", 1), "yr": ("year", 1), "decade": ("decade", 1),
}  # fmt: skip
_LONG: dict[str, tuple[Grain, int]] = {"century": ("century", 1), "centuries": ("century", 1)}
_NAMES = _UNITS | {name + "s": value for name, value in _UNITS.items()} | _LONG
_LETTERS: dict[str, tuple[Grain, int]] = {
    "s": ("second", 1), "m": ("minute", 1), "'": ("minute", 1), "h": ("hour", 1),
    "d": ("day", 1), "w": ("week", 1), "y": ("year", 1),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Duration:
    """A length of time: numbers of units, the coarse ones first."""

    parts: tuple[tuple[Quantity, Grain], ...]

    @property
    def grain(self) -> Grain:
        return min((grain for _, grain in self.parts), key=grain_rank)

    def move(self, moment: datetime, sign: int, which: str = "value") -> datetime:
        for number, grain in self.parts:
            moment = shift(moment, sign * float(getattr(number, which)), grain)
        return moment


@starts_with(*_LETTERS)
def _letter(reader: TokenReader, at: int) -> RuleMatch | None:
    name = reader.word(at)
    return (_LETTERS[name], at + 1) if name in _LETTERS and reader.glued(at) else None


unit_name = table(_NAMES)


def _part(_: TokenReader, number: Quantity, named: tuple[Grain, int]) -> tuple[Quantity, Grain]:
    grain, times = named
    return Quantity(number.value * times, number.low * times, number.high * times), grain


_one = either(
    seq(any_number, maybe(word("-")), maybe(word("whole", "full", "more", "short", "long")), unit_name, to=_part),
    seq(any_number, _letter, to=_part),
    seq(fraction, word("h"), to=lambda r, n: _part(r, n, ("hour", 1))),
    seq(
        any_number,
        unit_name,
        word("and"),
        word("a"),
        word("half"),
        to=lambda r, n, u: _part(r, exactly(n.value + 0.5), u),
    ),
)


@starts_with(like=_one)
def _several(reader: TokenReader, at: int) -> RuleMatch | None:
    parts: list[tuple[Quantity, Grain]] = []
    end = at
    while (hit := _one(reader, at)) is not None and len(parts) < 8:
        parts.append(hit[0])
        at = end = hit[1]
        while reader.word(at) in {",", "and", "+"}:
            at += 1
    return (Duration(tuple(parts)), end) if parts else None


duration = memoized(_several)


def span_at_distance(start: datetime, length: Duration, sign: int, *, exact_day: bool) -> TimeSpan:
    """Return the span that is `length` before or after `start`, as wide as people mean when they count in that unit."""
    there = length.move(start, sign)
    grain = length.grain
    if exact_day:
        return (
            TimeSpan(there, shift(there, 1, "second"), "second")
            if grain_rank(grain) < grain_rank("day")
            else calendar_unit(there, "day")
        )
    near, far = sorted((length.move(start, sign, "low"), length.move(start, sign, "high")))
    if grain_rank(grain) < grain_rank("day"):
        give = max(timedelta(seconds=30), abs(there - start) / 6)
        return TimeSpan(add_clamped(near, -give), add_clamped(far, give), grain, give)
    if grain in {"week", "weekend"}:
        # Around that day, not the calendar week: "two weeks ago" on a Sunday is about a Sunday.
        return TimeSpan(add_clamped(midnight(near), -3 * DAY), add_clamped(midnight(far), 4 * DAY), "week", 4 * DAY)
    give = {"day": DAY, "month": 15 * DAY, "quarter": 45 * DAY}.get(grain, 90 * DAY)
    return TimeSpan(calendar_unit(near, grain).start, calendar_unit(far, grain).end, grain, give)
