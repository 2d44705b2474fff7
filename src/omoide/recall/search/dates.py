"""Times that texts speak of, not when they were said: arms that search by them, and which no longer hold.

A statement that fills a slot is superseded when it is learned. Turns, and statements without a slot, are compared when
they are read: with a later text that announces a change, speaks of the same event, and was said before the old time.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import TYPE_CHECKING

import numpy as np

from omoide.clock import DAY, to_micros
from omoide.domain import Node
from omoide.domain.changed import changed
from omoide.domain.node import MentionedTime
from omoide.language.registry import language_pattern
from omoide.language.text import fts_terms, search_terms, word_rank
from omoide.language.time.rescheduling import (
    Announcement,
    PlannedEvent,
    announcement_in,
    announcing_words,
    event_of,
    returns_yearly,
    search_words,
)
from omoide.recall.candidates import ArmCandidate, ArmResult, Candidates, SearchSources, SkippedArm
from omoide.recall.currency import matter_words
from omoide.recall.question import Query
from omoide.recall.search.arms import TimeWindow, micros, time_window
from omoide.store import NodeRow, Store

if TYPE_CHECKING:
    from omoide.recall.recipes import UpdateSettings


_LONGER = 31 * DAY  # a time may last this much longer than the one asked for: "in October" also answers for the 25th
_MOST_TIMES = 2_000
_MOST_FOUND = 200  # later texts of which it is seen whether they announce a change
_MOST_WORDS = 60  # of the planned events, by which those are searched
_REPLACED = 0.3  # factor of a turn whose date was moved or cancelled later
_REPEATED = 0.7  # factor of what an agent repeats
_COMPARED = 100  # of the nodes found it is seen whether their time was moved
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


def has_date_arm(query: Query, sources: SearchSources) -> ArmResult | SkippedArm:
    """Of the best nodes, those that speak of a time: a question with "when" asks for one."""
    if not query.seeds:
        return SkippedArm("nothing was found to start from")
    times = sources.store.times.of_nodes(query.seeds.ids.tolist())
    seeds = dict(query.seeds)
    found = (
        ArmCandidate(id, seeds[id] * factor, f"names a time ({times[id][0].words})")
        for id, factor in _reliability(query, sources, list(times)).items()
    )
    return ArmResult.ranked("has_date", found, query.candidate_limit)


def _scores(window: TimeWindow, sources: SearchSources) -> dict[int, tuple[float, MentionedTime]]:
    """Each node with the share of its time that lies in the window; earlier ones are a little ahead.

    For a time that was moved or cancelled the node that says so is taken.
    """
    scored: dict[tuple[int, MentionedTime], float] = {}
    for span in window.spans:
        since, until = micros(span.start), micros(span.end)
        for node, time in sources.store.times.between(since, until, until - since + _LONGER, _MOST_TIMES):
            inside = min(until, time.ends) - max(since, time.begins)
            late = max(0, time.begins - since) / (until - since)
            score = inside / (time.ends - time.begins) * (1 - _FIRST * late)
            scored[node, time] = max(score, scored.get((node, time), 0.0))
    best: dict[int, tuple[float, MentionedTime]] = {}
    changed = _changed(sorted(scored, key=lambda each: -scored[each])[:_COMPARED], sources)
    for (node, time), score in scored.items():
        teller = changed.get((node, time))
        node, score = (node, score) if teller is None else (teller, score * _REPLACED)
        if node not in best or best[node][0] < score:
            best[node] = score, time
    return best


def _changed(mentions: list[tuple[int, MentionedTime]], sources: SearchSources) -> dict[tuple[int, MentionedTime], int]:
    """Of nodes and times, those that were moved or cancelled, each with the node that says so."""
    nodes = sources.store.nodes.fetch({id for id, _ in mentions})
    planned = [Planned(nodes[id], time) for id, time in mentions if id in nodes]
    changes = changes_of(sources.store, planned)
    return {(each.node.id, each.time): change.node.id for each, change in changes.items()}


def _reliability(query: Query, sources: SearchSources, ids: list[int]) -> dict[int, float]:
    """The nodes that pass the filter, each with the factor of how much its date still holds."""
    passing = sources.store.search.passing(sorted(ids), changed(query.filter, superseded=False))
    replaced = sources.store.times.superseding(passing)
    agent = sources.store.times.said_by_agent(passing)
    return {id: (_REPLACED if id in replaced else 1.0) * (_REPEATED if id in agent else 1.0) for id in passing}


# ── which of them no longer hold ──


@dataclass(frozen=True, slots=True)
class Planned:
    """A node and a time that it speaks of."""

    node: Node
    time: MentionedTime

    def __hash__(self) -> int:  # the details of a node may hold lists
        return hash((self.node.id, self.time))


@dataclass(frozen=True, slots=True)
class Change:
    """What became of a planned time: the node that says so, the times that it names, and the first of the new ones."""

    node: Node
    told: Announcement
    old: tuple[MentionedTime, ...]
    new: MentionedTime | None

    @property
    def is_move(self) -> bool:
        return self.told.change == "moved" or self.new is not None


def changes_of(store: Store, planned: Sequence[Planned], seen: Sequence[int] | None = None) -> dict[Planned, Change]:
    """The planned times that were moved or cancelled later, each with the change.

    `seen` are the nodes that may tell of it; without them all are searched.
    """
    events = {
        each: event_of(each.node.text, each.time.words)
        for each in planned
        if not returns_yearly(each.node.text, each.time.words)
    }
    if not events:
        return {}
    nodes = store.nodes.fetch(_said_later(store, events) if seen is None else seen)
    spoken = {id: announcement_in(node.text) for id, node in nodes.items() if node.role != "agent"}
    told = {id: announcement for id, announcement in spoken.items() if announcement is not None}
    times = store.times.of_nodes(list(told))
    changes = [_change(nodes[id], told[id], times.get(id, ())) for id in told]
    found: dict[Planned, Change] = {}
    for change in sorted(changes, key=lambda each: (each.node.event_at, each.node.id)):
        said = change.node.event_at  # a statement takes the place of its turn
        still = {
            each: event for each, event in events.items() if each not in found or found[each].node.event_at == said
        }
        found |= dict.fromkeys(_meant(change, still), change)
    return found


def earlier_plans(store: Store, hits: Sequence[Node]) -> dict[int, int]:
    """Of the nodes, those whose times were all moved or cancelled, each with the newest of the others that says so."""
    if not any(node.role != "agent" and announcement_in(node.text) for node in hits):
        return {}
    times = store.times.of_nodes([node.id for node in hits])
    planned = [Planned(node, time) for node in hits for time in times.get(node.id, ())]
    changes = changes_of(store, planned, [node.id for node in hits])
    kept = {each.node.id for each in planned if each not in changes}
    return {each.node.id: change.node.id for each, change in changes.items() if each.node.id not in kept}


def _change(node: Node, told: Announcement, times: Sequence[MentionedTime]) -> Change:
    """In "the 14th is cancelled" the clause names the old time, in "moved to the 14th" the new one follows."""
    if told.change == "cancelled":
        old = tuple(each for each in times if each.words in told.clause)
        return Change(node, told, old, next((each for each in times if each not in old), None))
    following = sorted((place, each) for each in times if (place := told.rest.find(each.words)) >= 0)
    return Change(node, told, (), following[0][1] if following else next(iter(times), None))


def _said_later(store: Store, events: Mapping[Planned, PlannedEvent]) -> list[int]:
    words = sorted({word for event in events.values() for word in search_words(event)})[:_MOST_WORDS]
    about, announced = (
        fts_terms(term for word in each for term in search_terms(word)) for each in (words, announcing_words())
    )
    if not about:
        return []
    since = min(to_micros(each.node.event_at) for each in events)
    return store.times.said_later(f"({' OR '.join(about)}) AND ({' OR '.join(announced)})", since, _MOST_FOUND)


def _meant(change: Change, events: Mapping[Planned, PlannedEvent]) -> list[Planned]:
    """The planned times that a text changes: of the event most like the one that it names, the first to come."""
    likeness = {
        each: len(event.words & change.told.event.words)
        for each, event in events.items()
        if _may_change(each, change) and event.is_same(change.told.event)
    }
    best = [each for each, value in likeness.items() if value == max(likeness.values())]
    first = min((each.time for each in best), default=None)
    return [each for each in best if first is not None and first.overlaps(each.time)]


def _may_change(planned: Planned, change: Change) -> bool:
    """Whether the change was said later than the plan, before its time was over, and of this time or none."""
    said, told = ((each.event_at, each.id) for each in (planned.node, change.node))
    if said >= told or planned.time.ends <= to_micros(change.node.event_at):
        return False
    if change.old and not any(map(planned.time.overlaps, change.old)):
        return False
    return change.new is None or change.new.begins != planned.time.begins


# What was said later on the matter of the best candidates.
#
# "What do I charge at night?" finds the prices of August. That they went up in October shares no word with the
# question, but much with the prices of August. So the best candidates are compared with what was said after them.


_SPEAKERS_OF = 30  # of the best candidates it is seen whether several people talk
_REMEMBERED = 4_096  # texts
_LONGEST = 400  # characters
_NEXT_TURNS, _CORRECTED = 2, 0.95  # turns after the best; what one that corrects it gets of its score
_EVERYDAY_WORDS, _EVERYDAY = 1_000, 0.4  # the weight of the most frequent words, beside 1 for all others


def raise_updates(query: Query, fused: Candidates, settings: UpdateSettings, sources: SearchSources) -> Candidates:
    """The candidates with those raised, or added, that speak of the same matter as a better and older one."""
    best, highest = fused.in_order()[:_SPEAKERS_OF].columns
    read = sources.rows
    rows = read(best, query.filter)
    if len({each.speaker for each in rows.values() if each.kind == "episode" and each.role != "agent"}) > 1:
        return fused  # a talk of several people: what sounds alike is mostly an answer
    told = [rows[id] for id in best if id in rows and rows[id].id == id and _on_one_matter(rows[id])]
    scores = dict(zip(best, highest, strict=True))
    seeds = [each for each in told if scores[each.id] >= settings.least_score * highest[0]][: settings.seeds]
    index = sources.vectors()
    near: dict[int, dict[int, float]] = {}
    for id, vector in zip(*index.rows([each.id for each in seeds]), strict=True):
        found = sources.store.search.nearest(sources.model_id(), vector, query.filter, settings.near)
        near[id] = {other: score for other, score in found if other != id}
    after = {each.id: _next_turns(each.id, sources) for each in seeds}
    others = read(_ids_on_one_matter([*near.values(), *after.values()], sources), query.filter)
    gains: dict[int, tuple[float, int]] = {}
    for seed in seeds:
        said_next = next((others[id] for id in after[seed.id] if id in others), None)
        if said_next is not None and language_pattern("correction_openings").match(said_next.text):
            gains[said_next.id] = scores[seed.id] * _CORRECTED, seed.id
        for id, likeness in _updates_of(seed, near.get(seed.id, {}), others)[: settings.most]:
            gain = scores[seed.id] * min(0.95, settings.share * likeness)
            if likeness >= settings.likeness and gain > gains.get(id, (0.0, 0))[0]:
                gains[id] = gain, seed.id
    return fused.raised(gains)


def _next_turns(id: int, sources: SearchSources) -> list[int]:
    """The next turns of the session, of which the first may be the agent's; 0 where there is none."""
    steps = sources.store.search.columns().neighbours(np.array([id]), _NEXT_TURNS)
    return [int(found[0]) for _, found in steps[_NEXT_TURNS:]]


