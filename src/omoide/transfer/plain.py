"""A plain SQLite file of the seeds' views, for any other program."""

from __future__ import annotations

import os
from pathlib import Path

from omoide.errors import CannotWrite
from omoide.store import Store
from omoide.transfer.jsonl import Exported, free


def write(store: Store, path: Path, overwrite: bool) -> Exported:
    """Under its name only once it is whole."""
    place = free(Path(os.path.realpath(path)), overwrite)
    try:
        with store.unfinished(place, "export") as part:
            os.close(os.open(part, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
            counts = store.copy_views(str(part))
            part.replace(place)
    except OSError as error:
        raise CannotWrite(f"{place} cannot be written: {error.strerror or error}") from error
    store.note_export(str(place))
    return Exported(str(place), place.stat().st_size, counts)
