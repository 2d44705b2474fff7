"""Encrypted files: where a key comes from, how it unlocks a connection, and how an encrypted file is recognised.

Every page is encrypted and authenticated by SQLite3 Multiple Ciphers (ChaCha20-Poly1305), in the file and in its log.
"""

from __future__ import annotations

import hashlib
import os
import re
import secrets
import stat
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

import apsw

from omoide.errors import CannotWrite, InvalidInput, KeyRefused, MissingExtra
from omoide.settings import check_key_source

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
    from urllib.parse import quote

    uri = f"file:{quote(path)}?"
    if key is None:
        return f"{uri}key="
    return f"{uri}cipher={CIPHER}&hexkey={key.with_salt(os.urandom(_SALT_BYTES)).encode().hex()}"


def _can_read(db: apsw.Connection) -> bool:
    try:
        db.execute("SELECT count(*) FROM sqlite_schema").fetchall()
    except apsw.NotADBError:
        return False
    except apsw.Error:  # the key fits; whoever reads on learns what is wrong
        return True
    return True


# Where the key of an encrypted file comes from: a file, the keyring of the system, a prompt, or the host program.
#
# A key is never an argument, a setting or part of a message: those end up in process lists, files and logs.


KeySource = str | Callable[[], str]
"""`file:PATH`, `keyring`, `keyring:NAME`, `prompt`, or a function that returns the key."""

_SERVICE = "omoide"


def read_key(source: KeySource, path: str) -> FileKey:
    """The key that opens a file. Raises KeyRefused if there is none, and InvalidInput for an unknown source."""
    if callable(source):
        return _key(source(), "the function given as key")
    if not isinstance(source, str):
        raise InvalidInput(f"key: expected where the key is, or a function; got {type(source).__name__}")
    kind, name = check_key_source(source)
    if kind == "file":
        return _key(_read_file(Path(name).expanduser()), f"the key file {name}")
    if kind == "keyring":
        found = _keyring().get_password(_SERVICE, name)
        if found is None:
            raise KeyRefused(f"the keyring has no key {name!r} of {_SERVICE}; `omoide admin encrypt` makes one")
        return _key(found, f"the key {name!r} of the keyring")
    return _key(_ask(f"Passphrase of {path}: "), "the passphrase")


def new_key(source: KeySource, path: str) -> FileKey:
    """The key that will encrypt a file: made if the file or the keyring has none, a passphrase is asked for twice."""
    if callable(source):
        return read_key(source, path)
    kind, name = check_key_source(source)
    if kind == "prompt":
        given = _ask(f"New passphrase of {path}: ")
        if given != _ask("The same again: "):
            raise InvalidInput("the two passphrases differ; nothing was changed")
        return _key(given, "the passphrase")
    if kind == "keyring" and _keyring().get_password(_SERVICE, name) is None:
        _keyring().set_password(_SERVICE, name, secrets.token_hex(32))
    if kind == "file" and not Path(name).expanduser().exists():
        _write_file(Path(name).expanduser())
    return read_key(source, path)


def _key(secret: object, what: str) -> FileKey:
    if not isinstance(secret, str) or not secret.strip() or not secret.isprintable():
        raise KeyRefused(f"{what} gave no key; expected one line of text")
    return FileKey(secret)


def _read_file(place: Path) -> str:
    try:
        mode = place.stat().st_mode
        if stat.S_ISREG(mode) and mode & 0o077 and sys.platform != "win32":
            raise KeyRefused(f"{place} can be read by others; run `chmod 600 {place}`, and change the key if it leaked")
        with place.open("rb") as file:
            return file.read(4_096).decode("utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not text"
        raise KeyRefused(f"the key file {place} cannot be read: {reason}") from None


def _write_file(place: Path) -> None:
    try:
        with open(os.open(place, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "w", encoding="ascii") as file:
            file.write(secrets.token_hex(32) + "\n")
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise CannotWrite(f"the key file {place} cannot be written: {error.strerror}") from None


def _keyring() -> Any:
    try:
        import keyring
    except ImportError as error:
        raise MissingExtra('a key from the keyring needs an extra: `pip install "omoide[keyring]"`') from error
    if keyring.get_keyring().priority <= 0:
        raise KeyRefused("this system has no keyring that can be used; keep the key in a file instead: file:PATH")
    return keyring


def _ask(question: str) -> str:
    if not sys.stdin or not sys.stdin.isatty():
        raise KeyRefused("a passphrase is asked for at a terminal and this is none; use file:PATH or keyring")
    from getpass import getpass

    return getpass(question)
