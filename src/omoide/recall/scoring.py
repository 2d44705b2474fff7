"""How scores are computed: fusion of the arms, spreading to neighbouring turns, late interaction, session boost and
the multipliers by which a recipe weighs age, importance and confidence."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from omoide.domain import Node
from omoide.domain.changed import changed
from omoide.domain.importance import MAX_CREDIT_SHIFT
from omoide.providers.protocols import Embedder
from omoide.recall.candidates import ArmResult, Candidates
from omoide.recall.question import NoEmbedding, QuestionEmbedding
from omoide.store import NodeRow, ProjectedTokenStates, unpack
from omoide.store.search.embedding import matrix_product

if TYPE_CHECKING:
    from omoide.recall.recipes import LateInteractionSettings, NeighbourSettings, RecipeArm
    from omoide.recall.search.arms import TimeWindow
    from omoide.store.search.node_columns import NodeColumns

Floats = NDArray[np.float64]
RankedNode = Node | NodeRow


# ── fusion ────────────────────────────────────────────────────────────────────────────────────────────────────────


class ScoreNormaliser(Protocol):
    """Converts the scores of an arm's candidates to a common scale: one number for each, in their order."""

    def __call__(self, found: ArmResult) -> Floats: ...


@dataclass(frozen=True, slots=True)
class MinMaxScore:
    """Scales from 0 (the score of a node that was not found) to 1 (the best).

    If the arm was cut off, the score of its last candidate is used for those that were not found, else 0.
    """

    def __call__(self, found: ArmResult) -> Floats:
        scores = found.scores
        low, high = scores.min(), scores.max()
        low = min(0.0, low) if found.complete else low
        if high == low:
            return np.ones(len(scores))
        return np.asarray(np.maximum(0.001, (scores - low) / (high - low)))


@dataclass(frozen=True, slots=True)
class ReciprocalRank:
    """1 / (k + rank), with ranks from 1."""

    k: int = 60

    def __call__(self, found: ArmResult) -> Floats:
        return 1 / (self.k + np.arange(1, len(found) + 1))


@dataclass(frozen=True, slots=True)
class RawScore:
    """The arm's own score, unchanged."""

    def __call__(self, found: ArmResult) -> Floats:
        return found.scores


@dataclass(frozen=True, slots=True)
class AboveLeast:
    """What the arm's own score exceeds the least that counts by: if nothing fits, the best must not count in full."""

    least: float

    def __call__(self, found: ArmResult) -> Floats:
        return np.maximum(0.0, found.scores - self.least)


@dataclass(frozen=True, slots=True)
class RelativeToBest:
    """The score as a share of the arm's best score."""

    def __call__(self, found: ArmResult) -> Floats:
        best = found.scores.max()
        return found.scores / best if best > 0 else np.zeros(len(found))


def fuse(results: Sequence[tuple[RecipeArm, ArmResult]], onto: Candidates | None = None) -> Candidates:
    """Sum weight × normalised score over the arms, on top of the scores in `onto`."""
    fused = Candidates.of() if onto is None else onto
    found_by = (*fused.found, *(found for _, found in results))
    results = [each for each in results if len(each[1])]
    if not results:
        return changed(fused, found=found_by)
    fused = fused.including(np.concatenate([found.ids for _, found in results]))
    scores, unshared = fused.scores.copy(), fused.unshared.copy()
    for arm, found in results:
        rows, values = fused.rows(found.ids), arm.weight * arm.normalise(found)
        np.add.at(scores, rows, values)  # an arm may find a node twice
        if not arm.shares_with_neighbours:
            np.add.at(unshared, rows, values)
    return changed(fused, scores=scores, unshared=unshared, found=found_by)


def worth_of_lengths(lengths: NDArray[np.integer], half_value_length: int | None) -> Floats:
    """The share of a score that a text of this length keeps: a short one often shares a word by chance."""
    return np.ones(len(lengths)) if half_value_length is None else lengths / (lengths + half_value_length)


def discount_short_texts(fused: Candidates, worth: Floats) -> Candidates:
    """Lower the scores of short texts."""
    return changed(fused, scores=fused.scores * worth, unshared=fused.unshared * worth)


