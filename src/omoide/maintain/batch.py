"""What the jobs that take out of use have in common: short transactions, one after another, each told of afterwards."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from omoide.maintain.job import Step, Upkeep
from omoide.store import Aged, Leaving

SIZE = 200  # rows of a transaction: live traffic waits some milliseconds for it

Next = Callable[[int, Callable[[Aged], Leaving] | None], list[Aged]]
"""The next batch after an id; with a way to leave, it has left."""


def out_of_use(up: Upkeep, following: Next, leaving: Callable[[Aged], Leaving]) -> Iterator[Step]:
    """Batch after batch until none is left."""
    after = 0
    while found := following(after, None if up.dry_run else leaving):
        after = found[-1].id
        for each in found:
            left = leaving(each)
            yield Step(left.state, each.kind, each.text, each.id, left.reason)
