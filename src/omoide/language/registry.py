"""How nine languages ask and remember, as data, and which of them a question is written in."""

from __future__ import annotations

import re

from omoide.language.chinese import CHINESE
from omoide.language.definition import Language, QuestionKind, compiled_pattern
from omoide.language.english import ENGLISH
from omoide.language.french import FRENCH
from omoide.language.german import GERMAN
from omoide.language.italian import ITALIAN
from omoide.language.portuguese import PORTUGUESE
from omoide.language.russian import RUSSIAN
from omoide.language.spanish import SPANISH

_LATIN = (ENGLISH, GERMAN, FRENCH, SPANISH, PORTUGUESE, ITALIAN)
_KNOWN = tuple((language, frozenset(language.function_words.split())) for language in _LATIN)
_CYRILLIC = re.compile("[а-яё]", re.IGNORECASE)
_EAST = re.compile("[\u3041-\u30ff\u4e00-\u9fff]")
_WORD = re.compile(r"[^\W\d_]+")


def detect_language(text: str) -> Language:
    """By its script, else by its commonest words; English where nothing speaks for another."""
    if not text.isascii():
        if _EAST.search(text):
            return CHINESE
        if _CYRILLIC.search(text):
            return RUSSIAN
        if "¿" in text or "¡" in text:
            return SPANISH
    words = _WORD.findall(text.lower())
    counts = [sum(word in common for word in words) for _, common in _KNOWN]
    return _KNOWN[counts.index(max(counts))][0]  # the first of equals


__all__ = ["Language", "QuestionKind", "compiled_pattern", "detect_language"]
