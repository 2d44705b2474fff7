"""Episodes past their date leave use, once they were learned from and told shorter (Kira-L's retention table)."""

from __future__ import annotations

from collections.abc import Iterator

from omoide.maintain.batch import SIZE, out_of_use
from omoide.maintain.job import Job, Step, Upkeep
from omoide.store import Aged, Leaving


def run(up: Upkeep) -> Iterator[Step]:
    """Raw ones are archived, compressed ones of little weight expire; distilled ones have no date."""
    drops_words = not up.settings.archive_verbatim

    def leaving(each: Aged) -> Leaving:
        if each.sign == "raw":
            return Leaving(each.id, "past its date: learned from, and told by a shorter episode if it told anything")
        return Leaving(each.id, "past its date: compressed, and of little weight", "expired", drops_words)

    return out_of_use(up, lambda after, why: up.store.expire(up.now, after, SIZE, why), leaving)


JOB = Job("expire", "archives episodes past their date that were learned from", run, takes_away=True)
