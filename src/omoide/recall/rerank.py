"""The best hits, read again together with the question. What a reranker raises is told and never breaks recall."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from omoide.providers.reranker import Reranker
from omoide.recall.hit import Hit
from omoide.recall.recipe import Rerank


def reranked(question: str, hits: Sequence[Hit], by: Rerank, reranker: Reranker, notes: list[str]) -> list[Hit]:
    """The best in the reranker's order, the rest behind them. The scores stay in their order: they say how sure we were
    of a place, and a reranker's numbers have a scale of their own."""
    best, rest = list(hits[: by.best]), list(hits[by.best :])
    try:
        scores = _checked(reranker.scores(question, [dated(hit) for hit in best]), len(best)) if best else []
    except Exception as error:  # whatever somebody else's model raises
        notes.append(f"skipped, {reranker.name}: {type(error).__name__}: {error}")
        return [*best, *rest]
    order = sorted(range(len(best)), key=lambda place: (-scores[place], place))
    notes.append(f"{len(best)} read again by {reranker.name}")
    return [
        replace(best[old], score=best[new].score, why=_moved(best[old].why, old, new)) for new, old in enumerate(order)
    ] + rest


def dated(hit: Hit) -> str:
    """With the day in front: a reranker that is asked "when" or "lately" must see it."""
    return f"{hit.node.event_at.date().isoformat()}: {hit.text}"


def _checked(scores: Sequence[float], count: int) -> list[float]:
    found = [float(score) for score in scores]
    if len(found) != count or not all(map(math.isfinite, found)):
        raise ValueError(f"expected {count} finite numbers, got {len(found)}")
    return found


def _moved(why: str, old: int, new: int) -> str:
    return why if old == new else f"{why} · read again, from place {old + 1} to {new + 1}"
