"""Whether a text says what only the erased said: strictly where it was made of them, by what is telling elsewhere."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from copy import copy
from functools import cached_property
from typing import Any

import apsw

from omoide.domain.entity import name_key
from omoide.language.text import match_expression
from omoide.store.ageing import archive_blocks
from omoide.store.ageing.archive_blocks import ArchivedText
from omoide.store.search import words

WORD = re.compile(r"[^\W_]+(?:['’_.-][^\W_]+)*")  # "don't", "MARK-7" and "snake_case" are one
OWN_FIELDS = frozenset(
    {"type", "outcome", "compression", "category", "last_outcome", "summary_of"}
)  # fields of our words

_LONG_WORD = 4  # letters of a Latin word: a shorter one is a coincidence in any other text
_SHORT_WORD = re.compile(r"\b(?:\d{3}|[A-Z]{2,3})\b")  # of the shorter ones, those that may be a secret: "739", "HIV"
_PHRASE_WORDS = 4  # words in a row that nobody says by chance
_ADDRESS = re.compile(r"[^\s<>\"'()]+@[^\s<>\"'()]+\.\w+|(?:https?://|www\.)[^\s<>\"'()]+")
_MEASURE = re.compile(r"(?:19|20)\d\d|\d+(?:am|pm|st|nd|rd|th|[km]?m|cm|kg|km|[kmg]b|ms|px|h|s)")  # years, times, sizes
_DIGIT = re.compile(r"\d")


class ErasedWords:
    """Knows the words that no node has any more, and tells whether a text holds one of them.

    That is enough of a reason where the text was made of the erased, or speaks of the same. For any other, see
    `untied`.
    """

    def __init__(self, db: apsw.Connection, texts: Iterable[str]) -> None:
        """Made once the nodes are gone: what the indexes still know is said by somebody else, in use or archived."""
        self._db = db
        self._cut = words.make_tokenizer(db)
        self._tied = True
        texts = list(dict.fromkeys(texts))
        keys = [name_key(text).split() for text in texts]
        self.words = self._unsaid({word for key in keys for word in key if _distinctive_words(word)})
        self.short = self._unsaid({each for text in texts for each in _short_words(text)})
        self._rare = frozenset(word for word in self.words if self._is_rare(word))
        self._phrases = frozenset(each for key in keys for each in _phrases(key))
        self._addresses = frozenset(each for text in texts for each in _addresses(text))
        self._judged: dict[tuple[str, ...], bool] = {}

    def __call__(self, text: str | None) -> bool:
        if not text:
            return False
        if not self._tied:
            return self._betrayed(text)
        return not self.words.isdisjoint(name_key(text).split()) or not self.short.isdisjoint(_short_words(text))

    @cached_property
    def untied(self) -> ErasedWords:
        """For text that was not made of the erased: one ordinary word in common is no reason there. A word that is in
        no list of words, a number, an address, two short secrets at once, or a whole phrase is."""
        loose = copy(self)
        loose._tied = False
        return loose

    def where(self, tied: bool) -> ErasedWords:
        return self if tied else self.untied

    def pruned(self, value: Any, *, names: bool = False) -> Any:
        """The value without the texts that hold one of the words; with `names`, without fields that are called so."""
        match value:
            case str():
                return None if self(value) else value
            case dict():
                stay = {name: each for name, each in value.items() if name in OWN_FIELDS or not (names and self(name))}
                kept = {name: self.pruned(each, names=names) for name, each in stay.items()}
                return {name: each for name, each in kept.items() if each is not None or value[name] is None}
            case list():
                return [kept for each in value if (kept := self.pruned(each, names=names)) is not None]
            case _:
                return value

    def _unsaid(self, candidates: set[str]) -> frozenset[str]:
        stems = {word: self._cut(word) for word in candidates}
        known = {row[0] for row in _known_stems(self._db, sorted({stem for each in stems.values() for stem in each}))}
        return frozenset(word for word, cuts in stems.items() if cuts and not known.issuperset(cuts))

    def _is_rare(self, word: str) -> bool:
        if _DIGIT.search(word):
            return _MEASURE.fullmatch(word) is None
        return not all(map(words.is_common_word, self._cut(word)))

    def _betrayed(self, text: str) -> bool:
        key = name_key(text).split()
        if not self._rare.isdisjoint(key) or len(self.short.intersection(_short_words(text))) > 1:
            return True
        if any(each in self._phrases and self._is_alone(each) for each in _word_runs(key)):
            return True
        return any(each in self._addresses and not is_said_by_node(self._db, each) for each in _addresses(text))

    def _is_alone(self, phrase: tuple[str, ...]) -> bool:
        """Whether it says something, and no kept node says it."""
        if phrase not in self._judged:
            saying = [word for word in phrase if not all(map(words.is_function_word, self._cut(word)))]
            self._judged[phrase] = len(set(saying)) > 1 and not is_said_by_node(self._db, " ".join(phrase))
        return self._judged[phrase]


def _distinctive_words(word: str) -> bool:
    return len(word) >= (_LONG_WORD if word.isascii() else 2)


def _short_words(text: str) -> list[str]:
    return [] if text.isupper() else _SHORT_WORD.findall(text)


def _addresses(text: str) -> list[str]:
    return [each.rstrip(".,;:!?").casefold() for each in _ADDRESS.findall(text)]


def _phrases(key: list[str]) -> Iterator[tuple[str, ...]]:
    """Every few words in a row; a text that has less is a phrase as a whole."""
    if 1 < len(key) < _PHRASE_WORDS:
        yield tuple(key)
    yield from (tuple(key[at : at + _PHRASE_WORDS]) for at in range(len(key) - _PHRASE_WORDS + 1))


def _word_runs(key: list[str]) -> Iterator[tuple[str, ...]]:
    """All that may be one of those phrases."""
    for size in range(2, _PHRASE_WORDS + 1):
        yield from (tuple(key[at : at + size]) for at in range(len(key) - size + 1))


def is_said_by_node(db: apsw.Connection, phrase: str) -> bool:
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


def _known_stems(db: apsw.Connection, stems: list[str]) -> Iterator[tuple[str]]:
    for start in range(0, len(stems), 500):
        for index in vocabulary_tables(db):
            yield from db.execute(
                f"SELECT term FROM {index} WHERE term IN (SELECT value FROM json_each(?))",
                (json.dumps(stems[start : start + 500]),),
            )


def vocabulary_tables(db: apsw.Connection) -> tuple[str, ...]:
    """Every word that full text has, of what is in use and of what is not."""
    db.execute("CREATE VIRTUAL TABLE IF NOT EXISTS temp.archived_word USING fts5vocab ('main', 'archive_fts', 'row')")
    return "word", "temp.archived_word"


# The words that only the erased said: what is swept out of everything else, and looked for in the bytes.


_SEARCH_BYTES = 6  # bytes of a needle: a shorter one is a coincidence in any other file
_MOST_SEARCH_WORDS = 192  # needles: each costs a pass over the file
_SEARCH_PHRASE_WORDS = 3  # words of a phrase, for texts that say nothing but common words

_TEXT_COLUMNS = ("text", "summary", "details", "attributes", "tags", "speaker", "task_id", "folded_text", "folded_tags")


def texts_of_nodes(db: apsw.Connection, ids: Iterable[int]) -> list[str]:
    """Every text that stands in some nodes, on their links and in their history."""
    ids = list(ids)
    chosen = json.dumps(ids)
    found = db.execute(
        f"SELECT {', '.join(_TEXT_COLUMNS)} FROM node WHERE id IN (SELECT value FROM json_each(?))", (chosen,)
    )
    texts: list[str] = []
    for row in found:
        for column, value in zip(_TEXT_COLUMNS, row, strict=True):
            if value and column in ("details", "attributes", "tags"):
                texts += texts_in_value(json.loads(value), names=column == "details")
            elif value:
                texts.append(value)
    texts += [text for packed in archive_blocks.archived_texts(db, ids).values() for text in texts_of_archived(packed)]
    beside = db.execute(
        """
        SELECT evidence FROM edge
        WHERE source_id IN (SELECT value FROM json_each(:ids)) OR target_id IN (SELECT value FROM json_each(:ids))
        UNION ALL
        SELECT json_remove(before, '$.reason') FROM change  -- why upkeep put it away: a sentence of ours
        WHERE before IS NOT NULL AND node_id IN (SELECT value FROM json_each(:ids))
        UNION ALL
        SELECT body FROM task_entry WHERE task_id IN (SELECT value FROM json_each(:ids))
        """,
        {"ids": chosen},
    )
    return texts + [text for (each,) in beside for text in texts_in_value(json.loads(each))]


def texts_of_archived(packed: ArchivedText) -> list[str]:
    """The texts of a node that is out of use."""
    texts = [each for each in (packed.text, packed.summary, packed.speaker, *packed.folded) if each]
    for part, names in ((packed.details, True), (packed.attributes, False), (packed.tags, False)):
        texts += texts_in_value(json.loads(part), names=names) if part else ()
    return texts


def texts_in_value(value: Any, *, names: bool = False) -> Iterator[str]:
    """The texts in a value; with `names`, also those of its fields, where they are not ours."""
    match value:
        case str():
            yield value
        case dict():
            for name, each in value.items():
                if names:
                    yield name
                if name not in OWN_FIELDS:
                    yield from texts_in_value(each, names=names)
        case list() | tuple():
            for each in value:
                yield from texts_in_value(each, names=names)


def search_words(db: apsw.Connection, texts: Iterable[str], sweep: ErasedWords) -> list[str]:
    """What to look for: first the words that nobody else has, as they stood, then short phrases; a bounded number."""
    alone: dict[str, None] = {}
    phrases: dict[str, None] = {}
    cut = words.make_tokenizer(db)
    for text in texts:
        spans = [match.span() for match in WORD.finditer(text)]
        for start, end in spans:
            if sweep(text[start:end]):
                alone[text[start:end].lower()] = None
                alone.update(dict.fromkeys(cut(text[start:end])))
        for first, last in zip(
            spans[::_SEARCH_PHRASE_WORDS], spans[_SEARCH_PHRASE_WORDS - 1 :: _SEARCH_PHRASE_WORDS], strict=False
        ):
            phrases[text[first[0] : last[1]].lower()] = None
    found = sorted((each for each in alone if len(each.encode()) >= _SEARCH_BYTES), key=len, reverse=True)[
        :_MOST_SEARCH_WORDS
    ]
    found += sorted((each for each in phrases if len(each) >= 2 * _SEARCH_BYTES), key=len, reverse=True)[
        : _MOST_SEARCH_WORDS - len(found)
    ]
    return _not_said_elsewhere(db, found)


def _not_said_elsewhere(db: apsw.Connection, found: list[str]) -> list[str]:
    """Without those that some row still says, as part of another word or of another text."""
    schema = "\0".join(row[0] for row in db.execute("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL")).lower()
    left = {needle for needle in found if needle not in schema}  # "predicate" is a word of the file's own
    kept = [(f'"{table}"', ", ".join(f'"{column}"' for column in columns)) for table, columns in text_columns(db)]
    for table, columns in (
        *kept,
        *((index, "term") for index in vocabulary_tables(db)),
    ):  # words there have lost their accents
        if not left:
            break
        rows = db.execute(f"SELECT {columns} FROM {table}")
        while batch := [str(each) for row in _next_batch(rows) for each in row if isinstance(each, str)]:
            together = "\0".join(batch).lower()
            left -= {needle for needle in left if needle in together}
    for block in archive_blocks.all_blocks(db):
        together = "\0".join(text for packed in block.values() for text in texts_of_archived(packed)).lower()
        left -= {needle for needle in left if needle in together}
    return [needle for needle in found if needle in left]


def _next_batch(rows: Any) -> list[tuple[Any, ...]]:
    batch = []
    for row in rows:
        batch.append(row)
        if len(batch) == 2_000:
            break
    return batch


def text_columns(db: apsw.Connection) -> list[tuple[str, list[str]]]:
    """The text columns of every table of ours; the full-text index has its own."""
    tables = db.execute(
        """
        SELECT name
        FROM sqlite_schema
        WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%' AND name NOT LIKE 'sqlite_%'
        ORDER BY name
        """
    )
    found = []
    for (table,) in list(tables):
        columns = [row[1] for row in db.execute(f'PRAGMA table_info("{table}")') if row[2].upper() == "TEXT"]
        if columns:
            found.append((table, columns))
    return found
