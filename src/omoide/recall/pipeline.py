"""The read path on one screen: Question → Query → hits of each arm → fused → ranked."""

from __future__ import annotations

from dataclasses import replace

from omoide.errors import EmbedderFailed
from omoide.language.text import fts_terms
from omoide.recall import question as question_module
from omoide.recall.intent_exemplars import intent_exemplars
from omoide.recall.noise_floor import judge_hits
from omoide.recall.question import NoEmbedding, Query, RecallQuestion, SeedNode, understand
from omoide.recall.question_cues import GENERAL_INTENT, intent_by_exemplar
from omoide.recall.ranking import below_limit, rank, rerank_hits
from omoide.recall.recipes import RecipeArm
from omoide.recall.results import Hit, Recall
from omoide.recall.scoring import (
    FusedScore,
    add_late_scores,
    best_fused,
    boost_sessions,
    comparable_tokens,
    discount_short_texts,
    fuse,
    late_candidates,
    late_similarity,
    spread_scores,
    spread_sources,
    weigh_question_tokens,
)
from omoide.recall.search import ARMS, ArmResult, SearchSources
from omoide.recall.trace import RecallTrace, StageNotes, describe_query


def answer(question: RecallQuestion, sources: SearchSources) -> Recall:
    """Finds what matters and says why."""
    trace = RecallTrace()
    with trace.stage("understand") as notes:
        query = understand(question, sources.store.entity_names(), sources.store.spelled)
        notes += describe_query(query)
    query = _embed(query, sources, trace)
    fused, found = search(query, sources, trace)
    if not question.keep.archive and (away := sources.store.archived()):
        with trace.stage("archive") as notes:
            notes.append(f"{away:,} archived not searched")
    with trace.stage("fuse") as notes:
        fused = _by_length(query, fused, sources)
        notes.append(f"{len(fused)} candidates")
        notes.leaves = fused.values()
    with trace.stage("spread") as notes:
        fused = _spread(query, fused, sources, notes)
        notes.leaves = fused.values()
    with trace.stage("late") as notes:
        fused = _late(query, fused, sources, notes)
    with trace.stage("company") as notes:
        fused = _company(query, fused, sources, notes)
    with trace.stage("rank") as notes:
        hits = rank(query, fused, sources, trace)
        notes.append(f"{len(hits)} kept")
        notes.leaves = hits
    hits = _rerank(query, hits, sources, trace)
    with trace.stage("floor") as notes:
        judged = judge_hits(query, hits, found, sources)
        trace.dropped |= {hit.id: judged.dropped for hit in hits if not judged.hits}
        notes.append(judged.verdict)
    return Recall(query, judged.hits, trace, judged.probability)


def _embed(query: Query, sources: SearchSources, trace: RecallTrace) -> Query:
    """The question's meaning, if something goes by it. A question for a time alone is answered without."""
    recipe = query.question.recipe
    if query.asks_only_for_a_time or not recipe.reads_meaning:
        return query
    with trace.stage("embed") as notes:
        read = question_module.embed_question(query.question.text, sources)
        notes.append(f"skipped, {read.reason}" if isinstance(read, NoEmbedding) else "once for all that go by it")
        return _by_exemplars(replace(query, meaning=read), sources, notes)


def _by_exemplars(query: Query, sources: SearchSources, notes: StageNotes) -> Query:
    """What no rule told of the intent, its likeness to questions of a known one may tell, if the recipe asks for it."""
    threshold = query.question.recipe.intent_threshold
    if (
        threshold is None
        or isinstance(query.meaning, NoEmbedding)
        or query.intent != GENERAL_INTENT
        or sources.embedder is None
    ):
        return query
    try:
        found = intent_by_exemplar(query.meaning.vector, intent_exemplars(sources.embedder), threshold)
    except EmbedderFailed as error:
        notes.append(f"exemplars skipped, {error}")
        return query
    if found is None:
        return query
    notes.append(f"intent: {found}")
    return replace(query, intent=found)


def search(query: Query, sources: SearchSources, trace: RecallTrace) -> tuple[dict[int, FusedScore], list[ArmResult]]:
    """Asks the voices of the recipe, in two waves: some searches start from the best of what others have found."""
    recipe = query.question.recipe
    fused: dict[int, FusedScore] = {}
    answers: list[ArmResult] = []
    for wave in (_heard(recipe.voices, query), recipe.then):
        seeds = tuple(SeedNode(each.id, each.score) for each in best_fused(fused, recipe.seeds)) if wave else ()
        heard = [(voice, found) for voice in wave if (found := _ask(query.put_to(voice, seeds), sources, trace))]
        fused = fuse([(_as_sure(query, voice), found) for voice, found in heard], fused)
        answers += [found for _, found in heard]
    return fused, answers


