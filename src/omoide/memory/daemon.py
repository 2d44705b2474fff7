"""Runs the maintenance daemon on a memory: opens the file for each check and closes it again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime, tzinfo
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from omoide.clock import Clock, system_clock
from omoide.maintain.daemon import PRUNE_JOB_NAME, Daemon, validate_schedule
from omoide.memory import Memory
from omoide.settings import Settings, load_settings
from omoide.store import MaintenanceRun

if TYPE_CHECKING:
    from omoide.maintain.job import MaintenanceReport
    from omoide.providers.protocols import Embedder


def watch(
    path: str | Path | None = None,
    *,
    say: Callable[[str], object] = print,
    wait: Callable[[float], bool],
    clock: Clock = system_clock,
    zone: tzinfo | None = None,
    settings: Settings | None = None,
    embedder: Embedder | Literal["default"] | None = "default",
) -> Daemon:
    """Returns a daemon for a file, to be started with `watch()` or to check `once()`.

    `wait` waits for a number of seconds and returns whether to stop; it is also called with 0 after each step of a job.
    """
    settings = load_settings() if settings is None else settings
    parts = {"settings": settings, "embedder": embedder, "clock": clock}
    return Daemon(
        _MaintainedFile(path, parts, wait),
        validate_schedule(settings.maintain_schedule),
        validate_schedule(settings.prune_schedule, "prune_schedule"),
        clock=clock,
        wait=wait,
        say=say,
        zone=zone,
    )


class _MaintainedFile:
    """The memory as the daemon sees it."""

    def __init__(self, path: str | Path | None, parts: dict[str, Any], wait: Callable[[float], bool]) -> None:
        self._path = path
        self._parts = parts
        self._wait = wait

    def last_run(self) -> MaintenanceRun | None:
        with Memory(self._path, create=False, **(self._parts | {"embedder": None})) as memory:
            return memory.admin.last_maintenance(whole=True)

    def last_pruned(self) -> datetime | None:
        with Memory(self._path, create=False, **(self._parts | {"embedder": None})) as memory:
            return memory._store.maintenance.last_job_run(PRUNE_JOB_NAME)

    def maintain(self, jobs: Sequence[str] | None) -> MaintenanceReport:
        with Memory(self._path, create=False, **self._parts) as memory:
            without = PRUNE_JOB_NAME if jobs is None else None
            return memory.admin._maintain(jobs, progress=self._stop_if_asked, without=without)

    def _stop_if_asked(self, job: str, steps: int) -> None:
        if self._wait(0):
            raise KeyboardInterrupt
