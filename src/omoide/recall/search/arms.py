"""All search arms. By content: keyword, vector and profile. By structure: entity, graph, links and time.

A new arm is a function here and a line in `ARMS` (`recall/search/__init__.py`); a recipe then names it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

import numpy as np

from omoide.clock import EARLIEST, LATEST, to_micros
from omoide.domain import Node
from omoide.domain.changed import changed
from omoide.errors import EmbedderFailed
from omoide.language.text import fts_terms, search_terms
from omoide.language.time import DateClue, EventClue, ExtremeClue, SessionNumbers, SessionsAgo, TimeSpan
from omoide.recall.candidates import ArmCandidate, ArmResult, SearchSources, SkippedArm
from omoide.recall.question import NoEmbedding, Query, QuestionEmbedding, all_words
from omoide.recall.question_cues import embed_once
from omoide.store import NodeFilter, NodeRow, Store
from omoide.store.search.node_columns import ScoredNodes

# ── keyword ───────────────────────────────────────────────────────────────────────────────────────────────────────


def keyword_arm(query: Query, sources: SearchSources) -> ArmResult | SkippedArm:
    """Full-text search (BM25) for the terms of the question."""
    keep_stop_words = query.arm is not None and query.arm.keep_stop_words
    terms = all_words(query.question.text) if keep_stop_words else query.fts_terms
    if not terms:
        return SkippedArm("the question has no words to search for")
    filter = changed(query.filter, superseded=query.filter.as_of is None)
    found = sources.store.search.text(terms, filter, query.candidate_limit)
    return ArmResult("keyword", found, lambda _: "words", complete=len(found) < query.candidate_limit)


# ── vector ────────────────────────────────────────────────────────────────────────────────────────────────────────


def vector_arm(query: Query, sources: SearchSources) -> ArmResult | SkippedArm:
    """The nodes whose vectors are most similar to the question."""
    if isinstance(query.embedding, NoEmbedding):
        return SkippedArm(query.embedding.reason)
    filter = changed(query.filter, superseded=query.filter.as_of is None)
    near = sources.store.search.nearest(sources.model_id(), query.embedding.vector, filter, query.candidate_limit)
    complete = len(near) < query.candidate_limit
    near = near[near.scores > 0]  # a negative cosine is less than that of two random texts, so it is no evidence
    return ArmResult("vector", near, lambda place: f"meaning {near.scores[place]:.2f}", complete=complete)


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
    weight = 1.0 if query.seeks_advice else _WITHOUT_ADVICE
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
    best = ScoredNodes.of(scores.items())[: query.candidate_limit]
    return ArmResult("profile", best, lambda _: "a standing preference")


def _filter_for_kind(filter: NodeFilter, kind: str) -> NodeFilter | None:
    """The filter for preferences, or for turns that state one; None if the kind is not asked for."""
    if filter.kinds and kind not in filter.kinds:
        return None
    return changed(filter, kinds=(kind,), states_preference=kind == "episode")


def _similarity_by_words(
    query: Query, preferences: NodeFilter | None, turns: NodeFilter | None, store: Store
) -> dict[int, float]:
    filters = [each for each in (preferences, turns) if each]
    found = [each for filter in filters for each in store.search.text(query.fts_terms, filter, query.candidate_limit)]
    best = max((score for _, score in found), default=0.0)
    return {id: score / best for id, score in found} if best > 0 else {}


def _similarity_by_vector(ids: list[int], embedding: QuestionEmbedding, sources: SearchSources) -> dict[int, float]:
    known, vectors = sources.vectors().rows(ids)
    if not known:
        return {}
    shared = vectors.mean(axis=0) if len(known) > 1 else np.zeros_like(embedding.vector)
    assert sources.embedder is not None
    question = embedding.vector - embed_once(sources.embedder, _GENERIC_QUESTIONS).mean(axis=0)
    question /= max(float(np.linalg.norm(question)), 1e-6)
    # The cosine of `vector - shared` with the question, without a second matrix: every vector has length 1.
    # `vecdot` stays on one thread.
    lengths = np.sqrt(np.maximum(1e-6, 1 - 2 * np.vecdot(vectors, shared) + shared @ shared))
    along = np.vecdot(vectors, question) - shared @ question
    return dict(zip(known, (along / lengths).tolist(), strict=True))


# ── entities and their relations ──────────────────────────────────────────────────────────────────────────────────

_MIN_CONFIDENCE = 0.3  # of the relations that are followed
_MAX_RELATIONS = 10  # of an entity, the most confident
_MAX_FACTS = 10  # of an entity, the most confident


def entity_arm(query: Query, sources: SearchSources) -> ArmResult | SkippedArm:
    """Nodes that mention the entities named in the question."""
    if not query.entities:
        return SkippedArm("the question names no known entity")
    store, limit = sources.store, query.candidate_limit
    scores: dict[int, float] = {}
    mentions = store.entities.mentioning_nodes(query.entities, limit)
    counts = {id: sum(1 for _, entity in mentions if entity == id) for id in query.entities}
    for node, entity in mentions:
        scores[node] = scores.get(node, 0.0) + hub_damping(counts[entity])
    passing = store.search.passing(sorted(scores), changed(query.filter, superseded=False))
    best = ScoredNodes.of((id, scores[id]) for id in passing)[:limit]
    return ArmResult("entity", best, lambda _: "mentions an entity named")


def graph_arm(query: Query, sources: SearchSources) -> ArmResult | SkippedArm:
    """Facts about the entities named in the question, and about entities related to them."""
    if not query.entities:
        return SkippedArm("the question names no known entity")
    store = sources.store
    damp_hubs = query.arm is None or query.arm.damp_hubs
    # Relations between people were told in private; a hit that is reached through one would reveal it.
    depth = 0 if query.filter.audience == "shared" else query.depth
    best: dict[int, ArmCandidate] = {}
    for reached in store.graph.related_entities(query.entities, depth, _MIN_CONFIDENCE, _MAX_RELATIONS):
        weight = hop_weight(reached.depth) * (hub_damping(reached.mentions) if damp_hubs else 1.0)
        why = f"known of {reached.way}" if reached.depth == 0 else f"by way of {reached.way}"
        for id, confidence in store.graph.learned_about(reached.id, query.filter, _MAX_FACTS):
            if id not in best or best[id].score < weight * confidence:
                best[id] = ArmCandidate(id, weight * confidence, why)
    return ArmResult.ranked("graph", best.values(), query.candidate_limit)


def hop_weight(depth: int) -> float:
    """The weight of what is `depth` links away; half at two."""
    return 1 / (1 + depth * 0.5)


def hub_damping(mentions: int) -> float:
    """An entity that is mentioned often tells little apart."""
    return 1 / (1 + math.log2(max(1, mentions)))


# ── links from the best nodes ─────────────────────────────────────────────────────────────────────────────────────

_CHAIN_SEEDS = 5  # the best nodes that links are followed from


def temporal_arm(query: Query, sources: SearchSources) -> ArmResult | SkippedArm:
    """What was said before and after the best nodes."""
    return _link_chain("temporal", ("said before", "said after"), query, sources)


def causal_arm(query: Query, sources: SearchSources) -> ArmResult | SkippedArm:
    """Causes and effects of the best nodes."""
    return _link_chain("causal", ("a cause of", "an effect of"), query, sources)


def recalled_arm(query: Query, sources: SearchSources) -> ArmResult | SkippedArm:
    """What was recalled together with the best nodes before."""
    return _link_chain("recalled_with", ("recalled with", "recalled with"), query, sources)


def _link_chain(type: str, words: tuple[str, str], query: Query, sources: SearchSources) -> ArmResult | SkippedArm:
    if not query.seeds:
        return SkippedArm("nothing was found to start from")
    steps = sources.store.graph.link_chain(query.seeds.ids[:_CHAIN_SEEDS].tolist(), type, query.depth)
    passing = set(sources.store.search.passing([step.id for step in steps], query.filter))
    candidates = [
        ArmCandidate(
            step.id, hop_weight(abs(step.steps)) * step.confidence, f"{words[step.steps > 0]} [id:{step.start}]"
        )
        for step in steps
        if step.id in passing
    ]
    return ArmResult.ranked(type, candidates, query.candidate_limit)


# ── time ──────────────────────────────────────────────────────────────────────────────────────────────────────────

_DAY = 86_400
_CURRENT_SESSION = 600_000_000  # microseconds since the last turn; the question is asked in such an open session


def time_arm(query: Query, sources: SearchSources) -> ArmResult | SkippedArm:
    """The nodes of the time that the question names, if it asks for nothing but a time."""
    if query.when is None:
        return SkippedArm("the question names no time")
    if not query.when.pure:
        return SkippedArm("the question asks for more than a time; the time raises scores and does not filter")
    window = time_window(query, sources.store)
    if window is None:
        return SkippedArm("the time could not be resolved")
    ids = _ids_inside(window, query, sources.store) or _ids_inside(window.widened(), query, sources.store)
    phrases = ", ".join(clue.phrase.text for clue in query.when.clues)
    found = ScoredNodes(np.array(ids, np.int64), np.ones(len(ids)))
    return ArmResult("time", found, lambda _: f"in the time asked for ({phrases})")


def _ids_inside(window: TimeWindow, query: Query, store: Store) -> list[int]:
    ids: dict[int, None] = {}
    for each in window.filters(query.filter):
        ids |= dict.fromkeys(store.search.matching(each, query.candidate_limit, "weightiest"))
    return list(ids)


def recent_arm(query: Query, sources: SearchSources) -> ArmResult:
    """The latest nodes, whatever they are about: for the start of a session, when nothing is asked yet."""
    ids = sources.store.search.matching(query.filter, query.candidate_limit, "newest")
    nodes = sources.store.nodes.fetch(ids)
    ages = {id: max(0.0, (query.question.at - nodes[id].event_at).total_seconds() / _DAY) for id in ids}
    found = ScoredNodes.of((id, freshness(ages[id])) for id in ids)
    return ArmResult("recent", found, lambda _: "among the latest", complete=len(ids) < query.candidate_limit)


def freshness(days: float) -> float:
    """1 now, a half after a day."""
    return 1 / (1 + days)


@dataclass(frozen=True, slots=True)
class TimeWindow:
    """The time spans and sessions that a question names."""

    spans: tuple[TimeSpan, ...]
    sessions: frozenset[str]

    def holds(self, node: Node | NodeRow) -> bool:
        return node.session in self.sessions or any(span.holds(node.event_at) for span in self.spans)

    def filters(self, filter: NodeFilter) -> list[NodeFilter]:
        """One filter for each span and session, each within `filter`."""
        found = [changed(filter, session=name) for name in sorted(self.sessions) if filter.session in (None, name)]
        for span in self.spans:
            start, end = micros(span.start), micros(span.end)
            after = start if filter.after is None else max(start, filter.after)
            before = end if filter.before is None else min(end, filter.before)
            found.append(changed(filter, after=after, before=before))
        return found

    def widened(self) -> TimeWindow:
        return replace(self, spans=tuple(span.widened() for span in self.spans))


def time_window(query: Query, store: Store) -> TimeWindow | None:
    """Resolve the time clues of a query in this store; None if it has none that can be resolved."""
    if query.when is None:
        return None
    spans: list[TimeSpan] = []
    sessions: set[str] = set()
    for clue in query.when.clues:
        match clue:
            case DateClue(span=span):
                spans.append(span)
            case SessionsAgo():
                if clue.nearest:  # 0 is the current session, which is in the agent's context anyway
                    asked = to_micros(query.question.at)
                    sessions |= set(store.sessions.by_recency(asked, _CURRENT_SESSION, clue.nearest, clue.farthest))
            case SessionNumbers():
                sessions |= set(store.sessions.by_number(clue.first, clue.last))
            case EventClue():
                if (at := _event_time(clue.event, query, store)) is not None:
                    spans.append(clue.resolve(at))
            case ExtremeClue():
                pass  # the end of a sequence, not a time
    return TimeWindow(tuple(spans), frozenset(sessions)) if spans or sessions else None


def _event_time(event: str, query: Query, store: Store) -> datetime | None:
    """When a remembered event took place: the time of the best match."""
    terms = fts_terms(search_terms(event))
    found = store.search.text(terms, query.filter, 1) if terms else None
    return store.nodes.require(int(found.ids[0])).event_at if found else None


def micros(at: datetime) -> int:
    return to_micros(min(max(at, EARLIEST), LATEST - timedelta(microseconds=1)))
