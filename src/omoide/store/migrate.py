"""Bringing a file to today's schema: numbered steps, each with its record in one transaction, a backup first."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import apsw

from omoide.clock import Clock
from omoide.errors import Damaged, NewerFile, NotAMemory
from omoide.store import connection as connections
from omoide.store.gate import Gate

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


def shipped() -> tuple[Migration, ...]:
    """The migrations that this version knows, in order."""
    steps = []
    for file in sorted(_FOLDER.glob("*.sql")):
        number, _, name = file.stem.partition("_")
        steps.append(Migration(int(number), name, file.read_text("utf-8")))
    return tuple(steps)


def latest() -> int:
    """The newest number, without reading the files' text."""
    return max(int(file.stem.partition("_")[0]) for file in _FOLDER.glob("*.sql"))


def bring_up(
    db: apsw.Connection, path: str, gate: Gate, clock: Clock, migrations: Sequence[Migration] | None = None
) -> None:
    """Applies what is missing; refuses what is not ours or newer than we are."""
    newest = migrations[-1].number if migrations else latest()
    if _version(db, path, newest) == newest:
        return
    with gate.held():
        steps = migrations or shipped()
        version = _version(db, path, newest)  # another process may have been faster
        if 0 < version < newest:
            _verify(db, steps)
            _back_up(db, path, version)
        for step in steps:
            if step.number > version:
                _apply(db, step, clock())


def _version(db: apsw.Connection, path: str, newest: int) -> int:
    if not connections.is_ours(db):
        if connections.is_empty(db):
            return 0
        raise NotAMemory(f"{path} is a SQLite database of another program; it was left untouched")
    version = int(db.pragma("user_version"))
    if version > newest:
        raise NewerFile(
            f"{path} has format {version}, this Omoide reads up to {newest}; it was left untouched, upgrade to open it"
        )
    return version


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
        db.execute("COMMIT")
    except BaseException:
        if db.in_transaction:
            db.execute("ROLLBACK")
        raise


def _verify(db: apsw.Connection, steps: Sequence[Migration]) -> None:
    """What was applied must be what we ship: a file from a doctored version is not migrated blindly."""
    known = {step.number: step.checksum for step in steps}
    for number, checksum in db.execute("SELECT number, checksum FROM migration ORDER BY number"):
        if known.get(number) != checksum:
            raise Damaged(f"migration {number} in this file is not the one we know; restore a backup or ask for help")


def _back_up(db: apsw.Connection, path: str, version: int) -> None:
    """A copy through SQLite's own API, beside the file; it is kept, since only the user may delete it."""
    if path == connections.MEMORY:
        return
    target = Path(f"{path}.before-{version + 1:04d}")
    if target.exists():
        return
    unfinished = Path(f"{target}.part")
    unfinished.unlink(missing_ok=True)
    copy = apsw.Connection(str(unfinished))
    try:
        with copy.backup("main", db, "main") as backup:
            backup.step(-1)
    finally:
        copy.close()
    unfinished.rename(target)
