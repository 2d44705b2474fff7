"""A plain SQLite file of the seeds' views, for any other program."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from omoide.errors import CannotWrite
from omoide.store import Store
from omoide.transfer.jsonl import Exported, free


def write(store: Store, path: Path, overwrite: bool) -> Exported:
    """Under its name only once it is whole."""
    place = free(Path(os.path.realpath(path)), overwrite)
    part = Path(f"{place}.{os.getpid()}-{os.urandom(4).hex()}.part")
    try:
        os.close(os.open(part, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
        counts = store.copy_views(str(part))
        part.replace(place)
    except OSError as error:
        raise CannotWrite(f"{place} cannot be written: {error.strerror or error}") from error
    finally:
        for left in (part, Path(f"{part}-journal")):
            with suppress(FileNotFoundError):
                left.unlink()
    store.note_export(str(place))
    return Exported(str(place), place.stat().st_size, counts)
