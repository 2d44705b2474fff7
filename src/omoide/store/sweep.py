"""Whether a text says what only the erased said: strictly where it was made of them, by what is telling elsewhere."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from copy import copy
from functools import cached_property
from typing import Any

import apsw

from omoide.layers.entity import name_key
from omoide.store import ordinary, words
from omoide.text import match_expression

WORD = re.compile(r"[^\W_]+(?:['’_.-][^\W_]+)*")  # "don't", "MARK-7" and "snake_case" are one
OURS = frozenset({"type", "outcome", "compression", "category", "last_outcome", "summary_of"})  # fields of our words

_LONG = 4  # letters of a Latin word: a shorter one is a coincidence in any other text
_SHORT = re.compile(r"\b(?:\d{3}|[A-Z]{2,3})\b")  # of the shorter ones, those that may be a secret: "739", "HIV"
_PHRASE = 4  # words in a row that nobody says by chance
_ADDRESS = re.compile(r"[^\s<>\"'()]+@[^\s<>\"'()]+\.\w+|(?:https?://|www\.)[^\s<>\"'()]+")
_MEASURE = re.compile(r"(?:19|20)\d\d|\d+(?:am|pm|st|nd|rd|th|[km]?m|cm|kg|km|[kmg]b|ms|px|h|s)")  # years, times, sizes
_DIGIT = re.compile(r"\d")


class Sweep:
    """Knows the words that no node has any more, and tells whether a text holds one of them.

    That is enough of a reason where the text was made of the erased, or speaks of the same. For any other, see
    `untied`.
    """

    def __init__(self, db: apsw.Connection, texts: Iterable[str]) -> None:
        """Made once the nodes are gone: what the indexes still know is said by somebody else, in use or archived."""
        self._db = db
        self._cut = words.cutter(db)
        self._tied = True
        texts = list(dict.fromkeys(texts))
        keys = [name_key(text).split() for text in texts]
        self.words = self._unsaid({word for key in keys for word in key if _telling(word)})
        self.short = self._unsaid({each for text in texts for each in _shorts(text)})
        self._rare = frozenset(word for word in self.words if self._is_rare(word))
        self._phrases = frozenset(each for key in keys for each in _phrases(key))
        self._addresses = frozenset(each for text in texts for each in _addresses(text))
        self._judged: dict[tuple[str, ...], bool] = {}

    def __call__(self, text: str | None) -> bool:
        if not text:
            return False
        if not self._tied:
            return self._betrayed(text)
        return not self.words.isdisjoint(name_key(text).split()) or not self.short.isdisjoint(_shorts(text))

    @cached_property
    def untied(self) -> Sweep:
        """For text that was not made of the erased: one ordinary word in common is no reason there. A word that is in
        no list of words, a number, an address, two short secrets at once, or a whole phrase is."""
        loose = copy(self)
        loose._tied = False
        return loose

    def where(self, tied: bool) -> Sweep:
        return self if tied else self.untied

    def pruned(self, value: Any, *, names: bool = False) -> Any:
        """The value without the texts that hold one of the words; with `names`, without fields that are called so."""
        match value:
            case str():
                return None if self(value) else value
            case dict():
                stay = {name: each for name, each in value.items() if name in OURS or not (names and self(name))}
                kept = {name: self.pruned(each, names=names) for name, each in stay.items()}
                return {name: each for name, each in kept.items() if each is not None or value[name] is None}
            case list():
                return [kept for each in value if (kept := self.pruned(each, names=names)) is not None]
            case _:
                return value

    def _unsaid(self, candidates: set[str]) -> frozenset[str]:
        stems = {word: self._cut(word) for word in candidates}
        known = {row[0] for row in _known(self._db, sorted({stem for each in stems.values() for stem in each}))}
        return frozenset(word for word, cuts in stems.items() if cuts and not known.issuperset(cuts))

    def _is_rare(self, word: str) -> bool:
        if _DIGIT.search(word):
            return _MEASURE.fullmatch(word) is None
        return not all(map(ordinary.is_ordinary, self._cut(word)))

    def _betrayed(self, text: str) -> bool:
        key = name_key(text).split()
        if not self._rare.isdisjoint(key) or len(self.short.intersection(_shorts(text))) > 1:
            return True
        if any(each in self._phrases and self._is_alone(each) for each in _runs(key)):
            return True
        return any(each in self._addresses and not stands(self._db, each) for each in _addresses(text))

    def _is_alone(self, phrase: tuple[str, ...]) -> bool:
        """Whether it says something, and no kept node says it."""
        if phrase not in self._judged:
            saying = [word for word in phrase if not all(map(ordinary.is_small, self._cut(word)))]
            self._judged[phrase] = len(set(saying)) > 1 and not stands(self._db, " ".join(phrase))
        return self._judged[phrase]


def _telling(word: str) -> bool:
    return len(word) >= (_LONG if word.isascii() else 2)


def _shorts(text: str) -> list[str]:
    return [] if text.isupper() else _SHORT.findall(text)


def _addresses(text: str) -> list[str]:
    return [each.rstrip(".,;:!?").casefold() for each in _ADDRESS.findall(text)]


def _phrases(key: list[str]) -> Iterator[tuple[str, ...]]:
    """Every few words in a row; a text that has less is a phrase as a whole."""
    if 1 < len(key) < _PHRASE:
        yield tuple(key)
    yield from (tuple(key[at : at + _PHRASE]) for at in range(len(key) - _PHRASE + 1))


def _runs(key: list[str]) -> Iterator[tuple[str, ...]]:
    """All that may be one of those phrases."""
    for size in range(2, _PHRASE + 1):
        yield from (tuple(key[at : at + size]) for at in range(len(key) - size + 1))


def stands(db: apsw.Connection, phrase: str) -> bool:
    """Whether a node says it, in use or archived."""
    expression = match_expression([], [phrase])
    return bool(expression) and bool(
        db.execute(
            """
            SELECT
                EXISTS (SELECT 1 FROM nodes_fts WHERE nodes_fts MATCH :phrase)
                OR EXISTS (SELECT 1 FROM archive_fts WHERE archive_fts MATCH :phrase)
            """,
            {"phrase": expression},
        ).get
    )


def _known(db: apsw.Connection, stems: list[str]) -> Iterator[tuple[str]]:
    for start in range(0, len(stems), 500):
        for index in indexes(db):
            yield from db.execute(
                f"SELECT term FROM {index} WHERE term IN (SELECT value FROM json_each(?))",
                (json.dumps(stems[start : start + 500]),),
            )


def indexes(db: apsw.Connection) -> tuple[str, ...]:
    """Every word that full text has, of what is in use and of what is not."""
    db.execute("CREATE VIRTUAL TABLE IF NOT EXISTS temp.archived_word USING fts5vocab ('main', 'archive_fts', 'row')")
    return "word", "temp.archived_word"
