"""The recall pipeline: a question passes through the stages of `STAGES`, in that order, and leaves as ranked hits.

Each stage takes a `RecallState` and returns the next one. A stage that has nothing to do for a recipe or a question
returns the state unchanged. What it did is recorded in the trace.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from omoide.domain.changed import changed
from omoide.errors import EmbedderFailed, OmoideError
from omoide.recall.candidates import ArmResult, Candidates
from omoide.recall.currency import MOST_COMPARED, asks_for_past, earlier_versions, newest_before_earlier
from omoide.recall.noise_floor import answer_evidence, judge_hits
from omoide.recall.question import (
    VALUE_MISSING,
    NoEmbedding,
    Query,
    RecallQuestion,
    embed_question,
    understand,
    value_found,
)
from omoide.recall.question_cues import GENERAL_INTENT, Intent, asked_part, intent_by_exemplar, intent_exemplars
from omoide.recall.ranking import below_limit, rank, rerank_hits
from omoide.recall.recipes import RecipeArm
from omoide.recall.results import Hit, Recall, RecallTrace, StageNotes, describe_query, hits_in_order
from omoide.recall.scoring import (
    Floats,
    add_late_scores,
    boost_sessions,
    comparable_tokens,
    discount_short_texts,
    fuse,
    late_similarity,
    neighbours_of_best,
    share_with_neighbours,
    weigh_question_tokens,
    worth_of_lengths,
)
from omoide.recall.search import ARMS, SearchSources
from omoide.recall.search.dates import earlier_plans, raise_updates


@dataclass(frozen=True)  # no slots: see `changed`
class RecallState:
    """What the stages hand on."""

    query: Query
    fused: Candidates = field(default_factory=Candidates.of)
    hits: tuple[Hit, ...] = ()
    probability: float | None = None
    answered: float | None = None
    earlier: Mapping[int, int] = field(default_factory=dict)


Stage = Callable[[RecallState, SearchSources, RecallTrace], RecallState]


def answer(question: RecallQuestion, sources: SearchSources) -> Recall:
    """Run a question through all stages and return the hits with their reasons and the trace."""
    trace = RecallTrace()
    state = RecallState(Query(question=question))
    for _, stage in STAGES[:_BEFORE_SEARCH]:
        state = stage(state, sources, trace)
    # A reranker is foreign code that may take seconds, too long for a transaction.
    with sources.store.one_state() if sources.reranker is None else nullcontext():
        for _, stage in STAGES[_BEFORE_SEARCH:]:
            state = stage(state, sources, trace)
    return Recall(state.query, state.hits, trace, state.probability, state.answered, state.earlier)


def _understand(state: RecallState, sources: SearchSources, trace: RecallTrace) -> RecallState:
    """Read the question: search terms, names, time, intent, complexity, speaker."""
    with trace.stage("understand") as notes:
        query = understand(state.query.question, sources.store.entities.name_index(), sources.store.search.exact_words)
        notes.append(describe_query(query))
    return changed(state, query=query)


def _embed(state: RecallState, sources: SearchSources, trace: RecallTrace) -> RecallState:
    """Embed the question once for all arms that compare vectors."""
    query = state.query
    if query.asks_only_for_time or not query.recipe.needs_embedding:
        return state
    with trace.stage("embed") as notes:
        embedding = embed_question(asked_part(query.question.text), sources)
        notes.append(
            f"skipped, {embedding.reason}" if isinstance(embedding, NoEmbedding) else "once for all arms that use it"
        )
        query = changed(query, embedding=embedding)
        if intent := _intent_by_exemplar(query, sources, notes):
            query = changed(query, intent=intent)
    return changed(state, query=query)


def _search(state: RecallState, sources: SearchSources, trace: RecallTrace) -> RecallState:
    """Ask the arms of the recipe, then the follow-up arms, which start from the best nodes found so far."""
    fused = search(state.query, sources, trace)
    if state.query.question.filter.archive is False and (archived := sources.store.archive.archived_count()):
        with trace.stage("archive") as notes:
            notes.append(f"{archived:,} archived not searched")
    return changed(state, fused=fused)


def _fuse(state: RecallState, sources: SearchSources, trace: RecallTrace) -> RecallState:
    """Discount very short texts in the fused scores."""
    fused = state.fused
    with trace.stage("fuse") as notes:
        if not state.query.asks_only_for_time:
            fused = discount_short_texts(fused, _worth(state.query, fused, sources))
        notes.append(f"{len(fused)} candidates")
        notes.output = fused
    return changed(state, fused=fused)


def _worth(query: Query, fused: Candidates, sources: SearchSources) -> Floats:
    lengths = sources.store.search.columns().spoken_length(fused.ids)
    return worth_of_lengths(lengths, query.recipe.half_value_length)


def _late_interaction(state: RecallState, sources: SearchSources, trace: RecallTrace) -> RecallState:
    """Compare the best candidates, and the turns beside them, with the question token by token (late interaction)."""
    query, fused, settings = state.query, state.fused, state.query.recipe.late_interaction
    with trace.stage("late_interaction") as notes:
        if settings is None or not len(fused) or query.asks_only_for_time:
            return state
        tokens = comparable_tokens(query.embedding, sources.embedder)
        if isinstance(tokens, NoEmbedding):
            notes.append(f"skipped, {tokens.reason}")
            return state
        reached = _spread_candidates(query, fused, sources)
        best = reached.best(settings.from_best)
        packed = sources.store.embeddings.read_token_states(sources.model_id(), reached.ids[best].tolist())
        similarity = late_similarity(weigh_question_tokens(tokens, sources.rarities(query.terms)), packed)
        notes.append(f"{len(similarity)} of the best {len(best)} compared word by word")
        fused = fused.including(reached.ids)
        fused = add_late_scores(fused, best, similarity, settings, _worth(query, fused, sources))
        notes.output = fused
    return changed(state, fused=fused)


def _neighbours(state: RecallState, sources: SearchSources, trace: RecallTrace) -> RecallState:
    """Pass a share of each score to the turns said just before and after."""
    with trace.stage("neighbours") as notes:
        fused = _spread_candidates(state.query, state.fused, sources)
        notes.append(f"{np.count_nonzero(fused.givers)} gained by the turn beside them")
        notes.output = fused
    return changed(state, fused=fused)


def _spread_candidates(query: Query, fused: Candidates, sources: SearchSources) -> Candidates:
    """The candidates and the turns beside the best of them, with the shares of their neighbours."""
    settings = query.recipe.neighbours
    if settings is None or not len(fused) or query.asks_only_for_time:
        return fused
    if not fused.late_ranks.any():
        settings = replace(settings, shares=settings.shares_by_words)
    near = neighbours_of_best(fused, sources.store.search.columns(), settings)
    if query.filter.selective:  # a neighbour that the filter rejects must not displace one that it accepts
        near = near[sources.store.search.passes(near.receivers, query.filter)]
    return share_with_neighbours(fused, near, settings)


def _session_boost(state: RecallState, sources: SearchSources, trace: RecallTrace) -> RecallState:
    """Raise the nodes of sessions in which a good candidate was found."""
    query, fused, share = state.query, state.fused, state.query.recipe.session_boost
    with trace.stage("session_boost") as notes:
        if not share or not len(fused) or query.asks_only_for_time:
            return state
        sessions = sources.store.search.columns().session(fused.ids)
        notes.append(f"{len(set(sessions[sessions > 0].tolist()))} sessions")
        fused = boost_sessions(fused, sessions, share)
        notes.output = fused
    return changed(state, fused=fused)


def _updates(state: RecallState, sources: SearchSources, trace: RecallTrace) -> RecallState:
    """Find what was said later on the matter of the best candidates, unless the question asks for the past."""
    query, fused, settings = state.query, state.fused, state.query.recipe.updates
    with trace.stage("updates") as notes:
        if settings is None or not len(fused) or query.asks_only_for_time or query.filter.as_of is not None:
            return state
        unread = isinstance(query.embedding, NoEmbedding) or query.embedding.unsupported_language
        if unread or asks_for_past(query.question.text):
            notes.append("skipped, the question asks for the past or its vector says little")
            return state
        fused = raise_updates(query, fused, settings, sources)
        notes.append(f"{np.count_nonzero(fused.earlier)} raised")
        notes.output = fused
    return changed(state, fused=fused)


def _rank(state: RecallState, sources: SearchSources, trace: RecallTrace) -> RecallState:
    """Read the best nodes, apply the multipliers of the recipe and sort."""
    with trace.stage("rank") as notes:
        hits = rank(state.query, state.fused, sources, trace)
        notes.append(f"{len(hits)} kept")
        notes.output = hits_in_order(hits)
    return changed(state, hits=tuple(hits))


def _rerank(state: RecallState, sources: SearchSources, trace: RecallTrace) -> RecallState:
    """Let the reranker, if there is one, reorder the best hits."""
    query, settings = state.query, state.query.recipe.rerank
    if settings is None or sources.reranker is None or query.asks_only_for_time:
        return state
    with trace.stage("rerank") as notes:
        hits = rerank_hits(query.question.text, state.hits, settings, sources.reranker, notes)
        notes.output = hits_in_order(hits)
    trace.dropped |= {hit.id: below_limit(query.limit) for hit in hits[query.limit :]}
    return changed(state, hits=tuple(hits[: query.limit]))


def _noise_floor(state: RecallState, sources: SearchSources, trace: RecallTrace) -> RecallState:
    """Estimate how probably each hit is relevant; drop all of them if none is better than chance."""
    with trace.stage("noise_floor") as notes:
        judgement = judge_hits(state.query, state.hits, state.fused.found, sources)
        trace.dropped |= {hit.id: judgement.drop_reason for hit in state.hits if not judgement.hits}
        notes.append(judgement.verdict)
        answered = None
        if judgement.probability is not None and judgement.hits:
            evidence = answer_evidence(state.query, judgement.hits, sources)
            answered = None if evidence is None else evidence.probability
            if evidence is not None and not value_found(state.query, judgement.hits, evidence.missing):
                answered = min(evidence.probability, VALUE_MISSING)
            notes += [] if answered is None else [f"answered with a probability of {answered:.2f}"]
    return changed(state, hits=judgement.hits, probability=judgement.probability, answered=answered)


def _currency(state: RecallState, sources: SearchSources, trace: RecallTrace) -> RecallState:
    """Of hits that speak of the same matter, put the newest first, unless the question asks for the past."""
    with trace.stage("currency") as notes:
        if not state.query.recipe.current_first or len(state.hits) < 2:
            notes.append("nothing to compare")
            return state
        earlier = {} if state.query.asks_only_for_time else _earlier_versions(state, sources, notes)
        earlier |= earlier_plans(sources.store, [hit.node for hit in state.hits[:MOST_COMPARED]])
        if not earlier:
            notes.append("no two hits on one matter")
            return state
        notes.append(", ".join(f"[id:{old}] is earlier than [id:{new}]" for old, new in earlier.items()))
        past = asks_for_past(state.query.question.text)
        hits = state.hits if past else tuple(newest_before_earlier(state.hits, earlier))
        notes.output = hits_in_order(list(hits))
    return changed(state, hits=hits, earlier=earlier)


def _earlier_versions(state: RecallState, sources: SearchSources, notes: StageNotes) -> dict[int, int]:
    def vectors(ids: Sequence[int]) -> dict[int, Any]:
        if sources.embedder is None:
            return {}
        try:
            return dict(zip(*sources.vectors().rows(ids), strict=True))
        except OmoideError as error:
            notes.append(f"compared by words alone, {error}")
            return {}

    return earlier_versions(state.hits, vectors)


STAGES: tuple[tuple[str, Stage], ...] = (
    ("understand", _understand),
    ("embed", _embed),
    ("search", _search),
    ("fuse", _fuse),
    ("late_interaction", _late_interaction),
    ("neighbours", _neighbours),
    ("session_boost", _session_boost),
    ("updates", _updates),
    ("rank", _rank),
    ("rerank", _rerank),
    ("noise_floor", _noise_floor),
    ("currency", _currency),
)
"""All stages in order. The search stage records each arm under the arm's own name."""
_BEFORE_SEARCH = 2  # stages that read the question; they may call an embedder and register its model


