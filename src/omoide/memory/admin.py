"""`memory.admin`: maintenance, backups, import and export, archive and health of the file."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TYPE_CHECKING

from omoide.domain import Node
from omoide.domain.importance import RetentionPolicy
from omoide.errors import Conflict, EmbedderFailed, NotFound
from omoide.memory.core import positive
from omoide.memory.live_sessions import caught_up, stored_board
from omoide.memory.transfer_verbs import TransferNamespace
from omoide.observe import validate
from omoide.observe.redaction import allowed_by, redact
from omoide.store import (
    ErasureReceipt,
    Finding,
    IdStates,
    MaintenanceRun,
    Night,
    Redactor,
    StoredSecretsReport,
    UndoneNight,
)

if TYPE_CHECKING:
    from omoide.maintain.job import MaintenanceJob, MaintenanceReport
    from omoide.working.board import Board


class AdminNamespace(TransferNamespace):
    """Looks after the file. Each verb may be interrupted at any point and run again."""

    _for_others = False

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
            raise Conflict("the policy kira_delete deletes words for good; pass confirm=True to do it")
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
        if names is None and not dry_run and not report.stopped:
            from omoide.memory.overview import note_size

            note_size(core)
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
        """Undo one maintenance run: restore states, texts, links and cursors, and remove memories it added.

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
        if len(found) == 1:  # the file is damaged: nothing more is read from it
            return found
        secrets = len(self.redact(dry_run=True).found)
        advice = f"{secrets:,} stored texts hold secrets that today's rules find; `omoide admin redact` replaces them"
        return [*found, Finding("secrets", not secrets, advice if secrets else "none is stored")]

    def redact(self, *, dry_run: bool = False) -> StoredSecretsReport:
        """Redact secrets that were stored before there was a rule for them.

        This cannot be undone. Backups and other copies of the file are not changed; the report names them.

        Args:
            dry_run: Only say where secrets are stored.

        Returns:
            Table, column, row and kind of each, known copies, and what could not be done.
        """
        allowed = allowed_by(self._core.settings)
        redactor = Redactor(
            text=lambda stored: redact(stored, allowed).text,
            value=lambda stored: validate.without_secrets(stored, allowed),
        )
        report = self._core.store.erasure.redact(redactor, dry_run=validate.boolean(dry_run, "dry_run"))
        if report.redacted:
            self._core.background.wake()
        return report

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
        from omoide.memory.overview import ask_for_nothing
        from omoide.store import embed_texts

        core = self._core
        loaded = core.embedder is not None
        if core.embedder is not None:
            try:
                embed_texts(core.embedder, ["warm up"])
            except EmbedderFailed:
                loaded = False
        if core.caches.answers is None:  # else a query was asked already and has loaded the rest
            ask_for_nothing(core)
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
        self._core.require(id)
        return self._core.store.archive.archive_node(id, "by hand", validate.boolean(withdraw, "withdraw"))

    def unarchive(self, id: int) -> Node:
        """Restore an archived or withdrawn memory exactly. Maintenance does not archive it again.

        Args:
            id: Id of the memory.

        Returns:
            The live memory.
        """
        self._core.require(id)
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
        """Count the ids ever given, by what became of their memories.

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
