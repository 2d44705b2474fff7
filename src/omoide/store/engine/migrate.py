"""Schema migrations: numbered SQL files, each applied and recorded in one transaction, after a backup."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import apsw

from omoide.clock import Clock
from omoide.errors import CannotWrite, Damaged, NewerFile, NotAMemory
from omoide.store.engine import connection as connections
from omoide.store.engine.gate import Gate

_FOLDER = Path(__file__).parent / "migrations"


@dataclass(frozen=True, slots=True)
class Migration:
    """One numbered change of the schema. A released one is never edited; every file stores its checksum."""

    number: int
    name: str
    sql: str

    @property
    def checksum(self) -> str:
        return hashlib.sha256(self.sql.encode()).hexdigest()


def shipped_migrations() -> tuple[Migration, ...]:
    """The migrations of this version, in order."""
    steps = []
    for file in sorted(_FOLDER.glob("*.sql")):
        number, _, name = file.stem.partition("_")
        steps.append(Migration(int(number), name, file.read_text("utf-8")))
    return tuple(steps)


def latest_version() -> int:
    """The highest migration number, without reading the files."""
    return max(int(file.stem.partition("_")[0]) for file in _FOLDER.glob("*.sql"))


def upgrade(
    db: apsw.Connection, path: str, gate: Gate, clock: Clock, migrations: Sequence[Migration] | None = None
) -> None:
    """Applies missing migrations; raises for a file that is not ours or newer than this version."""
    newest = migrations[-1].number if migrations else latest_version()
    if file_version(db, path, newest) == newest:
        return
    with gate.held():
        steps = migrations or shipped_migrations()
        found = file_version(db, path, newest)  # another process may have upgraded it meanwhile
        if found < newest:
            _verify(db, steps, found)
            _apply_all(db, path, [step for step in steps if step.number > found], clock())


def _apply_all(db: apsw.Connection, path: str, steps: Sequence[Migration], now: int) -> None:
    """Applies migrations with foreign keys off, since rebuilding a table must not cascade."""
    copy = _back_up(db, path, steps[0].number)
    db.pragma("foreign_keys", False)
    try:
        for step in steps:
            _apply(db, step, now)
    except BaseException:
        if copy is not None and db.pragma("user_version") < steps[0].number:
            copy.unlink()  # the file is unchanged; a copy for every attempt would fill the disk
        raise
    finally:
        db.pragma("foreign_keys", True)


def file_version(db: apsw.Connection, path: str, newest: int | None = None) -> int:
    """The number of the last migration, 0 for an empty file; raises if it is not ours or too new. Only reads."""
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
            raise Damaged(f"migration {step.number} would break foreign keys; the file was not changed")
        db.execute("COMMIT")
    except BaseException:
        if db.in_transaction:
            db.execute("ROLLBACK")
        raise


def _verify(db: apsw.Connection, steps: Sequence[Migration], version: int) -> None:
    """Raises unless the applied migrations are the shipped ones."""
    if version == 0:
        return
    known = {step.number: step.checksum for step in steps}
    for number, checksum in db.execute("SELECT number, checksum FROM migration ORDER BY number"):
        if known.get(number) != checksum:
            raise Damaged(f"migration {number} of this file is not the one that this version ships; restore a backup")


def _back_up(db: apsw.Connection, path: str, number: int) -> Path | None:
    """Copies the file beside itself before a migration. Only the user deletes these copies."""
    if path == connections.IN_MEMORY or number == 1:
        return None
    unfinished = Path(f"{path}.before-{number:04d}.part")
    try:
        unfinished.unlink(missing_ok=True)
        _copy(db, unfinished)
        return unfinished.rename(unused_path(f"{path}.before-{number:04d}"))
    except (OSError, SystemError) as error:  # SystemError by apsw, when reading or writing fails while it copies
        raise CannotWrite(f"{path}: copying failed before a migration ({error}); check the disk") from error


def _copy(db: apsw.Connection, place: Path) -> None:
    connections.create_private(str(place))
    with closing(connections.open_copy(str(place), db)) as copy, copy.backup("main", db, "main") as backup:
        backup.step(-1)


def unused_path(name: str) -> Path:
    """A path that does not exist yet: an older copy may belong to another file."""
    place, count = Path(name), 1
    while place.exists():
        count += 1
        place = Path(f"{name}-{count}")
    return place
