"""All maintenance jobs in running order, and the small jobs: crashed tasks, scrub, backup."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

from omoide.clock import to_datetime
from omoide.domain.entity import entities_named_in
from omoide.errors import CannotWrite, Conflict
from omoide.maintain import compress, erase, learning_jobs, retention_jobs, summaries
from omoide.maintain.job import DAMAGE_FOUND, JobContext, JobStep, MaintenanceJob, for_each, in_halves
from omoide.store import OpenTask
from omoide.store.tasks.task_lifecycle import crash_ending


def _close_crashed_tasks(context: JobContext) -> Iterator[JobStep]:
    names = context.store.entities.name_index()

    def close(task: OpenTask) -> Iterator[JobStep]:
        trace = context.store.tasks.get_trace(task.id)
        ending = crash_ending(task)
        if not context.dry_run:
            try:
                context.store.tasks.finish_task(task.id, ending, lambda text: entities_named_in(text, names))
            except Conflict:  # someone ended it meanwhile
                return
        why = str((ending.error or {}).get("message"))
        yield JobStep("failed", "task", str(trace.attributes["goal"]), task.id, why)

    tasks = context.store.tasks.abandoned_tasks(context.settings.task_lease_hours)
    return for_each(context, CRASHED_TASKS_JOB.name, tasks, lambda task: f"task {task.id}", close)


CRASHED_TASKS_JOB = MaintenanceJob(
    "crashed_tasks", "records tasks left open by a crash as failed", _close_crashed_tasks
)


_SCRUB_BATCH = 2_000  # nodes a night, about ten milliseconds: a larger file is checked over several nights


def _scrub(context: JobContext) -> Iterator[JobStep]:
    """Checks texts against their hashes and the text index, continuing where the last run stopped.

    Pages are checked at the beginning of each pass: that reads the whole file, and a night must not cost more the
    more is remembered.
    """
    health = context.store.health
    seen = health.scrub_next(_SCRUB_BATCH, keep=not context.dry_run)
    if seen is None:  # the end of a pass
        seen = health.scrub_nodes(0, _SCRUB_BATCH) if context.dry_run else health.scrub_next(_SCRUB_BATCH, keep=True)
    if seen is None or seen.after == 0:
        structure = health.scrub_structure()
        if not structure.ok:
            why = "run `omoide admin doctor`, and keep your backups"
            yield JobStep(DAMAGE_FOUND, "file", structure.detail, None, why)
    if seen is None:
        return
    for id, text, why in seen.wrong:
        yield JobStep(DAMAGE_FOUND, "node", text, id, why)
    if damaged := context.store.embeddings.damaged_vectors(seen.ids):
        yield from in_halves(context, SCRUB_JOB.name, damaged, "memory", partial(_rebuild_vectors, context))
    yield JobStep("checked", "nodes", f"{seen.first} to {seen.upto}", None, "text hash, folded text, index and vector")


def _rebuild_vectors(context: JobContext, ids: Sequence[int]) -> Iterator[JobStep]:
    if not context.dry_run:
        context.store.embeddings.rebuild_vectors(ids)
    for id in ids:
        yield JobStep("rebuilt", "vector", "", id, "its bytes did not match their checksum; it is embedded again")


SCRUB_JOB = MaintenanceJob("scrub", "checks pages, texts and indexes for corruption", _scrub)


def _back_up(context: JobContext) -> Iterator[JobStep]:
    """Writes one verified copy per day and removes old ones; a second run on the same day replaces that day's copy."""
    named = context.settings.backup_folder
    if not named or context.store.path == ":memory:":
        return
    folder = Path(named).expanduser()
    copy = folder / f"{_backup_stem(context.store.path)}-{to_datetime(context.now):%Y-%m-%d}.db"
    if context.dry_run:
        yield JobStep("backed up", "file", str(copy), None, "daily backup")
    else:
        _make_folder(folder)
        made = context.store.copies.back_up(str(copy), overwrite=True)
        yield JobStep("backed up", "file", made.path, None, f"{made.nodes:,} memories, verified")
    old = _old_backups(folder, context.store.path, copy, max(1, context.settings.backup_keep))
    yield from for_each(context, BACKUP_JOB.name, old, "file {}".format, partial(_remove_backup, context))


def _remove_backup(context: JobContext, old: Path) -> Iterator[JobStep]:
    if not context.dry_run:
        old.unlink(missing_ok=True)
        context.store.copies.remove(str(old))
    yield JobStep("removed", "file", str(old), None, f"older than the last {context.settings.backup_keep} backups")


def _backup_stem(path: str) -> str:
    """The file's name and a hash of its path: two memories of the same name may share a folder."""
    return f"{Path(path).stem}-{hashlib.blake2b(path.encode(), digest_size=4).hexdigest()}"


def _old_backups(folder: Path, path: str, newest: Path, keep: int) -> list[Path]:
    """Backups beyond the newest `keep`, recognised by their names: no other file in the folder is touched."""
    ours = re.compile(re.escape(_backup_stem(path)) + r"-\d{4}-\d\d-\d\d\.db")
    found = sorted((each for each in folder.glob("*.db") if ours.fullmatch(each.name)), reverse=True)
    others = [each for each in found if each != newest]
    return others[keep - 1 :]


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        raise CannotWrite(f"the backup folder {folder} cannot be created: {error.strerror}") from error


BACKUP_JOB = MaintenanceJob("backup", "writes a verified copy into the backup folder and keeps the last few", _back_up)


# Learning runs before anything is shortened, shortening before anything is archived or deleted, the backup last.
JOBS: tuple[MaintenanceJob, ...] = (
    erase.ERASURE_JOB,
    CRASHED_TASKS_JOB,
    learning_jobs.LEARN_JOB,
    learning_jobs.ENRICH_JOB,
    learning_jobs.CAUSES_JOB,
    learning_jobs.NARRATIVES_JOB,
    summaries.SUMMARIES_JOB,
    compress.COMPRESS_JOB,
    compress.SHORTEN_JOB,
    retention_jobs.DEDUPLICATE_JOB,
    retention_jobs.LOW_CONFIDENCE_JOB,
    retention_jobs.EXPIRE_JOB,
    retention_jobs.TRACES_JOB,
    retention_jobs.PRUNE_JOB,
    retention_jobs.ORPHANS_JOB,
    SCRUB_JOB,
    BACKUP_JOB,
)
