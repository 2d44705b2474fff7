"""Hits of several arms → one score a node."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from omoide.recall.search.arm import Candidate, Found


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
    return _sum(found, weights, lambda candidates: [1 / (k + rank) for rank in range(1, len(candidates) + 1)])


def _stretched(candidates: Sequence[Candidate]) -> list[float]:
    scores = [candidate.score for candidate in candidates]
    low, high = min(scores), max(scores)
    if high == low:
        return [1.0] * len(scores)
    # The last one found is still better than what was not found.
    return [0.001 + 0.999 * (score - low) / (high - low) for score in scores]


def _sum(
    found: Sequence[Found], weights: Mapping[str, float], values: Callable[[Sequence[Candidate]], list[float]]
) -> dict[int, Fused]:
    fused: dict[int, Fused] = {}
    for arm in found:
        if not arm.candidates:
            continue
        for rank, (candidate, value) in enumerate(zip(arm.candidates, values(arm.candidates), strict=True), start=1):
            before = fused.get(candidate.id, Fused(candidate.id, 0.0, ()))
            fused[candidate.id] = Fused(
                candidate.id,
                before.score + weights[arm.arm] * value,
                (*before.given, (arm.arm, rank, candidate.why)),
            )
    return fused
