"""Bringing a file to today's schema: numbered steps, each with its record in one transaction, a backup first."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import apsw

from omoide.clock import Clock
from omoide.errors import Damaged, NewerFile, NotAMemory
from omoide.store.engine import connection as connections
from omoide.store.engine.gate import Gate

_FOLDER = Path(__file__).parent / "migrations"


@dataclass(frozen=True, slots=True)
class Migration:
    """One numbered change of the schema. Once released it is never edited; its checksum is in every file."""

    number: int
    name: str
    sql: str

    @property
    def checksum(self) -> str:
        return hashlib.sha256(self.sql.encode()).hexdigest()


def shipped_migrations() -> tuple[Migration, ...]:
    """The migrations that this version knows, in order."""
    steps = []
    for file in sorted(_FOLDER.glob("*.sql")):
        number, _, name = file.stem.partition("_")
        steps.append(Migration(int(number), name, file.read_text("utf-8")))
    return tuple(steps)


def latest_version() -> int:
    """The newest number, without reading the files' text."""
    return max(int(file.stem.partition("_")[0]) for file in _FOLDER.glob("*.sql"))


def upgrade(
    db: apsw.Connection, path: str, gate: Gate, clock: Clock, migrations: Sequence[Migration] | None = None
) -> None:
    """Applies what is missing; refuses what is not ours or newer than we are."""
    newest = migrations[-1].number if migrations else latest_version()
    if file_version(db, path, newest) == newest:
        return
    with gate.held():
        steps = migrations or shipped_migrations()
        found = file_version(db, path, newest)  # another process may have been faster
        if found < newest:
            _verify(db, steps, found)
            _apply_all(db, path, [step for step in steps if step.number > found], clock())


def _apply_all(db: apsw.Connection, path: str, steps: Sequence[Migration], now: int) -> None:
    """The missing steps. While they run, links are not enforced: rebuilding a table must not empty those around it."""
    copy = _back_up(db, path, steps[0].number)
    db.pragma("foreign_keys", False)
    try:
        for step in steps:
            _apply(db, step, now)
    except BaseException:
        if copy is not None and db.pragma("user_version") < steps[0].number:
            copy.unlink()  # the file is as it was; a copy for every try would fill the disk
        raise
    finally:
        db.pragma("foreign_keys", True)


def file_version(db: apsw.Connection, path: str, newest: int | None = None) -> int:
    """The file's number, 0 for an empty one. Raises for one that is not ours or newer than we are; only reads."""
    newest = latest_version() if newest is None else newest
    with db:  # one state of the file: another process may be creating it right now
        ours, empty = connections.is_ours(db), connections.is_empty(db)
        found = int(db.pragma("user_version"))
    if not ours:
        if empty:
            return 0
        raise NotAMemory(f"{path} is a SQLite database of another program; it was left untouched")
    if found > newest:
        raise NewerFile(
            f"{path} has format {found}, this Omoide reads up to {newest}; it was left untouched, upgrade to open it"
        )
    return found


def _apply(db: apsw.Connection, step: Migration, now: int) -> None:
    db.execute("BEGIN IMMEDIATE")
    try:
        if step.number == 1:
            db.execute(
                """
                CREATE TABLE migration (
                    number INTEGER PRIMARY KEY,
                    name TEXT NOT NULL,
                    checksum TEXT NOT NULL,
                    applied_at INTEGER NOT NULL
                ) STRICT
                """
            )
            db.pragma("application_id", connections.APPLICATION_ID)
        db.execute(step.sql)
        db.execute(
            "INSERT INTO migration (number, name, checksum, applied_at) VALUES (?, ?, ?, ?)",
            (step.number, step.name, step.checksum, now),
        )
        db.pragma("user_version", step.number)
        if db.execute("PRAGMA foreign_key_check").fetchone():
            raise Damaged(f"migration {step.number} would leave links that lead nowhere; the file was left as it was")
        db.execute("COMMIT")
    except BaseException:
        if db.in_transaction:
            db.execute("ROLLBACK")
        raise


def _verify(db: apsw.Connection, steps: Sequence[Migration], version: int) -> None:
    """What was applied must be what we ship: a file from a doctored version is not migrated blindly."""
    if version == 0:
        return
    known = {step.number: step.checksum for step in steps}
    for number, checksum in db.execute("SELECT number, checksum FROM migration ORDER BY number"):
        if known.get(number) != checksum:
            raise Damaged(f"migration {number} in this file is not the one we know; restore a backup or ask for help")


def _back_up(db: apsw.Connection, path: str, number: int) -> Path | None:
    """A copy through SQLite's own API, beside the file; it is kept, since only the user may delete it."""
    if path == connections.IN_MEMORY or number == 1:
        return None
    unfinished = Path(f"{path}.before-{number:04d}.part")
    unfinished.unlink(missing_ok=True)
    copy = apsw.Connection(str(unfinished))
    try:
        with copy.backup("main", db, "main") as backup:
            backup.step(-1)
    finally:
        copy.close()
    return unfinished.rename(_unused_path(f"{path}.before-{number:04d}"))


def _unused_path(name: str) -> Path:
    """A name that nothing has yet: an older copy may be of another file that once stood here."""
    place, count = Path(name), 1
    while place.exists():
        count += 1
        place = Path(f"{name}-{count}")
    return place
