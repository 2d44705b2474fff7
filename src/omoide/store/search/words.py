"""Words as the full-text index knows them: cut and stemmed by its own tokenizer."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import cast

import apsw

from omoide.domain.entity import name_key
from omoide.language.text import fts_terms
from omoide.store.engine.connection import Connection

_TOKENIZER = ("porter", ["unicode61", "remove_diacritics", "2", "categories", "L* N* Co M*"])  # as in the schema
_LONGEST_TOKEN = 32_768  # bytes of a word that the index keeps

Tokenize = Callable[[str], list[str]]


def make_tokenizer(db: Connection) -> Tokenize:
    """Cuts a text into the words that the index holds for it."""
    tokenize = db.fts5_tokenizer(*_TOKENIZER)

    def cut(text: str) -> list[str]:
        found = cast(
            list[str],
            tokenize(text.encode(), apsw.FTS5_TOKENIZE_DOCUMENT, None, include_offsets=False, include_colocated=False),
        )
        return found if len(text) < _LONGEST_TOKEN // 4 else [_truncated(word) for word in found]

    return cut


@dataclass(frozen=True, slots=True)
class QueryTerm:
    """A word or phrase of a question: the stems it consists of, and itself as FTS5 takes it, quoted.

    Two forms of a word count as two, as they do for FTS5: counting each stem once was no better on any set.
    """

    stems: tuple[str, ...]
    quoted: str

    @property
    def is_phrase(self) -> bool:
        return len(self.stems) > 1


def query_terms(db: Connection, wanted: Iterable[str]) -> list[QueryTerm]:
    """The quoted words and phrases of a question; what the index has no word for is left out."""
    cut = make_tokenizer(db)
    found = [QueryTerm(tuple(cut(each)), each) for each in wanted]
    return [each for each in found if each.stems]


def _truncated(word: str) -> str:
    return word if len(word) < _LONGEST_TOKEN // 4 else word.encode()[:_LONGEST_TOKEN].decode(errors="ignore")


# Words as they stand in the texts, letter by letter, where the full-text index knows only their stems.


_SAMPLE_TEXTS = 20  # texts that hold a word of the same stem; a spelling that none of them has is a rare one
_READ_CHARACTERS = 20_000  # characters of each


def exact_words(db: Connection, words: Sequence[str]) -> frozenset[str]:
    """Those of the words that some text spells just so, case and accents aside."""
    return frozenset(word for word in words if _occurs_exactly(db, word))


def _occurs_exactly(db: Connection, word: str) -> bool:
    found = db.execute(
        """
        SELECT substr(node.text, 1, :length), coalesce(node.speaker, ''), coalesce(node.tags, '')
        FROM (
            SELECT rowid AS id
            FROM nodes_fts
            WHERE nodes_fts MATCH :word
            LIMIT :sample
        ) AS holding
        JOIN node ON node.id = holding.id
        """,
        {"word": " OR ".join(fts_terms([word])) or '""', "sample": _SAMPLE_TEXTS, "length": _READ_CHARACTERS},
    )
    return any(name_key(word) in name_key(" ".join(row)).split() for row in found)


# Words that anybody may say: two texts that have one of them in common need not know of each other.
#
# `ordinary.txt` has the stems of about 35,000 English words, the most frequent first, made from the frequency lists of
# zxcvbn (`ordinary.LICENSE`); of its lists of names and passwords only what stands in a vocabulary of English too.


_FUNCTION_WORDS = 200  # of the most frequent ones: a phrase of nothing else says nothing


@cache
def _common_words() -> dict[str, int]:
    text = resources.files("omoide.store.search").joinpath("ordinary.txt").read_text(encoding="ascii")
    return {stem: rank for rank, stem in enumerate(text.split())}


def is_common_word(stem: str) -> bool:
    return stem in _common_words()


def is_function_word(stem: str) -> bool:
    """Whether it only joins other words."""
    return len(stem) < 2 or _common_words().get(stem, _FUNCTION_WORDS) < _FUNCTION_WORDS
