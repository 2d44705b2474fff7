"""The quick test whether a text may speak of a date. Most do not, and the time grammar is not even loaded."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

from omoide.language.english_words import AMBIGUOUS_DATE_WORDS
from omoide.language.registry import languages

# Numbers that make a date by themselves: 26th, 5/8, 2023-05-08, 2024, Q3.
_DATE_NUMBER = re.compile(
    r"\d(?:st|nd|rd|th)\b|\b\d{1,4}[-/.]\d{1,2}\b|\b(?:19|20)\d\d\b|\bq[1-4]\b|\b\d\d? (?:march|mar|jan|dec)\b",
    re.IGNORECASE,
)


_WORD, _DIGIT = re.compile(r"\w+"), re.compile(r"\d")
_MOST_CHARACTERS = 4_000  # of a text; the dates of a longer one are those of a pasted document


def may_have_date(text: str) -> bool:
    """Whether a text has a word or a number of which every date has one. A pasted document is not searched."""
    if len(text) > _MOST_CHARACTERS:
        return False
    whole, capitals, rest = _date_words_by_form()
    words = _WORD.findall(text)
    if not whole.isdisjoint(map(str.lower, words)) or not capitals.isdisjoint(words):
        return True
    return (_DIGIT.search(text) is not None and _DATE_NUMBER.search(text) is not None) or rest.search(text) is not None


@cache
def date_words() -> re.Pattern[str]:
    """Words of dates in all languages; those with other meanings ("may", "sun") only with a capital."""
    sure, signs = _date_words()
    capital = "|".join(sorted(word.capitalize() for word in AMBIGUOUS_DATE_WORDS))
    return re.compile(rf"\b(?:(?i:{_either(sure)})|{capital})\b|{_either(signs)}")


@cache
def _date_words_by_form() -> tuple[frozenset[str], frozenset[str], re.Pattern[str]]:
    """The same, faster to look up: words of letters only, those that need a capital, and a pattern of all others."""
    sure, signs = _date_words()
    whole = frozenset(word for word in sure if _WORD.fullmatch(word))
    capitals = frozenset(word.capitalize() for word in AMBIGUOUS_DATE_WORDS)
    return whole, capitals, re.compile(rf"\b(?i:{_either(sure - whole)})\b|{_either(signs)}")


def _date_words() -> tuple[frozenset[str], frozenset[str]]:
    """Words of dates without the ambiguous ones, and those of languages that write no spaces."""
    spaced: set[str] = set()
    signs: set[str] = set()
    for language in languages():
        lists = (language.weekdays, language.months, language.seasons, language.units, language.date_words.words)
        words = {form for each in lists for form in each.replace("/", " ").split()}
        (spaced if language.spaced else signs).update(words)
    return frozenset(spaced - AMBIGUOUS_DATE_WORDS), frozenset(signs)


def _either(words: Iterable[str]) -> str:
    return "|".join(sorted(map(re.escape, words), key=len, reverse=True)) or "(?!)"
