"""The rules for everything that has a moment inside it."""

from __future__ import annotations

from functools import partial

from .amount import amount, unit_name
from .beside import beside, closest, counted, long_weekend, offset
from .calendar import unit
from .combine import Reader, Rule, either, maybe, phrase, seq, table, word
from .cycles import day_of_month
from .dates import day_number, holiday_name, month_name, part_name, season_name, weekday_name, weekend_name
from .doubt import sound
from .number import ordinal, plain, vague
from .parts import cut, holding, nth, run
from .pattern import Pattern, fixed, narrow
from .span import Grain
from .suffix import lasting

_the = maybe(word("the"))
_of: Rule = seq(word("of", "in"), _the)
_HALF = ["second half of", "latter half of", "last half of"]
_shares: Rule = table(
    dict.fromkeys(["early", "early in", "early on in"], "early")
    | dict.fromkeys(
        [
            "beginning of",
            "start of",
            "the beginning of",
            "the start of",
            "at the beginning of",
            "at the start of",
        ],
        "start",
    )
    | dict.fromkeys(
        [
            "mid",
            "mid -",
            "middle of",
            "the middle of",
            "in the middle of",
            "midway through",
            "halfway through",
        ],
        "mid",
    )
    | dict.fromkeys(["late", "late in", "later in"], "late")
    | dict.fromkeys(["end of", "the end of", "at the end of", "towards the end of", "toward the end of"], "end")
    | dict.fromkeys(["first half of", "the first half of"], "first half")
    | dict.fromkeys(
        [
            "second half of",
            "the second half of",
            "latter half of",
            "last half of",
            "the last half of",
            "the latter half of",
        ],
        "second half",
    )
)
_rank: Rule = either(
    ordinal,
    seq(phrase("last", "final", "very last"), to=lambda _: -1),
    seq(
        phrase("second last", "second to last", "2nd last", "penultimate", "second - to - last", "next to last"),
        to=lambda _: -2,
    ),
    seq(ordinal, word("last"), to=lambda _, n: -n),
)
_sided: Rule = table({"before": -1, "prior to": -1, "preceding": -1, "after": 1, "following": 1, "from": 1, "since": 1})
_beside_word: Rule = table({"before": -1, "prior to": -1, "preceding": -1, "after": 1, "following": 1})
_repeating: Rule = either(weekday_name, month_name, season_name, holiday_name, weekend_name, part_name)
_this_unit: Rule = seq(word("the", "this"), unit_name, to=lambda r, u: _running(r, u[0]))


def _running(reader: Reader, grain: Grain) -> Pattern | None:
    """ "The end of the day" is a saying more often than a date."""
    return None if grain == "day" and not reader.point else fixed(unit(reader.now, grain), "rel", grain)


def _end_of(grain: Grain, reader: Reader) -> Pattern | None:
    return cut("end", reader, fixed(unit(reader.now, grain), grain))


def _day_of(reader: Reader, day: int, of: Pattern) -> Pattern | None:
    """The 20th of next month."""
    return narrow(of, day_of_month(day)) if of.grain == "month" and 1 <= day <= 31 else None


def framed(moment: Rule) -> Rule:
    """A moment, or a unit that is going on: "the end of the month"."""
    return either(moment, _this_unit)


def compounds(moment: Rule) -> Rule:
    """Everything that has a moment inside it."""
    anything, moment = moment, sound(moment)
    frame = framed(moment)
    some = either(plain, vague)
    thing = either(unit_name, _repeating)
    return either(
        seq(_shares, either(frame, sound(anything, habits=True)), to=lambda r, share, of: cut(share, r, of)),
        seq(_the, phrase("eom", "end of month"), to=partial(_end_of, "month")),
        seq(_the, phrase("eoy", "end of year"), to=partial(_end_of, "year")),
        seq(_the, phrase("eod", "end of day"), to=partial(_end_of, "day")),
        seq(_the, either(ordinal, day_number), maybe(word("day")), _of, moment, to=_day_of),
        seq(_the, _rank, thing, _of, frame, to=nth),
        seq(_the, phrase("first"), some, unit_name, _of, frame, to=partial(run, 1)),
        seq(_the, phrase("last", "final"), some, unit_name, _of, frame, to=partial(run, -1)),
        seq(_the, unit_name, phrase("of", "including", "containing"), moment, to=holding),
        seq(holiday_name, word("weekend"), to=long_weekend),
        seq(_the, maybe(phrase("last", "very")), thing, _beside_word, moment, to=beside),
        seq(amount, _sided, moment, to=offset),
        seq(_the, ordinal, _repeating, _beside_word, moment, to=counted),
        seq(
            _the,
            maybe(ordinal, None),
            phrase("closest", "nearest"),
            _repeating,
            word("to"),
            moment,
            to=closest,
        ),
        seq(word("for"), amount, word("from", "starting"), moment, to=lambda r, a, of: lasting(r, of, a)),
    )
