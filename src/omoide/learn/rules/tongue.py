"""Times in German, Spanish, Portuguese and French, as English says them: "letzten Monat" is "last month"."""

from __future__ import annotations

import re

_UNITS = {
    "day": "tagen? día días dia dias jours?",
    "week": "wochen? semanas? semaines?",
    "month": "monate?n? mes meses mês mois",
    "year": "jahre?n? año años ano anos ans? années?",
}
_NUMBERS = {
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


_NUMBER = rf"(?P<n>\d+|{'|'.join(_any(forms) for forms in _NUMBERS.values())})"
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
    return word if word.isdigit() else _of(_NUMBERS, word)


def _unit(word: str) -> str:
    return _of(_UNITS, word)


def _of(forms: dict[str, str], word: str) -> str:
    return next(name for name, each in forms.items() if re.fullmatch(_any(each), word, re.IGNORECASE))
