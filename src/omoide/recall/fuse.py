"""What the arms found → one score a node: each voice counts its own way, the sum is the node's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from omoide.recall.recipe import Voice
    from omoide.recall.search.arm import Found


@dataclass(frozen=True, slots=True)
class Fused:
    """A node's score over all arms, and what each arm gave: (arm, rank from 1, the arm's own words)."""

    id: int
    score: float
    given: tuple[tuple[str, int, str], ...]
    kept: float = 0.0  # the part of the score that is not lent to neighbours


class Count(Protocol):
    """How an arm's candidates count: one number each, in their order."""

    def __call__(self, found: Found) -> list[float]: ...


@dataclass(frozen=True, slots=True)
class Stretched:
    """From the score that a node has which was not found, up to the best: 0…1.

    That is the last one's, where more could have been found; where nothing more was, it is 0: no word in common.
    """

    def __call__(self, found: Found) -> list[float]:
        scores = [candidate.score for candidate in found.candidates]
        low, high = (min(0.0, *scores) if found.complete else min(scores)), max(scores)
        if high == low:
            return [1.0] * len(scores)
        return [max(0.001, (score - low) / (high - low)) for score in scores]


@dataclass(frozen=True, slots=True)
class Reciprocal:
    """1 / (k + rank), the rank from 1: how much better the first is than the tenth does not matter."""

    k: int = 60

    def __call__(self, found: Found) -> list[float]:
        return [1 / (self.k + rank) for rank in range(1, len(found.candidates) + 1)]


@dataclass(frozen=True, slots=True)
class Own:
    """The arm's own score as it is."""

    def __call__(self, found: Found) -> list[float]:
        return [candidate.score for candidate in found.candidates]


@dataclass(frozen=True, slots=True)
class Relative:
    """As a share of the arm's best."""

    def __call__(self, found: Found) -> list[float]:
        best = max(candidate.score for candidate in found.candidates)
        return [candidate.score / best if best > 0 else 0.0 for candidate in found.candidates]


def fuse(heard: Sequence[tuple[Voice, Found]], onto: Mapping[int, Fused] | None = None) -> dict[int, Fused]:
    """Σ weight × count over the voices, added to what others gave before; what a voice did not find counts 0 there."""
    fused: dict[int, Fused] = dict(onto or {})
    for voice, found in heard:
        if not found.candidates:
            continue
        for rank, (candidate, value) in enumerate(zip(found.candidates, voice.counts(found), strict=True), start=1):
            before = fused.get(candidate.id, Fused(candidate.id, 0.0, ()))
            fused[candidate.id] = Fused(
                candidate.id,
                before.score + voice.weight * value,
                (*before.given, (found.arm, rank, candidate.why)),
                before.kept + (0.0 if voice.lends else voice.weight * value),
            )
    return fused


def best_of(fused: Mapping[int, Fused], count: int | None) -> list[Fused]:
    """The highest first; of equals, the older."""
    return sorted(fused.values(), key=lambda each: (-each.score, each.id))[:count]


def by_length(fused: Mapping[int, Fused], lengths: Mapping[int, int], half_worth: int) -> dict[int, Fused]:
    """A turn of a few characters shares a word by chance more often than it says something."""
    shares = {id: lengths.get(id, 0) / (lengths.get(id, 0) + half_worth) for id in fused}
    return {
        id: Fused(id, each.score * shares[id], each.given, each.kept * shares[id]) for id, each in fused.items()
    }  # made, not replaced: this is done for every candidate