# ── spreading to neighbouring turns ───────────────────────────────────────────────────────────────────────────────
#
# The answer is often one turn away from the words of the question. Scores spread when a question is asked, not
# when a turn is indexed: nothing is stored twice, and an erased turn leaves no trace in its neighbours' index. Without
# a model, mean recall at 10 over eight sets rose from .510 to .556 (.542 when indexing turns with their neighbours).

_NOTABLE_SPREAD = 0.25  # of the node's own score; a smaller gain is not given as a reason


@dataclass(frozen=True, slots=True, eq=False)
class Neighbours:
    """Pairs of turns: who gives a share of its score, who receives it, how many turns lie between, and how long the
    receiver is."""

    givers: NDArray[np.integer]
    receivers: NDArray[np.integer]
    distances: NDArray[np.integer]
    lengths: NDArray[np.integer]

    def __getitem__(self, chosen: NDArray[np.bool_]) -> Neighbours:
        columns = (self.givers, self.receivers, self.distances, self.lengths)
        return Neighbours(*(column[chosen] for column in columns))


def neighbours_of_best(fused: Candidates, columns: NodeColumns, settings: NeighbourSettings) -> Neighbours:
    """The turns beside the best candidates."""
    best = fused.ids[fused.best(settings.from_best)]
    steps = columns.neighbours(best, settings.distance)
    givers, receivers = np.tile(best, len(steps)), np.concatenate([found for _, found in steps])
    distances = np.repeat([distance for distance, _ in steps], len(best))
    there = receivers > 0
    receivers = receivers[there]
    return Neighbours(givers[there], receivers, distances[there], columns.length(receivers))


def share_with_neighbours(fused: Candidates, near: Neighbours, settings: NeighbourSettings) -> Candidates:
    """Add to each node the largest share that one of its neighbours gives (not the sum).

    A node without neighbours, such as a fact, counts as its own neighbour; otherwise it would fall behind every turn
    of a conversation on its subject.
    """
    amounts = (fused.scores - fused.unshared)[fused.rows(near.givers)] * np.array(settings.shares)[near.distances - 1]
    amounts *= np.minimum(1.0, settings.full_length / np.maximum(near.lengths, 1))
    wider = fused.including(near.receivers)
    rows, gains = wider.rows(near.receivers), np.zeros(len(wider))
    np.maximum.at(gains, rows, amounts)
    largest, givers = amounts == gains[rows], np.zeros(len(wider), np.int64)
    givers[rows[largest]] = near.givers[largest]
    alone = np.zeros(len(wider), np.bool_)
    alone[wider.rows(fused.ids[fused.best(settings.from_best)])] = True
    alone[wider.rows(near.givers)] = alone[rows] = False
    scores = np.where(alone, wider.scores * (1 + settings.shares[0]), wider.scores + gains)
    return changed(wider, scores=scores, givers=np.where(gains >= _NOTABLE_SPREAD * wider.scores, givers, 0))


# ── late interaction ──────────────────────────────────────────────────────────────────────────────────────────────
#
# Each token of the question is compared with its closest token in the text (as in ColBERT). This tells apart texts
# whose single vectors look alike, but is too slow for more than a short list.

_NOTABLE_SIMILARITY = 0.5  # on the scale from the least to the most similar; less is not given as a reason


def comparable_tokens(
    embedding: QuestionEmbedding | NoEmbedding, embedder: Embedder | None
) -> ProjectedTokenStates | NoEmbedding:
    """The token states of the question, or why there are none to compare."""
    if isinstance(embedding, NoEmbedding):
        return embedding
    assert embedder is not None
    if embedding.tokens is None:
        return NoEmbedding(f"{embedder.name} gives no token states")
    if embedding.unsupported_language:
        return NoEmbedding(f"{embedder.name} was not made for this language")
    return embedding.tokens


@dataclass(frozen=True, slots=True)
class WeightedTokens:
    """Token states of the question and their weights, which sum to 1."""

    states: NDArray[np.float32]
    weights: NDArray[np.float32]


