"""Hits → the same with their probabilities, or none of them when chance alone would have found as much."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from omoide.errors import OmoideError
from omoide.recall import floor
from omoide.recall.floor import Calibration, Evidence
from omoide.text import is_unspaced

if TYPE_CHECKING:
    from omoide.recall.hit import Hit
    from omoide.recall.question import Query
    from omoide.recall.search.arm import Found, Sources


@dataclass(frozen=True, slots=True)
class Judged:
    """What is left of the hits, how likely the best is about what was asked, and the verdict in words."""

    hits: tuple[Hit, ...]
    probability: float | None
    verdict: str
    dropped: str = ""


def judge(query: Query, hits: Sequence[Hit], found: Sequence[Found], sources: Sources) -> Judged:
    """Where no vector tells, every hit is kept: a shared word is some reason, and its absence finds nothing anyway."""
    least = query.question.recipe.least_probable
    if least is None or query.asks_only_for_a_time:
        return Judged(tuple(hits), None, "not judged")
    vectors = next((arm for arm in found if arm.arm == "vector"), None)
    measured = "no vectors to judge by" if vectors is None else _measured(sources)
    by = floor.PRIOR if isinstance(measured, str) else measured
    alike = {each.id: each.score for each in vectors.candidates} if vectors else {}
    # What the vector arm left out is at most as alike as its last; where it left out nothing, there is no vector yet.
    beyond = None if vectors is None or vectors.complete else min(alike.values(), default=None)
    evidence = [Evidence(alike.get(hit.id, beyond), floor.shared(query.terms, hit.node)) for hit in hits]
    told = tuple(
        replace(hit, probability=floor.probability(each, by)) for hit, each in zip(hits, evidence, strict=True)
    )
    best = max((hit.probability or 0.0 for hit in told), default=0.0)
    if vectors is None or isinstance(measured, str):
        return Judged(told, best, str(measured))
    most_alike = max(
        (each.score for each in vectors.candidates), default=0.0
    )  # it may have been ranked below the limit
    best = max(best, floor.probability(Evidence(most_alike, 0.0), by))
    verdict = f"best {best:.2f}, chance alone finds {measured.chance:.2f} alike"
    if best >= least or not _may_abstain(query):
        return Judged(told, best, verdict)
    return Judged((), best, f"nothing here is more relevant than chance ({verdict})", "no more relevant than chance")


def _may_abstain(query: Query) -> bool:
    """Chance was measured in the whole store of today, with questions in scripts that part their words.

    The default model hardly reads the others: all texts in them are alike to it.
    """
    whole = not query.keep.selective and query.keep.as_of is None
    return whole and floor.names_something(query.terms) and not is_unspaced(query.question.text)


def _measured(sources: Sources) -> Calibration | str:
    """What chance reaches here, or why that could not be measured."""
    assert sources.embedder is not None
    try:
        model = sources.model_id()
        return sources.chances.of(sources.store.planes(model), model, sources.embedder)
    except OmoideError as error:  # the hits stand without a judgement
        return f"chance could not be measured, {error}"
