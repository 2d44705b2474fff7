"""Upkeep: one runner at a time, copies of the file, and every row on its way to another one."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import apsw

from omoide.errors import InvalidInput
from omoide.store.door.opened import Opened
from omoide.store.engine import connection, maintenance_log
from omoide.store.engine import doctor as scrubbing
from omoide.store.engine.consistency import Finding
from omoide.store.engine.sqlite_errors import translate_errors
from omoide.store.erasure import receipts
from omoide.store.exchange import backup, exported_tables, import_rows
from omoide.store.exchange.import_filter import ExportLine

T = TypeVar("T")
Emit = Callable[[str, Mapping[str, Any]], object]
"""Takes a row on its way out, with the name of its table."""


class Upkeep(Opened):
    """What is done to the file as a whole."""

    # ── running ───────────────────────────────────────────────────────────────────────────────────────────────

    def take_lease(self, holder: str) -> None:
        self._write(lambda db: maintenance_log.take_lease(db, holder))

    def renew_lease(self, holder: str) -> bool:
        return self._write(lambda db: maintenance_log.renew_lease(db, holder))

    def give_lease_back(self, holder: str) -> None:
        self._write(lambda db: maintenance_log.release_lease(db, holder))

    def begin_round(self, whole: bool) -> int:
        return self._write(lambda db: maintenance_log.begin_run(db, whole))

    def end_round(self, id: int, outcome: str) -> None:
        self._write(lambda db: maintenance_log.end_run(db, id, outcome))

    def begin_run(self, round_id: int, job: str) -> int:
        return self._write(lambda db: maintenance_log.begin_job(db, round_id, job))

    def end_run(self, id: int, outcome: str, counts: Mapping[str, int], why: str) -> None:
        self._write(lambda db: maintenance_log.end_job(db, id, outcome, counts, why))

    def last_round(self, *, whole: bool = False) -> maintenance_log.MaintenanceRun | None:
        return self._read(lambda db: maintenance_log.last_run(db, whole=whole))

    def last_run(self, job: str) -> datetime | None:
        return self._read(lambda db: maintenance_log.last_job_run(db, job))

    def failed_jobs(self, round_id: int) -> list[str]:
        return self._read(lambda db: maintenance_log.failed_jobs(db, round_id))

    # ── scrubbing ─────────────────────────────────────────────────────────────────────────────────────────────

    def structure(self) -> Finding:
        return self._read(scrubbing.scrub_structure)

    def scrub(self, batch: int, *, keep: bool) -> scrubbing.ScrubResult | None:
        """Looks at the next nodes and, with `keep`, remembers how far it came; None at the end: then it starts over."""
        found = self._read(lambda db: scrubbing.scrub_nodes(db, maintenance_log.scrub_position(db), batch))
        if keep:
            self._write(lambda db: maintenance_log.set_scrub_position(db, found.upto if found else 0))
        return found

    def scrub_from(self, after: int, batch: int) -> scrubbing.ScrubResult | None:
        """The same from anywhere, and nothing is remembered."""
        return self._read(lambda db: scrubbing.scrub_nodes(db, after, batch))

    def remarks(self) -> list[Finding]:
        return self._read(scrubbing.scrub_remarks)

    # ── copies ────────────────────────────────────────────────────────────────────────────────────────────────

    def back_up(self, path: str, overwrite: bool, progress: backup.BackupProgress | None = None) -> backup.BackupResult:
        """One state of the file, verified, while others go on writing."""
        if self.path != connection.IN_MEMORY and backup.is_same_file(path, self.path):
            raise InvalidInput(f"{path} is the memory itself; a backup needs a place of its own")
        place = backup.require_free_path(path, overwrite)
        with self.unfinished(place, "backup") as part:
            made = self._snapshot(lambda db: backup.back_up(db, place, part, progress))
        _note(self, made.path, "backup")
        return made

    def _snapshot(self, work: Callable[[apsw.Connection], T]) -> T:
        """On a connection of its own: who asks meanwhile, on the same thread, must not see a file that stands still."""
        if self.path == connection.IN_MEMORY:
            return self._read(work)
        self.require_open()
        with translate_errors(self.path):
            db = connection.connect(self.path, self._file.busy_timeout)
            try:
                db.execute("BEGIN")
                return work(db)
            finally:
                db.close()

    @contextmanager
    def unfinished(self, place: Path, kind: str) -> Iterator[Path]:
        """A name beside a place to write to. It is known before anything is written: who is killed leaves it behind."""
        self.clear_parts()
        part = backup.partial_path(place)
        _note(self, str(part), kind)
        try:
            yield part
        finally:
            backup.remove_partial(part)
            self._write(lambda db: receipts.remove_copy(db, str(part)))

    def clear_parts(self) -> list[str]:
        """Removes what processes that have ended left half written; gives those that were there."""
        noted = [copy.path for copy in self._file.read(receipts.known_copies) if backup.is_partial(copy.path)]
        beside = [] if self.path == connection.IN_MEMORY else backup.partials_beside(os.path.realpath(self.path))
        over = [path for path in dict.fromkeys((*noted, *beside)) if backup.is_abandoned_partial(path)]
        there = [path for path in over if backup.partial_exists(path)]
        for path in over:
            backup.remove_partial(path)
        for path in over:
            if path in noted:
                self._write(partial(receipts.remove_copy, path=path))
        return there

    def note_export(self, path: str) -> None:
        _note(self, path, "export")

    # ── rows ──────────────────────────────────────────────────────────────────────────────────────────────────

    def send(self, embeddings: bool, header: Callable[[dict[str, int], dict[str, int]], object], emit: Emit) -> None:
        """Every row of one state of the file: first how many of each there are and the last ids, then one by one."""

        def work(db: apsw.Connection) -> None:
            header(exported_tables.row_counts(db, embeddings), exported_tables.last_ids(db))
            for name, row in _leaving(db, embeddings):
                emit(name, row)

        self._snapshot(work)

    def receive(self, arrival: import_rows.RowImport, batch: list[ExportLine]) -> None:
        """One transaction: all of a batch, or nothing."""
        self._write(lambda db: arrival.take(db, batch, self._clock()))

    def received(self, arrival: import_rows.RowImport, sequences: Mapping[str, int]) -> None:
        self._write(lambda db: arrival.finish(db, dict(sequences)))
        if arrival.tally.erased or arrival.cleared:
            self._after_forgotten_rows()


def _note(store: object, path: str, kind: str) -> None:
    """Copies that Omoide knows of are named when something is forgotten: they still hold it."""
    note = getattr(store, "note_copy", None)
    if note is not None:
        note(path, kind)


def _leaving(db: apsw.Connection, embeddings: bool) -> Iterator[tuple[str, exported_tables.ExportedRow]]:
    """What refers to later rows is completed as soon as they are there."""
    for table in exported_tables.EXPORTED_TABLES:
        if table.embedding and not embeddings:
            continue
        yield from ((table.name, row) for row in exported_tables.export_rows(db, table))
        for earlier in exported_tables.EXPORTED_TABLES:
            if earlier.late and table.name == exported_tables.completed_by(earlier):
                yield from (
                    (earlier.name + exported_tables.LATE_MARK, row)
                    for row in exported_tables.export_late_columns(db, earlier)
                )
