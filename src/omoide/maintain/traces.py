"""Old traces of tasks leave use unless something known refers to them (Loki's rule)."""

from __future__ import annotations

from collections.abc import Iterator

from omoide.clock import DAY
from omoide.maintain.batch import SIZE, out_of_use
from omoide.maintain.job import Job, Step, Upkeep
from omoide.store import Aged, Leaving


def run(up: Upkeep) -> Iterator[Step]:
    days = up.settings.retention_trace_days
    before = up.now - days * DAY

    def leaving(each: Aged) -> Leaving:
        return Leaving(each.id, f"a trace of {each.sign!r} older than {days} days that nothing known refers to")

    return out_of_use(up, lambda after, why: up.store.leave_traces(up.now, before, after, SIZE, why), leaving)


JOB = Job("traces", "archives old traces of tasks that nothing was learned from", run, takes_away=True)
