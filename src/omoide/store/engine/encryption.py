"""Encrypted files: what a key is, how it unlocks a connection, and how an encrypted file is recognised.

Every page is encrypted and authenticated by SQLite3 Multiple Ciphers (ChaCha20-Poly1305), in the file and in its log.
"""

from __future__ import annotations

import hashlib
import os
import re
from typing import NoReturn

import apsw

from omoide.errors import InvalidInput, KeyRefused

CIPHER = "chacha20"
_ROUNDS = 600_000  # of PBKDF2-HMAC-SHA256: about 0.1 s once for each file and process, where the key is a passphrase
_SHORTEST = 12  # characters of a passphrase
_SALT_BYTES = 16
_WHOLE_KEY = re.compile(r"[0-9a-fA-F]{64}")


class FileKey:
    """The key of a file: 64 hexadecimal digits, or a passphrase. It shows itself nowhere."""

    __slots__ = ("_by_salt", "_secret")

    def __init__(self, secret: str) -> None:
        if not _WHOLE_KEY.fullmatch(secret) and len(secret) < _SHORTEST:
            raise InvalidInput(
                f"the key is too short: expected 64 hexadecimal digits or {_SHORTEST} characters or more"
            )
        self._secret = secret
        self._by_salt: dict[bytes, str] = {}

    def __repr__(self) -> str:
        return "FileKey(…)"

    def __reduce__(self) -> NoReturn:
        raise TypeError("a key is not written anywhere")

    def with_salt(self, salt: bytes) -> str:
        """The key as SQLite takes it."""
        if salt not in self._by_salt:
            derived = self._secret.lower()
            if not _WHOLE_KEY.fullmatch(self._secret):
                derived = hashlib.pbkdf2_hmac("sha256", self._secret.encode(), salt, _ROUNDS, 32).hex()
            self._by_salt[salt] = f"raw:{derived}{salt.hex()}"
        return self._by_salt[salt]


def is_encrypted(start: bytes) -> bool:
    """Whether these first bytes are of an encrypted file: all but the page size and the versions is unreadable."""
    return (
        len(start) >= 24
        and not start.startswith(b"SQLite format 3\x00")
        and start[18] in (1, 2)
        and start[19] in (1, 2)
        and start[20:24] == b"\x20\x40\x20\x20"
    )


def file_start(path: str) -> bytes:
    """The first bytes of a file, read through SQLite: closing it otherwise would drop the locks that SQLite has."""
    if not os.path.isfile(path) or os.path.getsize(path) < 24:
        return b""
    return apsw.VFSFile("", path, [apsw.SQLITE_OPEN_MAIN_DB | apsw.SQLITE_OPEN_READONLY, 0]).xRead(24, 0)


def salt_of(path: str) -> bytes:
    """The salt of an encrypted file; a new one for a file without content."""
    return file_start(path)[:_SALT_BYTES] or os.urandom(_SALT_BYTES)


def require_fitting(start: bytes, path: str, key: FileKey | None) -> None:
    """Raises KeyRefused for an encrypted file without a key, or a key for a file that is not encrypted."""
    if key is None and is_encrypted(start):
        raise KeyRefused(
            f"{path} is encrypted; name where its key is: --key-from, $OMOIDE_KEY_FROM or Memory(path, key=…)"
        )
    if key is not None and start and not is_encrypted(start):
        raise KeyRefused(
            f"{path} is not encrypted, and a key was given; encrypt it with `omoide admin encrypt`, "
            "or open it without a key"
        )


def unlock(db: apsw.Connection, path: str, key: FileKey | None) -> None:
    """Makes a new connection read and write an encrypted file. A file without content will be encrypted.

    Raises KeyRefused for a key that does not fit.
    """
    if key is None:
        return
    start = file_start(path)
    require_fitting(start, path, key)
    set_key(db, key.with_salt(salt_of(path)))
    if start and not _can_read(db):
        raise KeyRefused(
            f"{path} cannot be opened with this key; name the key that it was encrypted with, or restore a backup if "
            "its first page is damaged"
        )


def set_key(db: apsw.Connection, value: str) -> None:
    db.pragma("cipher", CIPHER)
    db.execute(f"PRAGMA key = '{value}'", can_cache=False).fetchall()


def encrypted_target(path: str, key: FileKey | None) -> str:
    """The URI of a new file for `VACUUM INTO`; it holds the key."""
    uri = f"file:{_uri_quoted(path)}?"
    if key is None:
        return f"{uri}key="
    return f"{uri}cipher={CIPHER}&hexkey={key.with_salt(os.urandom(_SALT_BYTES)).encode().hex()}"


def _uri_quoted(path: str) -> str:
    from urllib.parse import quote

    return quote(path)


def _can_read(db: apsw.Connection) -> bool:
    try:
        db.execute("SELECT count(*) FROM sqlite_schema").fetchall()
    except apsw.NotADBError:
        return False
    except apsw.Error:  # the key fits; whoever reads on learns what is wrong
        return True
    return True
