"""Scores flow to the turns said just before and after a hit: the answer often stands one turn away from the words.

Done while asking instead of while indexing: nothing is stored twice, and what is forgotten leaves no trace in its
neighbours' index. With no model at all it lifted the mean recall at 10 over eight sets from .510 to .556, above
indexing each short turn together with its neighbours (.542).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from omoide.recall.fuse import Fused
from omoide.recall.recipes import Spread


def start_points(fused: Mapping[int, Fused], spread: Spread) -> list[int]:
    """The nodes that give: the best by score."""
    return sorted(fused, key=lambda id: (-fused[id].score, id))[: spread.from_best]


def spread_out(
    fused: Mapping[int, Fused], beside: Sequence[tuple[int, int, int, int]], spread: Spread
) -> dict[int, Fused]:
    """Adds to each node the largest share that one of its neighbours gives, never a sum: one hit, one hint."""
    gain: dict[int, tuple[float, int]] = {}
    for giver, taker, steps, length in beside:
        share = spread.shares[abs(steps) - 1] * min(1.0, spread.full_length / max(1, length))
        gain[taker] = max(gain.get(taker, (0.0, 0)), (fused[giver].score * share, giver))
    result = dict(fused)
    for id, (amount, giver) in gain.items():
        before = fused.get(id, Fused(id, 0.0, ()))
        given = before.given if before.given else (("neighbour", 0, f"said beside [id:{giver}]"),)
        result[id] = Fused(id, before.score + amount, given)
    return result
