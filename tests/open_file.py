"""Opens a file as SQLite sees it, also one that is encrypted: `pytest --encrypted` runs tests so."""

from __future__ import annotations

import os
from contextlib import closing
from pathlib import Path

import apsw

from omoide.store.engine import connection
from omoide.store.engine.connection import Connection
from omoide.store.engine.encryption import FileKey, is_encrypted, read_key


def test_key() -> FileKey | None:
    """The key of this run, if its files are encrypted."""
    source = os.environ.get("OMOIDE_KEY_FROM")
    return read_key(source, "a test file") if source else None


test_key.__test__ = False  # type: ignore[attr-defined]


def open_file(path: str, flags: int = apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE) -> Connection:
    return connection.open_file(path, flags, connection.key_of(path, test_key()))


def connect(path: str, busy_timeout: float) -> Connection:
    return connection.connect(path, busy_timeout, test_key())


def connect_new(path: str, busy_timeout: float) -> Connection:
    return connection.apply_pragmas(connection.open_bare(path, busy_timeout, create=True, key=test_key()))


def readable_bytes(file: Path) -> bytes:
    """What can be read of a file with the key: of an encrypted one as SQLite decrypts it, of its log nothing more."""
    if is_encrypted(file.read_bytes()[:100]):
        with closing(open_file(str(file), apsw.SQLITE_OPEN_READONLY)) as db:
            return db.serialize("main")
    base = Path(str(file).removesuffix("-wal"))
    return b"" if base != file and is_encrypted(base.read_bytes()[:100]) else file.read_bytes()
