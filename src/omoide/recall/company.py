"""What was said in one session belongs together: the best of it speaks for the rest."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from omoide.recall.fuse import Fused


def in_company(fused: Mapping[int, Fused], sessions: Mapping[int, int], share: float) -> dict[int, Fused]:
    """Adds to each node a share of the highest score in its session. What stands alone, as a fact does, is the best of
    its own: it must not fall behind for having no company."""
    best: dict[int, float] = {}
    for id, each in fused.items():
        if id in sessions:
            best[sessions[id]] = max(best.get(sessions[id], 0.0), each.score)
    return {
        id: replace(each, score=each.score + share * (best[sessions[id]] if id in sessions else each.score))
        for id, each in fused.items()
    }
