"""Lengths of time, "two weeks and a day", and where they lead from a given moment."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from .calendar import DAY, midnight, shift, unit
from .combine import Hit, Reader, Rule, either, maybe, once, seq, starting, table, word
from .number import Count, count, exactly, half
from .span import Grain, Span, add, rank

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
class Amount:
    """Units and counts, the coarse ones first."""

    parts: tuple[tuple[Count, Grain], ...]

    @property
    def grain(self) -> Grain:
        return min((grain for _, grain in self.parts), key=rank)

    def move(self, moment: datetime, sign: int, which: str = "value") -> datetime:
        for number, grain in self.parts:
            moment = shift(moment, sign * float(getattr(number, which)), grain)
        return moment


@starting(*_LETTERS)
def _letter(reader: Reader, at: int) -> Hit | None:
    name = reader.word(at)
    return (_LETTERS[name], at + 1) if name in _LETTERS and reader.glued(at) else None


unit_name: Rule = table(_NAMES)


def _part(_: Reader, number: Count, named: tuple[Grain, int]) -> tuple[Count, Grain]:
    grain, times = named
    return Count(number.value * times, number.low * times, number.high * times), grain


_one: Rule = either(
    seq(count, maybe(word("-")), maybe(word("whole", "full", "more", "short", "long")), unit_name, to=_part),
    seq(count, _letter, to=_part),
    seq(half, word("h"), to=lambda r, n: _part(r, n, ("hour", 1))),
    seq(
        count,
        unit_name,
        word("and"),
        word("a"),
        word("half"),
        to=lambda r, n, u: _part(r, exactly(n.value + 0.5), u),
    ),
)


@starting(like=_one)
def _several(reader: Reader, at: int) -> Hit | None:
    parts: list[tuple[Count, Grain]] = []
    end = at
    while (hit := _one(reader, at)) is not None and len(parts) < 8:
        parts.append(hit[0])
        at = end = hit[1]
        while reader.word(at) in {",", "and", "+"}:
            at += 1
    return (Amount(tuple(parts)), end) if parts else None


amount: Rule = once(_several)


def distant(start: datetime, length: Amount, sign: int, *, point: bool) -> Span:
    """Where `length` before or after `start` is: a stretch as wide as people mean when they count in that
    unit.
    """
    there = length.move(start, sign)
    grain = length.grain
    if point:
        return Span(there, shift(there, 1, "second"), "second") if rank(grain) < rank("day") else unit(there, "day")
    near, far = sorted((length.move(start, sign, "low"), length.move(start, sign, "high")))
    if rank(grain) < rank("day"):
        give = max(timedelta(seconds=30), abs(there - start) / 6)
        return Span(add(near, -give), add(far, give), grain, give)
    if grain in {"week", "weekend"}:
        # Not the calendar week: "two weeks ago" on a Sunday is last week's Sunday but one, give or take.
        return Span(add(midnight(near), -3 * DAY), add(midnight(far), 4 * DAY), "week", 4 * DAY)
    give = {"day": DAY, "month": 15 * DAY, "quarter": 45 * DAY}.get(grain, 90 * DAY)
    return Span(unit(near, grain).start, unit(far, grain).end, grain, give)
