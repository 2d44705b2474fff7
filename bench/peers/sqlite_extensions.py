"""An SQLite that may load extensions, for peers that need sqlite-vec: many Pythons are built without that."""

from __future__ import annotations

import sqlite3
import sys

# Not 0.5.4: with its SQLite 3.51 the plan of mcp-memory-service's query compares all vectors once for every row.
REQUIRES = "pysqlite3-binary>=0.5.3,<0.5.4"


def loadable() -> None:
    """Puts pysqlite3 in the place of the standard module where that cannot; before the peer is imported."""
    if not hasattr(sqlite3.Connection, "enable_load_extension"):
        import pysqlite3

        sys.modules["sqlite3"] = pysqlite3
        sys.modules["sqlite3.dbapi2"] = pysqlite3.dbapi2
