"""The verbs of `memory.admin` that copy, export and import the file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from omoide.memory.core import Namespace, file_path
from omoide.observe import validate
from omoide.store import BackupResult

if TYPE_CHECKING:
    from omoide.transfer.import_records import ForeignImportReport
    from omoide.transfer.jsonl import ExportReport, ImportReport
    from omoide.transfer.loki.folder import LokiReport
    from omoide.transfer.markdown_export import MarkdownExportReport


class TransferNamespace(Namespace):
    """Copies, exports and imports the file."""

    def backup(
        self, path: str | Path, *, overwrite: bool = False, progress: Callable[[int, int], object] | None = None
    ) -> BackupResult:
        """Copy the file and verify the copy. Reading and writing go on meanwhile.

        Args:
            path: Path of the copy; open it as a memory, or restore it with `omoide admin restore`.
            overwrite: Replace an existing file.
            progress: Called with the numbers of pages copied and in all.

        Returns:
            Path and size of the copy.
        """
        return self._core.store.copies.back_up(file_path(path), validate.boolean(overwrite, "overwrite"), progress)

    def export(
        self,
        path: str | Path,
        *,
        embeddings: bool = False,
        overwrite: bool = False,
        unencrypted: bool = False,
        progress: Callable[[int, int], object] | None = None,
    ) -> ExportReport:
        """Write everything, including the history, as JSON lines.

        Args:
            path: Path of the file to write.
            embeddings: Include vectors, which can otherwise be computed again.
            overwrite: Replace an existing file.
            unencrypted: Write it although the memory is encrypted and this is not.
            progress: Called with the numbers of records written and in all.

        Returns:
            Path and counts of the export.
        """
        from omoide.transfer import jsonl

        self._core.require_exportable(unencrypted)
        return jsonl.export_jsonl(
            self._core.store,
            file_path(path),
            embeddings=validate.boolean(embeddings, "embeddings"),
            overwrite=validate.boolean(overwrite, "overwrite"),
            progress=progress,
        )

    def import_(self, path: str | Path, *, progress: Callable[[int, int], object] | None = None) -> ImportReport:
        """Import an export of this program. Importing twice changes nothing.

        Records are the same if they have the same ULID; of two versions the later one is kept.

        Args:
            path: Path of the file to read.
            progress: Called with the numbers of bytes read and in all.

        Returns:
            The numbers of added and changed records.
        """
        from omoide.transfer import jsonl

        report = jsonl.import_jsonl(self._core.store, file_path(path), progress=progress)
        self._core.background.wake()
        return report

    def import_from(
        self,
        path: str | Path,
        format: str | None = None,
        *,
        mine: bool = False,
        dry_run: bool = False,
        progress: Callable[[int, int], object] | None = None,
    ) -> ForeignImportReport:
        """Import the memories of another system. Importing twice changes nothing.

        Args:
            path: A file, a folder or a ZIP archive.
            format: openclaw, mem0, memory-service, letta, mcp, markdown, chatgpt, claude, claude-code, codex, graphiti,
                turns; detected if None.
            mine: The conversations are the owner's own: what the user says there counts as the user's word.
            dry_run: Only say what would be imported.
            progress: Called with the numbers of bytes read and in all.

        Returns:
            What was imported and what was skipped, with examples.

        Raises:
            InvalidInput: Nothing in it has this format.
        """
        from omoide.learn.statement_writer import StatementDoor
        from omoide.transfer.foreign_import import ForeignImport

        core = self._core
        mine, dry_run = validate.boolean(mine, "mine"), validate.boolean(dry_run, "dry_run")
        try:
            door = StatementDoor.of(core.store)
            task = ForeignImport(core.store, core.clock, core.settings, door, mine=mine, dry_run=dry_run)
            return task.run(file_path(path), format, progress)
        finally:
            core.background.wake()

    def export_markdown(
        self,
        folder: str | Path,
        *,
        audience: str = "private",
        unencrypted: bool = False,
        progress: Callable[[int, int], object] | None = None,
    ) -> MarkdownExportReport:
        """Write readable pages: one for each entity, one for each day, and an index.

        Args:
            folder: Folder to write to; writing again replaces only these pages.
            audience: `shared` to leave out private and sensitive memories.
            unencrypted: Write it although the memory is encrypted and this is not.
            progress: Called with the numbers of pages written and in all.

        Returns:
            The number of written pages.
        """
        from omoide.maintain.daemon import LocalCalendar
        from omoide.transfer import markdown_export

        self._core.require_exportable(unencrypted)
        shared = validate.audience(audience) == "shared"
        zone = LocalCalendar.of(self._core.settings.time_zone).zone
        return markdown_export.export_markdown(self._core.store, Path(file_path(folder)), zone, shared, progress)

    def export_sqlite(self, path: str | Path, *, overwrite: bool = False, unencrypted: bool = False) -> ExportReport:
        """Write the documented views as tables of a plain SQLite file.

        Args:
            path: Path of the file to write.
            overwrite: Replace an existing file.
            unencrypted: Write it although the memory is encrypted and this is not.

        Returns:
            Path and counts of the export.
        """
        from omoide.transfer import sqlite_files

        self._core.require_exportable(unencrypted)
        return sqlite_files.export_sqlite(
            self._core.store, Path(file_path(path)), validate.boolean(overwrite, "overwrite")
        )

    def import_loki(self, folder: str | Path, *, progress: Callable[[int, int], None] | None = None) -> LokiReport:
        """Import a `.loki/memory` folder. Importing it again changes only what changed in the folder.

        Args:
            folder: The folder.
            progress: Called with the numbers of files read and in all.

        Returns:
            What was imported and what was skipped.
        """
        from omoide.transfer.loki.import_folder import LokiImport

        core = self._core
        report = LokiImport(core.store, core.clock, core.settings).run(Path(folder).expanduser(), progress)
        core.background.wake()
        return report

    def export_loki(
        self,
        folder: str | Path,
        *,
        unencrypted: bool = False,
        progress: Callable[[int, int], None] | None = None,
    ) -> LokiReport:
        """Write a `.loki/memory` folder. Imported documents are written as they were, with later changes.

        If files would be replaced, the folder is imported first; what is replaced is kept beside it as `.bak`.

        Args:
            folder: The folder.
            unencrypted: Write it although the memory is encrypted and this is not.
            progress: Called with the numbers of files written and in all.

        Returns:
            What was written.
        """
        from omoide.transfer.loki.export import export_loki

        core = self._core
        core.require_exportable(unencrypted)
        report = export_loki(core.store, core.clock, core.settings, Path(folder).expanduser(), progress)
        core.background.wake()
        return report
