"""What a search arm takes and returns."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from omoide.providers.protocols import Embedder, Reranker
from omoide.recall.candidates import ArmResult
from omoide.recall.noise_floor import NoiseFloor
from omoide.recall.question import Query
from omoide.store import Store


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
