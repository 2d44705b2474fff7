"""What is held twice becomes one: the better stays, with the sources, links and counts of both."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from omoide.domain import Node
from omoide.domain.duplicates import may_be_duplicates, says_the_same
from omoide.learn.conflict import authority
from omoide.maintain.job import JobContext, JobStep, MaintenanceJob

SIMILARITY_THRESHOLD = 0.9  # cosine (Loki)
_NEIGHBOURS = 32  # looked at for each; more where even the last of them is so alike
_MOST_NEIGHBOURS = 2_048
_VECTORS_PER_STEP = 200  # vectors between two marks of how far we are
_CURSOR = "twins"


@dataclass(slots=True)
class _MergedSoFar:
    """Who gave way so far: a dry run changes nothing, and must not tell of a pair twice."""

    gone: set[int] = field(default_factory=set)


def _deduplicate(up: JobContext) -> Iterator[JobStep]:
    """Exact twins at once; alike ones among what was embedded since the last run, compared with all that is there."""
    so_far = _MergedSoFar()
    for group in up.store.same_wording():
        yield from _merge_group(up, group, "the same words", so_far)
    model = up.store.current_model()
    if model is not None:
        yield from _merge_similar(up, model, so_far)


def _merge_similar(up: JobContext, model: int, so_far: _MergedSoFar) -> Iterator[JobStep]:
    mark = up.store.bookmark(_CURSOR) or [model, 0]
    after = mark[1] if mark[0] == model else 0
    while chunk := up.store.fresh_vectors(model, after, _VECTORS_PER_STEP):
        for _, id in chunk:
            if id not in so_far.gone and (others := _similar_nodes(up, model, id)):
                yield from _merge_group(up, [id, *others], f"more than {SIMILARITY_THRESHOLD:g} alike", so_far)
        after = chunk[-1][0]
        if not up.dry_run:
            up.store.put_bookmark(_CURSOR, [model, after])


def _similar_nodes(up: JobContext, model: int, id: int) -> list[int]:
    """The learned nodes more alike than that; most vectors are of episodes, so the nearest are asked for in steps."""
    planes = up.store.planes(model)
    held, vectors = planes.rows([id])
    if not held:
        return []
    reach = _NEIGHBOURS
    while True:
        found = planes.search(vectors[0], reach)
        if len(found) < reach or found[-1][1] <= SIMILARITY_THRESHOLD or reach >= _MOST_NEIGHBOURS:
            break
        reach *= 4
    close = [other for other, score in found if score > SIMILARITY_THRESHOLD and other != id]
    return up.store.comparable(close) if close else []


def _merge_group(up: JobContext, ids: Sequence[int], how: str, so_far: _MergedSoFar) -> Iterator[JobStep]:
    """The best first; each of the others goes into the first that says all it says, or stays."""
    compared = up.store.compared([id for id in ids if id not in so_far.gone])
    kept: list[Node] = []
    for node in sorted(compared.nodes.values(), key=lambda each: _keep_order(each, compared.sources.get(each.id, 0))):
        into = next((each for each in kept if _is_duplicate(each, node, compared.against)), None)
        if into is None:
            kept.append(node)
        elif up.dry_run or up.store.unite(into.id, node.id, up.now):
            so_far.gone.add(node.id)
            yield JobStep(
                "merged", node.kind, node.text, node.id, f"{how} as [id:{into.id}], which has its sources now"
            )


def _is_duplicate(kept: Node, other: Node, against: frozenset[frozenset[int]]) -> bool:
    return (
        frozenset((kept.id, other.id)) not in against and may_be_duplicates(kept, other) and says_the_same(kept, other)
    )


def _keep_order(node: Node, sources: int) -> tuple[object, ...]:
    """Who stays: by authority, confirmed or not, confidence, evidence, then the fuller and the older."""
    confirmed = node.confirmed_at is not None
    return (-authority(node.source_type), not confirmed, -node.confidence, -sources, -len(node.text), node.id)


DEDUPLICATE_JOB = MaintenanceJob("twins", "makes one of what is held twice", _deduplicate)
