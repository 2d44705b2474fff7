"""Entity arm: what speaks of the people and things that the question names."""

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


def entity_arm(query: Query, sources: SearchSources) -> ArmResult | SkippedArm:
    if not query.entities:
        return SkippedArm("entity", "the question names nobody and nothing we know")
    store, reach = sources.store, query.reach
    scores: dict[int, float] = {}
    mentions = store.mentions(query.entities, reach)
    spoken = {id: sum(1 for _, entity in mentions if entity == id) for id in query.entities}
    for node, entity in mentions:
        scores[node] = scores.get(node, 0.0) + hub_damping(spoken[entity])
    keep = replace(query.keep, superseded=False)
    kept = store.passing(sorted(scores, key=lambda id: (-scores[id], id)), keep)[:reach]
    return ArmResult(
        "entity", tuple(ArmCandidate(id, scores[id], "speaks of someone or something named") for id in kept)
    )


# Graph arm: what was learned of the entities that the question names, and of those related to them.


_MIN_CONFIDENCE = 0.3  # Kira-R: weaker relations are not walked
_MAX_RELATIONS = 10  # Kira-R: the surest relations of an entity
_MAX_FACTS = 10  # Kira-R: the surest facts of an entity


def graph_arm(query: Query, sources: SearchSources) -> ArmResult | SkippedArm:
    if not query.entities:
        return SkippedArm("graph", "the question names nobody and nothing we know")
    store = sources.store
    best: dict[int, ArmCandidate] = {}
    # How people are related was told in private, and a hit that is reached by it would tell it.
    depth = 0 if query.keep.audience == "shared" else query.depth
    for reached in store.hops(query.entities, depth, _MIN_CONFIDENCE, _MAX_RELATIONS):
        worth = hop_weight(reached.depth) * (hub_damping(reached.mentions) if query.damps_hubs else 1.0)
        for id, confidence in store.known_of(reached.id, query.keep, _MAX_FACTS):
            candidate = ArmCandidate(id, worth * confidence, _path_reason(reached.way, reached.depth))
            if id not in best or best[id].score < candidate.score:
                best[id] = candidate
    ordered = sorted(best.values(), key=lambda each: (-each.score, each.id))[: query.reach]
    return ArmResult("graph", tuple(ordered))


def hop_weight(depth: int) -> float:
    """Kira-R: what is two hops away is worth half."""
    return 1 / (1 + depth * 0.5)


def hub_damping(mentions: int) -> float:
    """A hub says little: what everything is linked to tells nothing apart."""
    return 1 / (1 + math.log2(max(1, mentions)))


def _path_reason(way: str, depth: int) -> str:
    return f"known of {way}" if depth == 0 else f"by way of {way}"


# Chain arms: from the best of what was found, along the links of time or of cause, forward and backward.


_CHAIN_SEEDS = 5  # the best few; the seeds are silent about how many


def temporal_arm(query: Query, sources: SearchSources) -> ArmResult | SkippedArm:
    """What was said before and after."""
    return _link_chain("temporal", ("said before", "said after"), query, sources)


def causal_arm(query: Query, sources: SearchSources) -> ArmResult | SkippedArm:
    """What it came from, and what came of it."""
    return _link_chain("causal", ("a cause of", "an effect of"), query, sources)


def _link_chain(type: str, words: tuple[str, str], query: Query, sources: SearchSources) -> ArmResult | SkippedArm:
    if not query.seeds:
        return SkippedArm(type, "nothing was found to start from")
    steps = sources.store.link_chain([seed.id for seed in query.seeds[:_CHAIN_SEEDS]], type, query.depth)
    keep = set(sources.store.passing([step.id for step in steps], query.keep))
    found = [
        ArmCandidate(
            step.id, hop_weight(abs(step.steps)) * step.confidence, f"{words[step.steps > 0]} [id:{step.start}]"
        )
        for step in steps
        if step.id in keep
    ]
    found.sort(key=lambda each: (-each.score, each.id))
    return ArmResult(type, tuple(found[: query.reach]))


# Session arm: sessions are ranked by the evidence found in them, then their turns share it.
#
# One turn that fits may be chance; several in one conversation are a subject that was talked about.


_BEST_TURNS = 3  # of evidence: a session is as good as its best few turns, however long it is


def session_arm(query: Query, sources: SearchSources) -> ArmResult | SkippedArm:
    if not query.seeds:
        return SkippedArm("session", "nothing was found to start from")
    sessions = sources.store.session_ids([seed.id for seed in query.seeds])
    worth = session_evidence(query.seeds, sessions)
    turns = [(seed.id, worth[sessions[seed.id]]) for seed in query.seeds if sessions.get(seed.id) in worth]
    turns.sort(key=lambda each: (-each[1], each[0]))
    return ArmResult("session", tuple(ArmCandidate(id, score, "its conversation speaks of it") for id, score in turns))


