"""A verified copy every night into a folder of the user's choice; of ours alone, the oldest make room."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from pathlib import Path

from omoide.clock import moment
from omoide.errors import CannotWrite
from omoide.maintain.job import Job, Step, Upkeep


def run(upkeep: Upkeep) -> Iterator[Step]:
    """One copy a day: a second run on a day replaces that day's, so that the others are not pushed out."""
    named = upkeep.settings.backup_folder
    if not named or upkeep.store.path == ":memory:":
        return
    folder = Path(named).expanduser()
    copy = folder / f"{_stem(upkeep.store.path)}-{moment(upkeep.now):%Y-%m-%d}.db"
    if upkeep.dry_run:
        yield Step("backed up", "file", str(copy), None, "every night")
    else:
        _make(folder)
        made = upkeep.store.back_up(str(copy), overwrite=True)
        yield Step("backed up", "file", made.path, None, f"{made.nodes:,} memories, verified")
    for old in _superfluous(folder, upkeep.store.path, copy, max(1, upkeep.settings.backup_keep)):
        if not upkeep.dry_run:
            old.unlink(missing_ok=True)
            upkeep.store.drop_copy(str(old))
        yield Step("removed", "file", str(old), None, f"older than the last {upkeep.settings.backup_keep} backups")


def _stem(path: str) -> str:
    """The file's name, and a mark of where it stands: two memories of one name may share a folder."""
    return f"{Path(path).stem}-{hashlib.blake2b(path.encode(), digest_size=4).hexdigest()}"


def _superfluous(folder: Path, path: str, newest: Path, keep: int) -> list[Path]:
    """By our own names alone: whatever else lies there is not ours to delete. The newest stands, whatever its date."""
    ours = re.compile(re.escape(_stem(path)) + r"-\d{4}-\d\d-\d\d\.db")
    found = sorted((each for each in folder.glob("*.db") if ours.fullmatch(each.name)), reverse=True)
    others = [each for each in found if each != newest]
    return others[keep - 1 :]


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        raise CannotWrite(f"the backup folder {folder} cannot be created: {error.strerror}") from error


JOB = Job("backup", "copies the file into the backup folder, verified, and keeps the last few", run)
