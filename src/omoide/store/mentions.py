"""What is kept and still has a word that only the erased said: shown before, and named in the receipt."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice

import apsw

from omoide.store.forgotten import Mention
from omoide.store.needles import leaves
from omoide.store.places import PLACES
from omoide.store.sweep import Sweep

MOST = 1_000  # rows that are named one by one

# Numbers and digests; bytes; and what full text has, in which no such word is left.
_ELSEWHERE = frozenset({"vector", "token_state", "entity_vector", "archive_block"})
_INDEXED = frozenset({"text", "content_hash", "key", "folded_text", "folded_speaker", "folded_tags"})


def found(db: apsw.Connection, sweep: Sweep) -> list[Mention]:
    """Looks into every column of words."""
    if not sweep.words and not sweep.short:
        return []
    return list(islice(_all(db, sweep), MOST))


def wordless(named: Iterable[Mention]) -> tuple[Mention, ...]:
    """As a receipt keeps them."""
    return tuple(replace(each, text=None) for each in named)


def _all(db: apsw.Connection, sweep: Sweep) -> Iterator[Mention]:
    for table, columns in _columns():
        numbered = not db.execute("SELECT sql LIKE '%WITHOUT ROWID%' FROM sqlite_schema WHERE name = ?", (table,)).get
        row = "rowid" if numbered else "NULL"
        for id, *values in db.execute(f"SELECT {row}, {', '.join(columns)} FROM {table}"):
            for column, value in zip(columns, values, strict=True):
                if isinstance(value, str) and sweep(value) and any(map(sweep, _told(value))):
                    yield Mention(f"{table}.{column}", id, value)


def _columns() -> Iterator[tuple[str, list[str]]]:
    for place in PLACES:
        for table, columns in place.words.items():
            if table not in _ELSEWHERE and "_fts" not in table:
                yield table, [each for each in columns if each not in _INDEXED]


def _told(value: str) -> list[str]:
    """What is said in a document, or the text itself."""
    if value[:1] in ("{", "["):
        try:
            document = json.loads(value)
            shelf = document.get("category") if isinstance(document, dict) else None  # ours, or the name of a shelf
            return [*leaves(document, names=True), *leaves(shelf)]
        except ValueError:
            pass
    return [value]
