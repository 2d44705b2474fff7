"""Arms that compare the content of nodes with the question: keyword, vector and profile (preferences)."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from omoide.errors import EmbedderFailed
from omoide.providers.protocols import Embedder
from omoide.recall.question import NoEmbedding, Query, QuestionEmbedding, all_words
from omoide.recall.search.arm import ArmCandidate, ArmResult, SearchSources, SkippedArm
from omoide.store import NodeFilter, Store, embed_texts

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from omoide.store.search.vector_index import VectorIndex


# ── keyword ───────────────────────────────────────────────────────────────────────────────────────────────────────


def keyword_arm(query: Query, sources: SearchSources) -> ArmResult | SkippedArm:
    """Full-text search (BM25) for the terms of the question."""
    keep_stop_words = query.arm is not None and query.arm.keep_stop_words
    terms = all_words(query.question.text) if keep_stop_words else query.fts_terms
    if not terms:
        return SkippedArm("the question has no words to search for")
    filter = replace(query.filter, superseded=query.filter.as_of is None)
    found = sources.store.search.text(terms, filter, query.candidate_limit)
    candidates = tuple(ArmCandidate(id, score, "words") for id, score in found)
    return ArmResult("keyword", candidates, complete=len(found) < query.candidate_limit)


# ── vector ────────────────────────────────────────────────────────────────────────────────────────────────────────

_EXACT_SEARCH_LIMIT = 5_000  # nodes that pass the filter; fewer are compared one by one instead of searched
_FILTER_MARGIN = 20  # how many more than wanted are fetched before filtering; multiplied by 4 if too few pass


def vector_arm(query: Query, sources: SearchSources) -> ArmResult | SkippedArm:
    """The nodes whose vectors are most similar to the question."""
    if isinstance(query.embedding, NoEmbedding):
        return SkippedArm(query.embedding.reason)
    index = sources.store.search.vectors(sources.model_id())
    near = _nearest(query.embedding.vector, index, query, sources.store)
    # A negative cosine is less than that of two random texts, so it is no evidence.
    candidates = tuple(ArmCandidate(id, score, f"meaning {score:.2f}") for id, score in near if score > 0)
    return ArmResult("vector", candidates, complete=len(near) < query.candidate_limit)


def _nearest(vector: NDArray[np.float32], index: VectorIndex, query: Query, store: Store) -> list[tuple[int, float]]:
    """The most similar nodes that pass the filter."""
    filter = replace(query.filter, superseded=query.filter.as_of is None)
    wanted = query.candidate_limit
    if filter.selective and len(few := store.search.matching(filter, _EXACT_SEARCH_LIMIT)) < _EXACT_SEARCH_LIMIT:
        return sorted(index.scores(vector, few).items(), key=lambda each: (-each[1], each[0]))[:wanted]
    fetched = wanted + _FILTER_MARGIN
    while True:
        near = index.search(vector, fetched)
        passing = set(store.search.passing([id for id, _ in near], filter))
        if len(passing) >= wanted or len(near) < fetched:
            return [(id, score) for id, score in near if id in passing][:wanted]
        fetched *= 4


# ── profile ───────────────────────────────────────────────────────────────────────────────────────────────────────
#
# A preference shares few words with the questions it should shape. Most of its vector only says that it is a
# preference, and most of the question's vector that it is a question; both are subtracted before they are compared.

_MAX_PREFERENCES = 1_000  # the newest; comparing them one by one takes about two milliseconds
_LEAST_SIMILARITY = 0.2  # of the remaining vectors; below it a preference is unrelated to the question
_WITHOUT_ADVICE = 0.1  # factor for questions that do not seek advice: a preference is then only a fact about the user
# Requests for advice without a topic: their mean vector is what all such questions have in common.
_GENERIC_QUESTIONS = (
    "Can you recommend something?",
    "What should I do?",
    "Could you suggest some good options?",
    "I need some advice.",
    "What are the best ones?",
    "Can you help me plan this?",
    "How do I choose?",
    "Any ideas?",
)
_ADVICE = re.compile(
    r"\b(?:recommend|recommendations?|suggest|suggestions?|advice|advise|tips?|ideas?|options?|inspiration)\b"
    r"|\b(?:what|which|where|how|who)\b[^.?!]{0,60}\b(?:should|could|can|would|might|do)\s+(?:i|we|you)\b(?!\s+(?:say|said|tell|remember))"
    r"|\bwhat(?:'s|\s+is|\s+are)\s+(?:the|some|a|your)\s+(?:\w+\s+)?(?:best|good|great|better|top|easiest|most|popular|effective)\b"
    r"|\b(?:help|assist|guide)\s+me\b|\bi(?:'m|\s+am)\s+(?:planning|looking|trying|thinking|considering|going|hoping|about)\b"
    r"|\bi\s+(?:want|need|'d\s+like|would\s+like|plan)\s+to\b|\b(?:plan|design|create|write|make|find|pick|choose)\s+(?:me|for\s+me|an?|some|the)\b"
    r"|\b(?:should|can|could)\s+(?:i|we|you)\b",
    re.I,
)


def seeks_advice(text: str) -> bool:
    """Whether a question asks what to choose, do or make, so that the user's preferences should shape the answer."""
    return _ADVICE.search(text) is not None


