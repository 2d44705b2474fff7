"""How nine languages ask and remember, as data, and which of them a question is written in."""

from __future__ import annotations

import re

from omoide.recall.language.de import GERMAN
from omoide.recall.language.east import EAST
from omoide.recall.language.en import ENGLISH
from omoide.recall.language.es import SPANISH
from omoide.recall.language.fr import FRENCH
from omoide.recall.language.it import ITALIAN
from omoide.recall.language.pt import PORTUGUESE
from omoide.recall.language.ru import RUSSIAN
from omoide.recall.language.tongue import Kind, Language, compiled

_LATIN = (ENGLISH, GERMAN, FRENCH, SPANISH, PORTUGUESE, ITALIAN)
_KNOWN = tuple((language, frozenset(language.function_words.split())) for language in _LATIN)
_CYRILLIC = re.compile("[а-яё]", re.IGNORECASE)
_EAST = re.compile("[\u3041-\u30ff\u4e00-\u9fff]")
_WORD = re.compile(r"[^\W\d_]+")


def language_of(text: str) -> Language:
    """By its script, else by its commonest words; English where nothing speaks for another."""
    if not text.isascii():
        if _EAST.search(text):
            return EAST
        if _CYRILLIC.search(text):
            return RUSSIAN
        if "¿" in text or "¡" in text:
            return SPANISH
    words = _WORD.findall(text.lower())
    counts = [sum(word in common for word in words) for _, common in _KNOWN]
    return _KNOWN[counts.index(max(counts))][0]  # the first of equals


__all__ = ["Kind", "Language", "compiled", "language_of"]
