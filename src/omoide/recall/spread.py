"""Scores flow to the turns said just before and after a hit: the answer often stands one turn away from the words.

Done while asking instead of while indexing: nothing is stored twice, and what is forgotten leaves no trace in its
neighbours' index. With no model at all it lifted the mean recall at 10 over eight sets from .510 to .556, above
indexing each short turn together with its neighbours (.542).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from omoide.recall.fuse import Fused

if TYPE_CHECKING:
    from omoide.recall.recipe import Spread

_WORTH_SAYING = 0.25  # of its own score: a smaller share is no reason of its own


def start_points(fused: Mapping[int, Fused], spread: Spread) -> list[int]:
    """The nodes that give: the best by score."""
    return sorted(fused, key=lambda id: (-fused[id].score, id))[: spread.from_best]


def spread_out(
    fused: Mapping[int, Fused], beside: Sequence[tuple[int, int, int, int]], spread: Spread
) -> dict[int, Fused]:
    """Adds to each node the largest share that one of its neighbours gives, never a sum: one hit, one hint.

    What stands alone, as a fact does, has nobody to lend it support and would fall behind every turn of a talk on its
    subject. So it counts as its own neighbour.
    """
    gain: dict[int, tuple[float, int]] = {}
    shares, full_length = spread.shares, spread.full_length
    for giver, taker, steps, length in beside:
        amount = (fused[giver].score - fused[giver].kept) * shares[abs(steps) - 1]
        if length > full_length:
            amount *= full_length / length
        if taker not in gain or gain[taker][0] < amount:
            gain[taker] = (amount, giver)
    result = dict(fused)
    accompanied = {giver for giver, _, _, _ in beside}
    for id in start_points(fused, spread):
        if id not in accompanied:
            result[id] = Fused(id, fused[id].score * (1 + shares[0]), fused[id].given, fused[id].kept)
    for id, (amount, giver) in gain.items():
        held = fused.get(id)
        if held is None:
            result[id] = Fused(id, amount, (("neighbour", 0, f"said beside [id:{giver}]"),))
        else:
            lifted = amount >= _WORTH_SAYING * held.score
            beside_it = (("neighbour", 0, f"said beside [id:{giver}]"),) if lifted else ()
            result[id] = Fused(id, held.score + amount, (*held.given, *beside_it), held.kept)
    return result
