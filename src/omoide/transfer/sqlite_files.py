"""Exports the views to a plain SQLite file, restores backups, and salvages damaged files."""

from __future__ import annotations

import os
from pathlib import Path

from omoide import settings
from omoide.clock import Clock, system_clock
from omoide.errors import CannotWrite, InvalidInput, NotFound
from omoide.ids import new_ulid
from omoide.store import Finding, RestoreResult, Store
from omoide.store import restore as put_in_place
from omoide.store.engine.encryption import FileKey, KeySource, file_start, new_key, read_key, require_fitting
from omoide.store.exchange.backup import KeyChange, reencrypt
from omoide.store.exchange.salvage import SalvageReport, salvage_rows
from omoide.transfer.jsonl import ExportReport, check_target


def export_sqlite(store: Store, path: Path, overwrite: bool) -> ExportReport:
    """Copies the views to a SQLite file for other programs. The file gets its name when it is complete."""
    place = check_target(Path(os.path.realpath(path)), overwrite)
    try:
        with store.copies.partial_copy(place, "export") as part:
            os.close(os.open(part, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
            counts = store.exports.copy_views(str(part))
            part.replace(place)
    except OSError as error:
        raise CannotWrite(f"{place} cannot be written: {error.strerror or error}") from error
    store.copies.add(str(place), "export")
    return ExportReport(str(place), place.stat().st_size, counts)


def restore_backup(
    backup: str | Path, to: str | Path | None = None, *, force: bool = False, clock: Clock = system_clock
) -> RestoreResult:
    """Verifies a backup and puts it at `to`, by default the default path of a memory.

    An existing file is renamed, never deleted. Without `force`, raises if it is open or newer than the backup.
    """
    place = settings.memory_path(to, create=True)
    if place == ":memory:":
        raise InvalidInput("a backup is restored to a file; name one instead of :memory:")
    loaded = settings.load_settings()
    return put_in_place(str(backup), place, force, loaded.busy_timeout, clock(), _key(loaded, place))


def salvage(damaged: str | Path, to: str | Path | None = None) -> tuple[SalvageReport, list[Finding]]:
    """Brings every readable row of a damaged file into a new one, by default `NAME.salvaged.db` beside it.

    Returns what was kept and lost, and how the new file was checked. The damaged file is only read.
    """
    source = Path(damaged).expanduser()
    if not source.is_file():
        raise NotFound(f"there is no file {source}")
    fresh = source.with_suffix(".salvaged.db") if to is None else Path(to).expanduser()
    if fresh.exists():
        raise CannotWrite(f"{fresh} exists already; name another file with --to")
    loaded = settings.load_settings()
    patience, key = loaded.busy_timeout, _key(loaded, str(source))
    require_fitting(file_start(str(source)), str(source), key)
    Store(str(fresh), system_clock, new_ulid, patience, key=key).close()
    report = salvage_rows(str(source), str(fresh), patience, key)
    store = Store(str(fresh), system_clock, new_ulid, patience, key=key)
    try:
        store.health.examine(repair=True)  # builds the indexes that were not copied
        return report, store.health.examine(repair=False)
    finally:
        store.close()


def encrypt(path: str | Path | None, key: KeySource) -> KeyChange:
    """Encrypts a memory, with a new key if the file or keyring that is named has none. Nobody may have it open."""
    place = _existing(path)
    return reencrypt(place, None, new_key(key, place), settings.load_settings().busy_timeout)


def change_key(path: str | Path | None, key: KeySource, to: KeySource) -> KeyChange:
    """Encrypts an encrypted memory with another key."""
    place = _existing(path)
    return reencrypt(place, read_key(key, place), new_key(to, place), settings.load_settings().busy_timeout)


def decrypt(path: str | Path | None, key: KeySource) -> KeyChange:
    """Writes an encrypted memory without encryption."""
    place = _existing(path)
    return reencrypt(place, read_key(key, place), None, settings.load_settings().busy_timeout)


def _existing(path: str | Path | None) -> str:
    place = settings.memory_path(path, create=False)
    if place == ":memory:":
        raise InvalidInput("a memory without a file is not encrypted; name a file")
    return place


def _key(loaded: settings.Settings, path: str) -> FileKey | None:
    return read_key(loaded.key_from, path) if loaded.key_from else None
