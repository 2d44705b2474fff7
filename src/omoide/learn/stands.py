"""Whether what is said of a text stands in it, allowing for inflection, numbers in words and dates."""

from __future__ import annotations

import re
from functools import lru_cache

from omoide.layers.entity import name_key
from omoide.text import is_unspaced

# Words that carry no claim of their own.
_SMALL = frozenset(
    """
    a an the of in on at to for with by from and or as is are was were be been has have had do does did it its their his
    her my your our this that these those than then into about over under per via i me we you he she they them him us
    will would can could should may s t not no don doesn isn der die das ein eine und von mit für auf zu im am ist
    le la les un une des du de et à el los las y en con por para o a da do dos e em
    """.split()
)
_NUMBERS = {
    word: str(value)
    for value, word in enumerate("zero one two three four five six seven eight nine ten eleven twelve".split())
} | {"once": "1", "twice": "2", "dozen": "12", "twenty": "20", "thirty": "30", "fifty": "50", "hundred": "100"}
_ENDINGS = (
    "ations",
    "ation",
    "ments",
    "ment",
    "ings",
    "ing",
    "ies",
    "ied",
    "ers",
    "ed",
    "er",
    "es",
    "ly",
    "s",
    "d",
    "n",
    "e",
    "y",
)
_MONTHS = "january february march april may june july august september october november december".split()
_DATE = re.compile(r"\d{4}-\d\d?(?:-\d\d?)?(?:t\d\d?:\d\d(?::\d\d)?z?)?|(?:19|20)\d\d|\d\d?(?:st|nd|rd|th)?")
_TIME = re.compile(  # a text that speaks of a time may be the ground of a date
    r"(?i)\b(?:today|tonight|yesterday|tomorrow|now|ago|last|next|this|since|until|till|week|month|year|day|morning|evening"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)day|spring|summer|autumn|fall|winter|christmas|easter"
    r"|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|heute|gestern|morgen|vor|hier|demain|ayer|hoy|mañana|ontem|hoje"
    r"|january|february|march|april|june|july|august|september|october|november|december)\b"
)
_WRITTEN = re.compile(r"\b(?:19|20)\d\d\b|\b\d\d?[./-]\d\d?\b")


def stands(words: str, text: str) -> bool:
    """Whether all that the words claim stands in the text."""
    return bool(_content(words)) and not missing(words, text)


def missing(words: str, text: str, *, dated: bool = True) -> list[str]:
    """The words of a claim that stand nowhere in the text. `dated`: a date may be worked out from "last month"."""
    key, whole = name_key(words), _key(text)
    if not key:
        return []
    if f" {key} " in f" {whole} ":
        return []
    if is_unspaced(key):
        solid = whole.replace(" ", "")
        return [part for part in key.split() if part not in solid]
    stems = _stems(text)
    timed = dated and _TIME.search(text) is not None
    return [word for word in _content(words) if not _known(word, stems, timed, whole)]


def speaks_of_time(text: str) -> bool:
    """Whether it names a day, a date or "ago": something that a date can be worked out from."""
    return _TIME.search(text) is not None or _WRITTEN.search(text) is not None


def share(words: str, text: str) -> float:
    """How much of what the words claim stands in the text, from 0 to 1."""
    content = _content(words)
    return 1 - len(missing(words, text)) / len(content) if content else 1.0


def _known(word: str, stems: frozenset[str], timed: bool, whole: str) -> bool:
    if stem(word) in stems or _number(word) in stems:
        return True
    if timed and (word in _MONTHS or _DATE.fullmatch(word)):
        return True
    return len(word) > 4 and word in whole.replace(" ", "")  # "darkmode" for "dark mode"


@lru_cache(maxsize=256)
def _key(text: str) -> str:
    return name_key(text)


@lru_cache(maxsize=256)
def _stems(text: str) -> frozenset[str]:
    return frozenset(stem(_number(word)) for word in _key(text).split())


def _number(word: str) -> str:
    """ "seven" and "07" are 7."""
    return word.lstrip("0") or "0" if word.isdigit() else _NUMBERS.get(word, word)


def _content(words: str) -> list[str]:
    found = name_key(words.replace("_", " ")).split()
    return [word for word in found if word not in _SMALL] or found


def stem(word: str) -> str:
    """Cut so that inflections of a word meet, now and then also two words: enough to tell an invention."""
    if len(word) < 4 or not word.isalpha():
        return word
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            word = word.removesuffix(ending)
            break
    if len(word) > 3 and word[-1] == word[-2]:  # running → runn → run
        word = word[:-1]
    return word.removesuffix("e") if len(word) > 3 else word
