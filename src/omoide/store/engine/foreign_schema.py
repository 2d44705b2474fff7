"""Finds triggers, tables, views and indexes that another program added to the file."""

from __future__ import annotations

from functools import cache

import apsw

from omoide.store.engine import connection, migrate
from omoide.store.engine.connection import Connection
from omoide.store.engine.consistency import Finding

_SCHEMA = "SELECT type, name FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%'"


def check_schema(db: Connection, repair: bool) -> Finding:
    """A trigger of another program can make our writes fail, or change them; a repair drops it. The rest is named."""
    foreign = sorted(set(db.execute(_SCHEMA)) - _own_schema())
    triggers = [name for type, name in foreign if type == "trigger"]
    if not triggers:
        others = ", ".join(f"{type} {name}" for type, name in foreign)
        return Finding("schema", True, f"another program added {others}" if others else "nothing was added to the file")
    if repair:
        for name in triggers:
            db.execute(f'DROP TRIGGER "{name.replace(chr(34), chr(34) * 2)}"')
    detail = f"another program added {len(triggers)} triggers, which run with every write: {', '.join(triggers)}"
    return Finding("schema", False, detail, repaired=repair)


@cache
def _own_schema() -> frozenset[tuple[str, str]]:
    """What the migrations of this version make."""
    db = apsw.Connection(connection.IN_MEMORY)
    connection.register_functions(db)
    for step in migrate.shipped_migrations():
        db.execute(step.sql)
    found = frozenset(db.execute(_SCHEMA)) | {("table", "migration")}
    db.close()
    return found
