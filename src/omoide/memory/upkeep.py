"""Upkeep: the nightly jobs by hand, copies of the file, and everything in and out of it."""

from __future__ import annotations

from collections.abc import Callable, Collection
from pathlib import Path
from typing import TYPE_CHECKING

from omoide.errors import InvalidInput
from omoide.memory.rooms import Rooms
from omoide.observe import validate
from omoide.store import BackupResult, MaintenanceRun

if TYPE_CHECKING:
    from omoide.maintain.job import MaintenanceJob, MaintenanceReport
    from omoide.transfer.jsonl import ExportReport, ImportReport


class Upkeep(Rooms):
    """Each may be interrupted anywhere and run again: it ends the same."""

    def maintain(
        self,
        jobs: Collection[str] | None = None,
        *,
        dry_run: bool = False,
        progress: Callable[[str, int], object] | None = None,
    ) -> MaintenanceReport:
        """Does what is done every night, or the jobs named, beside live traffic; tells what it did and why.

        With `dry_run`, tells what it would do. `progress` hears a job's name and its steps so far; Ctrl-C, or a
        KeyboardInterrupt from there, stops it: what was done is whole, and running again does the rest.
        """
        return self._maintain(jobs, dry_run=dry_run, progress=progress)

    def _maintain(
        self,
        jobs: Collection[str] | None,
        *,
        dry_run: bool = False,
        progress: Callable[[str, int], object] | None = None,
        aside: str | None = None,
    ) -> MaintenanceReport:
        """`aside` is a job that the night leaves out, since it comes round by a schedule of its own."""
        from omoide.maintain.job import JobContext as Given
        from omoide.maintain.nightly import JOBS
        from omoide.maintain.runner import MaintenanceRunner
        from omoide.providers import selection

        names = [jobs] if isinstance(jobs, str) else None if jobs is None else list(jobs)
        runner = MaintenanceRunner([job for job in JOBS if job.name != aside])
        runner.chosen(names)  # what is misspelt is told before anything is asked for
        model = selection.choose_language_model(self._settings, self._language_model)
        given = Given(
            store=self._store,
            settings=self._settings,
            now=self._clock(),
            dry_run=validate.boolean(dry_run, "dry_run"),
            language_model=model.model,
        )
        with self._background.at_rest():
            report = runner.run(given, names, progress)
        report.bill = model.meter.bill
        return report

    def jobs(self) -> list[MaintenanceJob]:
        """The nightly jobs, in their order."""
        from omoide.maintain.nightly import JOBS

        return list(JOBS)

    def maintained(self, *, whole: bool = False) -> MaintenanceRun | None:
        """The last maintenance; with `whole`, the last that did every job and was not stopped."""
        return self._store.last_round(whole=validate.boolean(whole, "whole"))

    def backup(
        self, path: str | Path, *, overwrite: bool = False, progress: Callable[[int, int], object] | None = None
    ) -> BackupResult:
        """Copies the file, verified, while everybody goes on writing. To restore it, open it or `omoide restore` it."""
        return self._store.back_up(place(path), validate.boolean(overwrite, "overwrite"), progress)

    def export(
        self,
        path: str | Path,
        *,
        embeddings: bool = False,
        overwrite: bool = False,
        progress: Callable[[int, int], object] | None = None,
    ) -> ExportReport:
        """Writes everything, history included, as lines of JSON. Vectors can be made again: they come if asked for."""
        from omoide.transfer import jsonl

        return jsonl.export_jsonl(
            self._store,
            place(path),
            embeddings=validate.boolean(embeddings, "embeddings"),
            overwrite=validate.boolean(overwrite, "overwrite"),
            progress=progress,
        )

    def import_(self, path: str | Path, *, progress: Callable[[int, int], object] | None = None) -> ImportReport:
        """Takes in what was exported: as it was into an empty memory, else joined to what is here.

        What is the same is known by its ULID; of two versions the later one stands. Importing twice changes nothing.
        """
        from omoide.transfer import jsonl

        report = jsonl.import_jsonl(self._store, place(path), progress=progress)
        self._background.wake()
        return report


def place(path: str | Path) -> str:
    if not isinstance(path, str | Path) or not str(path) or "\x00" in str(path):
        raise InvalidInput(f"path: expected a file name, got {path!r}")
    try:
        return str(Path(path).expanduser())
    except RuntimeError as error:  # "~name" of nobody
        raise InvalidInput(f"path: expected a file name, got {path!r} ({error})") from None
