"""Reads SQLite files of other systems. They are opened read-only; vectors and other blobs are not touched."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import apsw

from omoide.errors import InvalidInput


def foreign_columns(path: str, table: str) -> frozenset[str]:
    """The columns of a table of a SQLite file; none if it has no such table, or cannot be read."""
    try:
        db = apsw.Connection(path, apsw.SQLITE_OPEN_READONLY)
    except apsw.Error:
        return frozenset()
    try:
        return frozenset(name for (name,) in db.execute("SELECT name FROM pragma_table_info(?)", (table,)))
    except apsw.Error:
        return frozenset()
    finally:
        db.close()


def foreign_rows(path: str, tables: Sequence[str]) -> Iterator[tuple[str, int, dict[str, Any]]]:
    """Yields table, number and columns of each row of those tables that exist. Raises InvalidInput."""
    try:
        db = apsw.Connection(path, apsw.SQLITE_OPEN_READONLY)
        try:
            known = {name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
            for table in tables:
                if table in known:
                    found = db.execute(f"SELECT * FROM {table} ORDER BY rowid")
                    for number, row in enumerate(found, 1):
                        columns = (column[0] for column in found.getdescription())
                        yield table, number, dict(zip(columns, row, strict=True))
        finally:
            db.close()
    except apsw.Error as error:
        raise InvalidInput(f"{path}: the SQLite file cannot be read ({error})") from error
