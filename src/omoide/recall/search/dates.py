"""Arms that search by the times that texts speak of, not by when they were said."""

from __future__ import annotations

from dataclasses import replace

from omoide.clock import DAY
from omoide.domain.mentioned_time import MentionedTime
from omoide.recall.candidates import ArmCandidate, ArmResult, SearchSources, SkippedArm
from omoide.recall.question import Query
from omoide.recall.search.arms import TimeWindow, micros, time_window

_LONGER = 31 * DAY  # a time may last this much longer than the one asked for: "in October" also answers for the 25th
_MOST_TIMES = 2_000
_REPLACED = 0.3  # factor of a turn whose date was moved or cancelled later
_REPEATED = 0.7  # factor of what an agent repeats
_FIRST = 0.1  # of two in the time asked for, the earlier one comes first, by at most this


def dates_arm(query: Query, sources: SearchSources) -> ArmResult | SkippedArm:
    """The nodes that speak of the time that the question names."""
    if query.when is None:
        return SkippedArm("the question names no time")
    if query.about_saying:
        return SkippedArm("the question asks what was said at that time")
    window = time_window(query, sources.store)
    if window is None or not window.spans:
        return SkippedArm("the time could not be resolved")
    scores = _scores(window, sources)
    found = (
        ArmCandidate(id, scores[id][0] * factor, f"speaks of that time ({scores[id][1].words})")
        for id, factor in _reliability(query, sources, list(scores)).items()
    )
    return ArmResult.ranked("dates", found, query.candidate_limit)


def dated_arm(query: Query, sources: SearchSources) -> ArmResult | SkippedArm:
    """Of the best nodes, those that speak of a time: a question with "when" asks for one."""
    if not query.seeds:
        return SkippedArm("nothing was found to start from")
    times = sources.store.times.of_nodes(query.seeds.ids.tolist())
    seeds = dict(query.seeds)
    found = (
        ArmCandidate(id, seeds[id] * factor, f"names a time ({times[id][0].words})")
        for id, factor in _reliability(query, sources, list(times)).items()
    )
    return ArmResult.ranked("dated", found, query.candidate_limit)


def _scores(window: TimeWindow, sources: SearchSources) -> dict[int, tuple[float, MentionedTime]]:
    """Each node with the share of its time that lies in the window; earlier ones are a little ahead."""
    best: dict[int, tuple[float, MentionedTime]] = {}
    for span in window.spans:
        since, until = micros(span.start), micros(span.end)
        found = sources.store.times.between(since, until, until - since + _LONGER, _MOST_TIMES)
        for node, time in found:
            inside = min(until, time.ends) - max(since, time.begins)
            share = inside / (time.ends - time.begins)
            late = max(0, time.begins - since) / (until - since)
            score = share * (1 - _FIRST * late)
            if node not in best or best[node][0] < score:
                best[node] = score, time
    return best


def _reliability(query: Query, sources: SearchSources, ids: list[int]) -> dict[int, float]:
    """The nodes that pass the filter, each with the factor of how much its date still holds."""
    passing = sources.store.search.passing(sorted(ids), replace(query.filter, superseded=False))
    replaced = sources.store.times.superseding(passing)
    agent = sources.store.times.said_by_agent(passing)
    return {id: (_REPLACED if id in replaced else 1.0) * (_REPEATED if id in agent else 1.0) for id in passing}
