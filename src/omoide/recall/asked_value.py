"""What kind of value a question asks for, and whether a hit holds one: a name, a number, a phone number, a thing.

"What's Jill's phone number?" finds lines about Jill. However close they are, without a number none of them answers.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from omoide.language.registry import compiled_pattern, detect_language, words_of
from omoide.language.sentences import split_sentences
from omoide.language.stemmer import singular, stem, word_rank
from omoide.language.text import search_terms

if TYPE_CHECKING:
    from omoide.recall.question import Query
    from omoide.recall.results import Hit

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
_PHONE = re.compile(r"\d(?:[\s./()-]*\d){5,}")
VALUE_MISSING = 0.1  # the greatest probability that hits without such a value answer
_BEST = 12  # hits that are read
_NEAR = 6  # words between a name and what it names
_RARE = 20_000  # a lower-case word that is rarer may be a name


@dataclass(frozen=True, slots=True)
class AskedValue:
    """The kind of value that is asked for, and what the line with the answer is about, as stems."""

    kind: str  # name, part_of_name, number, phone, thing or attribute
    topic: frozenset[str]  # what it is the value of
    nouns: frozenset[str]  # of the topic, the words that are no names, or all of it
    asked: frozenset[str]  # all words of the question

    def is_in(self, text: str) -> bool:
        """Whether a text holds such a value beside a word of the topic."""
        return any(self._in_sentence(each) for each in split_sentences(text) or [text])

    def _in_sentence(self, sentence: str) -> bool:
        words = [(found[0], found.start(), found.end()) for found in _WORD.finditer(sentence)]
        stems = [_stem(word) for word, _, _ in words]
        places = [place for place, each in enumerate(stems) if each in self.nouns]
        if not places:
            return False
        match self.kind:
            case "phone":
                return _PHONE.search(sentence) is not None
            case "number":
                return any(_is_number(word) for word, _, _ in words)
            case "attribute":
                return len(self.topic) == len(self.nouns) or not self.topic - self.nouns <= self.asked - set(stems)
            case "part_of_name":
                return any(self._is_surname(sentence, words[place], other) for place in places for other in words)
            case "name":
                near = {at for place in places for at in range(place - _NEAR, place + _NEAR + 1)}
                return any(self._is_name(word, at) for at, (word, _, _) in enumerate(words) if at in near)
        return True  # the thing itself is named

    def _is_name(self, word: str, place: int) -> bool:
        plain = re.sub(r"['’]\w*$", "", word)
        if _stem(word) in self.asked or len(plain) < 3 or plain.lower() in _no_names():
            return False
        rank = word_rank(plain.lower())
        return (word[0].isupper() and place > 0) or rank is None or rank >= _RARE

    def _is_surname(self, sentence: str, known: tuple[str, int, int], other: tuple[str, int, int]) -> bool:
        """Whether another word stands directly beside a known name, written like a name in the same way."""
        beside = sentence[min(known[2], other[2]) : max(known[1], other[1])].isspace()
        return beside and known[0][0].isupper() == other[0][0].isupper() and self._is_name(other[0], 1)


def asked_value(text: str) -> AskedValue | None:
    """The value that a question asks for; None where its kind is not recognised."""
    words = search_terms(text)
    for kind, pattern in detect_language(text).value_questions:
        found = compiled_pattern(pattern).search(text.replace("’", "'"))
        if found is None:
            continue
        own = _stems(search_terms(found[0]))
        topic = _stems(word for word in words if word.lower() not in _no_topic()) - own
        if kind in ("thing", "attribute"):
            noun = _stems(search_terms(found[1])[-1:])
            return AskedValue(kind, topic | noun, noun, _stems(words))
        common = _stems(word for word in words if _stem(word) in topic and word_rank(word.lower()) is not None)
        names = topic - common or topic
        nouns = names if kind in ("part_of_name", "phone") else common or topic
        return AskedValue(kind, topic, nouns, _stems(words)) if topic else None
    return None


def value_found(query: Query, hits: Sequence[Hit]) -> bool:
    """Whether one of the best hits holds a value of the kind that is asked for; yes where the kind is not known."""
    text = query.question.text
    asked = None if query.is_request and not text.rstrip().endswith("?") else asked_value(text)
    return asked is None or any(asked.is_in(hit.text) for hit in hits[:_BEST])


def _stems(words: Iterable[str]) -> frozenset[str]:
    return frozenset(map(_stem, words))


def _stem(word: str) -> str:
    return stem(singular(re.sub(r"['’]\w*$", "", word.lower())))


def _is_number(word: str) -> bool:
    return any(map(str.isdigit, word)) or word.lower() in words_of("number_words")


def _no_topic() -> frozenset[str]:
    return words_of("stop_words", "titles")


def _no_names() -> frozenset[str]:
    calendar = (form for word in words_of("weekdays", "months") for form in word.lower().split("/"))
    return words_of("titles", "number_words") | frozenset(calendar)
