"""How scores are computed: fusion of the arms, spreading to neighbouring turns, late interaction, session boost and
the multipliers by which a recipe weighs age, importance and confidence."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TYPE_CHECKING, Protocol

from omoide.domain import Node
from omoide.domain.credit import MAX_CREDIT_SHIFT
from omoide.providers.protocols import Embedder
from omoide.recall.question import NoEmbedding, QuestionEmbedding
from omoide.store import ProjectedTokenStates, unpack

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from omoide.recall.recipes import LateInteractionSettings, RecipeArm, SpreadSettings
    from omoide.recall.search.arm_types import ArmResult
    from omoide.recall.search.arms import TimeWindow


# ── fusion ────────────────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class FusedScore:
    """The score of a node over all arms, and the reasons of each arm: (arm, rank from 1, explanation)."""

    id: int
    score: float
    reasons: tuple[tuple[str, int, str], ...]
    unshared: float = 0.0  # the part of the score that does not spread to neighbours


class ScoreNormaliser(Protocol):
    """Converts the scores of an arm's candidates to a common scale: one number for each, in their order."""

    def __call__(self, found: ArmResult) -> list[float]: ...


@dataclass(frozen=True, slots=True)
class MinMaxScore:
    """Scales from 0 (the score of a node that was not found) to 1 (the best).

    If the arm was cut off, the score of its last candidate is used for those that were not found, else 0.
    """

    def __call__(self, found: ArmResult) -> list[float]:
        scores = [candidate.score for candidate in found.candidates]
        low, high = (min(0.0, *scores) if found.complete else min(scores)), max(scores)
        if high == low:
            return [1.0] * len(scores)
        return [max(0.001, (score - low) / (high - low)) for score in scores]


@dataclass(frozen=True, slots=True)
class ReciprocalRank:
    """1 / (k + rank), with ranks from 1."""

    k: int = 60

    def __call__(self, found: ArmResult) -> list[float]:
        return [1 / (self.k + rank) for rank in range(1, len(found.candidates) + 1)]


@dataclass(frozen=True, slots=True)
class RawScore:
    """The arm's own score, unchanged."""

    def __call__(self, found: ArmResult) -> list[float]:
        return [candidate.score for candidate in found.candidates]


@dataclass(frozen=True, slots=True)
class RelativeToBest:
    """The score as a share of the arm's best score."""

    def __call__(self, found: ArmResult) -> list[float]:
        best = max(candidate.score for candidate in found.candidates)
        return [candidate.score / best if best > 0 else 0.0 for candidate in found.candidates]


def fuse(
    results: Sequence[tuple[RecipeArm, ArmResult]], onto: Mapping[int, FusedScore] | None = None
) -> dict[int, FusedScore]:
    """Sum weight × normalised score over the arms, on top of the scores in `onto`."""
    fused: dict[int, FusedScore] = dict(onto or {})
    for arm, found in results:
        if not found.candidates:
            continue
        for rank, (candidate, value) in enumerate(zip(found.candidates, arm.normalise(found), strict=True), start=1):
            before = fused.get(candidate.id, FusedScore(candidate.id, 0.0, ()))
            fused[candidate.id] = FusedScore(
                candidate.id,
                before.score + arm.weight * value,
                (*before.reasons, (found.arm, rank, candidate.why)),
                before.unshared + (0.0 if arm.spreads else arm.weight * value),
            )
    return fused


def best_fused(fused: Mapping[int, FusedScore], count: int | None) -> list[FusedScore]:
    """The highest scores first; of equals, the older node."""
    return sorted(fused.values(), key=lambda each: (-each.score, each.id))[:count]


def discount_short_texts(
    fused: Mapping[int, FusedScore], lengths: Mapping[int, int], half_value_length: int
) -> dict[int, FusedScore]:
    """Lower the scores of short texts, which often share a word by chance."""
    shares = {id: lengths.get(id, 0) / (lengths.get(id, 0) + half_value_length) for id in fused}
    return {
        id: FusedScore(id, each.score * shares[id], each.reasons, each.unshared * shares[id])
        for id, each in fused.items()
    }  # constructed directly, since `replace` is slower and this runs for every candidate


