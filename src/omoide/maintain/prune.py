"""A file that has outgrown its limit archives its least used nodes, some a night, and gives empty pages back."""

from __future__ import annotations

from collections.abc import Iterator

from omoide.maintain.batch import SIZE
from omoide.maintain.job import Job, Step, Upkeep
from omoide.maintain.size import is_tight, limit
from omoide.store import Aged, Leaving

_WORTH = 0.1  # of the file: fewer empty pages are filled again soon
_LOOSE = 0.25  # of the file: holes inside pages; some are always there
_PAGES = 1_000  # given back in one transaction: 4 MB


def run(up: Upkeep) -> Iterator[Step]:
    """Koshi: the bottom by score and recency, never by a threshold, and only when room is needed."""
    gone = 0
    for step in _prune(up):
        gone += 1
        yield step
    yield from _shrink(up, gone)
    yield from _helpless(up)


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


def _shrink(up: Upkeep, gone: int) -> Iterator[Step]:
    """What a file that is too large no longer needs. Rows that lost their words leave holes in their pages, and only
    writing the file anew closes those; so it is done the first time, and where some left tonight and holes are many."""
    if not limit(up.settings) or up.store.size() <= limit(up.settings):
        return
    before = up.store.space()
    loose = gone > 0 and before.slack >= _LOOSE * before.bytes
    if before.free < _WORTH * before.bytes and not loose:
        return
    if up.dry_run:
        yield _shrunk(before.free)
        return
    if loose or not _in_pieces(up):
        up.store.rewrite_file()
    yield _shrunk(before.bytes - up.store.size())


def _shrunk(given: int) -> Step:
    return Step("shrunk", "file", "", None, f"{given / 1e6:.1f} MB given back to the disk")


def _helpless(up: Upkeep) -> Iterator[Step]:
    """Said every night it is so: only its owner can make room, or give it more."""
    if is_tight(up.store, up.settings) and not up.store.least_used(up.now, 1):
        held = up.store.space().in_use / 1e6
        why = f"{held:.1f} MB are in use, and nothing of it may be pruned; raise max_size ({up.settings.max_size} MB)"
        yield Step("left", "file", "", None, why)


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
