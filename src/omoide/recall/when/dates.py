"""Calendar dates as people write them: months and days, years, quarters, decades, numeric dates."""

from __future__ import annotations

from datetime import datetime
from functools import partial

from .calendar import unit
from .combine import SILENT, Hit, Reader, Rule, either, maybe, seq, starting, table, word
from .cycles import (
    MONTHS,
    PARTS,
    SEASONS,
    WEEKDAYS,
    day_of_month,
    month,
    quarter,
    week_of_year,
    weekend,
    year,
)
from .holidays import HOLIDAYS
from .number import CARDINAL, ordinal, plain
from .pattern import Pattern, fixed, narrow
from .span import Span
from .tokens import NUMBER


@partial(Rule, first=frozenset({"."}), empty=True)
def _dot(reader: Reader, at: int) -> Hit | None:
    """The dot of "Tue." or "Sept.", not the one that ends a sentence on Tuesday."""
    return (
        (SILENT, at + 1)
        if reader.word(at) == "." and reader.glued(at) and len(reader.word(at - 1)) <= 4
        else (SILENT, at)
    )


def _cased(rule: Rule) -> Rule:
    """A doubtful word with a capital inside a sentence is the name: "was it May?" but not "May I"."""

    def cased(reader: Reader, at: int) -> Hit | None:
        hit = rule(reader, at)
        if (
            hit is not None
            and hit[0].weak
            and at > 0
            and reader.tokens[at].capital
            and reader.word(at - 1) not in {".", "?", "!"}
        ):
            return hit[0].strong(), hit[1]
        return hit

    return Rule(cased, rule.first)


month_name: Rule = seq(_cased(table(MONTHS)), _dot)
weekday_name: Rule = seq(_cased(table(WEEKDAYS)), _dot)
season_name: Rule = table(SEASONS)
part_name: Rule = table(PARTS)
holiday_name: Rule = seq(maybe(word("the")), table(HOLIDAYS))
weekend_name: Rule = seq(maybe(word("the")), table(dict.fromkeys(["weekend", "wkend", "week - end"], weekend())))


def _small_year(value: int) -> int:
    return value + (2000 if value < 50 else 1900)


@starting(NUMBER)
def day_number(reader: Reader, at: int) -> Hit | None:
    value = reader.number(at)
    followed = reader.word(at + 1) in {":", "am", "pm", "%"} and (
        reader.glued(at + 1) or reader.word(at + 1) in {"am", "pm"}
    )
    return (value, at + 1) if value is not None and 1 <= value <= 31 and not followed else None


def _dated(reader: Reader, m: Pattern, d: int, y: int | None = None) -> Pattern | None:
    if not 1 <= d <= 31:
        return None
    day = narrow(m, day_of_month(d))
    if day is not None and next(day.find(_LEAP.start, _LEAP.end), None) is None:
        return None  # February 30th
    return day if day is None or y is None else narrow(day, year(_small_year(y)))


@starting(NUMBER, "'", "’")
def _two_digit_year(reader: Reader, at: int) -> Hit | None:
    if reader.word(at) in {"'", "’"} and reader.number(at + 1) is not None:
        at += 1
    token = reader.tokens[at] if at < len(reader.tokens) else None
    ok = (
        token is not None
        and token.number is not None
        and len(token.word) == 2
        and reader.word(at + 1) not in {":", "am", "pm", "h", "/", "-"}
    )
    return (token.number, at + 1) if ok and token is not None else None


_LEAP = unit(datetime(2000, 1, 1), "year")
_day: Rule = either(ordinal, day_number)
_month_day = seq(month_name, maybe(word("the")), _day, to=_dated)
_of = seq(maybe(word("of", "day")), maybe(word("of")))
_day_month = seq(
    *(maybe(word("the")), _day, _of, month_name, maybe(_two_digit_year, None)),
    to=lambda r, d, m, y: _dated(r, m, d, y),
)
_the_day = either(
    seq(maybe(word("the")), ordinal, to=lambda _, d: day_of_month(d, weak=True) if d <= 31 else None),
    seq(word("the"), day_number, to=lambda _, d: day_of_month(d, weak=True)),
)


@starting(NUMBER)
def _numeric(reader: Reader, at: int) -> Hit | None:
    """2023-05-08, 2023/5/8, 5/8, 5/8/23, 8.5.2023, 2023-05. Month first unless it cannot be."""
    sign = reader.word(at + 1)
    one, two, three = reader.number(at), reader.number(at + 2), reader.number(at + 4)
    if sign not in {"/", "-", "."} or one is None or two is None:
        return None
    tight = reader.glued(at + 1) and reader.glued(at + 2)
    if three is not None and reader.word(at + 3) == sign and reader.glued(at + 3) and reader.glued(at + 4) and tight:
        parts = _order(one, two, three, sign)
        return None if parts is None else (fixed(parts, "year", "month", "dom"), at + 5)
    if tight and sign == "-" and 1900 <= one <= 2100 and 1 <= two <= 12 and len(reader.word(at + 2)) == 2:
        return fixed(unit(datetime(one, two, 1), "month"), "year", "month"), at + 3
    if sign == "." or not 1 <= one <= 31 or not 1 <= two <= 31 or (one > 12 and two > 12):
        return None
    m, d = (one, two) if one <= 12 else (two, one)
    day = _dated(reader, month(m), d)
    weak = sign == "-" or not tight
    kinds = day.kinds | {"loose"} if day is not None and weak else frozenset({"month", "dom"})
    return None if day is None else (Pattern(day.grain, kinds, day.find, None, weak), at + 3)


