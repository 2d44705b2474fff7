"""Copies of the file and of its rows: backups, exports, and the list of copies that receipts name."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from omoide.errors import CannotWrite, InvalidInput
from omoide.store.engine.connection import IN_MEMORY, Connection
from omoide.store.engine.file import Table, reads
from omoide.store.erasure import receipts
from omoide.store.exchange import backup, exported_tables

_KINDS = ("backup", "export", "migration")
EmitRow = Callable[[str, Mapping[str, Any]], object]
"""Takes an exported row with the name of its table."""


class CopyTable(Table):
    """Makes copies and records them, since an erasure does not reach them."""

    known = reads(receipts.known_copies)

    def add(self, path: str, kind: str) -> None:
        """Records a backup, an export or a migration's copy."""
        if kind not in _KINDS:
            raise InvalidInput(f"kind: expected {', '.join(_KINDS)}, got {kind!r}")
        self._file.write(lambda db: receipts.add_copy(db, os.path.realpath(path), kind, db.now))

    def remove(self, path: str) -> None:
        """Removes the record of a copy that no longer exists."""
        self._file.write(receipts.remove_copy, os.path.realpath(path))

    def back_up(self, path: str, overwrite: bool, progress: backup.BackupProgress | None = None) -> backup.BackupResult:
        """Copies one state of the file and verifies the copy, while others go on writing."""
        if self._file.path != IN_MEMORY and backup.is_same_file(path, self._file.path):
            raise InvalidInput(f"{path} is the memory itself; choose another path for the backup")
        target = backup.require_free_path(path, overwrite)
        with self.partial_copy(target, "backup") as partial:
            try:
                copy = self._file.snapshot(lambda db: backup.back_up(db, target, partial, progress))
            except SystemError as error:  # apsw, when reading or writing fails while it copies
                raise CannotWrite(f"{path}: copying failed ({error}); check the disk") from error
        self.add(copy.path, "backup")
        return copy

    @contextmanager
    def partial_copy(self, target: Path, kind: str) -> Iterator[Path]:
        """A path beside `place` to write to. It is recorded first, so that a killed process leaves no unknown copy."""
        self.clear_partials()
        partial = backup.partial_path(target)
        self.add(str(partial), kind)
        try:
            yield partial
        finally:
            self._remove_partial(str(partial))

    def move_into_place(self, partial: Path, target: Path) -> None:
        """Gives a complete copy its name, on disk when it returns."""
        backup.move_into_place(partial, target)

    def clear_partials(self) -> list[str]:
        """Deletes partial copies of processes that have ended; returns those that existed."""
        recorded = [copy.path for copy in self.known() if backup.is_partial(copy.path)]
        path = self._file.path
        beside = [] if path == IN_MEMORY else backup.partials_beside(os.path.realpath(path))
        abandoned = [each for each in dict.fromkeys((*recorded, *beside)) if backup.is_abandoned_partial(each)]
        existing = [each for each in abandoned if backup.partial_exists(each)]
        for each in abandoned:
            self._remove_partial(each)
        return existing

    def _remove_partial(self, path: str) -> None:
        backup.remove_partial(path)
        if not backup.partial_exists(path):  # else it stays a known copy
            self._file.write(receipts.remove_copy, path)

    def send_rows(
        self, embeddings: bool, header: Callable[[dict[str, int], dict[str, int]], object], emit: EmitRow
    ) -> None:
        """Exports one state of the file: the row counts and last ids to `header`, then every row to `emit`."""

        def work(db: Connection) -> None:
            header(exported_tables.row_counts(db, embeddings), exported_tables.last_ids(db))
            for name, row in _exported_rows(db, embeddings):
                emit(name, row)

        self._file.snapshot(work)


def _exported_rows(db: Connection, embeddings: bool) -> Iterator[tuple[str, exported_tables.ExportedRow]]:
    """All rows. Columns that refer to later rows follow as soon as those are there."""
    for table in exported_tables.EXPORTED_TABLES:
        if table.embedding and not embeddings:
            continue
        yield from ((table.name, row) for row in exported_tables.export_rows(db, table))
        for earlier in exported_tables.EXPORTED_TABLES:
            if earlier.late and table.name == exported_tables.completed_by(earlier):
                late = exported_tables.export_late_columns(db, earlier)
                yield from ((earlier.name + exported_tables.LATE_MARK, row) for row in late)
