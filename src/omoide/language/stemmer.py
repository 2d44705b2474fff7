"""Compares words regardless of their endings, without a dictionary.

SQLite's own Porter stemmer builds the search index; these functions compare words outside of it. They are crude on
purpose: two different words may meet now and then, inflections of one word nearly always do.
"""

from __future__ import annotations

from functools import lru_cache

_REMEMBERED = 10_000  # words
_ENDINGS = "ations ation ments ment ings ing ies ied ers ed er es ly s d n e y".split()


@lru_cache(_REMEMBERED)
def stem(word: str) -> str:
    """Return a lower-case word without its ending: "planned", "plans" and "planning" become "plan"."""
    if len(word) < 4 or not word.isalpha():
        return word
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            word = word.removesuffix(ending)
            break
    if len(word) > 3 and word[-1] == word[-2]:  # running → runn → run
        word = word[:-1]
    return word.removesuffix("e") if len(word) > 3 else word


def singular(word: str) -> str:
    """Return a word without the s of a plural or of the third person; tenses stay."""
    return word[:-1] if len(word) > 3 and word.islower() and word[-1] == "s" and word[-2] not in "sui'’" else word
