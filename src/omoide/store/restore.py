"""Putting a backup in a file's place: verified first, and what stood there is put aside, never deleted."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import apsw

from omoide.clock import moment
from omoide.errors import Busy, InvalidInput, NotFound
from omoide.store import backup, carried, migrate, receipts
from omoide.store import connection as connections
from omoide.store.failures import translated
from omoide.store.forgotten import Copy
from omoide.store.gate import Gate


@dataclass(frozen=True, slots=True)
class Restored:
    """What stands there now, and where what stood there before was put."""

    path: str
    bytes: int
    nodes: int
    aside: str | None


def restore(source: str, to: str, force: bool, busy_timeout: float, now: int) -> Restored:
    """Puts a verified copy of a backup in a file's place; what stood there is put aside, never deleted."""
    if os.path.realpath(source) == os.path.realpath(to):
        raise InvalidInput(f"{source} is the file itself; name another place with --to")
    place = Path(os.path.realpath(to))
    with translated(source), backup.unfinished(place) as part:
        with _looked_at(source) as db:
            backup.copy(db, part, None)
            backup.verified(part)
        gate = Gate(f"{place}-gate", busy_timeout)
        try:
            with gate.held():
                newest = _newest(part)
                _keep_forgotten(part, place, os.path.realpath(source), force, busy_timeout, now)
                if place.exists() and not force:
                    _require_expendable(place, newest, busy_timeout)
                held = backup.verified(part)
                aside = _put_aside(place, now)
                backup.put(part, place)
        finally:
            gate.close()
    return Restored(str(place), place.stat().st_size, held.nodes, aside)


@contextmanager
def _looked_at(source: str) -> Iterator[apsw.Connection]:
    """Reads a backup without leaving a trace beside it: it may lie on a disk that cannot be written."""
    if not os.path.isfile(source):
        raise NotFound(f"there is no backup at {source}")
    log = Path(f"{source}-wal")
    frozen = "" if log.exists() and log.stat().st_size else "&immutable=1"
    flags = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
    db = apsw.Connection(f"{Path(source).resolve().as_uri()}?mode=ro{frozen}", flags)
    try:
        if migrate.version(db, source) == 0:
            raise InvalidInput(f"{source} is empty: there is nothing to restore")
        yield db
    finally:
        db.close()


def _require_expendable(place: Path, newest: int, busy_timeout: float) -> None:
    """What stands in the way may be damaged or older; it may not be open, or know what the backup does not."""
    connections.inspect(str(place))  # what is not ours stays where it is
    try:
        db = connections.opened(str(place), min(busy_timeout, 1.0), create=False)
        try:
            _require_older(place, _newest_in(db), newest)
            if db.pragma("journal_mode", "delete") == "wal":  # folds the log; only possible when nobody else is in
                raise apsw.BusyError(str(place))
        finally:
            db.close()
    except apsw.BusyError as error:
        raise Busy(
            f"{place} is open elsewhere; close it first, or use --force: what stands there is put aside"
        ) from error
    except apsw.Error:
        return  # too damaged to be read: that is why it is replaced


def _keep_forgotten(part: Path, place: Path, source: str, force: bool, busy_timeout: float, now: int) -> None:
    """What was forgotten in the file that gives way since the backup was made is forgotten in the backup's copy too,
    before it is in its place. The copy knows of the backup, which keeps it."""
    new = connections.connect(str(part), busy_timeout)
    try:
        if place.exists():
            _carry(new, part, place, source, force, now)
        with suppress(apsw.SQLError):  # of a time when copies were not noted
            receipts.note_copy(new, source, "backup", now)
    finally:
        new.pragma("journal_mode", "delete")  # no log may be left under the name of the part
        connections.close(new)


def _carry(new: apsw.Connection, part: Path, place: Path, source: str, force: bool, now: int) -> None:
    connections.inspect(str(place))
    try:
        old = apsw.Connection(str(place), apsw.SQLITE_OPEN_READWRITE)
        connections.dropping_changes_nothing(old)
    except apsw.Error:
        return
    try:
        since = carried.erasures(old, new)
        if since and carried.can_carry(old, new):
            carried.carry(old, new, part, place, Copy(source, "backup", moment(now)), now)
        elif since and not force:
            raise InvalidInput(
                f"{place} has forgotten since the backup was made: {carried.told(old, since)}; it cannot be carried"
                " over to a file of another version or another memory; --force brings it back"
            )
    except (apsw.CorruptError, apsw.NotADBError):
        return  # too damaged to tell what it has forgotten
    finally:
        old.close()


def _require_older(place: Path, since: int, newest: int) -> None:
    if since > newest:
        told = moment(since).isoformat(timespec="seconds")
        raise InvalidInput(
            f"{place} was written after the backup was made (last at {told}); use --force to put it aside all the same"
        )


def _newest(path: Path) -> int:
    db = apsw.Connection(str(path), apsw.SQLITE_OPEN_READWRITE)
    try:
        return _newest_in(db)
    finally:
        db.close()


def _newest_in(db: apsw.Connection) -> int:
    """When anything was last learned, changed or said."""
    return int(
        db.execute(
            """
            SELECT max(
                coalesce((SELECT max(updated_at) FROM node), 0),
                coalesce((SELECT max(at) FROM change), 0),
                coalesce((SELECT max(updated_at) FROM entity), 0)
            )
            """
        ).get
    )


def _put_aside(place: Path, now: int) -> str | None:
    """With its log and index: whoever has it open keeps what is theirs, and no log is left for the wrong file."""
    if not place.exists():
        for ending in ("-wal", "-shm"):  # of a file that was deleted: SQLite would play them into the new one
            with suppress(FileNotFoundError):
                Path(f"{place}{ending}").rename(_unused(f"{place}.replaced-{_stamp(now)}{ending}"))
        return None
    aside = _unused(f"{place}.replaced-{_stamp(now)}")
    for ending in ("-wal", "-shm", ""):
        with suppress(FileNotFoundError):
            Path(f"{place}{ending}").rename(f"{aside}{ending}")
    return str(aside)


def _stamp(now: int) -> str:
    return moment(now).strftime("%Y%m%dT%H%M%SZ")


def _unused(name: str) -> Path:
    place, count = Path(name), 1
    while place.exists():
        count += 1
        place = Path(f"{name}-{count}")
    return place
