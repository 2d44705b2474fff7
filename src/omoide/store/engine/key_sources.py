"""Where the key of an encrypted file comes from: a file, the keyring of the system, a prompt, or the host program.

A key is never an argument, a setting or part of a message: those end up in process lists, files and logs.
"""

from __future__ import annotations

import os
import secrets
import stat
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from omoide.errors import CannotWrite, InvalidInput, KeyRefused, MissingExtra
from omoide.settings import check_key_source
from omoide.store.engine.encryption import FileKey

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
