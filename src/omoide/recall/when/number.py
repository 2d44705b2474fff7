"""Counts and ordinals, in digits and in words."""

from __future__ import annotations

from dataclasses import dataclass

from .combine import Hit, Reader, Rule, either, maybe, once, phrase, seq, starting, table, word
from .tokens import NUMBER

_ONES_WORDS = """
    zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
    seventeen eighteen nineteen
"""
_ONES = _ONES_WORDS.split()
_TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_ORDINALS_WORDS = """
    zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth
    fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth
"""
_ORDINALS = _ORDINALS_WORDS.split()

CARDINAL = {name: value for value, name in enumerate(_ONES)} | {name: 20 + 10 * k for k, name in enumerate(_TENS)}
ORDINAL = {name: value for value, name in enumerate(_ORDINALS) if value} | {
    name[:-1] + "ieth": 20 + 10 * k for k, name in enumerate(_TENS)
}


@dataclass(frozen=True, slots=True)
class Count:
    """A number of things; "a few" is a range with a usual value in it."""

    value: float
    low: float
    high: float


def exactly(value: float) -> Count:
    return Count(value, value, value)


# What people mean by vague counts: studies of "a couple" and "a few" agree on 2 to 3 and 3 to 5, with 2 not
# ruled out.
_VAGUE = {
    "couple": Count(2, 2, 3), "few": Count(3, 2, 5), "several": Count(5, 3, 8), "some": Count(3, 2, 6),
    "handful": Count(5, 3, 6),
}  # fmt: skip


@starting(NUMBER)
def _digits(reader: Reader, at: int) -> Hit | None:
    value = reader.number(at)
    if value is None:
        return None
    fraction = reader.word(at + 2)
    tight = reader.word(at + 1) in {".", ","} and reader.glued(at + 1) and reader.glued(at + 2)
    if tight and reader.number(at + 2) is not None and len(fraction) <= 2:
        return exactly(float(f"{value}.{fraction}")), at + 3
    return exactly(value), at + 1


@starting(*CARDINAL)
def _words(reader: Reader, at: int) -> Hit | None:
    """Twenty, twenty-one, two hundred and five, two thousand nineteen."""
    total, part, start = 0, 0, at
    while True:
        name = reader.word(at)
        if name in CARDINAL and (part % 100 == 0 or (part % 10 == 0 and part % 100 >= 20 and CARDINAL[name] < 10)):
            part += CARDINAL[name]
        elif name == "hundred" and 0 < part < 100:
            part *= 100
        elif name == "thousand" and 0 < part < 1000 and total == 0:
            total, part = part * 1000, 0
        elif not (
            name in {"-", "and"} and at > start and reader.word(at + 1) in CARDINAL and (name == "-" or part >= 100)
        ):
            break
        at += 1
    return (exactly(total + part), at) if at > start else None


@starting("dozen")
def _dozen(reader: Reader, at: int) -> Hit | None:
    return (exactly(12), at + 1) if reader.word(at) == "dozen" else None


@starting(NUMBER, *ORDINAL, *_TENS)
def _ordinal(reader: Reader, at: int) -> Hit | None:
    """8th, eighth, twenty-first."""
    name, value = reader.word(at), reader.number(at)
    if value is not None and reader.word(at + 1) in {"st", "nd", "rd", "th"} and reader.glued(at + 1):
        return value, at + 2
    if name in ORDINAL:
        return ORDINAL[name], at + 1
    step = 2 if reader.word(at + 1) == "-" else 1
    rest = ORDINAL.get(reader.word(at + step), 99)
    if name in CARDINAL and CARDINAL[name] >= 20 and rest < 10:
        return CARDINAL[name] + rest, at + step + 1
    return None


ordinal: Rule = once(_ordinal)
plain: Rule = once(either(_digits, _words))
vague: Rule = seq(maybe(word("a", "the", "this")), table(_VAGUE), maybe(word("of")), maybe(word("more", "the")))
half: Rule = either(
    seq(phrase("half a", "half an", "a half"), to=lambda _: exactly(0.5)),
    seq(phrase("a quarter of a", "a quarter of an", "quarter of an"), to=lambda _: exactly(0.25)),
    seq(phrase("three quarters of an", "three - quarters of an"), to=lambda _: exactly(0.75)),
    seq(phrase("1 / 4"), to=lambda _: exactly(0.25)),
    seq(phrase("1 / 2"), to=lambda _: exactly(0.5)),
    seq(phrase("3 / 4"), to=lambda _: exactly(0.75)),
)
count: Rule = once(
    either(
        plain,
        vague,
        half,
        seq(maybe(word("a")), _dozen),
        seq(phrase("a", "an"), to=lambda _: exactly(1)),
        seq(plain, phrase("and a half"), to=lambda _, n: exactly(n.value + 0.5)),
    )
)
