"""Fused scores → ranked hits: what a memory is worth moves it a little, relevance decides."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from omoide.layers import Node
from omoide.layers.entity import name_key
from omoide.recall import retold
from omoide.recall.fuse import Fused, best_of
from omoide.recall.hit import Hit
from omoide.recall.question import Query
from omoide.recall.search.arm import Sources
from omoide.recall.trace import Trace
from omoide.recall.weigh import Factor, View, weighted
from omoide.recall.when import End
from omoide.recall.why import explain
from omoide.recall.window import window

_ROUNDS = 3  # so many find places for what is told again; each reads as many more as were found so far
_CLOSE = 0.5  # of the best score: what is less relevant belongs to another row


@dataclass(frozen=True, slots=True)
class _Weighed:
    node: Node
    score: float
    fused: Fused
    factors: tuple[Factor, ...]


def rank(query: Query, fused: Mapping[int, Fused], sources: Sources, trace: Trace) -> list[Hit]:
    """The best, read, weighed and cut to what was asked for; who is dropped is told why."""
    ranked = _told_once(query, fused, sources, trace)
    if query.question.recipe.distinct:
        ranked = _distinct(ranked, trace)
    rerank = query.question.recipe.rerank
    wanted = query.limit if rerank is None or sources.reranker is None else max(query.limit, rerank.best)
    for each in ranked[wanted:]:
        trace.dropped[each.node.id] = below(query.limit)
    return [
        Hit(
            each.node,
            each.score,
            explain(query, each.node, each.fused, each.factors),
            _arms(each.fused),
            each.node.effective_confidence(query.question.at),
        )
        for each in ranked[:wanted]
    ]


def _distinct(ranked: Sequence[_Weighed], trace: Trace) -> list[_Weighed]:
    """The same words said twice stand once, by the better of the two."""
    first: dict[tuple[str, str], int] = {}
    kept = []
    for each in ranked:
        same = first.setdefault((each.node.kind, " ".join(each.node.text.casefold().split())), each.node.id)
        if same == each.node.id:
            kept.append(each)
        else:
            trace.dropped[each.node.id] = f"same words as [id:{same}]"
    return kept


def below(limit: int) -> str:
    return f"ranked below the {limit} that were asked for"


def _worth_reading(query: Query, fused: Mapping[int, Fused], more: int) -> list[Fused]:
    """Bounded multipliers move a hit few places, so only the best are read; others may move it any distance."""
    slack = query.question.recipe.slack
    everything = slack is None or query.asks_only_for_a_time
    return best_of(fused, None if everything else query.limit * 3 // 2 + (slack or 0) + more)


def _told_once(query: Query, fused: Mapping[int, Fused], sources: Sources, trace: Trace) -> list[_Weighed]:
    """In their order, without what says again what a better one says; its place is for one that was not read yet."""
    again: dict[int, int] = {}
    for _ in range(_ROUNDS):
        read = _worth_reading(query, fused, len(again))
        ranked = sorted(_weigh_all(query, read, sources, trace), key=_order(query))
        told = [each.node for each in ranked if retold.is_retold(each.node)]
        if not told or query.keep.tags:  # who asks for a tag wants what has it
            return ranked
        rests = sources.store.rests([node.id for node in told])
        ranked = _of_today(query, ranked, rests, [each.id for each in read], sources)
        before, again = len(again), retold.repeated([each.node for each in ranked], rests)
        enough = len(ranked) - len(again) >= query.limit * 3 // 2
        if enough or len(again) == before or len(read) == len(fused):
            break
    trace.dropped |= {id: f"says the same as [id:{other}]" for id, other in again.items()}
    return [each for each in ranked if each.node.id not in again]


def _of_today(
    query: Query,
    ranked: Sequence[_Weighed],
    rests: Mapping[int, frozenset[int]],
    found: Sequence[int],
    sources: Sources,
) -> list[_Weighed]:
    """What tells a state that is over falls behind, and what holds now stands where it stood."""
    if query.keep.as_of is not None or query.asks_only_for_a_time:
        return list(ranked)
    told = [each.node for each in ranked if each.node.id in rests]
    past = retold.over(told, rests, found, query.terms, query.keep, sources.store)
    held: dict[int, _Weighed] = {}
    for each in ranked:
        moved = [each]
        if each.node.id in past:
            factor = Factor("over", retold.OVER)
            moved = [_Weighed(each.node, each.score * factor.value, each.fused, (*each.factors, factor))]
            moved += [_instead(now, each) for now in past[each.node.id]]
        for one in moved:
            if one.node.id not in held or held[one.node.id].score < one.score:
                held[one.node.id] = one
    return sorted(held.values(), key=_order(query))


def _instead(now: Node, of: _Weighed) -> _Weighed:
    told = "tells that it ended" if retold.is_retold(now) else "holds now"
    why = f"{told}, where [id:{of.node.id}] tells what was"
    return _Weighed(now, of.score, Fused(now.id, of.score, (("now", 1, why),)), ())


def _order(query: Query) -> Callable[[_Weighed], tuple[Any, ...]]:
    """By relevance; of a time alone everything is equally relevant, so the weightiest come first, then in order."""
    if query.asks_only_for_a_time:
        return lambda each: (-each.node.importance, each.node.event_at, each.node.id)
    return lambda each: (-each.score, each.node.id)


def _weigh_all(query: Query, best: Sequence[Fused], sources: Sources, trace: Trace) -> list[_Weighed]:
    """Each node once, with the better of its scores when it was also found under a version it replaced."""
    nodes = sources.store.readable([each.id for each in best], query.keep)
    view = View(
        now=query.question.at,
        meant=None if query.asks_only_for_a_time else window(query, sources.store),
        speaker=spoken_of(query, nodes.values()),
        said=query.speaker.by if query.speaker else None,
        oneself=query.oneself,
        outcomes=_outcomes(query, nodes.values(), sources),
    )
    weighed: dict[int, _Weighed] = {}
    for each in best:
        node = nodes.get(each.id)
        if node is None:
            trace.dropped[each.id] = "not among what was asked for"
            continue
        if node.id != each.id:
            trace.dropped[each.id] = f"superseded by [id:{node.id}], which stands in its place"
        moves = query.question.recipe.multipliers(node, view)
        candidate = _Weighed(node, weighted(each.score, moves), each, moves)
        if node.id not in weighed or weighed[node.id].score < candidate.score:
            weighed[node.id] = candidate
    return _in_row(query, list(weighed.values()))


def _outcomes(query: Query, nodes: Iterable[Node], sources: Sources) -> dict[int, float]:
    """How tasks ended that were told these. That is of today: what was believed then was ranked without it."""
    return sources.store.outcome_effects([node.id for node in nodes]) if query.keep.as_of is None else {}


def _in_row(query: Query, weighed: list[_Weighed]) -> list[_Weighed]:
    """A question for the first or the latest favours that end of the row among what is relevant."""
    members = [each for each in weighed if any(arm != "neighbour" for arm in _arms(each.fused))]
    if query.end is None or not members or not query.question.recipe.row:
        return weighed
    by = row([(each.score, each.node.event_at) for each in members], query.end, query.question.recipe.row)
    moved = {each.node.id: factor for each, factor in zip(members, by, strict=True)}
    return [
        replace(each, score=each.score * factor.value, factors=(*each.factors, factor))
        if (factor := moved.get(each.node.id))
        else each
        for each in weighed
    ]


def spoken_of(query: Query, nodes: Iterable[Node]) -> str | None:
    """The one speaker that the question names; None when it names nobody who spoke, or several."""
    words = set(name_key(query.question.text).split())
    named = {node.speaker for node in nodes if node.speaker and words & set(name_key(node.speaker).split())}
    return named.pop() if len(named) == 1 else None


def row(found: Sequence[tuple[float, datetime]], end: End, share: float) -> list[Factor]:
    """For each (score, time): the more, the nearer to the end that is asked for, among those close to the best."""
    close = _CLOSE * max((score for score, _ in found), default=0.0)
    times = sorted({at for score, at in found if score >= close}, reverse=end == "first")
    steps = {at: step / (len(times) - 1) for step, at in enumerate(times)} if len(times) > 1 else {}
    return [Factor(end, 1 + share * (steps.get(at, 0.0) if score >= close else 0.0)) for score, at in found]


def _arms(fused: Fused) -> tuple[str, ...]:
    return tuple(dict.fromkeys(arm for arm, _, _ in fused.given))
