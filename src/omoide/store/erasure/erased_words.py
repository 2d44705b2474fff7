"""Finds words that only erased nodes contained: what to clear from other text and to search for in the bytes."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from copy import copy
from functools import cached_property
from typing import Any, NamedTuple, TypeVar

from omoide.domain.entity import name_key
from omoide.language.text import index_text, is_common_word, is_function_word, match_expression
from omoide.store.ageing import archive_blocks
from omoide.store.ageing.archive_blocks import ArchivedText
from omoide.store.engine.connection import Connection, SourcesChanged
from omoide.store.search import fulltext

T = TypeVar("T")
WORD = re.compile(r"[^\W_]+(?:['’_.-][^\W_]+)*")  # "don't", "MARK-7" and "snake_case" are one word each
OWN_FIELDS = frozenset({"type", "outcome", "compression", "category", "last_outcome", "summary_of"})  # not user text
UNSAID_FIELDS = OWN_FIELDS | {"form", "predicate", "matter", "worded"}  # may repeat what was said, but nobody said them
_OWN_DETAILS = OWN_FIELDS | {"worded"}
_ROLES = frozenset({"user", "agent"})  # our names for who speaks, which summaries repeat

_LONG_WORD = 4  # letters of a Latin word: a shorter one may occur in any text by chance
_SHORT_WORD = re.compile(r"\b(?:\d{3}|[A-Z]{2,3})\b")  # shorter words that may be a secret: "739", "HIV"
_PHRASE_WORDS = 4  # consecutive words that do not recur by chance
_RUN = re.compile(r"[^\s<>\"'()]+")  # an address has none of these; each run is read once, so the time is linear
_MAIL_HOST = re.compile(r"[^@]+\.\w+")
_LINK = re.compile(r"https?://.|www\..")
_MEASURE = re.compile(r"(?:19|20)\d\d|\d+(?:am|pm|st|nd|rd|th|[km]?m|cm|kg|km|[kmg]b|ms|px|h|s)")  # years, times, sizes
_DIGIT = re.compile(r"\d")


class _TextWords:
    """The words of an erased text: its key, long words, short words, phrases with content, addresses."""

    def __init__(self, text: str) -> None:
        self.key = name_key(text)
        key = self.key.split()
        self.words = frozenset(filter(_is_long_enough, key))
        self.short = frozenset(_short_words(text))
        self.phrases = frozenset(_phrases(key))
        self.addresses = frozenset(_addresses(text))


class _Shared(NamedTuple):
    """What another text shares with erased ones: words in order, number of short words, phrases, addresses."""

    words: tuple[str, ...]
    short: tuple[str, ...]
    phrases: tuple[tuple[str, ...], ...]
    addresses: tuple[str, ...]


_NOTHING_SHARED = _Shared((), (), (), ())


class WordComparison:
    """Compares the words of erased texts with other texts, and keeps what it found.

    An erasure compares all stored texts in a state that it reads first (`compare_all`). While it writes, it looks up
    what was found, and compares only what was written in between.
    """

    def __init__(self, db: Connection, texts: Iterable[str], losing: int | None = None) -> None:
        """`losing`: number of nodes that lose their text, so that words of more nodes cannot go."""
        tokenize = fulltext.make_tokenizer(db)
        self._texts = {text: _TextWords(text) for text in dict.fromkeys(texts)}
        found = self._texts.values()
        stems = {each: tokenize(each) for each in _union(one.words | one.short for one in found)}
        every = sorted({stem for cuts in stems.values() for stem in cuts})
        staying = frozenset() if losing is None else frozenset(_known_stems(db, every, losing))
        self.stems = {word: cuts for word, cuts in stems.items() if not staying.issuperset(cuts)}
        self.rare = frozenset(word for word, cuts in self.stems.items() if _is_rare(word, cuts))
        phrases = _union(one.phrases for one in found)
        said = {word for each in phrases for word in each}
        self._content = frozenset(word for word in said if not all(map(is_function_word, tokenize(word))))
        self._phrases = frozenset(each for each in phrases if len(self._content.intersection(each)) > 1)
        self._addresses = _union(one.addresses for one in found)
        self._known: dict[str, _Shared] = {}

    def of(self, text: str) -> _TextWords:
        """The words of an erased text. Raises SourcesChanged if it was written after the comparison."""
        if text not in self._texts:
            raise SourcesChanged
        return self._texts[text]

    def names(self, name: str, texts: Iterable[str]) -> bool:
        """Whether one of the erased texts contains a name."""
        key = f" {name_key(name)} "
        return any(key in f" {self.of(text).key} " for text in texts)

    def shared(self, text: str) -> _Shared:
        """What a text shares with the erased ones."""
        if text not in self._known:
            self._known[text] = self.compare(text)
        return self._known[text]

    def compare(self, text: str) -> _Shared:
        key = name_key(text).split()
        words = tuple(each for each in key if each in self.stems)
        short = tuple(each for each in _short_words(text) if each in self.stems)
        phrases: tuple[tuple[str, ...], ...] = ()
        if len(self._content.intersection(key)) > 1:
            phrases = tuple(dict.fromkeys(each for each in _word_runs(key) if each in self._phrases))
        addresses = tuple(each for each in _addresses(text) if each in self._addresses) if self._addresses else ()
        return _Shared(words, short, phrases, addresses) if words or short or phrases or addresses else _NOTHING_SHARED

    def compare_all(self, texts: Iterable[str]) -> None:
        """Compares texts, and those in a JSON document that shares anything."""
        for text in texts:
            if text not in self._known and self.shared(text) is not _NOTHING_SHARED and text[:1] in ("{", "["):
                with suppress(ValueError):
                    for inside in texts_in_value(json.loads(text), names=True, own=frozenset()):
                        self.shared(inside)


class ErasedWords:
    """The words that no node contains any more. Calling it tells whether a text contains one of them.

    One word is enough if the text was made from the erased nodes or is about the same; otherwise use `unrelated`.
    """

    def __init__(self, db: Connection, texts: Iterable[str], compared: WordComparison | None = None) -> None:
        """Created after the nodes are deleted: words still in the indexes are used by other nodes, live or archived."""
        texts = list(dict.fromkeys(texts))
        self._db = db
        self._related = True
        self.compared = compared or WordComparison(db, texts)
        found = [self.compared.of(text) for text in texts]
        self.words = self._gone_from_indexes(_union(each.words for each in found))
        self.short = self._gone_from_indexes(_union(each.short for each in found))
        self._rare = self.words & self.compared.rare
        self._phrases = _union(each.phrases for each in found)
        self._addresses = _union(each.addresses for each in found)
        self._phrase_verdicts: dict[tuple[str, ...], bool] = {}

    def __call__(self, text: str | None) -> bool:
        if not text:
            return False
        found = self.compared.shared(text)
        if not self._related:
            return self._reveals(found)
        return not self.words.isdisjoint(found.words) or not self.short.isdisjoint(found.short)

    def word_in(self, text: str) -> str | None:
        """The first of these words in a text."""
        found = self.compared.shared(text)
        return next((each for each in found.words + found.short if each in self.words | self.short), None)

    @cached_property
    def unrelated(self) -> ErasedWords:
        """For unrelated text, where one common word proves nothing: only a rare word, a number, an address, two short
        secrets or a whole phrase counts."""
        found = copy(self)
        found._related = False
        return found

    def said_in(self, texts: Iterable[str]) -> ErasedWords:
        """Only the words in these erased texts, without the names of roles."""
        found, said = copy(self), [self.compared.of(text) for text in texts]
        found.words = self.words & _union(each.words for each in said) - _ROLES
        found.short = self.short & _union(each.short for each in said)
        return found

    def for_text(self, related: bool) -> ErasedWords:
        return self if related else self.unrelated

    def without_erased(self, value: Any, *, names: bool = False) -> Any:
        """The value without texts that contain erased words; with `names`, also without such field names."""
        match value:
            case str():
                return None if self(value) else value
            case dict():
                stay = {name: each for name, each in value.items() if name in OWN_FIELDS or not (names and self(name))}
                kept = {name: self.without_erased(each, names=names) for name, each in stay.items()}
                return {name: each for name, each in kept.items() if each is not None or value[name] is None}
            case list():
                return [kept for each in value if (kept := self.without_erased(each, names=names)) is not None]
            case _:
                return value

    def _gone_from_indexes(self, candidates: frozenset[str]) -> frozenset[str]:
        """The words of which no index contains all stems."""
        stems = {word: self.compared.stems[word] for word in candidates & self.compared.stems.keys()}
        known = set(_known_stems(self._db, sorted({stem for each in stems.values() for stem in each})))
        return frozenset(word for word, cuts in stems.items() if cuts and not known.issuperset(cuts))

    def _reveals(self, found: _Shared) -> bool:
        if not self._rare.isdisjoint(found.words) or len(self.short.intersection(found.short)) > 1:
            return True
        if any(each in self._phrases and self._is_only_erased(each) for each in found.phrases):
            return True
        return any(each in self._addresses and not is_said_by_node(self._db, each) for each in found.addresses)

    def _is_only_erased(self, phrase: tuple[str, ...]) -> bool:
        if phrase not in self._phrase_verdicts:
            self._phrase_verdicts[phrase] = not is_said_by_node(self._db, " ".join(phrase))
        return self._phrase_verdicts[phrase]


def _is_rare(word: str, stems: Sequence[str]) -> bool:
    if _DIGIT.search(word):
        return _MEASURE.fullmatch(word) is None
    return not all(map(is_common_word, stems))


def _union(several: Iterable[frozenset[T]]) -> frozenset[T]:
    return frozenset().union(*several)


def _is_long_enough(word: str) -> bool:
    return len(word) >= (_LONG_WORD if word.isascii() else 2)


def _short_words(text: str) -> list[str]:
    return [] if text.isupper() else _SHORT_WORD.findall(text)


def _addresses(text: str) -> list[str]:
    return [found.rstrip(".,;:!?").casefold() for run in _RUN.findall(text) if (found := _address_in(run))]


def _address_in(run: str) -> str | None:
    """The mail address or the link in a run of characters without a space."""
    if (at := run.rfind("@")) > 0 and (host := _MAIL_HOST.match(run, at + 1)):
        return run[: host.end()]
    link = _LINK.search(run)
    return run[link.start() :] if link else None


def _phrases(key: list[str]) -> Iterator[tuple[str, ...]]:
    """All runs of four words; a shorter text is a phrase as a whole."""
    if 1 < len(key) < _PHRASE_WORDS:
        yield tuple(key)
    yield from (tuple(key[at : at + _PHRASE_WORDS]) for at in range(len(key) - _PHRASE_WORDS + 1))


def _word_runs(key: list[str]) -> Iterator[tuple[str, ...]]:
    """All runs of two to four words."""
    for size in range(2, _PHRASE_WORDS + 1):
        yield from (tuple(key[at : at + size]) for at in range(len(key) - size + 1))


def is_said_by_node(db: Connection, phrase: str, but: Collection[int] = ()) -> bool:
    """Whether a live or archived node contains the phrase; `but` do not count."""
    expression = match_expression([], [phrase])
    found = "SELECT 1 FROM nodes_fts WHERE nodes_fts MATCH ? AND rowid NOT IN (SELECT value FROM json_each(?)) LIMIT 1"
    return bool(expression) and db.execute(found, (expression, but)).get is not None


def _known_stems(db: Connection, stems: list[str], more_than: int = 0) -> Iterator[str]:
    """Those of the stems that more nodes than this contain."""
    for start in range(0, len(stems), 500):
        known = "SELECT term FROM word WHERE term IN (SELECT value FROM json_each(?)) AND doc > ?"
        yield from db.column(known, (stems[start : start + 500], more_than))


_SEARCH_BYTES = 6  # a shorter search term may occur in any file by chance
_ROWS_AT_ONCE = 5_000  # whose texts are joined
_MOST_SEARCH_WORDS = 192  # each costs a pass over the file
_SEARCH_PHRASE_WORDS = 3  # words of a phrase, for texts of common words only

_TEXT_COLUMNS = ("text", "summary", "details", "attributes", "tags", "speaker", "task_id", "folded_text", "folded_tags")


def texts_of_nodes(db: Connection, ids: Iterable[int], own: frozenset[str] = OWN_FIELDS) -> list[str]:
    """Every text of some nodes, on their links and in their history, except in the fields `own` of attributes."""
    ids = list(ids)

    found = db.execute(
        f"SELECT {', '.join(_TEXT_COLUMNS)} FROM node WHERE id IN (SELECT value FROM json_each(?))", (ids,)
    )
    texts: list[str] = []
    for row in found:
        for column, value in zip(_TEXT_COLUMNS, row, strict=True):
            if value and column in ("details", "attributes", "tags"):
                details = column == "details"
                texts += texts_in_value(json.loads(value), names=details, own=own & _OWN_DETAILS if details else own)
            elif value:
                texts.append(value)
    texts += [
        text for archived in archive_blocks.archived_texts(db, ids).values() for text in texts_of_archived(archived)
    ]
    beside = db.execute(
        """
        SELECT evidence FROM edge
        WHERE source_id IN (SELECT value FROM json_each(:ids)) OR target_id IN (SELECT value FROM json_each(:ids))
        UNION ALL
        SELECT json_remove(before, '$.reason') FROM change  -- the reason of an archiving is our own sentence
        WHERE before IS NOT NULL AND node_id IN (SELECT value FROM json_each(:ids))
        UNION ALL
        SELECT body FROM task_entry WHERE task_id IN (SELECT value FROM json_each(:ids))
        """,
        {"ids": ids},
    )
    return texts + [text for (each,) in beside for text in texts_in_value(json.loads(each), own=own)]


def texts_of_archived(archived: ArchivedText) -> list[str]:
    """The texts of an archived node."""
    texts = [each for each in (archived.text, archived.summary, index_text(archived.text)) if each]
    texts += texts_in_value(json.loads(archived.details), names=True) if archived.details else ()
    return texts


def texts_in_value(value: Any, *, names: bool = False, own: frozenset[str] = OWN_FIELDS) -> Iterator[str]:
    """The texts in a JSON value but not in fields of ours; with `names`, also field names where the user chose them."""
    match value:
        case str():
            yield value
        case dict():
            for name, each in value.items():
                if names:
                    yield name
                if name not in own:
                    yield from texts_in_value(each, names=names, own=own)
        case list() | tuple():
            for each in value:
                yield from texts_in_value(each, names=names, own=own)


def search_words(db: Connection, texts: Iterable[str], erased: ErasedWords, *, rehearsal: bool) -> list[str]:
    """What to search for in the bytes: words that no other node has, then short phrases; a bounded number.

    `rehearsal`: the nodes are still there, and only their own words are named.
    """
    alone: dict[str, None] = {}
    phrases: dict[str, None] = {}
    tokenize = fulltext.make_tokenizer(db)
    for text in texts:
        spans = [match.span() for match in WORD.finditer(text)]
        for start, end in spans:
            if text[start:end] in erased.short or not erased.words.isdisjoint(name_key(text[start:end]).split()):
                alone[text[start:end].lower()] = None
                alone.update(dict.fromkeys(tokenize(text[start:end])))
        for first, last in zip(
            spans[::_SEARCH_PHRASE_WORDS], spans[_SEARCH_PHRASE_WORDS - 1 :: _SEARCH_PHRASE_WORDS], strict=False
        ):
            phrases[text[first[0] : last[1]].lower()] = None
    words = sorted((each for each in alone if len(each.encode()) >= _SEARCH_BYTES), key=len, reverse=True)
    if rehearsal:
        return words[:_MOST_SEARCH_WORDS]
    rest = sorted((each for each in phrases if len(each) >= 2 * _SEARCH_BYTES), key=len, reverse=True)
    return _not_said_elsewhere(db, [*words[:_MOST_SEARCH_WORDS], *rest][:_MOST_SEARCH_WORDS])


def _not_said_elsewhere(db: Connection, found: list[str]) -> list[str]:
    """Without terms that occur in any kept row, also as part of a longer word."""
    schema = "\0".join(row[0] for row in db.execute("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL")).lower()
    left = {term for term in found if term not in schema}  # "predicate" occurs in the schema
    for table, columns in (*text_columns(db), ("word", ["term"])):  # `word`: without accents
        if not left:
            break
        for together in _joined_texts(db, table, columns):
            lowered = together.lower()
            left -= {term for term in left if term in lowered}
    for block in archive_blocks.all_blocks(db):
        together = "\0".join(text for archived in block.values() for text in texts_of_archived(archived)).lower()
        left -= {term for term in left if term in together}
    return [term for term in found if term in left]


def _joined_texts(db: Connection, table: str, columns: Sequence[str]) -> Iterator[str]:
    """The texts of a table, many rows at once: SQLite joins them, which is several times as fast as rows."""
    named = ", ".join(f'"{column}"' for column in columns)
    text = f"concat_ws(char(0), {named})"
    if _has_no_rowid(db, table):
        yield db.execute(f'SELECT group_concat({text}, char(0)) FROM "{table}"').get or ""
        return
    some = f'SELECT rowid AS n, {text} AS text FROM "{table}" WHERE rowid > ? ORDER BY rowid LIMIT {_ROWS_AT_ONCE}'
    after: int | None = -(2**63)
    while after is not None:
        together, after = db.execute(
            f"SELECT group_concat(text, char(0)), max(n) FROM ({some})", (after,)
        ).fetchone() or (None, None)
        yield together or ""


def _has_no_rowid(db: Connection, table: str) -> bool:
    sql = str(db.execute("SELECT sql FROM sqlite_schema WHERE name = ?", (table,)).get)
    return "WITHOUT ROWID" in sql or sql.startswith("CREATE VIRTUAL")


def text_columns(db: Connection) -> list[tuple[str, list[str]]]:
    """The text columns of every table, without the full-text index."""
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
