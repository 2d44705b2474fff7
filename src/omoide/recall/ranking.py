"""Fused scores → ranked hits: what a memory is worth moves it a little, relevance decides."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, NamedTuple

from omoide.clock import to_micros
from omoide.domain import Node
from omoide.domain.entity import name_key
from omoide.domain.node import stated_value
from omoide.language.sentences import split_sentences
from omoide.language.time import RowEnd
from omoide.providers.protocols import Reranker
from omoide.recall import noise_floor
from omoide.recall.question import Query
from omoide.recall.recipes import RerankSettings
from omoide.recall.results import Hit
from omoide.recall.scoring import FusedScore, RankingView, ScoreFactor, apply_factors, best_fused
from omoide.recall.search.arm import SearchSources
from omoide.recall.search.structure_arms import time_window
from omoide.recall.trace import RecallTrace, explain_hit
from omoide.store import EndedFact, NodeFilter, Store

_MAX_PASSES = 3  # so many find places for what is told again; each reads as many more as were found so far
_SEQUENCE_FLOOR = 0.5  # of the best score: what is less relevant belongs to another row


@dataclass(frozen=True, slots=True)
class _ScoredNode:
    node: Node
    score: float
    fused: FusedScore
    factors: tuple[ScoreFactor, ...]


def rank(query: Query, fused: Mapping[int, FusedScore], sources: SearchSources, trace: RecallTrace) -> list[Hit]:
    """The best, read, weighed and cut to what was asked for; who is dropped is told why."""
    ranked = _without_repeated_summaries(query, fused, sources, trace)
    if query.question.recipe.distinct:
        ranked = _without_same_words(ranked, trace)
    rerank = query.question.recipe.rerank
    wanted = query.limit if rerank is None or sources.reranker is None else max(query.limit, rerank.best)
    for each in ranked[wanted:]:
        trace.dropped[each.node.id] = below_limit(query.limit)
    return [
        Hit(
            each.node,
            each.score,
            explain_hit(query, each.node, each.fused, each.factors),
            _arms(each.fused),
            each.node.effective_confidence(query.question.at),
        )
        for each in ranked[:wanted]
    ]


def _without_same_words(ranked: Sequence[_ScoredNode], trace: RecallTrace) -> list[_ScoredNode]:
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


def below_limit(limit: int) -> str:
    return f"ranked below the {limit} that were asked for"


def _candidates_to_read(query: Query, fused: Mapping[int, FusedScore], more: int) -> list[FusedScore]:
    """Bounded multipliers move a hit few places, so only the best are read; others may move it any distance."""
    slack = query.question.recipe.slack
    everything = slack is None or query.asks_only_for_a_time
    return best_fused(fused, None if everything else query.limit * 3 // 2 + (slack or 0) + more)


def _without_repeated_summaries(
    query: Query, fused: Mapping[int, FusedScore], sources: SearchSources, trace: RecallTrace
) -> list[_ScoredNode]:
    """In their order, without what says again what a better one says; its place is for one that was not read yet."""
    again: dict[int, int] = {}
    for _ in range(_MAX_PASSES):
        read = _candidates_to_read(query, fused, len(again))
        ranked = sorted(_score_all(query, read, sources, trace), key=_order(query))
        told = [each.node for each in ranked if is_summary(each.node)]
        if not told or query.keep.tags:  # who asks for a tag wants what has it
            return ranked
        rests = sources.store.rests([node.id for node in told])
        ranked = _with_outdated_summaries_moved(query, ranked, rests, [each.id for each in read], sources)
        before, again = len(again), repeated_summaries([each.node for each in ranked], rests)
        enough = len(ranked) - len(again) >= query.limit * 3 // 2
        if enough or len(again) == before or len(read) == len(fused):
            break
    trace.dropped |= {id: f"says the same as [id:{other}]" for id, other in again.items()}
    return [each for each in ranked if each.node.id not in again]


def _with_outdated_summaries_moved(
    query: Query,
    ranked: Sequence[_ScoredNode],
    rests: Mapping[int, frozenset[int]],
    found: Sequence[int],
    sources: SearchSources,
) -> list[_ScoredNode]:
    """What tells a state that is over falls behind, and what holds now stands where it stood."""
    if query.keep.as_of is not None or query.asks_only_for_a_time:
        return list(ranked)
    told = [each.node for each in ranked if each.node.id in rests]
    past = outdated_summaries(told, rests, found, query.terms, query.keep, sources.store)
    held: dict[int, _ScoredNode] = {}
    for each in ranked:
        moved = [each]
        if each.node.id in past:
            factor = ScoreFactor("over", OUTDATED_FACTOR)
            moved = [_ScoredNode(each.node, each.score * factor.value, each.fused, (*each.factors, factor))]
            moved += [_replacement(now, each) for now in past[each.node.id]]
        for one in moved:
            if one.node.id not in held or held[one.node.id].score < one.score:
                held[one.node.id] = one
    return sorted(held.values(), key=_order(query))


def _replacement(now: Node, of: _ScoredNode) -> _ScoredNode:
    told = "tells that it ended" if is_summary(now) else "holds now"
    why = f"{told}, where [id:{of.node.id}] tells what was"
    return _ScoredNode(now, of.score, FusedScore(now.id, of.score, (("now", 1, why),)), ())


def _order(query: Query) -> Callable[[_ScoredNode], tuple[Any, ...]]:
    """By relevance; of a time alone everything is equally relevant, so the weightiest come first, then in order."""
    if query.asks_only_for_a_time:
        return lambda each: (-each.node.importance, each.node.event_at, each.node.id)
    return lambda each: (-each.score, each.node.id)


def _score_all(
    query: Query, best: Sequence[FusedScore], sources: SearchSources, trace: RecallTrace
) -> list[_ScoredNode]:
    """Each node once, with the better of its scores when it was also found under a version it replaced."""
    nodes = sources.store.readable([each.id for each in best], query.keep)
    view = RankingView(
        now=query.question.at,
        meant=None if query.asks_only_for_a_time else time_window(query, sources.store),
        speaker=named_speaker(query, nodes.values()),
        said=query.speaker.by if query.speaker else None,
        oneself=query.oneself,
        outcomes=_outcomes(query, nodes.values(), sources),
    )
    weighed: dict[int, _ScoredNode] = {}
    for each in best:
        node = nodes.get(each.id)
        if node is None:
            trace.dropped[each.id] = "not among what was asked for"
            continue
        if node.id != each.id:
            trace.dropped[each.id] = f"superseded by [id:{node.id}], which stands in its place"
        moves = query.question.recipe.multipliers(node, view)
        candidate = _ScoredNode(node, apply_factors(each.score, moves), each, moves)
        if node.id not in weighed or weighed[node.id].score < candidate.score:
            weighed[node.id] = candidate
    return _favour_sequence_end(query, list(weighed.values()))


def _outcomes(query: Query, nodes: Iterable[Node], sources: SearchSources) -> dict[int, float]:
    """How tasks ended that were told these. That is of today: what was believed then was ranked without it."""
    return sources.store.outcome_effects([node.id for node in nodes]) if query.keep.as_of is None else {}


def _favour_sequence_end(query: Query, weighed: list[_ScoredNode]) -> list[_ScoredNode]:
    """A question for the first or the latest favours that end of the row among what is relevant."""
    members = [each for each in weighed if any(arm != "neighbour" for arm in _arms(each.fused))]
    if query.end is None or not members or not query.question.recipe.row:
        return weighed
    by = sequence_factors([(each.score, each.node.event_at) for each in members], query.end, query.question.recipe.row)
    moved = {each.node.id: factor for each, factor in zip(members, by, strict=True)}
    return [
        replace(each, score=each.score * factor.value, factors=(*each.factors, factor))
        if (factor := moved.get(each.node.id))
        else each
        for each in weighed
    ]


def named_speaker(query: Query, nodes: Iterable[Node]) -> str | None:
    """The one speaker that the question names; None when it names nobody who spoke, or several."""
    words = set(name_key(query.question.text).split())
    named = {node.speaker for node in nodes if node.speaker and words & set(name_key(node.speaker).split())}
    return named.pop() if len(named) == 1 else None


def sequence_factors(found: Sequence[tuple[float, datetime]], end: RowEnd, share: float) -> list[ScoreFactor]:
    """For each (score, time): the more, the nearer to the end that is asked for, among those close to the best."""
    close = _SEQUENCE_FLOOR * max((score for score, _ in found), default=0.0)
    times = sorted({at for score, at in found if score >= close}, reverse=end == "first")
    steps = {at: step / (len(times) - 1) for step, at in enumerate(times)} if len(times) > 1 else {}
    return [ScoreFactor(end, 1 + share * (steps.get(at, 0.0) if score >= close else 0.0)) for score, at in found]


def _arms(fused: FusedScore) -> tuple[str, ...]:
    return tuple(dict.fromkeys(arm for arm, _, _ in fused.given))


# What says again what turns said: it stands once, and below what holds now where it tells what is over.
#
# A condensed episode, a day, a week and a made narrative rest on the same turns and often say the same sentence. Turns
# themselves are never touched: what was said twice was said at two times.


OUTDATED_FACTOR = 0.5  # of its score: it may still answer, where nothing else does
_REPEATED_SHARE = 0.5  # of its words, said by another that rests on the same turns


def is_summary(node: Node) -> bool:
    """Whether it was made from turns and tells them again."""
    if node.kind == "narrative":
        return node.source_type == "consolidation"
    return node.kind == "episode" and (node.attributes.get("compression") or "raw") != "raw"


class _Summary(NamedTuple):
    """A summary, the sentences and the words it says, and the turns it rests on."""

    id: int
    said: frozenset[str]
    words: frozenset[str]
    turns: frozenset[int]

    def is_in(self, other: _Summary) -> bool:
        """Whether the other one says every sentence of it, or most of its words, of the same turns."""
        if self.said <= other.said:
            return True
        return self.turns <= other.turns and len(self.words & other.words) >= _REPEATED_SHARE * len(self.words)


def repeated_summaries(ranked: Sequence[Node], rests: Mapping[int, frozenset[int]]) -> dict[int, int]:
    """{summary: the better one that says the same}, of nodes in their order, best first."""
    kept: list[_Summary] = []
    found: dict[int, int] = {}
    for node in filter(is_summary, ranked):
        words = frozenset(name_key(node.text).split())
        told = _Summary(node.id, _sentence_keys(node.text), words, rests.get(node.id, frozenset()))
        same = next((other.id for other in kept if told.is_in(other)), None)
        if same is None:
            kept.append(told)
        else:
            found[node.id] = same
    return found


def _sentence_keys(text: str) -> frozenset[str]:
    """Without who said them: a day names its speaker once, and a session again."""
    lines = (line.partition(": ")[2] or line for line in text.splitlines())
    return frozenset(name_key(each) for line in lines for each in split_sentences(line))


def outdated_summaries(
    nodes: Sequence[Node],
    rests: Mapping[int, frozenset[int]],
    found: Iterable[int],
    terms: Sequence[str],
    keep: NodeFilter,
    store: Store,
) -> dict[int, tuple[Node, ...]]:
    """{summary: what holds now instead} of those whose words about what was asked are over: they were learned from its
    turns, or are said by a fact that was found too and has ended since.

    Nothing may hold now: then it ended, and the summary tells of the past all the same."""
    learned = store.learned_and_over(frozenset().union(*rests.values()), found)
    ids = {each.id for each in learned} | {each.instead for each in learned if each.instead is not None}
    now = {id: node for id, node in store.readable(sorted(ids), keep).items() if node.state == "live"} if ids else {}
    instead = {each.id: now.get(each.id) or now.get(each.instead or 0) for each in learned}
    values = {each.id: _padded_words(each.value) for each in learned}
    past: dict[int, tuple[Node, ...]] = {}
    for node in nodes:
        turns, text = rests.get(node.id, frozenset()), _padded_words(node.text)
        named = [each for each in learned if values[each.id] in text]
        ended = [each.id for each in named if _states_outdated_value(node, each, turns, instead[each.id], terms)]
        if ended:
            held = [each for id in ended if (each := instead[id]) is not None]
            past[node.id] = tuple({each.id: each for each in held}.values())
    return past


def _states_outdated_value(
    node: Node, past: EndedFact, turns: frozenset[int], instead: Node | None, terms: Sequence[str]
) -> bool:
    """Whether a sentence about what was asked names the old value, and the whole never the one that holds now."""
    if instead is not None and _contains_words(node.text, stated_value(instead.attributes)):
        return False
    learned = not turns.isdisjoint(past.turns)
    holds = instead is not None and bool(stated_value(instead.attributes))
    if not learned and (to_micros(node.event_at) > past.until or (not holds and turns & past.after)):
        return False  # what was said at its end may tell of it: where nothing holds now, there is no more to say
    return any(
        _contains_words(each, past.value)
        and noise_floor.share_of_terms(terms, each) > 0
        and (learned or _adds_nothing(past, line, each, terms))
        for line in node.text.splitlines()
        for each in split_sentences(line)
    )


def _adds_nothing(past: EndedFact, line: str, sentence: str, terms: Sequence[str]) -> bool:
    """Whether a sentence, of whoever its line names, says no more of what was asked than the fact did."""
    whose = past.subject is not None and _contains_words(line, past.subject)
    return whose and noise_floor.share_of_terms(terms, sentence) <= noise_floor.share_of_terms(terms, past.text)


def _contains_words(text: str, value: str) -> bool:
    return bool(value) and _padded_words(value) in _padded_words(text)


def _padded_words(text: str) -> str:
    """Its words, so that none is found within another."""
    return f" {name_key(text)} "


# The best hits, read again together with the question. What a reranker raises is told and never breaks recall.


def rerank_hits(
    question: str, hits: Sequence[Hit], by: RerankSettings, reranker: Reranker, notes: list[str]
) -> list[Hit]:
    """The best in the reranker's order, the rest behind them. The scores stay in their order: they say how sure we were
    of a place, and a reranker's numbers have a scale of their own."""
    best, rest = list(hits[: by.best]), list(hits[by.best :])
    try:
        scores = (
            _checked_scores(reranker.scores(question, [dated_text(hit) for hit in best]), len(best)) if best else []
        )
    except Exception as error:  # whatever somebody else's model raises
        notes.append(f"skipped, {reranker.name}: {type(error).__name__}: {error}")
        return [*best, *rest]
    order = sorted(range(len(best)), key=lambda place: (-scores[place], place))
    notes.append(f"{len(best)} read again by {reranker.name}")
    return [
        replace(best[old], score=best[new].score, why=_moved_reason(best[old].why, old, new))
        for new, old in enumerate(order)
    ] + rest


def dated_text(hit: Hit) -> str:
    """With the day in front: a reranker that is asked "when" or "lately" must see it."""
    return f"{hit.node.event_at.date().isoformat()}: {hit.text}"


def _checked_scores(scores: Sequence[float], count: int) -> list[float]:
    found = [float(score) for score in scores]
    if len(found) != count or not all(map(math.isfinite, found)):
        raise ValueError(f"expected {count} finite numbers, got {len(found)}")
    return found


def _moved_reason(why: str, old: int, new: int) -> str:
    return why if old == new else f"{why} · read again, from place {old + 1} to {new + 1}"
