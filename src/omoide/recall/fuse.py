"""Hits of several arms → one score a node."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from omoide.recall.search.arm import Found


@dataclass(frozen=True, slots=True)
class Fused:
    """A node's score over all arms, and what each arm gave: (arm, rank from 1, the arm's own words)."""

    id: int
    score: float
    given: tuple[tuple[str, int, str], ...]


def normalised(found: Sequence[Found], weights: Mapping[str, float]) -> dict[int, Fused]:
    """Each arm's scores stretched to 0…1 and added by weight; what an arm did not find counts 0 there."""
    return _sum(found, weights, _stretched)


def reciprocal(found: Sequence[Found], weights: Mapping[str, float], k: int) -> dict[int, Fused]:
    """Weighted reciprocal ranks: Σ weight / (k + rank)."""
    return _sum(found, weights, lambda arm: [1 / (k + rank) for rank in range(1, len(arm.candidates) + 1)])


def by_length(fused: Mapping[int, Fused], lengths: Mapping[int, int], half_worth: int) -> dict[int, Fused]:
    """A turn of a few characters shares a word by chance more often than it says something."""
    return {
        id: Fused(id, each.score * lengths.get(id, 0) / (lengths.get(id, 0) + half_worth), each.given)
        for id, each in fused.items()
    }


def _stretched(arm: Found) -> list[float]:
    """From the score that a node has which was not found, up to the best.

    That is the last one's, where more could have been found; where nothing more was, it is 0: no word in common.
    """
    scores = [candidate.score for candidate in arm.candidates]
    low, high = (min(0.0, *scores) if arm.complete else min(scores)), max(scores)
    if high == low:
        return [1.0] * len(scores)
    return [max(0.001, (score - low) / (high - low)) for score in scores]


def _sum(
    found: Sequence[Found], weights: Mapping[str, float], values: Callable[[Found], list[float]]
) -> dict[int, Fused]:
    fused: dict[int, Fused] = {}
    for arm in found:
        if not arm.candidates:
            continue
        for rank, (candidate, value) in enumerate(zip(arm.candidates, values(arm), strict=True), start=1):
            before = fused.get(candidate.id, Fused(candidate.id, 0.0, ()))
            fused[candidate.id] = Fused(
                candidate.id,
                before.score + weights[arm.arm] * value,
                (*before.given, (arm.arm, rank, candidate.why)),
            )
    return fused
