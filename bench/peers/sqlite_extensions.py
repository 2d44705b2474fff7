"""SQLite with loadable extensions for sqlite-vec: many Python builds lack them."""

from __future__ import annotations

import sqlite3
import sys

# Not 0.5.4: with its SQLite 3.51 the plan of mcp-memory-service's query compares all vectors once for every row.
REQUIRES = "pysqlite3-binary>=0.5.3,<0.5.4"


def loadable() -> None:
    """Replaces the standard sqlite3 module by pysqlite3 where needed; call before importing the system."""
    if not hasattr(sqlite3.Connection, "enable_load_extension"):
        import pysqlite3

        sys.modules["sqlite3"] = pysqlite3
        sys.modules["sqlite3.dbapi2"] = pysqlite3.dbapi2
