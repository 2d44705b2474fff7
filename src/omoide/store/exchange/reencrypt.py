"""Encrypts a whole file, changes its key, or decrypts it: a verified new file takes the place of the old one."""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import apsw

from omoide.errors import Busy, CannotWrite, Damaged, InvalidInput, NotFound
from omoide.store.engine import connection as connections
from omoide.store.engine import encryption
from omoide.store.engine.connection import Connection, translate_errors
from omoide.store.engine.encryption import FileKey
from omoide.store.engine.gate import Gate
from omoide.store.erasure import byte_scan, receipts
from omoide.store.exchange import backup

_PIECE = 1_000_000  # bytes that are overwritten at once


@dataclass(frozen=True, slots=True)
class KeyChange:
    """The file after its encryption changed. `other_copies` are copies of it that were left as they are."""

    path: str
    encrypted: bool
    bytes: int
    nodes: int
    other_copies: tuple[str, ...]


def reencrypt(path: str, old: FileKey | None, new: FileKey | None, busy_timeout: float) -> KeyChange:
    """Rewrites a file with another key; None is no encryption. Nobody may have it open.

    Until the new file is complete and verified the old one stays in place, and its bytes are overwritten after that.
    """
    target = Path(os.path.realpath(path))
    if not target.is_file():
        raise NotFound(f"there is no memory at {path}")
    gate = Gate(f"{target}-gate", busy_timeout)
    try:
        with translate_errors(path), gate.held(), backup.partial_file(target) as partial:
            if not connections.check_path(str(target), old) and not target.stat().st_size:
                raise InvalidInput(f"{path} is empty; a new memory is encrypted from its first write")
            db = _alone(target, old, busy_timeout)
            try:
                copies = _other_copies(db, str(target))
                held = backup.fingerprint(db)
                _copy_into(db, partial, new)
            finally:
                db.close()
            if backup.verify(partial, new) != held:
                raise Damaged(f"the new file differs from the old one; {path} was left as it was")
            _replace(target, partial)
    finally:
        gate.close()
    return KeyChange(str(target), new is not None, target.stat().st_size, held.nodes, copies)


def _alone(target: Path, key: FileKey | None, busy_timeout: float) -> Connection:
    """Opens the file without a log, which is possible only if nobody else has it open."""
    flags = apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_URI
    db = connections.open_file(str(target), flags, key)
    try:
        connections.register_functions(db)
        db.pragma("temp_store", "memory")
        db.set_busy_timeout(int(min(busy_timeout, 1.0) * 1000))
        with suppress(apsw.BusyError):
            if db.pragma("journal_mode", "delete") == "delete":
                return db
    except BaseException:
        db.close()
        raise
    db.close()
    raise Busy(f"{target} is open elsewhere; end the programs that use it and try again")


def _copy_into(db: Connection, partial: Path, key: FileKey | None) -> None:
    os.close(os.open(partial, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    failed = ""
    try:
        db.execute("VACUUM INTO ?", (encryption.encrypted_target(str(partial), key),))
    except apsw.Error as error:
        failed = type(error).__name__  # its text holds the key
    if failed:
        raise CannotWrite(f"{partial} cannot be written ({failed}); check the disk")


def _replace(target: Path, partial: Path) -> None:
    """Puts the new file in place and overwrites the old bytes: a deleted file can be read from the disk."""
    old = os.open(target, os.O_RDWR)
    try:
        backup.move_into_place(partial, target)
        size = os.fstat(old).st_size
        for start in range(0, size, _PIECE):
            os.pwrite(old, bytes(min(_PIECE, size - start)), start)
        os.fsync(old)
    finally:
        os.close(old)


def _other_copies(db: Connection, path: str) -> tuple[str, ...]:
    known = [copy.path for copy in receipts.known_copies(db) if os.path.exists(copy.path)]
    return tuple(dict.fromkeys((*known, *byte_scan.copies_beside(path))))