def session_evidence(seeds: Iterable[SeedNode], sessions: Mapping[int, int]) -> dict[int, float]:
    """What each session with more than one piece is worth: the mean of its best, where a missing one counts nothing."""
    scores: dict[int, list[float]] = defaultdict(list)
    for seed in seeds:
        if seed.id in sessions:
            scores[sessions[seed.id]].append(seed.score)
    return {
        session: sum(sorted(found)[-_BEST_TURNS:]) / _BEST_TURNS for session, found in scores.items() if len(found) > 1
    }


# Time arm: a question that asks for nothing but a time is answered by the calendar, not by likeness.


def time_arm(query: Query, sources: SearchSources) -> ArmResult | SkippedArm:
    if query.when is None:
        return SkippedArm("time", "the question speaks of no time")
    if not query.when.pure:
        return SkippedArm("time", "the question asks for more than a time; the time favours, it does not filter")
    meant = time_window(query, sources.store)
    if meant is None:
        return SkippedArm("time", "the time it speaks of could not be placed")
    ids = _ids_inside(meant, query.keep, sources.store, query.reach)
    ids = ids or _ids_inside(meant.widened(), query.keep, sources.store, query.reach)
    said = ", ".join(clue.phrase.text for clue in query.when.clues)
    return ArmResult("time", tuple(ArmCandidate(id, 1.0, f"in the time asked for ({said})") for id in ids))


def _ids_inside(meant: TimeWindow, keep: NodeFilter, store: Store, limit: int) -> list[int]:
    ids: dict[int, None] = {}
    for each in meant.filters(keep):
        ids |= dict.fromkeys(store.matching(each, limit, "weightiest"))
    return list(ids)


# Recent arm: the latest nodes, whatever they speak of; for the start of a session, when nothing is asked yet.


_DAY = 86_400


def recent_arm(query: Query, sources: SearchSources) -> ArmResult:
    ids = sources.store.matching(query.keep, query.reach, "newest")
    nodes = sources.store.nodes(ids)
    ages = {id: max(0.0, (query.question.at - nodes[id].event_at).total_seconds() / _DAY) for id in ids}
    found = tuple(ArmCandidate(id, freshness(ages[id]), "among the latest") for id in ids)
    return ArmResult("recent", found, complete=len(ids) < query.reach)


def freshness(days: float) -> float:
    """1 now, a half after a day."""
    return 1 / (1 + days)


# Query → the stretches of time it speaks of, in the terms of this store: which microseconds, which sessions.


_CURRENT_SESSION = (
    600_000_000  # microseconds: an open session that spoke so lately is the one in which the question is asked
)


@dataclass(frozen=True, slots=True)
class TimeWindow:
    """Nodes of a stretch of time, or of some sessions, or both."""

    spans: tuple[TimeSpan, ...]
    sessions: frozenset[str]

    def holds(self, node: Node) -> bool:
        return node.session in self.sessions or any(span.holds(node.event_at) for span in self.spans)

    def filters(self, keep: NodeFilter) -> list[NodeFilter]:
        """One filter a stretch or session, each within what the caller allows anyway."""
        found = [replace(keep, session=name) for name in sorted(self.sessions) if keep.session in (None, name)]
        for span in self.spans:
            start, end = _micros(span.start), _micros(span.end)
            found.append(
                replace(
                    keep,
                    after=start if keep.after is None else max(start, keep.after),
                    before=end if keep.before is None else min(end, keep.before),
                )
            )
        return found

    def widened(self) -> TimeWindow:
        return replace(self, spans=tuple(span.widened() for span in self.spans))


def time_window(query: Query, store: Store) -> TimeWindow | None:
    """What the time clues of a query mean here; None when it has none that we can place."""
    if query.when is None:
        return None
    spans: list[TimeSpan] = []
    names: set[str] = set()
    for clue in query.when.clues:
        match clue:
            case DateClue(span=span):
                spans.append(span)
            case SessionsAgo():
                if clue.nearest:  # 0 is the one going on, which nobody has to be told of
                    asked = to_micros(query.question.at)
                    names |= set(store.sessions_back(asked, _CURRENT_SESSION, clue.nearest, clue.farthest))
            case SessionNumbers():
                names |= set(store.sessions_numbered(clue.first, clue.last))
            case EventClue():
                if (at := _event_time(clue.event, query, store)) is not None:
                    spans.append(clue.resolve(at))
            case ExtremeClue():
                pass  # the end of a row, not a stretch of time
    return TimeWindow(tuple(spans), frozenset(names)) if spans or names else None


def _event_time(event: str, query: Query, store: Store) -> datetime | None:
    """When a remembered event took place: the time of the node that speaks of it most."""
    wanted = fts_terms(search_terms(event))
    found = store.search_text(wanted, query.keep, 1) if wanted else []
    return store.node(found[0][0]).event_at if found else None


def _micros(at: datetime) -> int:
    return to_micros(min(max(at, EARLIEST), LATEST - timedelta(microseconds=1)))
