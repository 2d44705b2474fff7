"""Words as the full-text index knows them: cut and stemmed by its own tokenizer."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import cast

import apsw

_TOKENIZER = ("porter", ["unicode61", "remove_diacritics", "2", "categories", "L* N* Co M*"])  # as in the schema
_LONGEST = 32_768  # bytes of a word that the index keeps

Cut = Callable[[str], list[str]]


def cutter(db: apsw.Connection) -> Cut:
    """Cuts a text into the words that the index holds for it."""
    tokenize = db.fts5_tokenizer(*_TOKENIZER)

    def cut(text: str) -> list[str]:
        found = cast(
            list[str],
            tokenize(text.encode(), apsw.FTS5_TOKENIZE_DOCUMENT, None, include_offsets=False, include_colocated=False),
        )
        return found if len(text) < _LONGEST // 4 else [_bounded(word) for word in found]

    return cut


@dataclass(frozen=True, slots=True)
class Asked:
    """A word or phrase of a question: the stems it consists of, and itself as FTS5 takes it, quoted.

    Two forms of a word count as two, as they do for FTS5: counting each stem once was no better on any set.
    """

    stems: tuple[str, ...]
    quoted: str

    @property
    def is_phrase(self) -> bool:
        return len(self.stems) > 1


def asked(db: apsw.Connection, wanted: Iterable[str]) -> list[Asked]:
    """The quoted words and phrases of a question; what the index has no word for is left out."""
    cut = cutter(db)
    found = [Asked(tuple(cut(each)), each) for each in wanted]
    return [each for each in found if each.stems]


def _bounded(word: str) -> str:
    return word if len(word) < _LONGEST // 4 else word.encode()[:_LONGEST].decode(errors="ignore")
