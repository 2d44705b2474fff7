"""Entities that nothing speaks of any more, and links that ended long ago, go; never what somebody wrote by hand."""

from __future__ import annotations

from collections.abc import Iterator

from omoide.clock import DAY
from omoide.maintain.batch import SIZE
from omoide.maintain.job import Job, Step, Upkeep

_UNSPOKEN = 90 * DAY  # an entity
_ENDED = 365 * DAY  # a link


def run(up: Upkeep) -> Iterator[Step]:
    after, drop = 0, not up.dry_run
    while found := up.store.orphaned_entities(up.now - _UNSPOKEN, after, SIZE, drop=drop):
        after = found[-1].id
        for each in found:
            yield Step("removed", "entity", each.name, None, "nothing speaks of it, and nobody described it")
    after = 0
    while found := up.store.ended_links(up.now - _ENDED, after, SIZE, drop=drop):
        after = found[-1].id
        for each in found:
            yield Step("removed", "link", each.name, None, "it ended more than a year ago and carries no reason")


JOB = Job("orphans", "removes entities and links that nothing holds", run, takes_away=True)
