"""Tasks that a crash left open have failed: recorded so, with what is known of them."""

from __future__ import annotations

from collections.abc import Iterator

from omoide.errors import InvalidInput
from omoide.layers.names import named_in
from omoide.maintain.job import Job, Step, Upkeep
from omoide.store.abandoned import crashed


def run(upkeep: Upkeep) -> Iterator[Step]:
    names = upkeep.store.entity_names()
    for open in upkeep.store.abandoned_tasks(upkeep.settings.task_lease_hours):
        trace = upkeep.store.trace(open.id)
        ending = crashed(open)
        if not upkeep.dry_run:
            try:
                upkeep.store.finish_task(open.id, ending, lambda text: named_in(text, names))
            except InvalidInput:  # it was ended meanwhile
                continue
        why = str((ending.error or {}).get("message"))
        yield Step("failed", "task", str(trace.attributes["goal"]), open.id, why)


JOB = Job("crashed_tasks", "records tasks that a crash left open as failed", run)