def _heard(voices: tuple[RecipeArm, ...], query: Query) -> tuple[RecipeArm, ...]:
    """The voices, those that may go by words instead going by them where there is no meaning to go by."""
    if not isinstance(query.meaning, NoEmbedding):
        return voices
    return tuple(replace(voice, arm="keyword") if voice.or_words else voice for voice in voices)


def _as_sure(query: Query, voice: RecipeArm) -> RecipeArm:
    """The same voice; where the embedder was not made for the question's language, it only guesses, and low."""
    guessed = not isinstance(query.meaning, NoEmbedding) and query.meaning.guessed
    return (
        replace(voice, weight=voice.weight * query.question.recipe.guess)
        if guessed and voice.arm == "vector"
        else voice
    )


def _ask(query: Query, sources: SearchSources, trace: RecallTrace) -> ArmResult | None:
    """One voice's answer. A question for a time alone is the time arm's; the others have nothing to go by."""
    voice = query.voice
    assert voice is not None
    if query.asks_only_for_a_time and voice.arm != "time":
        return None
    with trace.stage(voice.arm) as notes:
        if reason := voice.silent(query.intent.kind, query.question.keep):
            notes.append(f"skipped, {reason}")
            return None
        found = ARMS[voice.arm](query, sources)
        notes.leaves = found.candidates if isinstance(found, ArmResult) else ()
        notes.append(f"{len(found.candidates)} found" if isinstance(found, ArmResult) else f"skipped, {found.reason}")
    return found if isinstance(found, ArmResult) else None


def _by_length(query: Query, fused: dict[int, FusedScore], sources: SearchSources) -> dict[int, FusedScore]:
    half_worth = query.question.recipe.half_worth
    if half_worth is None or query.asks_only_for_a_time:
        return fused
    return discount_short_texts(fused, sources.store.lengths(list(fused)), half_worth)


def _spread(
    query: Query, fused: dict[int, FusedScore], sources: SearchSources, notes: list[str]
) -> dict[int, FusedScore]:
    spread = query.question.recipe.spread
    if spread is None or not fused or query.asks_only_for_a_time:
        return fused
    beside = sources.store.neighbours(spread_sources(fused, spread), spread.reach)
    takers = {taker for _, taker, _, _ in beside}
    if query.keep.selective:  # a neighbour that may not be found must not take the place of one that may
        takers = set(sources.store.passing(sorted(takers), query.keep))
        beside = [each for each in beside if each[1] in takers]
    notes.append(f"{len(takers)} turns beside a hit")
    return spread_scores(fused, beside, spread)


def _late(
    query: Query, fused: dict[int, FusedScore], sources: SearchSources, notes: StageNotes
) -> dict[int, FusedScore]:
    recipe = query.question.recipe.late
    if recipe is None or not fused or query.asks_only_for_a_time:
        return fused
    tokens = comparable_tokens(query.meaning, sources.embedder)
    if isinstance(tokens, NoEmbedding):
        notes.append(f"skipped, {tokens.reason}")
        return fused
    pool = late_candidates(fused, recipe)
    packed = sources.store.token_states(sources.model_id(), pool)
    alike = late_similarity(weigh_question_tokens(tokens, _rarities(query, sources)), packed)
    notes.append(f"{len(alike)} of the best {len(pool)} compared word by word")
    fused = add_late_scores(fused, pool, alike, recipe)
    notes.leaves = fused.values()
    return fused


def _rarities(query: Query, sources: SearchSources) -> dict[str, float]:
    """How much each word of the question that is worth asking tells apart."""
    wanted = {"".join(fts_terms([term])): term for term in query.terms}
    return {wanted[each]: rarity for each, rarity in sources.store.rarities(list(wanted)).items()}


def _company(
    query: Query, fused: dict[int, FusedScore], sources: SearchSources, notes: StageNotes
) -> dict[int, FusedScore]:
    share = query.question.recipe.company
    if not share or not fused or query.asks_only_for_a_time:
        return fused
    sessions = sources.store.session_ids(list(fused))
    notes.append(f"{len(set(sessions.values()))} sessions")
    fused = boost_sessions(fused, sessions, share)
    notes.leaves = fused.values()
    return fused


def _rerank(query: Query, hits: list[Hit], sources: SearchSources, trace: RecallTrace) -> list[Hit]:
    """The best read again by the reranker, if there is one; who falls below the limit is told."""
    rerank = query.question.recipe.rerank
    if rerank is None or sources.reranker is None or query.asks_only_for_a_time:
        return hits
    with trace.stage("rerank") as notes:
        hits = rerank_hits(query.question.text, hits, rerank, sources.reranker, notes)
        notes.leaves = hits
    trace.dropped |= {hit.id: below_limit(query.limit) for hit in hits[query.limit :]}
    return hits[: query.limit]
