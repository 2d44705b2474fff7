"""Jobs that archive, delete or merge: low confidence, expired episodes, old traces, size, orphans, duplicates."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Protocol, TypeVar

from omoide.clock import DAY
from omoide.domain import Node
from omoide.domain.duplicates import may_be_duplicates, says_the_same
from omoide.errors import Busy, CannotWrite, Closed
from omoide.learn.change import authority
from omoide.maintain.job import JobContext, JobStep, MaintenanceJob, for_each, in_halves
from omoide.settings import Settings
from omoide.store import AgedNode, ArchiveRequest, Batch, PruneQuota, RetentionDecision, Store


def size_limit(settings: Settings) -> int:
    """Bytes; 0 means no limit."""
    return settings.max_size * 1_000_000


def is_over_limit(store: Store, settings: Settings) -> bool:
    """Whether the live data exceeds the size limit. Empty pages and the archive do not count: otherwise archiving
    would never bring the file under its limit."""
    most = size_limit(settings)
    return bool(most) and store.space.used_bytes() > most and store.space.measure_space().in_use > most


BATCH_SIZE = 200  # rows per transaction: live traffic waits a few milliseconds


class _Aged(Protocol):
    """A node that a job acted on, or would act on."""

    @property
    def id(self) -> int: ...


A = TypeVar("A", bound=_Aged)


@dataclass(frozen=True, slots=True)
class BatchedItems:
    """What a job works on in batches: its word in reports, and the ids after one, read when a batch fails."""

    job: str
    ids: Callable[[int], Sequence[int]]
    name: str = "memory"


def in_batches(
    context: JobContext, items: BatchedItems, act: Callable[[Batch], Sequence[A]], step: Callable[[A], JobStep]
) -> Iterator[JobStep]:
    """Acts on batch after batch until none is left. In a batch that fails, the failing items are set aside alone."""
    after = 0
    try:
        while found := act(Batch(after, BATCH_SIZE)):
            after = found[-1].id
            yield from map(step, found)
    except (Closed, Busy, CannotWrite):
        raise
    except Exception:  # one item of the rest fails: it is found by halving
        ids = items.ids(after)
        parts = (ids[start : start + BATCH_SIZE] for start in range(0, len(ids), BATCH_SIZE))
        for part in parts:
            yield from in_halves(
                context, items.job, part, items.name, lambda among: map(step, act(Batch(0, BATCH_SIZE, tuple(among))))
            )


ArchiveBatch = Callable[[Batch, Callable[[AgedNode], ArchiveRequest] | None], list[AgedNode]]
"""Selects a batch. With an archive request function, it is archived as well."""


def archive_in_batches(
    context: JobContext, job: str, next_batch: ArchiveBatch, request: Callable[[AgedNode], ArchiveRequest]
) -> Iterator[JobStep]:
    """Archives batch after batch until none is left, one step per node."""

    def step(each: AgedNode) -> JobStep:
        left = request(each)
        return JobStep(left.state, each.kind, each.text, each.id, left.reason)

    items = BatchedItems(job, context.store.retention.live_ids)
    return in_batches(context, items, lambda batch: next_batch(batch, None if context.dry_run else request), step)


def _archive_low_confidence(context: JobContext) -> Iterator[JobStep]:
    """Archives learned memories of low confidence; never episodes, nor stated, corrected or confirmed memories."""
    least = context.settings.decay_threshold

    def request(each: AgedNode) -> ArchiveRequest:
        return ArchiveRequest(each.id, f"confidence decayed to {each.measure:.3f}, below {least:g}")

    fade = partial(context.store.retention.fade, context.now, least)
    return archive_in_batches(context, LOW_CONFIDENCE_JOB.name, fade, request)


LOW_CONFIDENCE_JOB = MaintenanceJob(
    "low_confidence", "archives unconfirmed memories whose confidence decayed", _archive_low_confidence, age_based=True
)


def _retain_episodes(context: JobContext) -> Iterator[JobStep]:
    return _archive_carried_turns(context) if context.policy == "carried" else _expire_episodes(context)


def _archive_carried_turns(context: JobContext) -> Iterator[JobStep]:
    """Archives turns past their date whose content live memories state, and turns without content; all others stay."""

    def step(each: RetentionDecision) -> JobStep:
        return JobStep("archived" if each.archived else "stays", "episode", each.text, each.id, each.reason)

    def act(batch: Batch) -> list[RetentionDecision]:
        return context.store.retention.decide_turns(context.now, batch, apply=not context.dry_run)

    return in_batches(context, BatchedItems(EXPIRE_JOB.name, context.store.retention.live_ids), act, step)


def _expire_episodes(context: JobContext) -> Iterator[JobStep]:
    """Archives raw episodes past their date and compressed ones of low importance. Distilled ones stay."""
    delete = context.policy == "kira_delete"

    def request(each: AgedNode) -> ArchiveRequest:
        if each.measure == "raw":
            return ArchiveRequest(each.id, "past its retention date, learned from, and compressed if it had content")
        return ArchiveRequest(each.id, "past its retention date, compressed, and of low importance")

    expire = partial(context.store.retention.expire, context.now, delete=delete)
    return archive_in_batches(context, EXPIRE_JOB.name, expire, request)


EXPIRE_JOB = MaintenanceJob(
    "expire",
    "archives turns past their retention date whose content is kept elsewhere",
    _retain_episodes,
    age_based=True,
)


def _archive_old_traces(context: JobContext) -> Iterator[JobStep]:
    days = context.settings.retention_trace_days
    before = context.now - days * DAY

    def request(each: AgedNode) -> ArchiveRequest:
        why = f"a trace of {each.measure!r} older than {days} days that no knowledge refers to"
        return ArchiveRequest(each.id, why)

    expire = partial(context.store.retention.expire_traces, context.now, before)
    return archive_in_batches(context, TRACES_JOB.name, expire, request)


TRACES_JOB = MaintenanceJob(
    "traces", "archives old task traces that nothing was learned from", _archive_old_traces, age_based=True
)

_WORTH_SHRINKING = 0.1  # of the file: fewer empty pages are soon reused
_LOOSE_SHARE = 0.25  # of the file: unused space inside pages; some is normal
_PAGES_PER_STEP = 1_000  # released in one transaction: 4 MB


def _prune_file(context: JobContext) -> Iterator[JobStep]:
    """Archives the least used nodes when the file is over its limit, then returns empty pages to the disk."""
    archived = 0
    for step in _archive_least_used(context):
        archived += 1
        yield step
    yield from _return_pages(context, archived)
    yield from _still_too_large(context)


def _archive_least_used(context: JobContext) -> Iterator[JobStep]:
    quota = context.store.retention.prune_quota(
        context.now, context.settings.prune_percent, is_over_limit(context.store, context.settings)
    )
    if context.dry_run:
        yield from map(_prune_step, context.store.retention.least_used(quota.at, quota.left))
        return
    failed: set[int] = set()
    least_used = context.store.retention.least_used
    while quota.left and (found := least_used(quota.at, min(BATCH_SIZE, quota.left), failed)):
        try:
            quota = context.store.retention.prune(quota, [_prune_request(each) for each in found])
        except (Closed, Busy, CannotWrite):
            raise
        except Exception:
            pass
        else:
            yield from map(_prune_step, found)
            continue
        for each in found:  # one of them fails: each for itself
            alone = list(_prune_alone(context, quota, each))
            yield from alone
            if any(step.verb == "archived" for step in alone):
                quota = replace(quota, left=quota.left - 1)
            else:
                failed.add(each.id)


def _prune_alone(context: JobContext, quota: PruneQuota, each: AgedNode) -> Iterator[JobStep]:
    def work(id: int) -> Iterator[JobStep]:
        context.store.retention.prune(quota, [_prune_request(each)])
        yield _prune_step(each)

    return for_each(context, PRUNE_JOB.name, [each.id], "memory {}".format, work)


def _prune_request(each: AgedNode) -> ArchiveRequest:
    return ArchiveRequest(
        each.id, f"the file is over its size limit and this is among the least used ({each.measure:.3g})"
    )


def _prune_step(each: AgedNode) -> JobStep:
    return JobStep("archived", each.kind, each.text, each.id, _prune_request(each).reason)


def _return_pages(context: JobContext, archived: int) -> Iterator[JobStep]:
    """Shrinks a file that is over its limit.

    Rows that lost their text leave unused space inside pages, and only rewriting the file frees it. That is done the
    first time, and later when nodes were archived in this run and the unused space is large.
    """
    if not size_limit(context.settings) or context.store.space.file_size() <= size_limit(context.settings):
        return
    before = context.store.space.measure_space()
    loose = archived > 0 and before.slack >= _LOOSE_SHARE * before.bytes
    if before.free < _WORTH_SHRINKING * before.bytes and not loose:
        return
    if context.dry_run:
        yield _shrink_step(before.free)
        return
    if loose or not _release_pages(context):
        context.store.space.vacuum()
    yield _shrink_step(before.bytes - context.store.space.file_size())


def _shrink_step(given: int) -> JobStep:
    return JobStep("shrunk", "file", "", None, f"{given / 1e6:.1f} MB returned to the disk")


def _still_too_large(context: JobContext) -> Iterator[JobStep]:
    """Reports that pruning cannot help: only the owner can delete memories or raise the limit."""
    if is_over_limit(context.store, context.settings) and not context.store.retention.least_used(context.now, 1):
        held = context.store.space.measure_space().in_use / 1e6
        why = f"{held:.1f} MB are in use and nothing can be pruned; raise max_size ({context.settings.max_size} MB)"
        yield JobStep("left", "file", "", None, why)


def _release_pages(context: JobContext) -> bool:
    """Releases empty pages in steps; False if the file does not support that."""
    free = context.store.space.measure_space().free
    while free:
        if not context.store.space.release_pages(_PAGES_PER_STEP):
            return False
        free, before = context.store.space.measure_space().free, free
        if free >= before:  # others free pages meanwhile; the next run releases those
            break
    return True


PRUNE_JOB = MaintenanceJob("prune", "archives the least used when the file is too large", _prune_file, age_based=True)


_UNMENTIONED_DAYS = 90 * DAY
_ENDED_DAYS = 365 * DAY


def _delete_orphans(context: JobContext) -> Iterator[JobStep]:
    """Deletes entities that nothing mentions and links that ended long ago; never what someone wrote by hand."""
    held, drop = context.store.retention, not context.dry_run
    yield from in_batches(
        context,
        BatchedItems("orphans", held.entity_ids, "entity"),
        lambda batch: held.orphaned_entities(context.now - _UNMENTIONED_DAYS, batch, drop=drop),
        lambda each: JobStep("removed", "entity", each.name, None, "nothing mentions it and nobody described it"),
    )
    yield from in_batches(
        context,
        BatchedItems("orphans", held.ended_link_ids, "link"),
        lambda batch: held.ended_links(context.now - _ENDED_DAYS, batch, drop=drop),
        lambda each: JobStep("removed", "link", each.name, None, "it ended more than a year ago and has no evidence"),
    )


ORPHANS_JOB = MaintenanceJob(
    "orphans", "removes entities and links that nothing refers to", _delete_orphans, age_based=True
)


# Merges duplicates: the better memory stays and gets the sources, links and counts of the other.


SIMILARITY_THRESHOLD = 0.9  # cosine
_NEIGHBOURS = 32  # compared at first; more if even the last of them is that similar
_MOST_NEIGHBOURS = 2_048
_VECTORS_PER_STEP = 200  # vectors between two updates of the cursor
_CURSOR = "deduplicate"


def _deduplicate(context: JobContext) -> Iterator[JobStep]:
    """Merges equal texts, then compares nodes embedded since the last run with all others."""
    merged: set[int] = set()  # a dry run changes nothing and must not report a pair twice
    groups = context.store.duplicates.same_text_groups()

    def merge(group: Sequence[int]) -> Iterator[JobStep]:
        return _merge_group(context, group, "same text", merged)

    yield from for_each(context, DEDUPLICATE_JOB.name, groups, lambda group: f"memory {group[0]}", merge)
    model = context.store.embeddings.current_model_id()
    if model is not None:
        yield from _merge_similar(context, model, merged)


def _merge_similar(context: JobContext, model: int, merged: set[int]) -> Iterator[JobStep]:
    cursor = context.store.maintenance.get_cursor(_CURSOR) or [model, 0]
    after = cursor[1] if cursor[0] == model else 0

    def merge(id: int) -> Iterator[JobStep]:
        if id not in merged and (others := _similar_nodes(context, model, id)):
            yield from _merge_group(context, [id, *others], f"similarity above {SIMILARITY_THRESHOLD:g}", merged)

    known = context.store.maintenance.list_set_aside(DEDUPLICATE_JOB.name)
    aside = [int(each.item.removeprefix("memory ")) for each in known]
    yield from for_each(context, DEDUPLICATE_JOB.name, aside, "memory {}".format, merge)
    while chunk := context.store.duplicates.new_vectors(model, after, _VECTORS_PER_STEP):
        ids = [id for _, id in chunk]
        yield from for_each(context, DEDUPLICATE_JOB.name, ids, "memory {}".format, merge)
        after = chunk[-1][0]
        if not context.dry_run:
            context.store.maintenance.set_cursor(_CURSOR, [model, after])


def _similar_nodes(context: JobContext, model: int, id: int) -> list[int]:
    """Learned nodes above the threshold. Most vectors belong to episodes, so the search widens in steps."""
    planes = context.store.search.vectors(model)
    held, vectors = planes.rows([id])
    if not held:
        return []
    reach = _NEIGHBOURS
    while True:
        found = planes.search(vectors[0], reach)
        if len(found) < reach or found.scores[-1] <= SIMILARITY_THRESHOLD or reach >= _MOST_NEIGHBOURS:
            break
        reach *= 4
    close = [other for other, score in found if score > SIMILARITY_THRESHOLD and other != id]
    return context.store.duplicates.may_have_duplicate(close) if close else []


def _merge_group(context: JobContext, ids: Sequence[int], how: str, merged: set[int]) -> Iterator[JobStep]:
    """Best first; each other node is merged into the first that says the same, or stays."""
    compared = context.store.duplicates.compare([id for id in ids if id not in merged])
    kept: list[Node] = []
    for node in sorted(compared.nodes.values(), key=lambda each: _keep_order(each, compared.sources.get(each.id, 0))):
        into = next((each for each in kept if _is_duplicate(each, node, compared.against)), None)
        if into is None:
            kept.append(node)
            continue
        work = partial(_merge, context, into, how=how)
        for step in for_each(context, DEDUPLICATE_JOB.name, [node], lambda each: f"memory {each.id}", work):
            if step.verb == "merged":
                merged.add(node.id)
            yield step


def _merge(context: JobContext, into: Node, node: Node, *, how: str) -> Iterator[JobStep]:
    if context.dry_run or context.store.duplicates.merge_duplicates(into.id, node.id, context.now):
        yield JobStep("merged", node.kind, node.text, node.id, f"{how} as [id:{into.id}], which has its sources now")


def _is_duplicate(kept: Node, other: Node, against: frozenset[frozenset[int]]) -> bool:
    return (
        frozenset((kept.id, other.id)) not in against and may_be_duplicates(kept, other) and says_the_same(kept, other)
    )


def _keep_order(node: Node, sources: int) -> tuple[object, ...]:
    """Which node stays: by authority, confirmation, confidence, evidence, then the longer and the older."""
    confirmed = node.confirmed_at is not None
    return (-authority(node.source_type), not confirmed, -node.confidence, -sources, -len(node.text), node.id)


DEDUPLICATE_JOB = MaintenanceJob("deduplicate", "merges memories that say the same", _deduplicate)
