"""Calendar dates as people write them: months and days, years, quarters, decades, numeric dates, holidays."""

from __future__ import annotations

from datetime import datetime
from functools import partial

from omoide.language.time.calendar import TimeSpan, calendar_unit
from omoide.language.time.combinators import (
    NO_VALUE,
    NUMBER,
    GrammarRule,
    RuleMatch,
    TokenReader,
    choice,
    either,
    maybe,
    seq,
    starts_with,
    table,
    word,
)
from omoide.language.time.holidays import HOLIDAYS
from omoide.language.time.pattern import (
    DAY_PART_PATTERNS,
    MONTH_PATTERNS,
    SEASON_PATTERNS,
    WEEKDAY_PATTERNS,
    TimePattern,
    day_of_month_pattern,
    fixed_pattern,
    intersect,
    month_pattern,
    quarter_pattern,
    week_pattern,
    weekend_pattern,
    year_pattern,
)
from omoide.language.time.quantities import CARDINALS, ordinal_number, plain_number

# Words that may follow "on the 8th" or "in 2023". Any other word is likely what the number counts: "on the 8th floor".
_FOLLOWS = frozenset(
    """
    and or but , . ? ! ; : ) ( " ' - – — to until till through that what which who whom whose when where why
    how if did do does was were is are am be been has have had will would could should can i we you he she
    they it my our your his her their its the a an in on at for with about from of as by into than then so
    because please while during before after since not also
    """.split()
)


def unambiguous(rule: GrammarRule, *, habits: bool = False) -> GrammarRule:
    """Accept an ambiguous match of `rule` (the preposition before it confirms it) unless the words after it say no.

    `habits`: let a part of the day through, still ambiguous.
    """

    def sounding(reader: TokenReader, at: int) -> RuleMatch | None:
        hit = rule(reader, at)
        if hit is None or not hit[0].ambiguous:
            return hit
        kinds, after = hit[0].kinds, hit[1]
        if reader.exact_day:
            return hit[0].certain(), after
        if _habit(kinds):
            return hit if habits else None
        if "loose" in kinds or (kinds in _COUNTS and not _free(reader, after)):
            return None
        return hit[0].certain(), after

    return GrammarRule(sounding, rule.first)


_COUNTS = (frozenset({"dom"}), frozenset({"year"}))


def _habit(kinds: frozenset[str]) -> bool:
    """ "In the morning" and "at 5" without a day usually describe a habit, not a date."""
    return kinds <= {"clock", "part"} or "now" in kinds


def _free(reader: TokenReader, at: int) -> bool:
    return at >= len(reader.tokens) or reader.word(at) in _FOLLOWS or reader.tokens[at].capital


@partial(GrammarRule, first=frozenset({"."}), empty=True)
def _dot(reader: TokenReader, at: int) -> RuleMatch | None:
    """The full stop of "Tue." or "Sept.", not one that ends a sentence."""
    return (
        (NO_VALUE, at + 1)
        if reader.word(at) == "." and reader.glued(at) and len(reader.word(at - 1)) <= 4
        else (NO_VALUE, at)
    )


def _cased(rule: GrammarRule) -> GrammarRule:
    """Accept an ambiguous word with a capital inside a sentence: "was it May?" but not "May I"."""

    def cased(reader: TokenReader, at: int) -> RuleMatch | None:
        hit = rule(reader, at)
        if (
            hit is not None
            and hit[0].ambiguous
            and at > 0
            and reader.tokens[at].capital
            and reader.word(at - 1) not in {".", "?", "!"}
        ):
            return hit[0].certain(), hit[1]
        return hit

    return GrammarRule(cased, rule.first)


month_name = seq(_cased(table(MONTH_PATTERNS)), _dot)
weekday_name = seq(_cased(table(WEEKDAY_PATTERNS)), _dot)
season_name = table(SEASON_PATTERNS)
part_name = table(DAY_PART_PATTERNS)
holiday_name = seq(maybe(word("the")), table(HOLIDAYS))
weekend_name = seq(maybe(word("the")), choice({weekend_pattern(): "weekend, wkend, week - end"}))


def _small_year(value: int) -> int:
    return value + (2000 if value < 50 else 1900)


