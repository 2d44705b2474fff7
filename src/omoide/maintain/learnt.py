"""Learning from the sessions that are over and were not learned from yet."""

from __future__ import annotations

from collections.abc import Iterator

from omoide.learn import teach
from omoide.learn.report import Report
from omoide.maintain.job import Job, Step, Upkeep


def run(upkeep: Upkeep) -> Iterator[Step]:
    for name in upkeep.store.pending_sessions():
        if upkeep.dry_run:
            yield Step("learned", "session", name, None, "it is over and was not learned from")
            continue
        report = teach.learn(upkeep.store, upkeep.settings, upkeep.language_model, [name])
        if name in report.failed:
            yield Step("kept", "session", name, None, f"it stays pending: {report.failed[name]}")
        else:
            yield Step("learned", "session", name, None, _told(report))


JOB = Job("learn", "sessions that are over are learned from", run)


def _told(report: Report) -> str:
    counts = ", ".join(f"{count} {verb}" for verb, count in sorted(report.counts.items()))
    return f"{report.turns} turns: {counts or 'nothing new'}"