def search(query: Query, sources: SearchSources, trace: RecallTrace) -> Candidates:
    """Ask the arms of the recipe in two waves and fuse what they find."""
    recipe, fused = query.recipe, Candidates.of()
    for wave in (_with_keyword_fallback(recipe.arms, query), recipe.follow_up_arms):
        seeds = fused.in_order()[: recipe.seeds]
        asked = [(arm, _ask(query.for_arm(arm, seeds), sources, trace)) for arm in wave]
        fused = fuse([(_adjusted_for_language(query, arm), found) for arm, found in asked if found is not None], fused)
    return fused


def _ask(query: Query, sources: SearchSources, trace: RecallTrace) -> ArmResult | None:
    """Ask one arm. A question that asks for nothing but a time goes to the arms that search by time."""
    arm = query.arm
    assert arm is not None
    if query.asks_only_for_time and arm.arm not in ("time", "dates"):
        return None
    with trace.stage(arm.arm) as notes:
        if reason := arm.skip_reason(query.intent.kind, query.question.filter):
            notes.append(f"skipped, {reason}")
            return None
        found = ARMS[arm.arm](query, sources)
        if not isinstance(found, ArmResult):
            notes.append(f"skipped, {found.reason}")
            return None
        notes.output = found
        notes.append(f"{len(found)} found")
    return found


