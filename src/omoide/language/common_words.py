"""Common English words by frequency: two texts that share one need not be related, and one says little by itself.

`common_words.txt` has the stems of about 35,000 English words, the most frequent first, from the frequency lists of
zxcvbn (`common_words.LICENSE`); of its names and passwords only those that are also English words.
"""

from __future__ import annotations

from functools import cache
from importlib import resources

from omoide.language.stemmer import stem

_ENDINGS = ("s", "es", "ed", "ing", "er", "ly", "e", "d")
_FUNCTION_WORDS = 200  # the most frequent ones: a phrase of only these says nothing


@cache
def _ranks() -> dict[str, int]:
    text = resources.files("omoide.language").joinpath("common_words.txt").read_text(encoding="ascii")
    return {word: rank for rank, word in enumerate(text.split())}


@cache
def word_rank(word: str) -> int | None:
    """The place of a lower-case word by frequency; None for a name or another rare word."""
    forms = {word, word[:-1] + "i" if word.endswith("y") else word, stem(word)}
    forms |= {word.removesuffix(ending) for ending in _ENDINGS if len(word) > len(ending) + 1}
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