def weigh_question_tokens(tokens: ProjectedTokenStates, rarities: Mapping[str, float]) -> WeightedTokens:
    """Weigh the search terms of the question by rarity; if it has none, all of its words equally."""
    known = {word.casefold(): rarity for word, rarity in rarities.items()}
    kept = {place: known[word.casefold()] for place, word in enumerate(tokens.words) if word.casefold() in known}
    if not kept:
        kept = {place: 1.0 for place, word in enumerate(tokens.words) if any(map(str.isalnum, word))}
    weights = np.array(list(kept.values()), np.float32)
    return WeightedTokens(tokens.states[list(kept)], weights / max(weights.sum(), 1e-9))


def late_similarity(question: WeightedTokens, packed: Mapping[int, bytes]) -> dict[int, float]:
    """The weighted mean, over the tokens of the question, of the similarity to the closest token of each text.

    Long texts match better by chance; correcting for that gained nothing and lost on three sets. A text without
    tokens gets the lowest similarity.
    """
    texts = {id: data for id, data in packed.items() if data}
    if not texts or not len(question.states):
        return {}
    states, starts = unpack(list(texts.values()))
    closest = np.maximum.reduceat(matrix_product(states, question.states.T), starts, axis=0)
    found = dict(zip(texts, (closest @ question.weights).tolist(), strict=True))
    least = min(found.values())
    return {id: found.get(id, least) for id in packed}


def add_late_scores(
    fused: Candidates,
    compared: NDArray[np.intp],
    similarity: Mapping[int, float],
    late: LateInteractionSettings,
    worth: Floats | float = 1.0,
) -> Candidates:
    """Add to each compared row a share of the weight: nothing for the least similar, all of it for the most similar.

    A candidate without a vector yet gets the average share, so that new nodes neither gain nor lose. `worth` is the
    share that the length of each candidate leaves.
    """
    if not similarity:
        return fused
    ids = np.array(sorted(similarity), np.int64)
    values = np.array([similarity[id] for id in ids.tolist()])
    low, high = values.min(), values.max()
    shares = ((values - low) / (high - low)) ** late.power if high > low else np.ones(len(values))
    scores, ranks = fused.scores.copy(), np.zeros(len(fused), np.int64)
    rows, gains = fused.rows(ids), np.full(len(fused), shares.mean())
    gains[rows] = shares
    scores[compared] += late.weight * (gains * worth)[compared]
    ranks[rows[np.argsort(-values, kind="stable")]] = np.arange(1, len(ids) + 1)
    ranks[rows[shares < _NOTABLE_SIMILARITY]] = 0
    return changed(fused, scores=scores, late_ranks=ranks)


# ── session boost ─────────────────────────────────────────────────────────────────────────────────────────────────

_SESSION_TURNS = 5
_WITHOUT_SESSION = 0.8  # of the share, for a node without a session


def boost_sessions(fused: Candidates, sessions: NDArray[np.integer], share: float) -> Candidates:
    """Add to each node a share of the evidence for its session: the sum of its best turns / `_SESSION_TURNS`.

    One matching turn may be chance, several are a topic. A node without a session gets a share of its own score.
    """
    order = np.lexsort((-fused.scores, sessions))
    starts = np.concatenate(([True], sessions[order][1:] != sessions[order][:-1]))
    first, group = starts.nonzero()[0], starts.cumsum() - 1
    best = np.arange(len(order)) - first[group] < _SESSION_TURNS
    totals = np.bincount(group, np.where(best, fused.scores[order], 0.0)) / _SESSION_TURNS
    evidence = _WITHOUT_SESSION * fused.scores
    evidence[order] = np.where(sessions[order] > 0, totals[group], evidence[order])
    return fused.scored(fused.scores + share * evidence)


# ── multipliers ───────────────────────────────────────────────────────────────────────────────────────────────────

_DAY = 86_400
_HOUR = 3_600


class ScoreFactor(NamedTuple):
    """One named multiplier of a hit's score."""

    name: str
    value: float


@dataclass(frozen=True, slots=True, kw_only=True)
class RankingView:
    """What the multipliers need to know of the question."""

    now: datetime
    time_window: TimeWindow | None = None
    speaker: str | None = None  # the one speaker that the question names
    asked_role: str | None = None  # whose words it asks for: user, agent or named
    about_user: bool = False
    about_now: bool = False
    outcome_effects: Mapping[int, float] = field(default_factory=dict)  # by node, −1…1: how tasks that used it ended


