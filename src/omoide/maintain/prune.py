"""A file that has outgrown its limit archives its least used nodes, some a night, and gives empty pages back."""

from __future__ import annotations

from collections.abc import Iterator

from omoide.maintain.batch import SIZE
from omoide.maintain.job import Job, Step, Upkeep
from omoide.maintain.size import is_tight, limit
from omoide.store import Aged, Leaving

_WORTH = 0.1  # of the file: fewer empty pages are filled again soon
_PAGES = 1_000  # given back in one transaction: 4 MB


def run(up: Upkeep) -> Iterator[Step]:
    """Koshi: the bottom by score and recency, never by a threshold, and only when room is needed."""
    yield from _prune(up)
    yield from _shrink(up)


def _prune(up: Upkeep) -> Iterator[Step]:
    night = up.store.prune_quota(up.now, up.settings.prune_percent, is_tight(up.store, up.settings))
    if up.dry_run:
        yield from map(_step, up.store.least_used(night.at, night.left))
        return
    while night.left and (found := up.store.least_used(night.at, min(SIZE, night.left))):
        night = up.store.prune(night, [_leaving(each) for each in found])
        yield from map(_step, found)


def _leaving(each: Aged) -> Leaving:
    return Leaving(each.id, f"the file is too large, and this is among the least used ({each.sign:.3g})")


def _step(each: Aged) -> Step:
    return Step("archived", each.kind, each.text, each.id, _leaving(each).reason)


def _shrink(up: Upkeep) -> Iterator[Step]:
    """Empty pages at the end of a file that is too large. The first time the file is written anew for it."""
    before = up.store.space()
    if not limit(up.settings) or before.bytes <= limit(up.settings) or before.free < _WORTH * before.bytes:
        return
    if not up.dry_run and not _in_pieces(up):
        up.store.rewrite_file()
    yield Step("shrunk", "file", "", None, f"{before.free / 1e6:.1f} MB of empty pages given back to the disk")


def _in_pieces(up: Upkeep) -> bool:
    """Whether the file can give its pages back one after another, and has."""
    free = up.store.space().free
    while free:
        if not up.store.give_back(_PAGES):
            return False
        free, before = up.store.space().free, free
        if free >= before:  # others free pages meanwhile; the next night has those
            break
    return True


JOB = Job("prune", "archives the least used when the file is too large", run, takes_away=True)
