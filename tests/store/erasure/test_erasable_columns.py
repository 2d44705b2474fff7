"""Every text column is known to erasure: a new table cannot be left out by accident."""

from __future__ import annotations

import apsw

from omoide import Memory
from omoide.store.erasure.erasable_columns import ERASABLE, WITHOUT_TEXT
from tests.open_file import open_file

NUMBERS = {(f"{index}_fts_idx", column) for index in ("nodes", "archive") for column in ("segid", "pgno")}  # of FTS5


def columns(path: str) -> set[tuple[str, str]]:
    """(table, column) of all that may hold words: text, bytes, and whatever has no declared type."""
    db = open_file(path, apsw.SQLITE_OPEN_READONLY)
    tables = db.execute(
        """
        SELECT name
        FROM sqlite_schema
        WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%' AND name <> 'sqlite_sequence'
        """
    )
    found = {
        (table, row[1])
        for (table,) in list(tables)
        for row in db.execute(f'PRAGMA table_info("{table}")')
        if row[2].upper() not in ("INTEGER", "REAL")
    }
    db.close()
    return found


def test_every_column_is_erasable_or_without_text(memory: Memory, path: str) -> None:
    erased = {(table, column) for place in ERASABLE for table, names in place.columns.items() for column in names}
    wordless = {(table, column) for table, names in WITHOUT_TEXT.items() for column in names}
    seen = columns(path)
    unknown = seen - erased - wordless - NUMBERS
    assert unknown == set(), "say in store/places.py how it is erased, or that it holds no words"
    assert not erased & wordless
    assert (erased | wordless) - seen == set(), "store/places.py speaks of columns that are not there"
