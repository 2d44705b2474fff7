"""What a search arm takes and returns."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from omoide.providers.protocols import Embedder, Reranker
from omoide.recall.noise_floor import NoiseFloor
from omoide.recall.question import Query
from omoide.store import Store


@dataclass(frozen=True, slots=True)
class ArmCandidate:
    """A node that an arm found. The scale of the score is the arm's own."""

    id: int
    score: float
    why: str


@dataclass(frozen=True, slots=True)
class ArmResult:
    """What an arm found, best first. `complete` is false if the arm was cut off at its limit."""

    arm: str
    candidates: tuple[ArmCandidate, ...]
    complete: bool = True


@dataclass(frozen=True, slots=True)
class SkippedArm:
    """Why an arm was not asked."""

    reason: str


@dataclass(frozen=True, slots=True)
class SearchSources:
    """What the arms search in. `no_embedder` says why there is no embedder, if there is none."""

    store: Store
    embedder: Embedder | None
    model_id: Callable[[], int]
    no_embedder: str
    reranker: Reranker | None = None
    noise_floor: NoiseFloor = field(default_factory=NoiseFloor)


SearchArm = Callable[[Query, SearchSources], ArmResult | SkippedArm]
