"""What search arms take (`SearchSources`) and return (`ArmResult`), and all nodes found so far (`Candidates`)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar

import numpy as np
from numpy.typing import NDArray

from omoide.domain.changed import changed
from omoide.language.text import fts_terms
from omoide.providers.protocols import Embedder, Reranker
from omoide.recall.noise_floor import NoiseFloor
from omoide.recall.question import Query
from omoide.store import NodeFilter, NodeRow, Store
from omoide.store.search.node_columns import ScoredNodes, distinct

if TYPE_CHECKING:
    from omoide.store.search.vector_index import VectorIndex

T = TypeVar("T", bound=np.generic)
Reason = tuple[str, int, str]
"""Why a node was found: the arm, its rank there (from 1; 0 if ranks do not apply) and the explanation."""


@dataclass(frozen=True, slots=True)
class ArmCandidate:
    """A node that an arm found. The scale of the score is the arm's own."""

    id: int
    score: float
    why: str


@dataclass(frozen=True, slots=True, eq=False)
class ArmResult:
    """What an arm found, best first. `complete` is false if the arm was cut off at its limit."""

    arm: str
    found: ScoredNodes
    why: Callable[[int], str]  # the explanation of the candidate at a place
    complete: bool = True

    @classmethod
    def ranked(cls, arm: str, candidates: Iterable[ArmCandidate], limit: int | None = None) -> ArmResult:
        """The best of some candidates; equal scores in order of id."""
        best = sorted(candidates, key=lambda each: (-each.score, each.id))[:limit]
        return cls(arm, ScoredNodes.of((each.id, each.score) for each in best), lambda place: best[place].why)

    @property
    def ids(self) -> NDArray[np.int64]:
        return self.found.ids

    @property
    def scores(self) -> NDArray[np.float64]:
        return self.found.scores

    def __len__(self) -> int:
        return len(self.found)

    def in_order(self) -> ScoredNodes:
        return self.found


@dataclass(frozen=True, eq=False)  # no slots: see `changed`
class Candidates:
    """The nodes found so far, in order of id, one column for each thing that the stages know of them."""

    ids: NDArray[np.int64]
    scores: NDArray[np.float64]
    unshared: NDArray[np.float64]  # the part of the score that does not spread to neighbours
    givers: NDArray[np.int64]  # the neighbour that gave a notable part of the score; 0: none
    late_ranks: NDArray[np.int64]  # the rank by late interaction, where it is notable; 0: not
    earlier: NDArray[np.int64]  # the earlier node on whose matter this one speaks, if it was raised for that; 0: none
    found: tuple[ArmResult, ...] = ()

    @classmethod
    def of(cls, scores: dict[int, float] | None = None) -> Candidates:
        """Nodes with these scores."""
        ids = sorted(scores or {})
        values = np.array([(scores or {})[id] for id in ids], np.float64)
        none = np.zeros(len(ids), np.int64)
        return cls(np.array(ids, np.int64), values, np.zeros(len(ids)), none, none, none)

    def __len__(self) -> int:
        return len(self.ids)

    def including(self, ids: NDArray[np.integer]) -> Candidates:
        """With further nodes, whose score is 0."""
        union = distinct(np.concatenate((self.ids, ids)))
        if len(union) == len(self.ids):
            return self
        own = union.searchsorted(self.ids)

        def widened(column: NDArray[T]) -> NDArray[T]:
            wider = np.zeros(len(union), column.dtype)
            wider[own] = column
            return wider

        scores, unshared, earlier = widened(self.scores), widened(self.unshared), widened(self.earlier)
        return Candidates(union, scores, unshared, widened(self.givers), widened(self.late_ranks), earlier, self.found)

    def rows(self, ids: NDArray[np.integer]) -> NDArray[np.intp]:
        """The rows of nodes that are among the candidates."""
        return self.ids.searchsorted(ids)

    def scored(self, scores: NDArray[np.float64]) -> Candidates:
        return changed(self, scores=scores)

    def raised(self, gains: Mapping[int, tuple[float, int]]) -> Candidates:
        """With the given nodes at no less than the given score, each through an earlier node on its matter."""
        if not gains:
            return self
        ids = np.array(sorted(gains), np.int64)
        wider = self.including(ids)
        rows, scores, earlier = wider.rows(ids), wider.scores.copy(), wider.earlier.copy()
        wanted = np.array([gains[id][0] for id in ids.tolist()])
        earlier[rows] = np.where(wanted > scores[rows], [gains[id][1] for id in ids.tolist()], 0)
        scores[rows] = np.maximum(scores[rows], wanted)
        return changed(wider, scores=scores, earlier=earlier)

    def best(self, count: int | None) -> NDArray[np.intp]:
        """The rows with the highest scores, best first; of equals, the older node."""
        return (-self.scores).argsort(kind="stable")[:count]

    def in_order(self) -> ScoredNodes:
        order = self.best(None)
        return ScoredNodes(self.ids[order], self.scores[order])

    def reasons(self, ids: Sequence[int]) -> dict[int, list[Reason]]:
        """Why nodes are among the candidates: first the arms, then a neighbour, then late interaction."""
        reasons: dict[int, list[Reason]] = {id: [] for id in ids}
        for result in self.found:
            for place, id in enumerate(result.ids.tolist()):
                if id in reasons:
                    reasons[id].append((result.arm, place + 1, result.why(place)))
        for id, row in zip(ids, self.rows(np.array(ids, np.int64)).tolist(), strict=True):
            if row == len(self) or self.ids[row] != id:
                continue
            if giver := int(self.givers[row]):
                reasons[id].append(("neighbour", 0, f"said beside [id:{giver}]"))
            if rank := int(self.late_ranks[row]):
                reasons[id].append(("late_interaction", rank, "close in wording and meaning"))
            if before := int(self.earlier[row]):
                reasons[id].append(("updates", 0, f"said later on the matter of [id:{before}]"))
        return reasons


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
    _rows: dict[NodeFilter, dict[int, NodeRow | None]] = field(default_factory=dict)
    _rarities: dict[tuple[str, ...], dict[str, float]] = field(default_factory=dict)
    _vectors: list[VectorIndex] = field(default_factory=list)

    def rows(self, ids: Sequence[int], keep: NodeFilter) -> dict[int, NodeRow]:
        """As `store.nodes.read_rows`, but a row that an earlier stage of this recall read is not read again."""
        held = self._rows.setdefault(keep, {})
        if missing := [id for id in ids if id not in held]:
            held |= dict.fromkeys(missing) | self.store.nodes.read_rows(missing, keep)
        return {id: row for id in ids if (row := held[id]) is not None}

    def vectors(self) -> VectorIndex:
        """The vectors of all nodes, brought up to date once for this recall."""
        if not self._vectors:
            self._vectors.append(self.store.search.vectors(self.model_id()))
        return self._vectors[0]

    def rarities(self, terms: tuple[str, ...]) -> dict[str, float]:
        """The rarity of each term in this store."""
        if terms not in self._rarities:
            quoted = {"".join(fts_terms([term])): term for term in terms}
            found = self.store.search.rarities(list(quoted))
            self._rarities[terms] = {quoted[each]: rarity for each, rarity in found.items()}
        return self._rarities[terms]


SearchArm = Callable[[Query, SearchSources], ArmResult | SkippedArm]
