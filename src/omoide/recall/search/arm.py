"""The shape of a search arm."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from omoide.providers.protocols import Embedder, Reranker
from omoide.recall.noise_floor import NoiseFloor
from omoide.recall.question import Query
from omoide.store import Store


@dataclass(frozen=True, slots=True)
class ArmCandidate:
    """One node that an arm found. The score is the arm's own: only its order and proportions mean something."""

    id: int
    score: float
    why: str


@dataclass(frozen=True, slots=True)
class ArmResult:
    """What an arm found, best first. Complete when there was nothing more to find, and not merely no more asked for."""

    arm: str
    candidates: tuple[ArmCandidate, ...]
    complete: bool = True


@dataclass(frozen=True, slots=True)
class SkippedArm:
    """An arm that was not asked, and why. Doing without a part is allowed, silence is not."""

    arm: str
    reason: str


@dataclass(frozen=True, slots=True)
class SearchSources:
    """What the arms may draw from. Without an embedder, `no_embedder` says why there is none."""

    store: Store
    embedder: Embedder | None
    model_id: Callable[[], int]
    no_embedder: str
    reranker: Reranker | None = None
    chances: NoiseFloor = field(default_factory=NoiseFloor)


SearchArm = Callable[[Query, SearchSources], ArmResult | SkippedArm]