# ── spreading to neighbouring turns ───────────────────────────────────────────────────────────────────────────────
#
# The answer is often one turn away from the words of the question. Scores spread when a question is asked, not
# when a turn is indexed: nothing is stored twice, and an erased turn leaves no trace in its neighbours' index. Without
# a model, mean recall at 10 over eight sets rose from .510 to .556 (.542 when indexing turns with their neighbours).

_NOTABLE_SPREAD = 0.25  # of the node's own score; a smaller gain is not given as a reason


def spread_sources(fused: Mapping[int, FusedScore], spread: SpreadSettings) -> list[int]:
    """The nodes whose scores spread: the best."""
    return [each.id for each in best_fused(fused, spread.from_best)]


def spread_scores(
    fused: Mapping[int, FusedScore], neighbours: Sequence[tuple[int, int, int, int]], spread: SpreadSettings
) -> dict[int, FusedScore]:
    """Add to each node the largest share that one of its neighbours gives (not the sum).

    `neighbours` holds (giver, receiver, steps between them, length of the receiver). A node without neighbours, such
    as a fact, counts as its own neighbour; otherwise it would fall behind every turn of a conversation on its subject.
    """
    gains: dict[int, tuple[float, int]] = {}
    shares, full_length = spread.shares, spread.full_length
    for giver, receiver, steps, length in neighbours:
        amount = (fused[giver].score - fused[giver].unshared) * shares[abs(steps) - 1]
        if length > full_length:
            amount *= full_length / length
        if receiver not in gains or gains[receiver][0] < amount:
            gains[receiver] = (amount, giver)
    result = dict(fused)
    givers = {giver for giver, _, _, _ in neighbours}
    for id in spread_sources(fused, spread):
        if id not in givers:
            result[id] = FusedScore(id, fused[id].score * (1 + shares[0]), fused[id].reasons, fused[id].unshared)
    for id, (amount, giver) in gains.items():
        result[id] = _with_gain(fused.get(id), id, amount, giver)
    return result


def _with_gain(before: FusedScore | None, id: int, amount: float, giver: int) -> FusedScore:
    reason = (("neighbour", 0, f"said beside [id:{giver}]"),)
    if before is None:
        return FusedScore(id, amount, reason)
    notable = amount >= _NOTABLE_SPREAD * before.score
    reasons = (*before.reasons, *reason) if notable else before.reasons
    return FusedScore(id, before.score + amount, reasons, before.unshared)


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


def late_candidates(fused: Mapping[int, FusedScore], late: LateInteractionSettings) -> list[int]:
    """The nodes that are compared: the best."""
    return [each.id for each in best_fused(fused, late.from_best)]


@dataclass(frozen=True, slots=True)
class WeightedTokens:
    """Token states of the question and their weights, which sum to 1."""

    states: NDArray[np.float32]
    weights: NDArray[np.float32]


def weigh_question_tokens(tokens: ProjectedTokenStates, rarities: Mapping[str, float]) -> WeightedTokens:
    """Weigh the search terms of the question by rarity; if it has none, all of its words equally."""
    import numpy as np

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
    import numpy as np

    texts = {id: data for id, data in packed.items() if data}
    if not texts or not len(question.states):
        return {}
    states, starts = unpack(list(texts.values()))
    closest = np.maximum.reduceat(states @ question.states.T, starts, axis=0)
    found = dict(zip(texts, (closest @ question.weights).tolist(), strict=True))
    least = min(found.values())
    return {id: found.get(id, least) for id in packed}