@starts_with(NUMBER)
def day_number(reader: TokenReader, at: int) -> RuleMatch | None:
    value = reader.number(at)
    followed = reader.word(at + 1) in {":", "am", "pm", "%"} and (
        reader.glued(at + 1) or reader.word(at + 1) in {"am", "pm"}
    )
    return (value, at + 1) if value is not None and 1 <= value <= 31 and not followed else None


def _dated(reader: TokenReader, m: TimePattern, d: int, y: int | None = None) -> TimePattern | None:
    if not 1 <= d <= 31:
        return None
    day = intersect(m, day_of_month_pattern(d))
    if day is not None and next(day.find(_LEAP.start, _LEAP.end), None) is None:
        return None  # February 30th
    return day if day is None or y is None else intersect(day, year_pattern(_small_year(y)))


@starts_with(NUMBER, "'", "’")
def _two_digit_year(reader: TokenReader, at: int) -> RuleMatch | None:
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


_LEAP = calendar_unit(datetime(2000, 1, 1), "year")
_day = either(ordinal_number, day_number)
_month_day = seq(month_name, maybe(word("the")), _day, to=_dated)
_of = seq(maybe(word("of", "day")), maybe(word("of")))
_day_month = seq(
    *(maybe(word("the")), _day, _of, month_name, maybe(_two_digit_year, None)), to=lambda r, d, m, y: _dated(r, m, d, y)
)
_the_day = either(
    seq(
        maybe(word("the")), ordinal_number, to=lambda _, d: day_of_month_pattern(d, ambiguous=True) if d <= 31 else None
    ),
    seq(word("the"), day_number, to=lambda _, d: day_of_month_pattern(d, ambiguous=True)),
)


@starts_with(NUMBER)
def _numeric(reader: TokenReader, at: int) -> RuleMatch | None:
    """2023-05-08, 2023/5/8, 5/8, 5/8/23, 8.5.2023, 2023-05. The month comes first if it can."""
    sign = reader.word(at + 1)
    one, two, three = reader.number(at), reader.number(at + 2), reader.number(at + 4)
    if sign not in {"/", "-", "."} or one is None or two is None:
        return None
    tight = reader.glued(at + 1) and reader.glued(at + 2)
    if three is not None and reader.word(at + 3) == sign and reader.glued(at + 3) and reader.glued(at + 4) and tight:
        parts = _order(one, two, three, sign)
        return None if parts is None else (fixed_pattern(parts, "year", "month", "dom"), at + 5)
    if tight and sign == "-" and 1900 <= one <= 2100 and 1 <= two <= 12 and len(reader.word(at + 2)) == 2:
        return fixed_pattern(calendar_unit(datetime(one, two, 1), "month"), "year", "month"), at + 3
    if sign == "." or not 1 <= one <= 31 or not 1 <= two <= 31 or (one > 12 and two > 12):
        return None
    m, d = (one, two) if one <= 12 else (two, one)
    day = _dated(reader, month_pattern(m), d)
    ambiguous = sign == "-" or not tight
    kinds = day.kinds | {"loose"} if day is not None and ambiguous else frozenset({"month", "dom"})
    return None if day is None else (TimePattern(day.grain, kinds, day.find, None, ambiguous), at + 3)


def _order(one: int, two: int, three: int, sign: str) -> TimeSpan | None:
    if one > 31:
        y, m, d = one, two, three
    else:
        if sign == "." and three < 100:
            return None  # a version number
        y, m, d = (_small_year(three) if three < 100 else three), one, two
        if sign == "." or m > 12:
            m, d = d, m
    try:
        return calendar_unit(datetime(y, m, d), "day")
    except ValueError:
        return None


@starts_with(like=plain_number)
def _year(reader: TokenReader, at: int) -> RuleMatch | None:
    """2023, 14 a.d.; a bare number is a year only between 1000 and 2999."""
    hit = plain_number(reader, at)
    if hit is None or not float(hit[0].value).is_integer():
        return None
    value, end = int(hit[0].value), hit[1]
    if reader.word(end) == "a" and reader.word(end + 1) == "." and reader.word(end + 2) == "d":
        end += 4 if reader.word(end + 3) == "." else 3
    elif reader.word(end) in {"ad", "ce"}:
        end += 1
    elif not (1000 <= value <= 2999) or (reader.number(at) is not None and len(reader.word(at)) != 4):
        return None
    return (year_pattern(value, ambiguous=True), end) if 1 <= value <= 9998 else None