class ScoreMultipliers(Protocol):
    """Computes the multipliers of a node's score. Pure."""

    def __call__(self, node: RankedNode, view: RankingView) -> tuple[ScoreFactor, ...]: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class BoundedMultipliers:
    """Each factor moves a score by at most its share, up or down, so that relevance decides."""

    recency: float = 0.01
    recency_half_life: float = 30.0  # days
    now: float = 0.25  # instead of recency, for a question about how something is by now
    importance: float = 0.03
    confidence: float = 0.3
    reinforcement: float = 0.3
    time: float = 0.5
    speaker: float = 0.15  # the question names the speaker
    myself: float = 0.25  # the user asks about themselves and said this
    outcome: float = MAX_CREDIT_SHIFT  # tasks that used it succeeded, or failed, more often than usual
    agent: float = 0.17  # penalty for the agent's words, unless they are asked for: the agent mostly answers

    def __call__(self, node: RankedNode, view: RankingView) -> tuple[ScoreFactor, ...]:
        age = _seconds_since(node.event_at, view.now) / _DAY
        recency = self.now if view.about_now else self.recency
        factors = [
            ScoreFactor("recency", 1 + recency * 0.5 ** (age / self.recency_half_life)),
            ScoreFactor("importance", 1 + self.importance * (node.importance - 5) / 5),
            ScoreFactor("confidence", 1 - self.confidence * (1 - node.effective_confidence(view.now))),
            ScoreFactor("reinforcement", 1 + self.reinforcement * math.tanh(node.score * 0.2)),
        ]
        if view.time_window is not None and view.time_window.holds(node):
            factors.append(ScoreFactor("time", 1 + self.time))
        if (view.speaker is not None and node.speaker == view.speaker) or view.asked_role == node.role == "agent":
            factors.append(ScoreFactor("speaker", 1 + self.speaker))
        if (view.about_user or view.asked_role == "user") and node.role == "user":
            factors.append(ScoreFactor("myself", 1 + self.myself))
        if effect := view.outcome_effects.get(node.id):
            factors.append(ScoreFactor("outcome", 1 + self.outcome * effect))
        if node.role == "agent" and view.asked_role != "agent":
            factors.append(ScoreFactor("agent", 1 - self.agent))
        return tuple(factors)


@dataclass(frozen=True, slots=True, kw_only=True)
class KiraBoosts:
    """The `kira` recipe: up to 2 by recency, 0.84 to 1.2 by importance, and the confidence."""

    hours: float = 168.0  # a week

    def __call__(self, node: RankedNode, view: RankingView) -> tuple[ScoreFactor, ...]:
        age = _seconds_since(node.event_at, view.now) / _HOUR
        return (
            ScoreFactor("recency", 1 + max(0.0, 1 - age / self.hours)),
            ScoreFactor("importance", 0.8 + node.importance / 10 * 0.4),
            ScoreFactor("confidence", node.confidence),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class HebbianMultipliers:
    """The `koshi` recipe: exponential growth with reinforcement, slow decay since the last hit."""

    gain: float = 0.2  # for each point of reinforcement
    decay: float = 0.01  # for each day

    def __call__(self, node: RankedNode, view: RankingView) -> tuple[ScoreFactor, ...]:
        days = _seconds_since(node.last_hit_at or node.recorded_at, view.now) / _DAY
        return (
            ScoreFactor("reinforcement", math.exp(min(700.0, node.score * self.gain))),  # a float overflows beyond
            ScoreFactor("recency", 1 / (1 + days * self.decay)),
        )


@dataclass(frozen=True, slots=True)
class NoMultipliers:
    """Leaves scores unchanged."""

    def __call__(self, node: RankedNode, view: RankingView) -> tuple[ScoreFactor, ...]:
        return ()


def apply_factors(score: float, factors: Iterable[ScoreFactor]) -> float:
    for factor in factors:
        score *= factor.value
    return score


def _seconds_since(then: datetime, now: datetime) -> float:
    """Seconds from `then` to `now`; 0 if `then` is in the future."""
    return max(0.0, (now - then).total_seconds())
