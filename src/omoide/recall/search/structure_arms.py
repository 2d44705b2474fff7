"""Arms that follow the structure of the store: entities, relations, links, sessions and time."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from omoide.clock import EARLIEST, LATEST, to_micros
from omoide.domain import Node
from omoide.language.text import fts_terms, search_terms
from omoide.language.time import DateClue, EventClue, ExtremeClue, SessionNumbers, SessionsAgo, TimeSpan
from omoide.recall.question import Query, SeedNode
from omoide.recall.search.arm import ArmCandidate, ArmResult, SearchSources, SkippedArm
from omoide.store import NodeFilter, Store

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
    ranked = sorted(scores, key=lambda id: (-scores[id], id))
    passing = store.search.passing(ranked, replace(query.filter, superseded=False))[:limit]
    return ArmResult("entity", tuple(ArmCandidate(id, scores[id], "mentions an entity named") for id in passing))


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
    return ArmResult("graph", _ranked(best.values(), query))


def hop_weight(depth: int) -> float:
    """The weight of what is `depth` links away; half at two."""
    return 1 / (1 + depth * 0.5)


def hub_damping(mentions: int) -> float:
    """An entity that is mentioned often tells little apart."""
    return 1 / (1 + math.log2(max(1, mentions)))


def _ranked(candidates: Iterable[ArmCandidate], query: Query) -> tuple[ArmCandidate, ...]:
    return tuple(sorted(candidates, key=lambda each: (-each.score, each.id))[: query.candidate_limit])


# ── links from the best nodes ─────────────────────────────────────────────────────────────────────────────────────

_CHAIN_SEEDS = 5  # the best nodes that links are followed from


def temporal_arm(query: Query, sources: SearchSources) -> ArmResult | SkippedArm:
    """What was said before and after the best nodes."""
    return _link_chain("temporal", ("said before", "said after"), query, sources)


def causal_arm(query: Query, sources: SearchSources) -> ArmResult | SkippedArm:
    """Causes and effects of the best nodes."""
    return _link_chain("causal", ("a cause of", "an effect of"), query, sources)


def _link_chain(type: str, words: tuple[str, str], query: Query, sources: SearchSources) -> ArmResult | SkippedArm:
    if not query.seeds:
        return SkippedArm("nothing was found to start from")
    steps = sources.store.graph.link_chain([seed.id for seed in query.seeds[:_CHAIN_SEEDS]], type, query.depth)
    passing = set(sources.store.search.passing([step.id for step in steps], query.filter))
    candidates = [
        ArmCandidate(
            step.id, hop_weight(abs(step.steps)) * step.confidence, f"{words[step.steps > 0]} [id:{step.start}]"
        )
        for step in steps
        if step.id in passing
    ]
    return ArmResult(type, _ranked(candidates, query))


# ── sessions ──────────────────────────────────────────────────────────────────────────────────────────────────────

_BEST_TURNS = 3  # a session is worth the mean of this many of its best turns, however long it is


def session_arm(query: Query, sources: SearchSources) -> ArmResult | SkippedArm:
    """Turns of sessions in which several nodes were found. One matching turn may be chance, several are a topic."""
    if not query.seeds:
        return SkippedArm("nothing was found to start from")
    sessions = sources.store.nodes.session_ids([seed.id for seed in query.seeds])
    evidence = session_evidence(query.seeds, sessions)
    turns = [(seed.id, evidence[sessions[seed.id]]) for seed in query.seeds if sessions.get(seed.id) in evidence]
    turns.sort(key=lambda each: (-each[1], each[0]))
    return ArmResult("session", tuple(ArmCandidate(id, score, "its session is about it") for id, score in turns))


def session_evidence(seeds: Iterable[SeedNode], sessions: Mapping[int, int]) -> dict[int, float]:
    """The score of each session with more than one seed: the sum of its best turns / `_BEST_TURNS`."""
    scores: dict[int, list[float]] = defaultdict(list)
    for seed in seeds:
        if seed.id in sessions:
            scores[sessions[seed.id]].append(seed.score)
    return {
        session: sum(sorted(found)[-_BEST_TURNS:]) / _BEST_TURNS for session, found in scores.items() if len(found) > 1
    }


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
    return ArmResult("time", tuple(ArmCandidate(id, 1.0, f"in the time asked for ({phrases})") for id in ids))


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
    candidates = tuple(ArmCandidate(id, freshness(ages[id]), "among the latest") for id in ids)
    return ArmResult("recent", candidates, complete=len(ids) < query.candidate_limit)


def freshness(days: float) -> float:
    """1 now, a half after a day."""
    return 1 / (1 + days)


@dataclass(frozen=True, slots=True)
class TimeWindow:
    """The time spans and sessions that a question names."""

    spans: tuple[TimeSpan, ...]
    sessions: frozenset[str]

    def holds(self, node: Node) -> bool:
        return node.session in self.sessions or any(span.holds(node.event_at) for span in self.spans)

    def filters(self, filter: NodeFilter) -> list[NodeFilter]:
        """One filter for each span and session, each within `filter`."""
        found = [replace(filter, session=name) for name in sorted(self.sessions) if filter.session in (None, name)]
        for span in self.spans:
            start, end = _micros(span.start), _micros(span.end)
            after = start if filter.after is None else max(start, filter.after)
            before = end if filter.before is None else min(end, filter.before)
            found.append(replace(filter, after=after, before=before))
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
    found = store.search.text(terms, query.filter, 1) if terms else []
    return store.nodes.require(found[0][0]).event_at if found else None


def _micros(at: datetime) -> int:
    return to_micros(min(max(at, EARLIEST), LATEST - timedelta(microseconds=1)))
