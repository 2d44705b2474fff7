"""A file as a migration leaves it: today's format, with a copy of the earlier one beside it."""

from __future__ import annotations

from omoide.store.engine.connection import close
from omoide.store.engine.gate import NoGate
from omoide.store.engine.migrate import Migration, shipped_migrations, upgrade
from tests.conftest import ticking
from tests.open_file import connect


def leave_migration_copy(path: str) -> None:
    """Applies a step that changes nothing, then gives the file the number that this version knows."""
    newest = shipped_migrations()[-1].number
    db = connect(path, 1.0)
    upgrade(db, path, NoGate(), ticking(), (*shipped_migrations(), Migration(newest + 1, "sample", "SELECT 1;")))
    db.execute("DELETE FROM migration WHERE number > ?", (newest,))
    db.pragma("user_version", newest)
    close(db)
