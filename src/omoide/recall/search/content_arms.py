"""Keyword arm: FTS5 and BM25 over the words of the question."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from omoide.errors import EmbedderFailed
from omoide.providers.protocols import Embedder
from omoide.recall.question import NoEmbedding, Query, QuestionEmbedding, koshi_terms
from omoide.recall.search.arm import ArmCandidate, ArmResult, SearchSources, SkippedArm
from omoide.store import NodeFilter, Store, embed_texts

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from omoide.store.search.vector_index import VectorIndex


def keyword_arm(query: Query, sources: SearchSources) -> ArmResult | SkippedArm:
    wanted = koshi_terms(query.question.text) if query.asks_every_word else query.wanted
    if not wanted:
        return SkippedArm("keyword", "the question has no words to search for")
    keep = replace(query.keep, superseded=query.keep.as_of is None)
    found = sources.store.search_text(wanted, keep, query.reach)
    candidates = tuple(ArmCandidate(id, score, "words") for id, score in found)
    return ArmResult("keyword", candidates, complete=len(found) < query.reach)


# Vector arm: what is alike in meaning, where no word need be the same.


_EXACT_SEARCH_LIMIT = 5_000  # so many can be compared one by one: a narrow filter need not be searched for from afar

_FILTER_MARGIN = 20  # how many more than wanted are taken before the filter; four times as many when too few are left


def vector_arm(query: Query, sources: SearchSources) -> ArmResult | SkippedArm:
    if isinstance(query.meaning, NoEmbedding):
        return SkippedArm("vector", query.meaning.reason)
    planes = sources.store.planes(sources.model_id())
    near = _nearest(query.meaning.vector, planes, query, sources.store)
    # Below zero two texts are less alike than two drawn at random: that is no reason to be found.
    candidates = tuple(ArmCandidate(id, score, f"meaning {score:.2f}") for id, score in near if score > 0)
    return ArmResult("vector", candidates, complete=len(near) < query.reach)


def _nearest(vector: NDArray[np.float32], planes: VectorIndex, query: Query, store: Store) -> list[tuple[int, float]]:
    """The most alike among those that may be found."""
    keep = replace(query.keep, superseded=query.keep.as_of is None)
    if keep.selective and len(few := store.matching(keep, _EXACT_SEARCH_LIMIT)) < _EXACT_SEARCH_LIMIT:
        return sorted(planes.scores(vector, few).items(), key=lambda each: (-each[1], each[0]))[: query.reach]
    reach = query.reach + _FILTER_MARGIN
    while True:
        near = planes.search(vector, reach)
        kept = set(store.passing([id for id, _ in near], keep))
        if len(kept) >= query.reach or len(near) < reach:
            return [(id, score) for id, score in near if id in kept][: query.reach]
        reach *= 4


# Profile arm: standing preferences and instructions, considered whatever is asked.
#
# A preference shares few words with the questions that it should shape, and most of its vector says only that it is a
# preference, as most of a question's says only that it is a question. Both are taken away before the two are compared.


_MAX_PREFERENCES = 1_000  # the newest so many; compared one by one in about two milliseconds
_LEAST_SIMILARITY = 0.2  # of the likeness that is left: below, a wish has nothing to do with the question
_WITHOUT_ADVICE = (
    0.1  # what a wish counts for a question that seeks no advice: it is a fact about the asker, and no more
)
# What asking sounds like when nothing is asked about.
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


def profile_arm(query: Query, sources: SearchSources) -> ArmResult | SkippedArm:
    held = _filter_for_kind(query.keep, "preference")
    said = _filter_for_kind(query.keep, "episode")
    ids = _stated_preferences(held, said, sources.store)
    if not ids:
        return SkippedArm("profile", "no lasting preference or instruction was stated")
    if not query.wanted:  # nothing is asked, as at the start of a session: all of them, the strongest first
        return _best_preferences({id: 1 / place for place, id in enumerate(ids, start=1)}, query)
    worth = 1.0 if seeks_advice(query.question.text) else _WITHOUT_ADVICE
    try:
        if isinstance(query.meaning, QuestionEmbedding):
            alike = _similarity_by_vector(ids, query.meaning, sources)
        else:
            alike = _similarity_by_words(query, held, said, sources.store)
    except EmbedderFailed as error:
        return SkippedArm("profile", str(error))
    return _best_preferences(
        {id: worth * (score - _LEAST_SIMILARITY) for id, score in alike.items() if score > _LEAST_SIMILARITY}, query
    )


def _best_preferences(scores: dict[int, float], query: Query) -> ArmResult:
    best = sorted(scores.items(), key=lambda each: (-each[1], each[0]))[: query.reach]
    return ArmResult("profile", tuple(ArmCandidate(id, score, "a standing wish") for id, score in best))


def _filter_for_kind(keep: NodeFilter, kind: str) -> NodeFilter | None:
    """What may be found of a kind: preferences that were kept, or turns that state one."""
    if keep.kinds and kind not in keep.kinds:
        return None
    return replace(keep, kinds=(kind,), wish=kind == "episode")


def _stated_preferences(held: NodeFilter | None, said: NodeFilter | None, store: Store) -> list[int]:
    """Preferences by their strength, then turns, the newest first."""
    strong = store.matching(held, _MAX_PREFERENCES, "strongest") if held else []
    return [*strong, *(store.matching(said, _MAX_PREFERENCES) if said else [])]


def _similarity_by_words(
    query: Query, held: NodeFilter | None, said: NodeFilter | None, store: Store
) -> dict[int, float]:
    keeps = [keep for keep in (held, said) if keep]
    found = [each for keep in keeps for each in store.search_text(query.wanted, keep, query.reach)]
    best = max((score for _, score in found), default=0.0)
    return {id: score / best for id, score in found} if best > 0 else {}


def _similarity_by_vector(ids: list[int], asked: QuestionEmbedding, sources: SearchSources) -> dict[int, float]:
    import numpy as np

    known, vectors = sources.store.planes(sources.model_id()).rows(ids)
    if not known:
        return {}
    shared = vectors.mean(axis=0) if len(known) > 1 else np.zeros_like(asked.vector)
    question = asked.vector - _generic_question_vector(sources)
    question /= max(float(np.linalg.norm(question)), 1e-6)
    # The cosine of `vector - shared` with the question, without a second matrix: every vector has length 1.
    along = vectors @ np.stack((question, shared), axis=1)
    lengths = np.sqrt(np.maximum(1e-6, 1 - 2 * along[:, 1] + shared @ shared))
    return dict(zip(known, ((along[:, 0] - shared @ question) / lengths).tolist(), strict=True))


_generic_vectors: WeakKeyDictionary[Embedder, NDArray[np.float32]] = WeakKeyDictionary()


def _generic_question_vector(sources: SearchSources) -> NDArray[np.float32]:
    """The direction of asking as such, once for each embedder."""
    embedder = sources.embedder
    assert embedder is not None
    try:
        known = _generic_vectors.get(embedder)
    except TypeError:  # somebody's embedder that cannot be a key: asked anew each time
        return _mean_vector(embedder)
    if known is None:
        known = _generic_vectors[embedder] = _mean_vector(embedder)
    return known


def _mean_vector(embedder: Embedder) -> NDArray[np.float32]:
    import numpy as np

    return np.asarray(embed_texts(embedder, _GENERIC_QUESTIONS).vectors.mean(axis=0))


# Whether a question seeks advice: what to choose, do or make, which the asker's own wishes should shape.


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
    return _ADVICE.search(text) is not None
