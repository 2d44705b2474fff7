"""Tasks that a crash left open have failed: recorded so, with what is known of them."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from pathlib import Path

from omoide.clock import to_datetime
from omoide.domain.entity import entities_named_in
from omoide.errors import CannotWrite, InvalidInput
from omoide.maintain import compress, deduplicate, erase, learning_jobs, retention_jobs, summaries
from omoide.maintain.job import JobContext, JobStep, MaintenanceJob
from omoide.store.tasks.task_lifecycle import crash_ending


def _close_crashed_tasks(upkeep: JobContext) -> Iterator[JobStep]:
    names = upkeep.store.entity_names()
    for open in upkeep.store.abandoned_tasks(upkeep.settings.task_lease_hours):
        trace = upkeep.store.trace(open.id)
        ending = crash_ending(open)
        if not upkeep.dry_run:
            try:
                upkeep.store.finish_task(open.id, ending, lambda text: entities_named_in(text, names))
            except InvalidInput:  # it was ended meanwhile
                continue
        why = str((ending.error or {}).get("message"))
        yield JobStep("failed", "task", str(trace.attributes["goal"]), open.id, why)


CRASHED_TASKS_JOB = MaintenanceJob(
    "crashed_tasks", "records tasks that a crash left open as failed", _close_crashed_tasks
)


# Looks for rot: pages, words against their hashes, whether the index has every memory. It repairs nothing.


_SCRUB_BATCHES = 50  # a night: of a file that is larger the rest is for the next ones
_SCRUB_BATCH = 2_000  # nodes: some ten milliseconds of reading, and no transaction that anybody waits for


def _scrub(upkeep: JobContext) -> Iterator[JobStep]:
    """Goes on where it was left, or had seen enough for a night; at the end it starts over the next night."""
    structure = upkeep.store.structure()
    if not structure.ok:
        yield JobStep("found", "file", structure.detail, None, "run `omoide doctor`, and keep your backups")
    after = 0
    for _ in range(_SCRUB_BATCHES):
        seen = (
            upkeep.store.scrub_from(after, _SCRUB_BATCH)
            if upkeep.dry_run
            else upkeep.store.scrub(_SCRUB_BATCH, keep=True)
        )
        if seen is None:
            return
        after = seen.upto
        for id, text, why in seen.wrong:
            yield JobStep("found", "node", text, id, why)
        yield JobStep("checked", "nodes", f"{seen.first} to {seen.upto}", None, "words, folding and index")


SCRUB_JOB = MaintenanceJob("scrub", "looks for rot in pages, words and indexes", _scrub)


# A verified copy every night into a folder of the user's choice; of ours alone, the oldest make room.


def _back_up(upkeep: JobContext) -> Iterator[JobStep]:
    """One copy a day: a second run on a day replaces that day's, so that the others are not pushed out."""
    named = upkeep.settings.backup_folder
    if not named or upkeep.store.path == ":memory:":
        return
    folder = Path(named).expanduser()
    copy = folder / f"{_backup_stem(upkeep.store.path)}-{to_datetime(upkeep.now):%Y-%m-%d}.db"
    if upkeep.dry_run:
        yield JobStep("backed up", "file", str(copy), None, "every night")
    else:
        _make_folder(folder)
        made = upkeep.store.back_up(str(copy), overwrite=True)
        yield JobStep("backed up", "file", made.path, None, f"{made.nodes:,} memories, verified")
    for old in _old_backups(folder, upkeep.store.path, copy, max(1, upkeep.settings.backup_keep)):
        if not upkeep.dry_run:
            old.unlink(missing_ok=True)
            upkeep.store.drop_copy(str(old))
        yield JobStep("removed", "file", str(old), None, f"older than the last {upkeep.settings.backup_keep} backups")


def _backup_stem(path: str) -> str:
    """The file's name, and a mark of where it stands: two memories of one name may share a folder."""
    return f"{Path(path).stem}-{hashlib.blake2b(path.encode(), digest_size=4).hexdigest()}"


def _old_backups(folder: Path, path: str, newest: Path, keep: int) -> list[Path]:
    """By our own names alone: whatever else lies there is not ours to delete. The newest stands, whatever its date."""
    ours = re.compile(re.escape(_backup_stem(path)) + r"-\d{4}-\d\d-\d\d\.db")
    found = sorted((each for each in folder.glob("*.db") if ours.fullmatch(each.name)), reverse=True)
    others = [each for each in found if each != newest]
    return others[keep - 1 :]


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        raise CannotWrite(f"the backup folder {folder} cannot be created: {error.strerror}") from error


BACKUP_JOB = MaintenanceJob(
    "backup", "copies the file into the backup folder, verified, and keeps the last few", _back_up
)


# The jobs of a night in their order: learn before anything is made shorter, make shorter before anything is taken
# away, and the backup last.


JOBS: tuple[MaintenanceJob, ...] = (
    erase.ERASURE_JOB,
    CRASHED_TASKS_JOB,
    learning_jobs.LEARN_JOB,
    learning_jobs.ENRICH_JOB,
    learning_jobs.CAUSES_JOB,
    learning_jobs.NARRATIVES_JOB,
    summaries.SUMMARIES_JOB,
    compress.COMPRESS_JOB,
    compress.DISTIL_JOB,
    deduplicate.DEDUPLICATE_JOB,
    retention_jobs.EXPIRE_CONFIDENCE_JOB,
    retention_jobs.EXPIRE_JOB,
    retention_jobs.TRACES_JOB,
    retention_jobs.PRUNE_JOB,
    retention_jobs.ORPHANS_JOB,
    SCRUB_JOB,
    BACKUP_JOB,
)
