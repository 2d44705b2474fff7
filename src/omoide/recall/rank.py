"""Fused scores → ranked hits: what a memory is worth moves it a little, relevance decides."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from omoide.layers import Node
from omoide.layers.entity import name_key
from omoide.recall.fuse import Fused, best_of
from omoide.recall.hit import Hit
from omoide.recall.question import Query
from omoide.recall.search.arm import Sources
from omoide.recall.trace import Trace
from omoide.recall.weigh import Factor, View, weighted
from omoide.recall.why import explain
from omoide.recall.window import window

_MYSELF = frozenset(("i", "me", "my", "mine"))
_YOURSELF = frozenset(("you", "your", "yours"))


@dataclass(frozen=True, slots=True)
class _Weighed:
    node: Node
    score: float
    fused: Fused
    factors: tuple[Factor, ...]


def rank(query: Query, fused: Mapping[int, Fused], sources: Sources, trace: Trace) -> list[Hit]:
    """The best, read, weighed and cut to what was asked for; who is dropped is told why."""
    question = query.question
    ranked = sorted(_weigh_all(query, _worth_reading(query, fused), sources, trace), key=_order(query))
    for late in ranked[question.limit :]:
        trace.dropped[late.node.id] = f"ranked below the {question.limit} that were asked for"
    return [
        Hit(each.node, each.score, explain(query, each.node, each.fused, each.factors), _arms(each.fused))
        for each in ranked[: question.limit]
    ]


def _worth_reading(query: Query, fused: Mapping[int, Fused]) -> list[Fused]:
    """Bounded multipliers move a hit few places, so only the best are read; others may move it any distance."""
    slack = query.question.recipe.slack
    everything = slack is None or query.asks_only_for_a_time
    return best_of(fused, None if everything else query.question.limit * 3 // 2 + (slack or 0))


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
        moves = query.question.recipe.multipliers(node, view)
        candidate = _Weighed(node, weighted(each.score, moves), each, moves)
        if node.id not in weighed or weighed[node.id].score < candidate.score:
            weighed[node.id] = candidate
    return list(weighed.values())


def spoken_of(query: Query, nodes: Iterable[Node]) -> str | None:
    """The one speaker that the question names; None when it names nobody who spoke, or several."""
    words = set(name_key(query.question.text).split())
    named = {node.speaker for node in nodes if node.speaker and words & set(name_key(node.speaker).split())}
    return named.pop() if len(named) == 1 else None


def about_oneself(query: Query) -> bool:
    """Whether the user asks about themselves and not about what the agent said."""
    words = set(name_key(query.question.text).split())
    return bool(words & _MYSELF) and not words & _YOURSELF


def _arms(fused: Fused) -> tuple[str, ...]:
    return tuple(dict.fromkeys(arm for arm, _, _ in fused.given))
