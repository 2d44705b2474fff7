"""A file as an earlier version of the schema would have written it."""

from __future__ import annotations

import os

import apsw

from omoide.store.engine.connection import close, connect
from omoide.store.engine.gate import NoGate
from omoide.store.engine.migrate import shipped_migrations, upgrade
from tests.conftest import ticking


def take_back(path: str, number: int) -> None:
    """Makes the file at `path` one of format `number`: the same rows, without what later steps brought."""
    old = f"{path}.older"
    connection = apsw.Connection(old)
    connection.close()
    db = connect(old, 1.0)
    upgrade(db, old, NoGate(), ticking(), shipped_migrations()[:number])
    db.pragma("foreign_keys", False)
    db.execute("ATTACH ? AS today", (path,))
    for (table,) in list(
        db.execute("SELECT name FROM main.sqlite_schema WHERE type = 'table' AND sql NOT LIKE '%VIRTUAL%'")
    ):
        if not table.startswith(("sqlite_", "nodes_fts", "migration", "counter")):
            names = ", ".join(row[1] for row in db.execute(f"PRAGMA main.table_info({table})"))
            db.execute(f"INSERT INTO main.{table} ({names}) SELECT {names} FROM today.{table}")
    db.execute("DETACH today")
    close(db)  # folds the log into the file that is about to move
    for ending in ("-wal", "-shm"):
        if os.path.exists(path + ending):
            os.remove(path + ending)
    os.replace(old, path)
