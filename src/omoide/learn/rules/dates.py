"""Since when and until when a claim holds, seen from the moment it was said."""

from __future__ import annotations

import re
from datetime import datetime

from omoide.recall.when import Dated, Grain, Prefer, parse
from omoide.recall.when.calendar import shift

_TIMED = re.compile(
    r"\d|\b(?:ago|last|next|since|yesterday|today|tomorrow|tonight|this|week|weekend|month|year|monday"
    r"|tuesday|wednesday|thursday|friday|saturday"
    r"|sunday|january|february|march|april|may|june|july|august|september|october|november|december"
    r"|jan|feb|mar|apr|jun|jul|aug|sep|sept|oct"
    r"|nov|dec|spring|summer|autumn|winter|christmas|easter|two|three|four|five|six|seven|eight|nine"
    r"|ten|a few|couple)\b",
    re.IGNORECASE,
)
_NUMBERS = {
    "a": 1,
    "an": 1,
    "one": 1,
    "two": 2,
    "three": 3,
    "four": 4,
    "five": 5,
    "six": 6,
    "seven": 7,
    "eight": 8,
    "nine": 9,
    "ten": 10,
}
_LASTED = re.compile(
    r"\bfor (?:about |almost |nearly |over |more than |around |the (?:past|last) )?(?P<count>\d{1,2}"
    r"|an?|one|two|three|four|five|six|seven"
    r"|eight|nine|ten) (?P<unit>year|month|week|day)s?\b",
    re.IGNORECASE,
)
_UNTIL = re.compile(r"\b(?:until|till|through)\b", re.IGNORECASE)


def began(text: str, at: datetime, *, prefer: Prefer = "past") -> datetime | None:
    """The start that the words give: "last month" is its first day, "for three years" counts back."""
    lasted = _LASTED.search(text)
    if lasted and prefer == "past":
        count = _NUMBERS.get(lasted["count"].lower()) or int(lasted["count"])
        return _back(at, count, lasted["unit"].lower())
    if not _TIMED.search(text):
        return None
    when = parse(text, at, prefer=prefer)
    dated = [clue for clue in when.clues if isinstance(clue, Dated)] if when else []
    if len(dated) != 1 or _UNTIL.search(dated[0].phrase.text):
        return None
    start = dated[0].span.start
    return start if start.year > 1 and (prefer == "future" or start <= at) else None


def _back(at: datetime, count: int, unit: str) -> datetime:
    grain: Grain = "year" if unit == "year" else "month" if unit == "month" else "week" if unit == "week" else "day"
    return shift(at.replace(tzinfo=None), -count, grain).replace(tzinfo=at.tzinfo)