@starts_with("eighteen", "nineteen", "twenty")
def _spoken_year(reader: TokenReader, at: int) -> RuleMatch | None:
    """Nineteen ninety-five, twenty twenty-three."""
    hit = plain_number(reader, at + 1)
    if hit is None or hit[0].value not in range(10, 100):
        return None
    return year_pattern(100 * CARDINALS[reader.word(at)] + int(hit[0].value), ambiguous=True), hit[1]


@starts_with(NUMBER)
def _week_number(reader: TokenReader, at: int) -> RuleMatch | None:
    value = reader.number(at)
    return (value, at + 1) if value is not None and 1 <= value <= 53 else None


@starts_with("the", NUMBER, *(name[:-1] + "ies" for name in CARDINALS if name.endswith("ty")))
def _decade(reader: TokenReader, at: int) -> RuleMatch | None:
    """The 90s, the 1990s, the nineties."""
    if reader.word(at) == "the":
        at += 1
    value, name = reader.number(at), reader.word(at)
    if value is not None and value % 10 == 0 and (value < 100 or 1000 <= value < 3000):
        quote = 1 if reader.word(at + 1) in {"'", "’"} else 0
        if reader.word(at + 1 + quote) != "s" or not reader.glued(at + 1 + quote):
            return None
        start, end = value if value >= 100 else value + (1900 if value >= 30 else 2000), at + 2 + quote
    elif name.endswith("ies") and CARDINALS.get(name[:-3] + "y", 0) >= 20:
        start, end = 1900 + CARDINALS[name[:-3] + "y"], at + 1
    else:
        return None
    return fixed_pattern(calendar_unit(datetime(start, 6, 1), "decade"), "year", "decade"), end


def _century(reader: TokenReader, n: int) -> TimePattern | None:
    return (
        fixed_pattern(calendar_unit(datetime(100 * n - 50, 6, 1), "century"), "year", "century")
        if 1 <= n <= 99
        else None
    )


def _quarter_of(reader: TokenReader, q: int) -> TimePattern | None:
    return quarter_pattern(q) if 1 <= q <= 4 else None


@starts_with(NUMBER, "q")
def _short_quarter(reader: TokenReader, at: int) -> RuleMatch | None:
    """Q3, 2018Q4, 18q4."""
    prefix = reader.number(at)
    start = at + 1 if prefix is not None and reader.word(at + 1) == "q" else at
    q = reader.number(start + 1)
    if reader.word(start) != "q" or q is None or not reader.glued(start + 1) or not 1 <= q <= 4:
        return None
    found: TimePattern | None = quarter_pattern(q)
    if prefix is not None and start > at:
        found = intersect(
            quarter_pattern(q), year_pattern(_small_year(prefix) if prefix < 100 else min(max(prefix, 1), 9998))
        )
    return None if found is None else (found, start + 2)


_quarter_word = word("quarter", "qtr", "quarters")

calendar_date = either(
    seq(month_name),
    _month_day,
    _day_month,
    _the_day,
    weekday_name,
    _numeric,
    seq(maybe(word("the")), maybe(word("year")), either(_year, _spoken_year)),
    seq(word("'", "’"), _two_digit_year, to=lambda _, y: year_pattern(_small_year(y), ambiguous=True)),
    seq(word("week"), maybe(word("number")), _week_number, to=lambda _, n: week_pattern(n)),
    _decade,
    seq(maybe(word("the")), ordinal_number, word("century"), to=_century),
    seq(maybe(word("the")), ordinal_number, _quarter_word, to=_quarter_of),
    seq(_quarter_word, plain_number, to=lambda r, n: _quarter_of(r, int(n.value))),
    _short_quarter,
    seq(maybe(word("the")), season_name),
    holiday_name,
    seq(maybe(word("the")), part_name),
    weekend_name,
    seq(maybe(word("the")), word("month"), word("of"), month_name, to=lambda _, m: m.certain()),
)