def _order(one: int, two: int, three: int, sign: str) -> Span | None:
    if one > 31:
        y, m, d = one, two, three
    else:
        if sign == "." and three < 100:
            return None  # a version number
        y, m, d = (_small_year(three) if three < 100 else three), one, two
        if sign == "." or m > 12:
            m, d = d, m
    try:
        return unit(datetime(y, m, d), "day")
    except ValueError:
        return None


@starting(like=plain)
def _year(reader: Reader, at: int) -> Hit | None:
    """2023, in 14 a.d.; a bare number is a year only in years people talk about."""
    hit = plain(reader, at)
    if hit is None or not float(hit[0].value).is_integer():
        return None
    value, end = int(hit[0].value), hit[1]
    if reader.word(end) == "a" and reader.word(end + 1) == "." and reader.word(end + 2) == "d":
        end += 4 if reader.word(end + 3) == "." else 3
    elif reader.word(end) in {"ad", "ce"}:
        end += 1
    elif not (1000 <= value <= 2999) or (reader.number(at) is not None and len(reader.word(at)) != 4):
        return None
    return (year(value, weak=True), end) if 1 <= value <= 9998 else None


@starting("eighteen", "nineteen", "twenty")
def _spoken_year(reader: Reader, at: int) -> Hit | None:
    """Nineteen ninety-five, twenty twenty-three."""
    hit = plain(reader, at + 1)
    if hit is None or hit[0].value not in range(10, 100):
        return None
    return year(100 * CARDINAL[reader.word(at)] + int(hit[0].value), weak=True), hit[1]


@starting(NUMBER)
def _week_number(reader: Reader, at: int) -> Hit | None:
    value = reader.number(at)
    return (value, at + 1) if value is not None and 1 <= value <= 53 else None


@starting("the", NUMBER, *(name[:-1] + "ies" for name in CARDINAL if name.endswith("ty")))
def _decade(reader: Reader, at: int) -> Hit | None:
    """The 90s, the 1990s, the nineties."""
    if reader.word(at) == "the":
        at += 1
    value, name = reader.number(at), reader.word(at)
    if value is not None and value % 10 == 0 and (value < 100 or 1000 <= value < 3000):
        quote = 1 if reader.word(at + 1) in {"'", "’"} else 0
        if reader.word(at + 1 + quote) != "s" or not reader.glued(at + 1 + quote):
            return None
        start, end = value if value >= 100 else value + (1900 if value >= 30 else 2000), at + 2 + quote
    elif name.endswith("ies") and CARDINAL.get(name[:-3] + "y", 0) >= 20:
        start, end = 1900 + CARDINAL[name[:-3] + "y"], at + 1
    else:
        return None
    return fixed(unit(datetime(start, 6, 1), "decade"), "year", "decade"), end


def _century(reader: Reader, n: int) -> Pattern | None:
    return fixed(unit(datetime(100 * n - 50, 6, 1), "century"), "year", "century") if 1 <= n <= 99 else None


def _quarter_of(reader: Reader, q: int) -> Pattern | None:
    return quarter(q) if 1 <= q <= 4 else None


@starting(NUMBER, "q")
def _short_quarter(reader: Reader, at: int) -> Hit | None:
    """Q3, 2018Q4, 18q4."""
    prefix = reader.number(at)
    start = at + 1 if prefix is not None and reader.word(at + 1) == "q" else at
    q = reader.number(start + 1)
    if reader.word(start) != "q" or q is None or not reader.glued(start + 1) or not 1 <= q <= 4:
        return None
    found: Pattern | None = quarter(q)
    if prefix is not None and start > at:
        found = narrow(quarter(q), year(_small_year(prefix) if prefix < 100 else min(max(prefix, 1), 9998)))
    return None if found is None else (found, start + 2)


_quarter_word = word("quarter", "qtr", "quarters")

date: Rule = either(
    seq(month_name),
    _month_day,
    _day_month,
    _the_day,
    weekday_name,
    _numeric,
    seq(maybe(word("the")), maybe(word("year")), either(_year, _spoken_year)),
    seq(word("'", "’"), _two_digit_year, to=lambda _, y: year(_small_year(y), weak=True)),
    seq(word("week"), maybe(word("number")), _week_number, to=lambda _, n: week_of_year(n)),
    _decade,
    seq(maybe(word("the")), ordinal, word("century"), to=_century),
    seq(maybe(word("the")), ordinal, _quarter_word, to=_quarter_of),
    seq(_quarter_word, plain, to=lambda r, n: _quarter_of(r, int(n.value))),
    _short_quarter,
    seq(maybe(word("the")), season_name),
    holiday_name,
    seq(maybe(word("the")), part_name),
    weekend_name,
    seq(maybe(word("the")), word("month"), word("of"), month_name, to=lambda _, m: m.strong()),
)
