"""Compares words regardless of their endings, without a dictionary.

SQLite's own Porter stemmer builds the search index; these functions compare words outside of it. They are crude on
purpose: two different words may meet now and then, inflections of one word nearly always do.
"""

from __future__ import annotations

from functools import cache, lru_cache
from importlib import resources

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


# Common English words by frequency: two texts that share one need not be related, and one says little by itself.


_FORM_ENDINGS = ("s", "es", "ed", "ing", "er", "ly", "e", "d")
_FUNCTION_WORDS = 200  # the most frequent ones: a phrase of only these says nothing


@cache
def _ranks() -> dict[str, int]:
    text = resources.files("omoide.language").joinpath("common_words.txt").read_text(encoding="ascii")
    return {word: rank for rank, word in enumerate(text.split())}


@cache
def word_rank(word: str) -> int | None:
    """The place of a lower-case word by frequency; None for a name or another rare word."""
    forms = {word, word[:-1] + "i" if word.endswith("y") else word, stem(word)}
    forms |= {word.removesuffix(ending) for ending in _FORM_ENDINGS if len(word) > len(ending) + 1}
    return min((rank for each in forms if (rank := _ranks().get(each)) is not None), default=None)


def is_common_word(stemmed: str) -> bool:
    """Whether the stem of a word, as the full-text index has it, is common."""
    return stemmed in _ranks()


def is_everyday_word(stemmed: str, most: int) -> bool:
    """Whether a word is among the most frequent ones."""
    return _ranks().get(stemmed, most) < most


def is_function_word(stemmed: str) -> bool:
    """Whether a word only connects other words."""
    return len(stemmed) < 2 or is_everyday_word(stemmed, _FUNCTION_WORDS)
