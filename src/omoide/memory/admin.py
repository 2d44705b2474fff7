"""`memory.admin`: maintenance, backups, import and export, archive and health of the file."""

from __future__ import annotations

from collections.abc import Callable, Collection
from pathlib import Path
from typing import TYPE_CHECKING

from omoide.clock import to_micros
from omoide.domain import Node
from omoide.domain.importance import RetentionPolicy
from omoide.errors import EmbedderFailed, InvalidInput, NotFound
from omoide.memory.core import Namespace, file_path, positive
from omoide.memory.live_sessions import caught_up, stored_board
from omoide.memory.read import recall_sources
from omoide.observe import validate
from omoide.store import (
    BackupResult,
    ErasureReceipt,
    Finding,
    IdStates,
    MaintenanceRun,
    Night,
    NodeFilter,
    UndoneNight,
)

if TYPE_CHECKING:
    from omoide.maintain.job import MaintenanceJob, MaintenanceReport
    from omoide.transfer.import_records import ForeignImportReport
    from omoide.transfer.jsonl import ExportReport, ImportReport
    from omoide.transfer.loki.folder import LokiReport
    from omoide.transfer.markdown_export import MarkdownExportReport
    from omoide.working.board import Board

_PRELOAD_QUERY = "What do we know so far?"  # likely to find something, so that scoring is loaded too