def _with_keyword_fallback(arms: tuple[RecipeArm, ...], query: Query) -> tuple[RecipeArm, ...]:
    """Replace vector arms that allow it by keyword arms if the question has no embedding."""
    if not isinstance(query.embedding, NoEmbedding):
        return arms
    return tuple(replace(arm, arm="keyword") if arm.keyword_fallback else arm for arm in arms)


def _adjusted_for_language(query: Query, arm: RecipeArm) -> RecipeArm:
    """Lower the weight of the vector arm if the embedder does not support the question's language."""
    unsupported = not isinstance(query.embedding, NoEmbedding) and query.embedding.unsupported_language
    if not unsupported or arm.arm != "vector":
        return arm
    return replace(arm, weight=arm.weight * query.recipe.unsupported_language_weight)


def _intent_by_exemplar(query: Query, sources: SearchSources, notes: StageNotes) -> Intent | None:
    """The intent of the most similar exemplar, where no rule recognised one and the recipe asks for it."""
    threshold, embedding = query.recipe.intent_threshold, query.embedding
    if threshold is None or isinstance(embedding, NoEmbedding) or query.intent != GENERAL_INTENT:
        return None
    assert sources.embedder is not None
    try:
        intent = intent_by_exemplar(embedding.vector, intent_exemplars(sources.embedder), threshold)
    except EmbedderFailed as error:
        notes.append(f"exemplars skipped, {error}")
        return None
    if intent is not None:
        notes.append(f"intent: {intent}")
    return intent
