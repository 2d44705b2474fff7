"""Detects turns that state a lasting preference or instruction of the speaker.

Precision matters more than recall: marked turns are considered for every later question, so a passing "I love it!" must
not match. The forms are data of each language. Each form has cue words; a sentence without any cue is rejected without
running a pattern.
"""

from __future__ import annotations

import re
from functools import cache

from omoide.language.registry import PhraseForm, language_pattern, languages
from omoide.language.sentences import split_at_marks

_READ_CHARACTERS = 2_000  # preferences are stated in short turns, not deep inside a pasted text
_WORD = re.compile(r"[^\W\d_]+")
_FIRST_WORD = re.compile(r"\\b([^\W\d_]+)(?=\\|\(|')")  # the word that a pattern begins with, as in `\\bmy\\s`


def states_preference(text: str) -> bool:
    """Whether a sentence of the text states a lasting preference or instruction."""
    lowered = text[:_READ_CHARACTERS].lower().replace("’", "'")
    doubt = language_pattern("doubts")  # questions, hypotheticals and statements about the past
    sentences = split_at_marks(lowered, semicolons=True)
    return any(_matches_form(sentence) and not doubt.search(sentence) for sentence in sentences)


def _matches_form(sentence: str) -> bool:
    words = frozenset(_WORD.findall(sentence))
    if not _all_cues().isdisjoint(words):
        for first_word, cues, pattern in _forms():
            if (first_word is None or first_word in words) and not cues.isdisjoint(words) and pattern.search(sentence):
                return True
    return not sentence.isascii() and language_pattern("preferences").search(sentence) is not None


@cache
def _forms() -> tuple[tuple[str | None, frozenset[str], re.Pattern[str]], ...]:
    """Compiled on first use, so processes that only recall do not pay for it."""
    return tuple(_compiled(form) for language in languages() for form in language.preference_forms)


def _compiled(form: PhraseForm) -> tuple[str | None, frozenset[str], re.Pattern[str]]:
    """The word that a form begins with, if any; the longest word of each phrase; the pattern."""
    phrases = form.phrases.split(",")
    first_word = _FIRST_WORD.match(form.start)
    cues = frozenset(max(_WORD.findall(phrase), key=len) for phrase in phrases)
    choices = "|".join(r"\s+".join(map(re.escape, phrase.split())) for phrase in phrases)
    return first_word and first_word[1], cues, re.compile(f"{form.start}(?:{choices}){form.end}")


@cache
def _all_cues() -> frozenset[str]:
    return frozenset().union(*(cues for _, cues, _ in _forms()))