class AdminNamespace(Namespace):
    """Looks after the file. Each verb may be interrupted at any point and run again."""

    # Maintenance

    def maintain(
        self,
        jobs: Collection[str] | None = None,
        *,
        dry_run: bool = False,
        policy: RetentionPolicy | None = None,
        confirm: bool = False,
        progress: Callable[[str, int], object] | None = None,
    ) -> MaintenanceReport:
        """Run the maintenance jobs. Reading and writing go on meanwhile.

        Ctrl-C, or a KeyboardInterrupt raised by `progress`, stops the run: what was done is complete, and the next run
        does the rest.

        Args:
            jobs: Names of the jobs to run; all if not given.
            dry_run: Only say what would be done.
            policy: When turns are archived: `carried` (live memories state their content), `kira` (after a number of
                days) or `kira_delete` (the same, and their words are deleted for good); the setting if not given.
            confirm: Needed by a policy that deletes.
            progress: Called with the name of a job and its number of steps so far.

        Returns:
            What each job did and why.

        Raises:
            InvalidInput: There is no job of such a name, or a policy that deletes was not confirmed.
        """
        chosen = validate.retention_policy(policy or self._core.settings.retention_policy)
        if chosen == "kira_delete" and not (dry_run or validate.boolean(confirm, "confirm")):
            raise InvalidInput("the policy kira_delete deletes words for good; pass confirm=True to do it")
        return self._maintain(jobs, dry_run=dry_run, policy=chosen, progress=progress)

    def _maintain(
        self,
        jobs: Collection[str] | None,
        *,
        dry_run: bool = False,
        policy: RetentionPolicy | None = None,
        progress: Callable[[str, int], object] | None = None,
        without: str | None = None,
    ) -> MaintenanceReport:
        """Runs maintenance; `without` is a job that has a schedule of its own."""
        from omoide.maintain.job import JobContext
        from omoide.maintain.nightly import JOBS
        from omoide.maintain.runner import MaintenanceRunner
        from omoide.providers import selection

        core = self._core
        names = [jobs] if isinstance(jobs, str) else None if jobs is None else list(jobs)
        runner = MaintenanceRunner([job for job in JOBS if job.name != without])
        runner.select(names)  # an unknown name is an error before anything else happens
        model = selection.choose_language_model(core.settings, core.language_model)
        upkeep = JobContext(
            store=core.store,
            settings=core.settings,
            now=core.clock(),
            dry_run=validate.boolean(dry_run, "dry_run"),
            policy=policy or validate.retention_policy(core.settings.retention_policy),
            language_model=model.model,
            embedder=core.embedder,
        )
        with core.background.learning_paused():
            report = runner.run(upkeep, names, progress)
        report.usage = model.usage
        return report

    def jobs(self) -> list[MaintenanceJob]:
        """List the maintenance jobs in the order in which they run.

        Returns:
            The jobs.
        """
        from omoide.maintain.nightly import JOBS

        return list(JOBS)

    def last_maintenance(self, *, whole: bool = False) -> MaintenanceRun | None:
        """Return the last maintenance run.

        Args:
            whole: Only a run of all jobs that was not stopped.

        Returns:
            The run, or None if there was none.
        """
        return self._core.store.maintenance.last_run(whole=validate.boolean(whole, "whole"))

    def nights(self, limit: int = 20) -> list[Night]:
        """List the maintenance runs, the latest first.

        Args:
            limit: Greatest number of runs.

        Returns:
            Number, time, outcome and counts of each run, and whether `undo` can put it back.
        """
        return self._core.store.maintenance.list_nights(positive(limit, "limit"))

    def undo(self, night: int | None = None) -> UndoneNight:
        """Put one night back whole: states, texts, links and cursors as before, new memories removed.

        Memories that somebody changed since are left as they are. The records of the last seven nights are kept;
        erasing a memory removes them.

        Args:
            night: Number of the run (`nights` lists them); the last one that changed anything if not given.

        Returns:
            How much was put back, and which memories were left alone.

        Raises:
            NotFound: There is no record of this night.
            InvalidInput: A later night must be put back first.
        """
        done = self._core.store.maintenance.undo_night(night)
        self._core.background.wake()
        return done

    def doctor(self, *, repair: bool = False) -> list[Finding]:
        """Check the file: compares the indexes with the rows.

        Args:
            repair: Rebuild from the rows what differs.

        Returns:
            The result of each check.
        """
        found = self._core.store.health.examine(repair)
        if repair:
            self._core.background.wake()
        return found

    def pending_embeddings(self) -> int:
        """Count the texts that still need a vector.

        Returns:
            The number of texts; 0 without an embedder.
        """
        return 0 if self._core.embedder is None else self._core.store.embeddings.pending_count()

    def preload(self) -> bool:
        """Load what the first query needs, above all the embedder. No memory counts as recalled.

        Returns:
            Whether the embedder is loaded; False if there is none or it fails.
        """
        from omoide.recall.pipeline import answer
        from omoide.recall.question import RecallQuestion
        from omoide.recall.recipes import recipe_by_name
        from omoide.store import embed_texts

        core = self._core
        loaded = core.embedder is not None
        if core.embedder is not None:
            try:
                embed_texts(core.embedder, [_PRELOAD_QUERY])
            except EmbedderFailed:
                loaded = False
        if core.caches.answers is None:  # else a query was asked already and has loaded the rest
            now, plan = core.local_time(None), recipe_by_name("everyday", core.settings)
            asked = RecallQuestion(
                text=_PRELOAD_QUERY, at=now, limit=None, filter=NodeFilter(valid_at=to_micros(now)), recipe=plan
            )
            answer(asked, recall_sources(core))
        return loaded

    # Archive and erasure

    def archive(self, id: int, *, withdraw: bool = False) -> Node:
        """Archive a memory: its text is stored compressed. It is still found, and nothing of it is lost.

        Args:
            id: Id of the memory.
            withdraw: Take it back: it is no longer searched or recalled until it is unarchived.

        Returns:
            The archived memory.

        Raises:
            NotFound: There is no memory with this id.
        """
        return self._core.store.archive.archive_node(id, "by hand", validate.boolean(withdraw, "withdraw"))

    def unarchive(self, id: int) -> Node:
        """Restore an archived or withdrawn memory exactly. Maintenance does not archive it again.

        Args:
            id: Id of the memory.

        Returns:
            The live memory.
        """
        found = self._core.store.archive.unarchive_node(id)
        self._core.background.wake()
        return found

    def receipts(self, limit: int = 20) -> list[ErasureReceipt]:
        """List what was erased, the latest first. Finishes erasures that were interrupted.

        Args:
            limit: Greatest number of receipts.

        Returns:
            The receipts: counts and ids, no text.
        """
        self._core.store.erasure.finish_pending()
        return self._core.store.erasure.list_receipts(positive(limit, "limit"))

    def id_states(self) -> IdStates:
        """Account for every id that was ever given.

        Returns:
            The ids that are live, superseded, archived, withdrawn or erased.
        """
        return self._core.store.erasure.count_id_states()

    # Live sessions

    def live_sessions(self) -> list[str]:
        """List the sessions that are live.

        Returns:
            Their names, the latest first.
        """
        return [each.session for each in self._core.store.boards.list_boards()]

    def live_state(self, session: str | None = None) -> Board:
        """Return the state of a live session: what the agent was doing when it stopped.

        Args:
            session: Name of the session; the latest if not given.

        Returns:
            The board of the session.

        Raises:
            NotFound: The session is not live, or none is.
        """
        if session is None:
            names = self.live_sessions()
            if not names:
                raise NotFound("no session is live; memory.live(session) starts one")
            session = names[0]
        board = stored_board(self._core, validate.required_name(session, "session"))
        if board is None:
            raise NotFound(f"there is no live session {session!r}; memory.live({session!r}) starts it")
        return caught_up(self._core, board)

    # Import, export and backup

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
        progress: Callable[[int, int], object] | None = None,
    ) -> ExportReport:
        """Write everything, including the history, as JSON lines.

        Args:
            path: Path of the file to write.
            embeddings: Include vectors, which can otherwise be computed again.
            overwrite: Replace an existing file.
            progress: Called with the numbers of records written and in all.

        Returns:
            Path and counts of the export.
        """
        from omoide.transfer import jsonl

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
            format: openclaw, mem0, letta, mcp, markdown, chatgpt, claude, claude-code, codex, turns; detected if None.
            mine: The conversations are the owner's own: what the user says there counts as the user's word.
            dry_run: Only say what would be imported.
            progress: Called with the numbers of bytes read and in all.

        Returns:
            What was imported and what was skipped, with examples.

        Raises:
            InvalidInput: Nothing in it has this format.
        """
        from omoide.learn.remember import StatementDoor
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
        self, folder: str | Path, *, audience: str = "private", progress: Callable[[int, int], object] | None = None
    ) -> MarkdownExportReport:
        """Write readable pages: one for each entity, one for each day, and an index.

        Args:
            folder: Folder to write to; writing again replaces only these pages.
            audience: `shared` to leave out private and sensitive memories.
            progress: Called with the numbers of pages written and in all.

        Returns:
            The number of written pages.
        """
        from omoide.maintain.calendar import LocalCalendar
        from omoide.transfer import markdown_export

        shared = validate.audience(audience) == "shared"
        zone = LocalCalendar.of(self._core.settings.time_zone).zone
        return markdown_export.export_markdown(self._core.store, Path(file_path(folder)), zone, shared, progress)

    def export_sqlite(self, path: str | Path, *, overwrite: bool = False) -> ExportReport:
        """Write the documented views as tables of a plain SQLite file.

        Args:
            path: Path of the file to write.
            overwrite: Replace an existing file.

        Returns:
            Path and counts of the export.
        """
        from omoide.transfer import sqlite_files

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

    def export_loki(self, folder: str | Path, *, progress: Callable[[int, int], None] | None = None) -> LokiReport:
        """Write a `.loki/memory` folder. Imported documents are written as they were, with later changes.

        Args:
            folder: The folder.
            progress: Called with the numbers of files written and in all.

        Returns:
            What was written.
        """
        from omoide.transfer.loki import folder as files
        from omoide.transfer.loki.export import export_loki_files
        from omoide.transfer.loki.folder import LokiReport as Report
        from omoide.transfer.skill_files import SkillFolder

        core, target = self._core, Path(folder).expanduser()
        report = Report(str(target))
        content = export_loki_files(core.store, SkillFolder(core.store, core.draft).markdown, report)
        if content:
            core.store.copies.add(str(target), "export")  # first, so that an interrupted export is known too
        for number, (name, body) in enumerate(content.items()):
            files.write_loki_file(target, name, body)
            report.files += 1
            if progress is not None:
                progress(number + 1, len(content))
        return report