def add_late_scores(
    fused: Mapping[int, FusedScore],
    candidates: Sequence[int],
    similarity: Mapping[int, float],
    late: LateInteractionSettings,
) -> dict[int, FusedScore]:
    """Add to each candidate a share of the weight: nothing for the least similar, all of it for the most similar.

    A candidate without a vector yet gets the average share, so that new nodes neither gain nor lose.
    """
    if not similarity:
        return dict(fused)
    low, high = min(similarity.values()), max(similarity.values())
    shares = {id: (each - low) / (high - low) if high > low else 1.0 for id, each in similarity.items()}
    average = sum(shares.values()) / len(shares)
    ranks = {id: rank for rank, id in enumerate(sorted(similarity, key=lambda id: (-similarity[id], id)), start=1)}
    result = dict(fused)
    for id in candidates:
        reasons = fused[id].reasons
        if shares.get(id, 0.0) >= _NOTABLE_SIMILARITY:
            reasons = (*reasons, ("late", ranks[id], "close in wording and meaning"))
        score = fused[id].score + late.weight * shares.get(id, average)
        result[id] = replace(fused[id], score=score, reasons=reasons)
    return result


# ── session boost ─────────────────────────────────────────────────────────────────────────────────────────────────


def boost_sessions(fused: Mapping[int, FusedScore], sessions: Mapping[int, int], share: float) -> dict[int, FusedScore]:
    """Add to each node a share of the best score in its session. A node without a session gets a share of its own."""
    best: dict[int, float] = {}
    for id, each in fused.items():
        if id in sessions:
            best[sessions[id]] = max(best.get(sessions[id], 0.0), each.score)
    return {
        id: replace(each, score=each.score + share * (best[sessions[id]] if id in sessions else each.score))
        for id, each in fused.items()
    }


# ── multipliers ───────────────────────────────────────────────────────────────────────────────────────────────────

_DAY = 86_400
_HOUR = 3_600


@dataclass(frozen=True, slots=True)
class ScoreFactor:
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
    outcome_effects: Mapping[int, float] = field(default_factory=dict)  # by node, −1…1: how tasks that used it ended


class ScoreMultipliers(Protocol):
    """Computes the multipliers of a node's score. Pure."""

    def __call__(self, node: Node, view: RankingView) -> tuple[ScoreFactor, ...]: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class BoundedMultipliers:
    """Each factor moves a score by at most its share, up or down, so that relevance decides."""

    recency: float = 0.01
    recency_half_life: float = 30.0  # days
    importance: float = 0.03
    confidence: float = 0.3
    reinforcement: float = 0.3
    time: float = 0.5
    speaker: float = 0.15  # the question names the speaker
    myself: float = 0.25  # the user asks about themselves and said this
    outcome: float = MAX_CREDIT_SHIFT  # tasks that used it succeeded, or failed, more often than usual
    agent: float = 0.17  # penalty for the agent's words, unless they are asked for: the agent mostly answers

    def __call__(self, node: Node, view: RankingView) -> tuple[ScoreFactor, ...]:
        age = _seconds_since(node.event_at, view.now) / _DAY
        factors = [
            ScoreFactor("recency", 1 + self.recency * 0.5 ** (age / self.recency_half_life)),
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

    def __call__(self, node: Node, view: RankingView) -> tuple[ScoreFactor, ...]:
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

    def __call__(self, node: Node, view: RankingView) -> tuple[ScoreFactor, ...]:
        days = _seconds_since(node.last_hit_at or node.recorded_at, view.now) / _DAY
        return (
            ScoreFactor("reinforcement", math.exp(min(700.0, node.score * self.gain))),  # a float overflows beyond
            ScoreFactor("recency", 1 / (1 + days * self.decay)),
        )


@dataclass(frozen=True, slots=True)
class NoMultipliers:
    """Leaves scores unchanged."""

    def __call__(self, node: Node, view: RankingView) -> tuple[ScoreFactor, ...]:
        return ()


def apply_factors(score: float, factors: Iterable[ScoreFactor]) -> float:
    for factor in factors:
        score *= factor.value
    return score


def _seconds_since(then: datetime, now: datetime) -> float:
    """Seconds from `then` to `now`; 0 if `then` is in the future."""
    return max(0.0, (now - then).total_seconds())
