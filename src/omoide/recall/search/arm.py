"""The shape of a search arm."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from omoide.providers.embedder import Embedder
from omoide.providers.reranker import Reranker
from omoide.recall.chance import Chances
from omoide.recall.question import Query
from omoide.store import Store


@dataclass(frozen=True, slots=True)
class Candidate:
    """One node that an arm found. The score is the arm's own: only its order and proportions mean something."""

    id: int
    score: float
    why: str


@dataclass(frozen=True, slots=True)
class Found:
    """What an arm found, best first. Complete when there was nothing more to find, and not merely no more asked for."""

    arm: str
    candidates: tuple[Candidate, ...]
    complete: bool = True


@dataclass(frozen=True, slots=True)
class Skipped:
    """An arm that was not asked, and why. Doing without a part is allowed, silence is not."""

    arm: str
    reason: str


@dataclass(frozen=True, slots=True)
class Sources:
    """What the arms may draw from. Without an embedder, `no_embedder` says why there is none."""

    store: Store
    embedder: Embedder | None
    model_id: Callable[[], int]
    no_embedder: str
    reranker: Reranker | None = None
    chances: Chances = field(default_factory=Chances)


Arm = Callable[[Query, Sources], Found | Skipped]
