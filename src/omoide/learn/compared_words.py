"""The words by which statements are compared: their stems, how rare they are, their numbers and limits."""

from __future__ import annotations

import math
import re
from functools import cache, lru_cache

from omoide.domain.entity import name_key
from omoide.language.registry import languages, words_of
from omoide.language.stemmer import stem

NUMBER = re.compile(r"\d+(?:[.,:/-]\d+)*")
_LABEL = re.compile(r"(?:\b(?:number|no\.|nr\.?|nummer)\s*|#)(\d+)", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")

_FEWEST_MEMORIES = 1_000  # in a smaller file every word would seem common


def word_rarity(memories: int, of: int) -> float:
    """How much a word tells, from 0 to 1, if so many memories of all contain it."""
    return max(0.0, 1.0 - math.log(memories + 1) / math.log(max(of, _FEWEST_MEMORIES) + 1))


@cache
def _empty_words() -> frozenset[str]:
    return words_of("stop_words", "minor_words")


@cache
def announcing_words() -> frozenset[str]:
    """Stems of words that say that something changes, and not what: "cancelled", "moved"."""
    known = (each.statements for each in languages() if each.statements is not None)
    return frozenset(stem(word) for each in known for word in each.matter_ignored.split())


@cache
def _weekdays() -> frozenset[str]:
    names = (name for each in languages() for name in each.weekdays.replace("/", " ").split())
    return frozenset(form for name in names for form in (name, f"{name}s"))


def weekdays_in(spoken: str) -> frozenset[str]:
    """The weekdays among words that are divided by spaces."""
    return _weekdays() & frozenset(spoken.split())


@lru_cache(maxsize=4096)  # the same memories are compared with every new one
def stems(text: str, without: frozenset[str]) -> frozenset[str]:
    """The stems of the content words of a text, except some."""
    words = (word for part in _WORD.findall(text) for word in name_key(part).split())
    skipped = _empty_words() | without
    return frozenset(stem(word) for word in words if len(word) > 1 and word not in skipped)


def labels_in(text: str, own: frozenset[str]) -> frozenset[str]:
    """The numbers that tell things apart and are no amounts: "boat number 5", "Room 5 is free", "Meeting note 2"."""
    found = set(_LABEL.findall(text))
    first = NUMBER.search(text)
    before = [name_key(word) for word in _WORD.findall(text[: first.start()])] if first else []
    if before and before[0] in _empty_words():
        before = before[1:]
    plain = bool(before) and not any(word in own or word in _empty_words() for word in before)
    if first and plain and (len(before) == 1 or not _WORD.search(text, first.end())):
        found.add(first.group())
    return frozenset(found)


def limits_in(text: str) -> frozenset[str]:
    """The words of a text that negate, restrict or weaken it."""
    words = (word.casefold().replace("’", "'") for word in _WORD.findall(text))
    negations = words_of("negations")
    return frozenset("not" if word.endswith("n't") else word for word in words if word in negations or "n't" in word)
