"""A plain SQLite file of the seeds' views, for any other program."""

from __future__ import annotations

import os
from pathlib import Path

from omoide import settings
from omoide.clock import Clock, system_clock
from omoide.errors import CannotWrite, InvalidInput
from omoide.store import RestoreResult, Store
from omoide.store import restore as put_in_place
from omoide.transfer.jsonl import ExportReport, check_target


def export_sqlite(store: Store, path: Path, overwrite: bool) -> ExportReport:
    """Under its name only once it is whole."""
    place = check_target(Path(os.path.realpath(path)), overwrite)
    try:
        with store.unfinished(place, "export") as part:
            os.close(os.open(part, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
            counts = store.copy_views(str(part))
            part.replace(place)
    except OSError as error:
        raise CannotWrite(f"{place} cannot be written: {error.strerror or error}") from error
    store.note_export(str(place))
    return ExportReport(str(place), place.stat().st_size, counts)


# Restoring is opening: this only puts a verified backup where a memory is looked for.


def restore_backup(
    backup: str | Path, to: str | Path | None = None, *, force: bool = False, clock: Clock = system_clock
) -> RestoreResult:
    """Puts a backup in the place of a memory, by default the user's own; what stands there is put aside, never
    deleted. Refuses what is open or was written later than the backup, unless forced."""
    place = settings.memory_path(to, create=True)
    if place == ":memory:":
        raise InvalidInput("a backup is restored to a file; name one")
    return put_in_place(str(backup), place, force, settings.load_settings().busy_timeout, clock())
