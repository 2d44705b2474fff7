"""Merges duplicates: the better memory stays and gets the sources, links and counts of the other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from omoide.domain import Node
from omoide.domain.duplicates import may_be_duplicates, says_the_same
from omoide.learn.change import authority
from omoide.maintain.job import JobContext, JobStep, MaintenanceJob, for_each

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
        elif context.dry_run or context.store.duplicates.merge_duplicates(into.id, node.id, context.now):
            merged.add(node.id)
            yield JobStep(
                "merged", node.kind, node.text, node.id, f"{how} as [id:{into.id}], which has its sources now"
            )


def _is_duplicate(kept: Node, other: Node, against: frozenset[frozenset[int]]) -> bool:
    return (
        frozenset((kept.id, other.id)) not in against and may_be_duplicates(kept, other) and says_the_same(kept, other)
    )


def _keep_order(node: Node, sources: int) -> tuple[object, ...]:
    """Which node stays: by authority, confirmation, confidence, evidence, then the longer and the older."""
    confirmed = node.confirmed_at is not None
    return (-authority(node.source_type), not confirmed, -node.confidence, -sources, -len(node.text), node.id)


DEDUPLICATE_JOB = MaintenanceJob("deduplicate", "merges memories that say the same", _deduplicate)
