"""Learned memories that nobody vouches for and that time has worn down leave use."""

from __future__ import annotations

from collections.abc import Iterator

from omoide.maintain.batch import SIZE, out_of_use
from omoide.maintain.job import Job, Step, Upkeep
from omoide.store import Aged, Leaving


def run(up: Upkeep) -> Iterator[Step]:
    """Never an episode, never what was stated, corrected or confirmed."""
    least = up.settings.decay_threshold

    def leaving(each: Aged) -> Leaving:
        return Leaving(each.id, f"faded: {each.sign:.3f} of its confidence is left, below {least:g}")

    return out_of_use(up, lambda after, why: up.store.fade(up.now, least, after, SIZE, why), leaving)


JOB = Job("fade", "archives what has faded and nobody confirmed", run, takes_away=True)
