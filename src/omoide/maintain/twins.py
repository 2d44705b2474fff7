"""What is held twice becomes one: the better stays, with the sources, links and counts of both."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from omoide.layers import Node
from omoide.layers.twin import covers, may_be_one
from omoide.learn.conflict import authority
from omoide.maintain.job import Job, Step, Upkeep

ALIKE = 0.9  # cosine (Loki)
_NEAREST = 32  # looked at for each; more where even the last of them is so alike
_MOST = 2_048
_CHUNK = 200  # vectors between two marks of how far we are
_MARK = "twins"


@dataclass(slots=True)
class _Found:
    """Who gave way so far: a dry run changes nothing, and must not tell of a pair twice."""

    gone: set[int] = field(default_factory=set)


def run(up: Upkeep) -> Iterator[Step]:
    """Exact twins at once; alike ones among what was embedded since the last run, compared with all that is there."""
    so_far = _Found()
    for group in up.store.same_wording():
        yield from _unite(up, group, "the same words", so_far)
    model = up.store.current_model()
    if model is not None:
        yield from _alike(up, model, so_far)


def _alike(up: Upkeep, model: int, so_far: _Found) -> Iterator[Step]:
    mark = up.store.bookmark(_MARK) or [model, 0]
    after = mark[1] if mark[0] == model else 0
    while chunk := up.store.fresh_vectors(model, after, _CHUNK):
        for _, id in chunk:
            if id not in so_far.gone and (others := _near(up, model, id)):
                yield from _unite(up, [id, *others], f"more than {ALIKE:g} alike", so_far)
        after = chunk[-1][0]
        if not up.dry_run:
            up.store.put_bookmark(_MARK, [model, after])


def _near(up: Upkeep, model: int, id: int) -> list[int]:
    """The learned nodes more alike than that; most vectors are of episodes, so the nearest are asked for in steps."""
    planes = up.store.planes(model)
    held, vectors = planes.rows([id])
    if not held:
        return []
    reach = _NEAREST
    while True:
        found = planes.search(vectors[0], reach)
        if len(found) < reach or found[-1][1] <= ALIKE or reach >= _MOST:
            break
        reach *= 4
    close = [other for other, score in found if score > ALIKE and other != id]
    return up.store.comparable(close) if close else []


def _unite(up: Upkeep, ids: Sequence[int], how: str, so_far: _Found) -> Iterator[Step]:
    """The best first; each of the others goes into the first that says all it says, or stays."""
    compared = up.store.compared([id for id in ids if id not in so_far.gone])
    kept: list[Node] = []
    for node in sorted(compared.nodes.values(), key=lambda each: _order(each, compared.sources.get(each.id, 0))):
        into = next((each for each in kept if _is_twin(each, node, compared.against)), None)
        if into is None:
            kept.append(node)
        elif up.dry_run or up.store.unite(into.id, node.id, up.now):
            so_far.gone.add(node.id)
            yield Step("merged", node.kind, node.text, node.id, f"{how} as [id:{into.id}], which has its sources now")


def _is_twin(kept: Node, other: Node, against: frozenset[frozenset[int]]) -> bool:
    return frozenset((kept.id, other.id)) not in against and may_be_one(kept, other) and covers(kept, other)


def _order(node: Node, sources: int) -> tuple[object, ...]:
    """Who stays: by authority, confirmed or not, confidence, evidence, then the fuller and the older."""
    confirmed = node.confirmed_at is not None
    return (-authority(node.source_type), not confirmed, -node.confidence, -sources, -len(node.text), node.id)


JOB = Job("twins", "makes one of what is held twice", run)
