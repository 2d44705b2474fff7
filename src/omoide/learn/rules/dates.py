"""Since when and until when a claim holds, seen from the moment it was said."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime

from omoide.language.time import DateClue, Grain, TimePreference, parse_time
from omoide.language.time.calendar import shift

TIMED = re.compile(
    r"\d|\b(?:ago|last|until|till|next|since|yesterday|today|tomorrow|tonight|this|week|weekend|month|year|monday"
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


_LEAD = re.compile(
    r"(?P<when>(?:back |way back |it was |as of |starting )?(?:in|from|between|since|until|till|last|this|on|around"
    r"|early|late|two"
    r"|three|four"
    r"|five|ten|a few|a couple|about|\d+)\b[\w ,'-]{2,40}?)(?:,\s*|\s+|$)(?=(?:i|i'm|i've|we|we've|my"
    r"|(?-i:[A-Z])\w+)\b|$)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class PastPeriod:
    """A time that is over: when it ended, when it began where that is said, and the words that say so."""

    since: datetime | None
    until: datetime
    words: str


def lasted(text: str, at: datetime) -> PastPeriod | None:
    """The time of something that is told as past: "in 2019", "from 2015 to 2018", "until last year"."""
    dated = _one_date(text, at, "past")
    if dated is None or dated.span.end > at:
        return None
    start = dated.span.start
    words = dated.phrase.text.strip()
    return PastPeriod(start if start.year > 1 else None, dated.span.end, words[:1].lower() + words[1:])


def ended(text: str, at: datetime) -> datetime | None:
    """When something stopped: "until 2021" is over with that year, "last month" already on its first day."""
    dated = _one_date(text, at, "past")
    if dated is not None and _UNTIL.search(dated.phrase.text):
        return dated.span.end if dated.span.end <= at else None
    return began(text, at)


def leading(text: str, at: datetime) -> str:
    """The time that a clause opens with, or is all of: "In 2019 I moved", "Back in May, …"; "" where there is none."""
    found = _LEAD.match(text) if TIMED.search(text[:48]) else None
    if found is None:
        return ""
    dated = _one_date(found["when"], at, "past")
    told = found["when"].lower().removeprefix("as of ").removeprefix("starting ")
    whole = dated is not None and len(dated.phrase.text.split()) >= len(told.split()) - 1
    return found["when"] if whole else ""


def _one_date(text: str, at: datetime, prefer: TimePreference) -> DateClue | None:
    text = in_english(text)
    if not TIMED.search(text):
        return None
    when = parse_time(text, at, prefer=prefer)
    dated = [clue for clue in when.clues if isinstance(clue, DateClue)] if when else []
    return dated[0] if len(dated) == 1 else None


def began(text: str, at: datetime, *, prefer: TimePreference = "past") -> datetime | None:
    """The start that the words give: "last month" is its first day, "for three years" counts back."""
    lasted = _LASTED.search(text := in_english(text))
    if lasted and prefer == "past":
        count = _NUMBERS.get(lasted["count"].lower()) or int(lasted["count"])
        return _back(at, count, lasted["unit"].lower())
    dated = _one_date(text, at, prefer)
    if dated is None or _UNTIL.search(dated.phrase.text):
        return None
    start = dated.span.start
    return start if start.year > 1 and (prefer == "future" or start <= at) else None


def _back(at: datetime, count: int, unit: str) -> datetime:
    grain: Grain = "year" if unit == "year" else "month" if unit == "month" else "week" if unit == "week" else "day"
    return shift(at.replace(tzinfo=None), -count, grain).replace(tzinfo=at.tzinfo)


# Times in German, Spanish, Portuguese and French, as English says them: "letzten Monat" is "last month".


_UNITS = {
    "day": "tagen? día días dia dias jours?",
    "week": "wochen? semanas? semaines?",
    "month": "monate?n? mes meses mês mois",
    "year": "jahre?n? año años ano anos ans? années?",
}
_TONGUE_NUMBERS = {
    "a": "eine[mr]? un una um uma une",
    "two": "zwei dos dois duas deux",
    "three": "drei tres três trois",
    "four": "vier cuatro quatro quatre",
    "five": "fünf cinco cinq",
    "six": "sechs seis six",
    "seven": "sieben siete sete sept",
    "eight": "acht ocho oito huit",
    "nine": "neun nueve nove neuf",
    "ten": "zehn diez dez dix",
}
_MONTHS = {
    "January": "januar jänner enero janeiro janvier",
    "February": "februar febrero fevereiro février",
    "March": "märz marzo março mars",
    "April": "april abril avril",
    "May": "mai mayo maio",
    "June": "juni junio junho juin",
    "July": "juli julio julho juillet",
    "August": "august agosto août",
    "September": "september septiembre setembro septembre",
    "October": "oktober octubre outubro octobre",
    "November": "november noviembre novembro novembre",
    "December": "dezember diciembre dezembro décembre",
}


def _any(forms: str) -> str:
    return f"(?:{'|'.join(forms.split())})"


_NUMBER = rf"(?P<n>\d+|{'|'.join(_any(forms) for forms in _TONGUE_NUMBERS.values())})"
_UNIT = rf"(?P<u>{'|'.join(_any(forms) for forms in _UNITS.values())})"
_AGO = re.compile(rf"\b(?:vor|hace|há|il y a) {_NUMBER} {_UNIT}\b", re.IGNORECASE)
_FOR = re.compile(rf"\b(?:seit|desde hace|há já|depuis) {_NUMBER} {_UNIT}\b", re.IGNORECASE)
_LAST = re.compile(
    rf"\b(?:letzte[nrs]?|vorige[nrs]?|vergangene[nrs]?) {_UNIT}\b"
    rf"|\b(?:el|la|le|no|na|l')? ?{_UNIT.replace('<u>', '<v>')} (?:pasad[oa]|passad[oa]|dernier|dernière)\b",
    re.IGNORECASE,
)
_SINCE = re.compile(r"\b(?:seit|desde|depuis)(?= (?:19|20)\d\d\b)", re.IGNORECASE)
_IN = re.compile(rf"\b(?:im|en|em|in) (?P<m>{'|'.join(_any(forms) for forms in _MONTHS.values())})\b", re.IGNORECASE)
_YESTERDAY = re.compile(r"\b(?:gestern|ayer|ontem|hier)\b", re.IGNORECASE)


_WORTH = re.compile(
    r"\b(?:vor|hace|há|il y a|seit|desde|depuis|letzte|vorige|vergangene|pasad|passad|derni|im|en|em|in|gestern|ayer"
    r"|ontem|hier)",
    re.IGNORECASE,
)


def in_english(text: str) -> str:
    """The text with its times in English; all else stays as it was said."""
    if not _WORTH.search(text):
        return text
    text = _FOR.sub(lambda found: f"for {_number(found['n'])} {_unit(found['u'])}s", text)
    text = _AGO.sub(lambda found: f"{_number(found['n'])} {_unit(found['u'])}s ago", text)
    text = _LAST.sub(lambda found: f" last {_unit(found['u'] or found['v'])}", text)
    text = _IN.sub(lambda found: f"in {_of(_MONTHS, found['m'])}", text)
    return _YESTERDAY.sub("yesterday", _SINCE.sub("since", text))


def _number(word: str) -> str:
    return word if word.isdigit() else _of(_TONGUE_NUMBERS, word)


def _unit(word: str) -> str:
    return _of(_UNITS, word)


def _of(forms: dict[str, str], word: str) -> str:
    return next(name for name, each in forms.items() if re.fullmatch(_any(each), word, re.IGNORECASE))
