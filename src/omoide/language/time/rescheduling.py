"""Texts that move or cancel what was planned: "Ruth's visit moved by a week", "the dentist is cancelled"."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Literal

from omoide.language.registry import Language, compiled_pattern, detect_language, language_pattern, languages, words_of
from omoide.language.sentences import split_verbatim
from omoide.language.text import singular, stem

_CLAUSE = re.compile(r"[,;:()–—]+|\b(?:but|because|since|so|and (?=\w+ (?!and\b)\w+))\b")
_WORD = re.compile(r"(?<!\w)[^\W\d_]+(?:['’]s\b)?")
_POSSESSIVE = re.compile(r"['’]s\Z")
_COMMON_SHARE = 0.6  # of the words of the shorter text that two texts about one event have in common
_REMEMBERED = 4_096  # texts
_LONGEST = 600  # characters; a longer text speaks of many matters

Rescheduled = Literal["moved", "cancelled"]


@dataclass(frozen=True, slots=True)
class PlannedEvent:
    """What a text says takes place: its content words by stem, which of them are names, and all as they were said."""

    words: frozenset[str]
    names: frozenset[str]
    spoken: frozenset[str]

    def is_same(self, other: PlannedEvent) -> bool:
        """Whether both are one event: most words of the shorter text, not only a name beside another matter."""
        common = self.words & other.words
        if not common or (self.names and other.names and not self.names & other.names):
            return False
        names = self.names | other.names
        if common <= names and not (self.words <= names or other.words <= names):
            return False
        return len(common) >= _COMMON_SHARE * min(len(self.words), len(other.words))


@dataclass(frozen=True, slots=True)
class Announcement:
    """That an event was moved or cancelled. `clause` says so, `rest` follows the words of change in the sentence."""

    change: Rescheduled
    event: PlannedEvent
    clause: str
    rest: str


@lru_cache(_REMEMBERED)
def announcement_in(text: str) -> Announcement | None:
    """What a text says was moved or cancelled; None if it does not, only asks, or is not sure."""
    if len(text) > _LONGEST or not _any_cue().search(text):
        return None
    language = detect_language(text)
    words = language.date_words
    for sentence in split_verbatim(text):
        doubt = compiled_pattern(words.unsettled).search(sentence)
        if sentence.rstrip().endswith("?") or doubt:
            continue
        for change, cue in _cues(language):
            if found := compiled_pattern(cue).search(sentence):
                clause = _clause_around(sentence, found.start(), found.end())
                refers = language_pattern("anaphora").match(clause.strip())
                event = _event(sentence if refers else clause, language)
                return Announcement(change, event, clause, sentence[found.start() :])
    return None


@lru_cache(_REMEMBERED)
def event_of(text: str, phrase: str) -> PlannedEvent:
    """What a text says takes place at the time that `phrase` names."""
    language = detect_language(text)
    clause, sentence = _without(text, phrase)
    event = _event(clause, language)
    return event if event.words else _event(sentence, language)


@lru_cache(_REMEMBERED)
def returns_yearly(text: str, phrase: str) -> bool:
    """Whether it is a day of every year: a birthday is not moved along with its dinner."""
    return compiled_pattern(detect_language(text).date_words.yearly).search(_without(text, phrase)[0]) is not None


def _without(text: str, phrase: str) -> tuple[str, str]:
    """The clause and the sentence with a phrase, without it."""
    sentence = next((each for each in split_verbatim(text) if phrase in each), text)
    place = max(0, sentence.find(phrase))
    rest = sentence.replace(phrase, " ")
    return _clause_around(rest, place), rest


def clause_with(text: str, phrase: str) -> tuple[str, str]:
    """The clause that holds a phrase, and what its sentence says after the clause."""
    sentence = next((each for each in split_verbatim(text) if phrase in each), text)
    place = max(0, sentence.find(phrase))
    clause = _clause_around(sentence, place, place + len(phrase))
    return clause, sentence[sentence.find(clause, max(0, place - len(clause))) + len(clause) :]


def search_words(event: PlannedEvent) -> frozenset[str]:
    """The words by which an announcement about the event is searched."""
    synonyms = {word for word, first in _same_events().items() if first in event.words}
    return event.spoken | synonyms


@cache
def announcing_words() -> tuple[str, ...]:
    """The words of which every announcement has one."""
    return tuple(sorted({word for each in languages() for word in each.date_words.rescheduling.split()}))


@cache
def _any_cue() -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{re.escape(word)})" for word in announcing_words()) or "(?!)", re.IGNORECASE)


def _cues(language: Language) -> tuple[tuple[Rescheduled, str], ...]:
    return ("cancelled", language.date_words.cancelled), ("moved", language.date_words.moved)


def _clause_around(sentence: str, start: int, end: int | None = None) -> str:
    end = start if end is None else end
    begin = max((each.end() for each in _CLAUSE.finditer(sentence) if each.end() <= start), default=0)
    stop = min((each.start() for each in _CLAUSE.finditer(sentence) if each.start() >= end), default=len(sentence))
    return sentence[begin:stop]


def _event(clause: str, language: Language) -> PlannedEvent:
    skipped = _empty_words()
    words, names, all_spoken = set[str](), set[str](), set[str]()
    for found in _WORD.finditer(clause):
        spoken = _POSSESSIVE.sub("", found[0])
        key = spoken.lower()
        if len(key) < 2 or key in skipped:
            continue
        stemmed = _same_events().get(key) or stem(singular(key))
        words.add(stemmed)
        all_spoken.add(key)
        if spoken[0].isupper() and (clause[: found.start()].strip() or found[0] != spoken) and language.spaced:
            names.add(stemmed)
    return PlannedEvent(frozenset(words), frozenset(names), frozenset(all_spoken))


@cache
def _empty_words() -> frozenset[str]:
    kept = {word for word in _same_events() if word}
    dates = words_of("stop_words", "minor_words", "general_words", "weekdays", "months", "units", "numbers")
    own = {form for each in languages() for form in f"{each.date_words.words} {each.date_words.unspecific}".split()}
    spoken = {form.lower() for each in (*dates, *own) for form in each.split("/")}
    return frozenset((spoken | set(announcing_words())) - kept)


@cache
def _same_events() -> dict[str, str]:
    """Words that name one event in several ways, each with the first of them: "visit" and "coming to stay"."""
    found: dict[str, str] = {}
    for language in languages():
        for line in language.date_words.same_events.splitlines():
            words = line.split()
            found |= dict.fromkeys(words, words[0] if words else "")
    return found
