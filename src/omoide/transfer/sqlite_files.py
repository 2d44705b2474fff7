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
    return put_in_place(str(backup), place, force, settings.load_settings().busy_timeout, clock())


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
    patience = settings.load_settings().busy_timeout
    Store(str(fresh), system_clock, new_ulid, patience).close()
    report = salvage_rows(str(source), str(fresh), patience)
    store = Store(str(fresh), system_clock, new_ulid, patience)
    try:
        store.health.examine(repair=True)  # builds the indexes that were not copied
        return report, store.health.examine(repair=False)
    finally:
        store.close()
