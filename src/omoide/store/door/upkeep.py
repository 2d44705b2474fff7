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
from omoide.store import arriving, backup, connection, copying, parts, receipts, runs
from omoide.store import scrub as scrubbing
from omoide.store.door.opened import Opened
from omoide.store.failures import translated
from omoide.store.finding import Finding
from omoide.store.moved import Line

T = TypeVar("T")
Emit = Callable[[str, Mapping[str, Any]], object]
"""Takes a row on its way out, with the name of its table."""


class Upkeep(Opened):
    """What is done to the file as a whole."""

    # ── running ───────────────────────────────────────────────────────────────────────────────────────────────

    def take_lease(self, holder: str) -> None:
        self._write(lambda db: runs.take(db, holder, self._clock()))

    def renew_lease(self, holder: str) -> bool:
        return self._write(lambda db: runs.renew(db, holder, self._clock()))

    def give_lease_back(self, holder: str) -> None:
        self._write(lambda db: runs.give_back(db, holder))

    def begin_round(self, whole: bool) -> int:
        return self._write(lambda db: runs.begin_round(db, whole, self._clock()))

    def end_round(self, id: int, outcome: str) -> None:
        self._write(lambda db: runs.end_round(db, id, outcome, self._clock()))

    def begin_run(self, round_id: int, job: str) -> int:
        return self._write(lambda db: runs.begin(db, round_id, job, self._clock()))

    def end_run(self, id: int, outcome: str, counts: Mapping[str, int], why: str) -> None:
        self._write(lambda db: runs.end(db, id, outcome, counts, why, self._clock()))

    def last_round(self, *, whole: bool = False) -> runs.Round | None:
        return self._read(lambda db: runs.last_round(db, whole=whole))

    def last_run(self, job: str) -> datetime | None:
        return self._read(lambda db: runs.last_run(db, job))

    def failed_jobs(self, round_id: int) -> list[str]:
        return self._read(lambda db: runs.failed_jobs(db, round_id))

    # ── scrubbing ─────────────────────────────────────────────────────────────────────────────────────────────

    def structure(self) -> Finding:
        return self._read(scrubbing.structure)

    def scrub(self, batch: int, *, keep: bool) -> scrubbing.Scrubbed | None:
        """Looks at the next nodes and, with `keep`, remembers how far it came; None at the end: then it starts over."""
        found = self._read(lambda db: scrubbing.look(db, runs.scrubbed(db), batch))
        if keep:
            self._write(lambda db: runs.scrubbed_to(db, found.upto if found else 0))
        return found

    def scrub_from(self, after: int, batch: int) -> scrubbing.Scrubbed | None:
        """The same from anywhere, and nothing is remembered."""
        return self._read(lambda db: scrubbing.look(db, after, batch))

    def remarks(self) -> list[Finding]:
        return self._read(scrubbing.remarks)

    # ── copies ────────────────────────────────────────────────────────────────────────────────────────────────

    def back_up(self, path: str, overwrite: bool, progress: backup.Progress | None = None) -> backup.Copied:
        """One state of the file, verified, while others go on writing."""
        if self.path != connection.MEMORY and backup.is_same(path, self.path):
            raise InvalidInput(f"{path} is the memory itself; a backup needs a place of its own")
        place = backup.free_place(path, overwrite)
        with self.unfinished(place, "backup") as part:
            made = self._snapshot(lambda db: backup.back_up(db, place, part, progress))
        _note(self, made.path, "backup")
        return made

    def _snapshot(self, work: Callable[[apsw.Connection], T]) -> T:
        """On a connection of its own: who asks meanwhile, on the same thread, must not see a file that stands still."""
        if self.path == connection.MEMORY:
            return self._read(work)
        self.require_open()
        with translated(self.path):
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
        part = parts.named(place)
        _note(self, str(part), kind)
        try:
            yield part
        finally:
            parts.remove(part)
            self._write(lambda db: receipts.drop_copy(db, str(part)))

    def clear_parts(self) -> list[str]:
        """Removes what processes that have ended left half written; gives those that were there."""
        noted = [copy.path for copy in self._file.read(receipts.copies) if parts.is_part(copy.path)]
        beside = [] if self.path == connection.MEMORY else parts.beside(os.path.realpath(self.path))
        over = [path for path in dict.fromkeys((*noted, *beside)) if parts.is_left(path)]
        there = [path for path in over if parts.is_there(path)]
        for path in over:
            parts.remove(path)
        for path in over:
            if path in noted:
                self._write(partial(receipts.drop_copy, path=path))
        return there

    def note_export(self, path: str) -> None:
        _note(self, path, "export")

    # ── rows ──────────────────────────────────────────────────────────────────────────────────────────────────

    def send(self, embeddings: bool, header: Callable[[dict[str, int], dict[str, int]], object], emit: Emit) -> None:
        """Every row of one state of the file: first how many of each there are and the last ids, then one by one."""

        def work(db: apsw.Connection) -> None:
            header(copying.counts(db, embeddings), copying.sequences(db))
            for name, row in _leaving(db, embeddings):
                emit(name, row)

        self._snapshot(work)

    def receive(self, arrival: arriving.Arrival, batch: list[Line]) -> None:
        """One transaction: all of a batch, or nothing."""
        self._write(lambda db: arrival.take(db, batch, self._clock()))

    def received(self, arrival: arriving.Arrival, sequences: Mapping[str, int]) -> None:
        self._write(lambda db: arrival.finish(db, dict(sequences)))
        if arrival.tally.forgotten or arrival.cleared:
            self._after_forgotten_rows()


def _note(store: object, path: str, kind: str) -> None:
    """Copies that Omoide knows of are named when something is forgotten: they still hold it."""
    note = getattr(store, "note_copy", None)
    if note is not None:
        note(path, kind)


def _leaving(db: apsw.Connection, embeddings: bool) -> Iterator[tuple[str, copying.Row]]:
    """What refers to later rows is completed as soon as they are there."""
    for table in copying.TABLES:
        if table.embedding and not embeddings:
            continue
        yield from ((table.name, row) for row in copying.out(db, table))
        for earlier in copying.TABLES:
            if earlier.late and table.name == copying.completed_by(earlier):
                yield from ((earlier.name + copying.LATE, row) for row in copying.out_late(db, earlier))
