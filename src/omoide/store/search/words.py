"""Words: tokens of the full-text index, exact spellings."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import cast

import apsw

from omoide.domain.entity import name_key
from omoide.language.text import fts_terms
from omoide.store.engine.connection import TEXT_WITH_ARCHIVE, Connection

_TOKENIZER = ("porter", ["unicode61", "remove_diacritics", "2", "categories", "L* N* Co M*"])  # as in the schema
_LONGEST_TOKEN = 32_768  # bytes of a token that the index stores

Tokenize = Callable[[str], list[str]]


def make_tokenizer(db: Connection) -> Tokenize:
    """A function that splits a text into the tokens of the full-text index."""
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
    """A word or phrase of a query: its tokens, and the quoted form for FTS5.

    Two forms of a word count twice, as in FTS5: counting each stem once was no better on any test set.
    """

    stems: tuple[str, ...]
    quoted: str

    @property
    def is_phrase(self) -> bool:
        return len(self.stems) > 1


def query_terms(db: Connection, wanted: Iterable[str]) -> list[QueryTerm]:
    """The quoted words and phrases of a query, without those that have no token."""
    cut = make_tokenizer(db)
    found = [QueryTerm(tuple(cut(each)), each) for each in wanted]
    return [each for each in found if each.stems]


def _truncated(word: str) -> str:
    return word if len(word) < _LONGEST_TOKEN // 4 else word.encode()[:_LONGEST_TOKEN].decode(errors="ignore")


# Exact spellings: the full-text index only knows stems.


_SAMPLE_TEXTS = 20  # texts with the same stem that are checked
_READ_CHARACTERS = 20_000  # characters of each that are read


def exact_words(db: Connection, words: Sequence[str]) -> frozenset[str]:
    """Those of the words that occur in a text in exactly this spelling, ignoring case and accents."""
    return frozenset(word for word in words if _occurs_exactly(db, word))


def _occurs_exactly(db: Connection, word: str) -> bool:
    found = db.execute(
        f"""
        SELECT substr({TEXT_WITH_ARCHIVE}, 1, :length), coalesce(node.speaker, ''), coalesce(node.tags, '')
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
