"""Whether the file has outgrown its limit: pruning begins then, and compression may begin earlier."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from omoide.clock import DAY
from omoide.maintain.job import JobContext, JobStep, MaintenanceJob
from omoide.settings import Settings
from omoide.store import AgedNode, ArchiveRequest, Store

_MB = 1_000_000


def size_limit(settings: Settings) -> int:
    """Bytes; 0 is no limit."""
    return settings.max_size * _MB


def is_over_limit(store: Store, settings: Settings) -> bool:
    """Whether what is in use is more than the file may hold. Its empty pages do not count, nor does the archive:
    what has been moved there would go on counting, and each night would take more."""
    most = size_limit(settings)
    return bool(most) and store.held() > most and store.space().in_use > most


# What the jobs that take out of use have in common: short transactions, one after another, each told of afterwards.


BATCH_SIZE = 200  # rows of a transaction: live traffic waits some milliseconds for it

NextBatch = Callable[[int, Callable[[AgedNode], ArchiveRequest] | None], list[AgedNode]]
"""The next batch after an id; with a way to leave, it has left."""


def archive_in_batches(
    up: JobContext, following: NextBatch, leaving: Callable[[AgedNode], ArchiveRequest]
) -> Iterator[JobStep]:
    """Batch after batch until none is left."""
    after = 0
    while found := following(after, None if up.dry_run else leaving):
        after = found[-1].id
        for each in found:
            left = leaving(each)
            yield JobStep(left.state, each.kind, each.text, each.id, left.reason)


# Learned memories that nobody vouches for and that time has worn down leave use.


def _archive_low_confidence(up: JobContext) -> Iterator[JobStep]:
    """Never an episode, never what was stated, corrected or confirmed."""
    least = up.settings.decay_threshold

    def leaving(each: AgedNode) -> ArchiveRequest:
        return ArchiveRequest(each.id, f"faded: {each.sign:.3f} of its confidence is left, below {least:g}")

    return archive_in_batches(up, lambda after, why: up.store.fade(up.now, least, after, BATCH_SIZE, why), leaving)


EXPIRE_CONFIDENCE_JOB = MaintenanceJob(
    "fade", "archives what has faded and nobody confirmed", _archive_low_confidence, takes_away=True
)


# Episodes past their date leave use, once they were learned from and told shorter (Kira-L's retention table).


def _expire_episodes(up: JobContext) -> Iterator[JobStep]:
    """Raw ones are archived, compressed ones of little weight expire; distilled ones have no date."""
    drops_words = not up.settings.archive_verbatim

    def leaving(each: AgedNode) -> ArchiveRequest:
        if each.sign == "raw":
            return ArchiveRequest(
                each.id, "past its date: learned from, and told by a shorter episode if it told anything"
            )
        return ArchiveRequest(each.id, "past its date: compressed, and of little weight", "expired", drops_words)

    return archive_in_batches(up, lambda after, why: up.store.expire(up.now, after, BATCH_SIZE, why), leaving)


EXPIRE_JOB = MaintenanceJob(
    "expire", "archives episodes past their date that were learned from", _expire_episodes, takes_away=True
)


# Old traces of tasks leave use unless something known refers to them (Loki's rule).


def _archive_old_traces(up: JobContext) -> Iterator[JobStep]:
    days = up.settings.retention_trace_days
    before = up.now - days * DAY

    def leaving(each: AgedNode) -> ArchiveRequest:
        return ArchiveRequest(each.id, f"a trace of {each.sign!r} older than {days} days that nothing known refers to")

    return archive_in_batches(
        up, lambda after, why: up.store.leave_traces(up.now, before, after, BATCH_SIZE, why), leaving
    )


TRACES_JOB = MaintenanceJob(
    "traces", "archives old traces of tasks that nothing was learned from", _archive_old_traces, takes_away=True
)


# A file that has outgrown its limit archives its least used nodes, some a night, and gives empty pages back.


_WORTH_SHRINKING = 0.1  # of the file: fewer empty pages are filled again soon
_LOOSE_SHARE = 0.25  # of the file: holes inside pages; some are always there
_PAGES_PER_STEP = 1_000  # given back in one transaction: 4 MB


def _prune_file(up: JobContext) -> Iterator[JobStep]:
    """Koshi: the bottom by score and recency, never by a threshold, and only when room is needed."""
    gone = 0
    for step in _archive_least_used(up):
        gone += 1
        yield step
    yield from _return_pages(up, gone)
    yield from _still_too_large(up)


def _archive_least_used(up: JobContext) -> Iterator[JobStep]:
    night = up.store.prune_quota(up.now, up.settings.prune_percent, is_over_limit(up.store, up.settings))
    if up.dry_run:
        yield from map(_prune_step, up.store.least_used(night.at, night.left))
        return
    while night.left and (found := up.store.least_used(night.at, min(BATCH_SIZE, night.left))):
        night = up.store.prune(night, [_prune_request(each) for each in found])
        yield from map(_prune_step, found)


def _prune_request(each: AgedNode) -> ArchiveRequest:
    return ArchiveRequest(each.id, f"the file is too large, and this is among the least used ({each.sign:.3g})")


def _prune_step(each: AgedNode) -> JobStep:
    return JobStep("archived", each.kind, each.text, each.id, _prune_request(each).reason)


def _return_pages(up: JobContext, gone: int) -> Iterator[JobStep]:
    """What a file that is too large no longer needs. Rows that lost their words leave holes in their pages, and only
    writing the file anew closes those; so it is done the first time, and where some left tonight and holes are many."""
    if not size_limit(up.settings) or up.store.size() <= size_limit(up.settings):
        return
    before = up.store.space()
    loose = gone > 0 and before.slack >= _LOOSE_SHARE * before.bytes
    if before.free < _WORTH_SHRINKING * before.bytes and not loose:
        return
    if up.dry_run:
        yield _shrink_step(before.free)
        return
    if loose or not _is_incremental(up):
        up.store.rewrite_file()
    yield _shrink_step(before.bytes - up.store.size())


def _shrink_step(given: int) -> JobStep:
    return JobStep("shrunk", "file", "", None, f"{given / 1e6:.1f} MB given back to the disk")


def _still_too_large(up: JobContext) -> Iterator[JobStep]:
    """Said every night it is so: only its owner can make room, or give it more."""
    if is_over_limit(up.store, up.settings) and not up.store.least_used(up.now, 1):
        held = up.store.space().in_use / 1e6
        why = f"{held:.1f} MB are in use, and nothing of it may be pruned; raise max_size ({up.settings.max_size} MB)"
        yield JobStep("left", "file", "", None, why)


def _is_incremental(up: JobContext) -> bool:
    """Whether the file can give its pages back one after another, and has."""
    free = up.store.space().free
    while free:
        if not up.store.give_back(_PAGES_PER_STEP):
            return False
        free, before = up.store.space().free, free
        if free >= before:  # others free pages meanwhile; the next night has those
            break
    return True


PRUNE_JOB = MaintenanceJob("prune", "archives the least used when the file is too large", _prune_file, takes_away=True)


# Entities that nothing speaks of any more, and links that ended long ago, go; never what somebody wrote by hand.


_UNMENTIONED_DAYS = 90 * DAY  # an entity
_ENDED_DAYS = 365 * DAY  # a link


def _delete_orphans(up: JobContext) -> Iterator[JobStep]:
    after, drop = 0, not up.dry_run
    while found := up.store.orphaned_entities(up.now - _UNMENTIONED_DAYS, after, BATCH_SIZE, drop=drop):
        after = found[-1].id
        for each in found:
            yield JobStep("removed", "entity", each.name, None, "nothing speaks of it, and nobody described it")
    after = 0
    while found := up.store.ended_links(up.now - _ENDED_DAYS, after, BATCH_SIZE, drop=drop):
        after = found[-1].id
        for each in found:
            yield JobStep("removed", "link", each.name, None, "it ended more than a year ago and carries no reason")


ORPHANS_JOB = MaintenanceJob(
    "orphans", "removes entities and links that nothing holds", _delete_orphans, takes_away=True
)
