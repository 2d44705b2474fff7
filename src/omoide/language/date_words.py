"""The quick test whether a text may speak of a date. Most do not, and the time grammar is not even loaded."""

from __future__ import annotations

import re
from functools import cache

from omoide.language.english_dates import AMBIGUOUS_DATE_WORDS
from omoide.language.registry import languages

_DIGIT = re.compile(r"\d")


def may_have_date(text: str) -> bool:
    """Whether a text has a digit or a word of which every date has one."""
    return _DIGIT.search(text) is not None or date_words().search(text) is not None


@cache
def date_words() -> re.Pattern[str]:
    """Words of dates in all languages; those with other meanings ("may", "sun") only with a capital."""
    spaced: set[str] = set()
    signs: set[str] = set()
    for language in languages():
        lists = (language.weekdays, language.months, language.seasons, language.units, language.date_words.words)
        words = {form for each in lists for form in each.replace("/", " ").split()}
        (spaced if language.spaced else signs).update(words)
    sure = "|".join(sorted(map(re.escape, spaced - AMBIGUOUS_DATE_WORDS), key=len, reverse=True))
    capital = "|".join(sorted(word.capitalize() for word in AMBIGUOUS_DATE_WORDS))
    return re.compile(rf"\b(?:(?i:{sure})|{capital})\b|{'|'.join(map(re.escape, sorted(signs))) or '(?!)'}")