def _ids_on_one_matter(near: Iterable[Iterable[int]], sources: SearchSources) -> list[int]:
    """As `_on_one_matter`, before the rows are read."""
    ids, columns = (
        np.array(sorted({id for found in near for id in found} - {0}), np.int64),
        sources.store.search.columns(),
    )
    found: list[int] = ids[~columns.by_agent(ids) & (columns.length(ids) <= _LONGEST)].tolist()
    return found


def _updates_of(seed: NodeRow, near: Mapping[int, float], others: Mapping[int, NodeRow]) -> list[tuple[int, float]]:
    """What was said after the seed, the most alike first."""
    said, found = seed.event_at, []
    for id, cosine in near.items():
        other = others.get(id)
        if other is not None and other.id == id and _on_one_matter(other) and other.event_at > said:
            found.append((id, cosine + _shared(matter_words(seed), matter_words(other))))
    return sorted(found, key=lambda each: -each[1])


def _on_one_matter(node: NodeRow) -> bool:
    """The agent's words change nothing, and a long text speaks of many matters."""
    return node.role != "agent" and len(node.text) <= _LONGEST


def _shared(one: frozenset[str], other: frozenset[str]) -> float:
    common = one & other
    return _weight(common) / math.sqrt(_weight(one) * _weight(other)) if common else 0.0


@lru_cache(_REMEMBERED)
def _weight(words: frozenset[str]) -> float:
    return len(words) - (1 - _EVERYDAY) * sum(map(_is_everyday, words))


@cache
def _is_everyday(word: str) -> bool:
    rank = word_rank(word)
    return rank is not None and rank < _EVERYDAY_WORDS
