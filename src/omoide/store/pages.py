"""Which kind of row a byte of the file belongs to, in plain words: what was seen there can then be acted on."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress

import apsw

from omoide.store.places import PLACES, WORDLESS


def told(db: apsw.Connection, offsets: Iterable[int]) -> tuple[str, ...]:
    """The places that hold these bytes of the file, each once; none where SQLite cannot tell."""
    wanted = sorted({offset // _size(db) + 1 for offset in offsets})
    if not wanted:
        return ()
    with suppress(apsw.SQLError):  # a SQLite that was built without `dbstat`
        tables = _tables(db)
        return tuple(dict.fromkeys(_named(tables.get(page)) for page in wanted))
    return ()


def _size(db: apsw.Connection) -> int:
    return int(db.execute("PRAGMA page_size").get)


def _tables(db: apsw.Connection) -> dict[int, str]:
    """{page: the table it belongs to}; a page of an index belongs to its table, a free page to none."""
    return dict(
        db.execute(
            """
            SELECT dbstat.pageno, coalesce(sqlite_schema.tbl_name, dbstat.name)
            FROM dbstat
            LEFT JOIN sqlite_schema ON sqlite_schema.name = dbstat.name
            """
        )
    )


def _named(table: str | None) -> str:
    if table is None:
        return "free pages"
    place = next((place.name for place in PLACES if table in place.words), None)
    if place is None and table not in WORDLESS:
        return f"the table {table}"
    return f"{place or 'bookkeeping'} ({table})"
