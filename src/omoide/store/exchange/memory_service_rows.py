"""Reads the SQLite file of mcp-memory-service. Its file is opened read-only and its vectors are not touched."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import apsw

from omoide.errors import InvalidInput

MEMORY_SERVICE_TABLES = ("memories", "memory_graph", "beliefs")


def is_memory_service_file(path: str) -> bool:
    """Whether a SQLite file has the memories of mcp-memory-service."""
    try:
        db = apsw.Connection(path, apsw.SQLITE_OPEN_READONLY)
    except apsw.Error:
        return False
    try:
        columns = {name for (name,) in db.execute("SELECT name FROM pragma_table_info('memories')")}
        return {"content_hash", "content"} <= columns
    except apsw.Error:
        return False
    finally:
        db.close()


def memory_service_rows(path: str) -> Iterator[tuple[str, int, dict[str, Any]]]:
    """Yields table, number and columns of each row of the tables that hold words or links."""
    try:
        db = apsw.Connection(path, apsw.SQLITE_OPEN_READONLY)
        try:
            known = {name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
            for table in MEMORY_SERVICE_TABLES:
                if table in known:
                    found = db.execute(f"SELECT * FROM {table} ORDER BY rowid")
                    for number, row in enumerate(found, 1):
                        yield (
                            table,
                            number,
                            dict(zip((column[0] for column in found.getdescription()), row, strict=True)),
                        )
        finally:
            db.close()
    except apsw.Error as error:
        raise InvalidInput(f"{path}: the SQLite file cannot be read ({error})") from error
