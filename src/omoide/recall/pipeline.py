"""The read path on one screen: Question → Query → hits of each arm → fused → ranked."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from omoide.layers import Node
from omoide.recall import fuse
from omoide.recall.fuse import Fused
from omoide.recall.hit import Hit, Recall
from omoide.recall.judge import judge
from omoide.recall.query import understand
from omoide.recall.question import Query, Question
from omoide.recall.rank import Factor, about_oneself, factors, spoken_of, weighted
from omoide.recall.search import ARMS, Found, Sources
from omoide.recall.spread import spread_out, start_points
from omoide.recall.trace import Trace
from omoide.recall.why import explain
from omoide.recall.window import Window, window

_SLACK = 10  # candidates beyond the limit that are read and weighed: multipliers are bounded, they move few places


def answer(question: Question, sources: Sources) -> Recall:
    """Finds what matters and says why."""
    trace = Trace()
    with trace.stage("understand") as notes:
        query = understand(question, sources.store.entity_names())
        notes.append(_understood(query))
    found = _search(query, sources, trace)
    with trace.stage("fuse") as notes:
        fused = _fuse(query, found, sources)
        notes.append(f"{len(fused)} candidates by {question.recipe.fusion} scores")
    with trace.stage("spread") as notes:
        fused = _spread(query, fused, sources, notes)
    with trace.stage("rank") as notes:
        hits = _rank(query, fused, sources, trace)
        notes.append(f"{len(hits)} kept")
    with trace.stage("floor") as notes:
        judged = judge(query, hits, found, sources)
        trace.dropped |= {hit.id: judged.dropped for hit in hits if not judged.hits}
        notes.append(judged.verdict)
    return Recall(question.text, judged.hits, trace, judged.probability)


def _search(query: Query, sources: Sources, trace: Trace) -> list[Found]:
    """Asks every arm of the recipe. A question for a time alone is the time arm's; the others have nothing to go by."""
    found = []
    for arm in query.question.recipe.arms:
        if query.asks_only_for_a_time and arm != "time":
            continue
        with trace.stage(arm) as notes:
            result = ARMS[arm](query, sources)
            if isinstance(result, Found):
                found.append(result)
                notes.append(f"{len(result.candidates)} found")
            else:
                notes.append(f"skipped, {result.reason}")
    return found


def _fuse(query: Query, found: list[Found], sources: Sources) -> dict[int, Fused]:
    recipe = query.question.recipe
    if recipe.fusion == "reciprocal":
        return fuse.reciprocal(found, recipe.arms, recipe.rrf_k)
    fused = fuse.normalised(found, recipe.arms)
    if query.asks_only_for_a_time:
        return fused
    return fuse.by_length(fused, sources.store.lengths(list(fused)), recipe.half_worth)


def _spread(query: Query, fused: dict[int, Fused], sources: Sources, notes: list[str]) -> dict[int, Fused]:
    spread = query.question.recipe.spread
    if spread is None or not fused or query.asks_only_for_a_time:
        return fused
    beside = sources.store.neighbours(start_points(fused, spread), spread.reach)
    takers = {taker for _, taker, _, _ in beside}
    if query.keep.selective:  # a neighbour that may not be found must not take the place of one that may
        takers = set(sources.store.passing(sorted(takers), query.keep))
        beside = [each for each in beside if each[1] in takers]
    notes.append(f"{len(takers)} turns beside a hit")
    return spread_out(fused, beside, spread)


@dataclass(frozen=True, slots=True)
class _View:
    """What a question says of its answer besides the words: when it was, who said it, whom it is about."""

    meant: Window | None
    speaker: str | None
    oneself: bool


@dataclass(frozen=True, slots=True)
class _Weighed:
    node: Node
    score: float
    fused: Fused
    factors: tuple[Factor, ...]


def _rank(query: Query, fused: Mapping[int, Fused], sources: Sources, trace: Trace) -> list[Hit]:
    """The best, read, weighed and cut to what was asked for; who is dropped is told why."""
    question = query.question
    best = sorted(fused.values(), key=lambda each: (-each.score, each.id))
    if not query.asks_only_for_a_time:
        best = best[: question.limit * 3 // 2 + _SLACK]
    ranked = sorted(_weigh_all(query, best, sources, trace), key=_order(query))
    for late in ranked[question.limit :]:
        trace.dropped[late.node.id] = f"ranked below the {question.limit} that were asked for"
    return [
        Hit(each.node, each.score, explain(query, each.node, each.fused, each.factors), _arms(each.fused))
        for each in ranked[: question.limit]
    ]


def _order(query: Query) -> Callable[[_Weighed], tuple[Any, ...]]:
    """By relevance; of a time alone everything is equally relevant, so the weightiest come first, then in order."""
    if query.asks_only_for_a_time:
        return lambda each: (-each.node.importance, each.node.event_at, each.node.id)
    return lambda each: (-each.score, each.node.id)


def _weigh_all(query: Query, best: Sequence[Fused], sources: Sources, trace: Trace) -> list[_Weighed]:
    """Each node once, with the better of its scores when it was also found under a version it replaced."""
    nodes = _readable(query, [each.id for each in best], sources)
    view = _View(
        meant=None if query.asks_only_for_a_time else window(query, sources.store),
        speaker=spoken_of(query, nodes.values()),
        oneself=about_oneself(query),
    )
    weighed: dict[int, _Weighed] = {}
    for each in best:
        node = nodes.get(each.id)
        if node is None:
            trace.dropped[each.id] = "not among what was asked for"
            continue
        if node.id != each.id:
            trace.dropped[each.id] = f"superseded by [id:{node.id}], which stands in its place"
        candidate = _weigh(query, node, each, view)
        if node.id not in weighed or weighed[node.id].score < candidate.score:
            weighed[node.id] = candidate
    return list(weighed.values())


def _weigh(query: Query, node: Node, fused: Fused, view: _View) -> _Weighed:
    by = query.question.recipe.multipliers
    moves = [*factors(node, query.question.at, by)]
    if view.meant is not None and view.meant.holds(node):
        moves.append(Factor("time", 1 + by.time))
    if view.speaker is not None and node.speaker == view.speaker:
        moves.append(Factor("speaker", 1 + by.speaker))
    if view.oneself and node.role == "user":
        moves.append(Factor("myself", 1 + by.myself))
    return _Weighed(node, weighted(fused.score, moves), fused, tuple(moves))


def _readable(query: Query, ids: list[int], sources: Sources) -> dict[int, Node]:
    """The nodes by the ids they were found under: a superseded one is answered by what stands in its place today."""
    store, keep = sources.store, query.keep
    found = store.nodes(ids, keep.as_of)
    if keep.as_of is None:
        retired = [id for id, node in found.items() if node.state == "superseded"]
        for id, successor in store.current(retired).items():
            found[id] = successor
    allowed = set(store.passing([node.id for node in found.values()], keep))
    return {id: node for id, node in found.items() if node.id in allowed}


def _arms(fused: Fused) -> tuple[str, ...]:
    return tuple(arm for arm, _, _ in fused.given)


def _understood(query: Query) -> str:
    parts = [f"words {', '.join(query.terms) or 'none'}"]
    if query.phrases:
        parts.append(f"phrases {', '.join(query.phrases)}")
    if query.entities:
        parts.append(f"{len(query.entities)} entities")
    if query.when is not None:
        parts.append("time " + ", ".join(clue.phrase.text for clue in query.when.clues))
    return " · ".join(parts)
