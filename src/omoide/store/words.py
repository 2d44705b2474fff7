"""Words as the full-text index knows them: cut and stemmed by its own tokenizer."""

from __future__ import annotations

from collections.abc import Callable, Iterable
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


def asked(db: apsw.Connection, wanted: Iterable[str]) -> dict[tuple[str, ...], str]:
    """Each quoted word or phrase by the stems it consists of, each only once: "plans" asks for nothing that "plan"
    did not. What the index has no word for is left out."""
    cut = cutter(db)
    found: dict[tuple[str, ...], str] = {}
    for each in wanted:
        stems = tuple(cut(each))
        if stems:
            found.setdefault(stems, each)
    return found


def _bounded(word: str) -> str:
    return word if len(word) < _LONGEST // 4 else word.encode()[:_LONGEST].decode(errors="ignore")