def profile_arm(query: Query, sources: SearchSources) -> ArmResult | SkippedArm:
    """Preferences and instructions of the user, stored as such or stated in a turn, that fit the question."""
    preferences = _filter_for_kind(query.filter, "preference")
    turns = _filter_for_kind(query.filter, "episode")
    strongest = sources.store.search.matching(preferences, _MAX_PREFERENCES, "strongest") if preferences else []
    ids = [*strongest, *(sources.store.search.matching(turns, _MAX_PREFERENCES) if turns else [])]
    if not ids:
        return SkippedArm("no lasting preference or instruction was stated")
    if not query.fts_terms:  # nothing is asked, as at the start of a session: all of them, the strongest first
        return _best_preferences({id: 1 / place for place, id in enumerate(ids, start=1)}, query)
    weight = 1.0 if seeks_advice(query.question.text) else _WITHOUT_ADVICE
    try:
        if isinstance(query.embedding, QuestionEmbedding):
            similarity = _similarity_by_vector(ids, query.embedding, sources)
        else:
            similarity = _similarity_by_words(query, preferences, turns, sources.store)
    except EmbedderFailed as error:
        return SkippedArm(str(error))
    above = {id: score - _LEAST_SIMILARITY for id, score in similarity.items() if score > _LEAST_SIMILARITY}
    return _best_preferences({id: weight * score for id, score in above.items()}, query)


def _best_preferences(scores: dict[int, float], query: Query) -> ArmResult:
    best = sorted(scores.items(), key=lambda each: (-each[1], each[0]))[: query.candidate_limit]
    return ArmResult("profile", tuple(ArmCandidate(id, score, "a standing preference") for id, score in best))


def _filter_for_kind(filter: NodeFilter, kind: str) -> NodeFilter | None:
    """The filter for preferences, or for turns that state one; None if the kind is not asked for."""
    if filter.kinds and kind not in filter.kinds:
        return None
    return replace(filter, kinds=(kind,), wish=kind == "episode")


def _similarity_by_words(
    query: Query, preferences: NodeFilter | None, turns: NodeFilter | None, store: Store
) -> dict[int, float]:
    filters = [each for each in (preferences, turns) if each]
    found = [each for filter in filters for each in store.search.text(query.fts_terms, filter, query.candidate_limit)]
    best = max((score for _, score in found), default=0.0)
    return {id: score / best for id, score in found} if best > 0 else {}


def _similarity_by_vector(ids: list[int], embedding: QuestionEmbedding, sources: SearchSources) -> dict[int, float]:
    import numpy as np

    known, vectors = sources.store.search.vectors(sources.model_id()).rows(ids)
    if not known:
        return {}
    shared = vectors.mean(axis=0) if len(known) > 1 else np.zeros_like(embedding.vector)
    question = embedding.vector - _generic_question_vector(sources)
    question /= max(float(np.linalg.norm(question)), 1e-6)
    # The cosine of `vector - shared` with the question, without a second matrix: every vector has length 1.
    along = vectors @ np.stack((question, shared), axis=1)
    lengths = np.sqrt(np.maximum(1e-6, 1 - 2 * along[:, 1] + shared @ shared))
    return dict(zip(known, ((along[:, 0] - shared @ question) / lengths).tolist(), strict=True))


_generic_vectors: WeakKeyDictionary[Embedder, NDArray[np.float32]] = WeakKeyDictionary()


def _generic_question_vector(sources: SearchSources) -> NDArray[np.float32]:
    """The mean vector of the generic questions, computed once for each embedder."""
    embedder = sources.embedder
    assert embedder is not None
    try:
        known = _generic_vectors.get(embedder)
    except TypeError:  # an embedder that cannot be referenced weakly: computed each time
        return _mean_vector(embedder)
    if known is None:
        known = _generic_vectors[embedder] = _mean_vector(embedder)
    return known


def _mean_vector(embedder: Embedder) -> NDArray[np.float32]:
    import numpy as np

    return np.asarray(embed_texts(embedder, _GENERIC_QUESTIONS).vectors.mean(axis=0))
