"""Learns from every conversation that is over: what is not learned yet must not be made shorter."""

from __future__ import annotations

from collections.abc import Iterator

from omoide.errors import ModelFailed
from omoide.learn import teach
from omoide.maintain.job import Job, Step, Upkeep


def run(upkeep: Upkeep) -> Iterator[Step]:
    """One conversation at a time. One that fails stays pending, and is told of once the others are done. What will be
    learned nobody knows before it is: a dry run names the conversations, and the run names them too."""
    failed: dict[str, str] = {}
    for name in upkeep.store.pending_sessions():
        step = Step("learned from", "session", name, None, "it is over and was not learned from")
        if upkeep.dry_run:
            yield step
            continue
        report = teach.learn(upkeep.store, upkeep.settings, upkeep.language_model, [name])
        failed |= report.failed
        if name not in report.failed:
            yield step
        for entry in report.entries:
            yield Step(entry.verb, entry.kind, entry.text, entry.id, entry.why)
    if failed:
        name, why = next(iter(failed.items()))
        raise ModelFailed(f"{len(failed)} conversations stay pending; {name}: {why}")


JOB = Job("learn", "learns from every conversation that is over", run)
