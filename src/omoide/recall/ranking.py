"""From fused scores to ranked hits: reads the best nodes, applies the multipliers of the recipe, removes repeated and
demotes outdated summaries; and reranking."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
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
from omoide.recall.candidates import Candidates, Reason, SearchSources
from omoide.recall.currency import asks_for_past, told_by_others
from omoide.recall.noise_floor import share_of_terms
from omoide.recall.question import Query
from omoide.recall.recipes import RerankSettings
from omoide.recall.results import Hit, RecallTrace, explain_hit
from omoide.recall.scoring import RankedNode, RankingView, ScoreFactor, apply_factors
from omoide.recall.search.arms import time_window
from omoide.store import EndedFact, NodeFilter, NodeRow, Store
from omoide.store.search.node_columns import ScoredNodes

_MAX_PASSES = 3  # each pass reads as many more nodes as repeated summaries were found
_PAGE = 10  # hits
_SEQUENCE_FLOOR = 0.5  # share of the best score; a less relevant node is not part of the sequence


@dataclass(slots=True)
class _ScoredNode:
    node: RankedNode
    score: float
    factors: tuple[ScoreFactor, ...]
    found: int  # the candidate it was found by; another id if the node replaces that one
    instead: str = ""  # why it is returned instead of an outdated summary


def rank(query: Query, fused: Candidates, sources: SearchSources, trace: RecallTrace) -> list[Hit]:
    """Read and score the best nodes and cut them to the limit. Every dropped node gets a reason in the trace."""
    ranked = _with_named_time(query, _without_repeated_summaries(query, fused, sources, trace))
    if query.recipe.drop_duplicates:
        ranked = _without_same_words(ranked, trace)
    if query.recipe.told_once:
        ranked = _told_once(query, ranked, sources, trace)
    rerank = query.recipe.rerank
    wanted = query.limit if rerank is None or sources.reranker is None else max(query.limit, rerank.best)
    trace.dropped |= dict.fromkeys((each.node.id for each in ranked[wanted:]), below_limit(query.limit))
    reasons = fused.reasons([each.found for each in ranked[:wanted]])
    return [_hit(query, each, reasons[each.found]) for each in ranked[:wanted]]


def _hit(query: Query, each: _ScoredNode, reasons: list[Reason]) -> Hit:
    node = each.node.record if isinstance(each.node, NodeRow) else each.node
    reasons = [("now", 1, each.instead)] if each.instead else reasons
    why = explain_hit(query, node, reasons, each.factors)
    if each.found != node.id and not each.instead:
        why = f"replaces [id:{each.found}], which was found · {why}"
    arms = tuple(dict.fromkeys(arm for arm, _, _ in reasons))
    return Hit(node, each.score, why, arms, node.effective_confidence(query.question.at))


def _with_named_time(query: Query, ranked: list[_ScoredNode]) -> list[_ScoredNode]:
    """If the question names a time: of ten hits at least some of that time and at least as many others.

    The time may be that of the telling or of the event, so a filter by it loses answers. Scores stay with the places.
    """
    least = query.recipe.least_of_time
    timeless = query.when is None or query.asks_only_for_time
    if not least or timeless or not any(_is_in_time(each) for each in ranked):
        return ranked
    rest, mixed = list(ranked), list[_ScoredNode]()
    while rest:
        inside, outside = [each for each in rest if _is_in_time(each)], [each for each in rest if not _is_in_time(each)]
        sure = [*inside[:least], *outside[:least]]
        sure += [each for each in rest if each not in sure][: _PAGE - len(sure)]
        mixed += sorted(sure, key=_order(query))
        rest = [each for each in rest if each not in sure]
    return [replace(each, score=place.score) for each, place in zip(mixed, ranked, strict=True)]


def _is_in_time(each: _ScoredNode) -> bool:
    return any(factor.name == "time" for factor in each.factors)


def _without_same_words(ranked: Sequence[_ScoredNode], trace: RecallTrace) -> list[_ScoredNode]:
    """Keep the best of several nodes with the same text."""
    first: dict[tuple[str, str], int] = {}
    kept = []
    for each in ranked:
        same = first.setdefault((each.node.kind, " ".join(each.node.text.casefold().split())), each.node.id)
        if same == each.node.id:
            kept.append(each)
        else:
            trace.dropped[each.node.id] = f"same words as [id:{same}]"
    return kept


def _told_once(
    query: Query, ranked: Sequence[_ScoredNode], sources: SearchSources, trace: RecallTrace
) -> list[_ScoredNode]:
    """Of a learned memory and the turn that it was made from one stands, with the better score of both."""
    learned = {each.node.id for each in ranked if each.node.kind not in ("episode", "narrative")}
    if not learned:
        return list(ranked)
    texts = {each.node.id: each.node.text for each in ranked}
    derived = sources.store.boards.derived_pairs(list(texts))
    derived = [(memory, turn) for memory, turn in derived if memory in learned and turn in texts]
    replaced = _replaced(query, texts, learned, sources.store)
    left_out = told_by_others(texts, derived, query.terms, replaced)
    derived += [(memory, turn) for memory, _, turn in replaced]
    if not left_out:
        return list(ranked)
    scores = {each.node.id: each.score for each in ranked}
    for memory, turn in derived:
        for gone, stays in ((memory, turn), (turn, memory)):
            if gone in left_out and stays not in left_out:
                scores[stays] = max(scores[stays], scores[gone])
    trace.dropped |= left_out
    kept = [replace(each, score=scores[each.node.id]) for each in ranked if each.node.id not in left_out]
    return sorted(kept, key=_order(query))


def _replaced(
    query: Query, texts: Mapping[int, str], learned: Collection[int], store: Store
) -> list[tuple[int, str, int]]:
    """Current statements, the texts they replaced, and the turns that said those; none if the past is asked for."""
    past = (
        asks_for_past(query.question.text) and not query.is_request
    )  # "release it like last time" wants what is true now
    if past or query.filter.as_of is not None or query.asks_only_for_time:
        return []
    found = [each for each in store.boards.replaced_pairs(list(texts)) if each[0] in learned and each[2] not in learned]
    old = store.nodes.fetch([id for _, id, _ in found])
    return [(memory, old[id].text, turn) for memory, id, turn in found if id in old]


def below_limit(limit: int) -> str:
    return f"ranked below the {limit} that were asked for"


def _candidates_to_read(query: Query, fused: Candidates, more: int) -> ScoredNodes:
    """Bounded multipliers move a hit by few places, so only the best are read; else all of them."""
    margin = query.recipe.read_margin
    if margin is None or query.asks_only_for_time or (query.when is not None and query.recipe.least_of_time):
        return fused.in_order()
    return fused.in_order()[: query.limit * 3 // 2 + margin + more]


def _without_repeated_summaries(
    query: Query, fused: Candidates, sources: SearchSources, trace: RecallTrace
) -> list[_ScoredNode]:
    """Score and sort nodes, without summaries that repeat a better one; further nodes are read in their place."""
    repeated: dict[int, int] = {}
    for _ in range(_MAX_PASSES):
        read = _candidates_to_read(query, fused, len(repeated))
        ranked = sorted(_score_all(query, read, fused, sources, trace), key=_order(query))
        summaries = [each.node for each in ranked if is_summary(each.node)]
        if not summaries or query.filter.tags:  # a filter by tag returns every node that has it
            return ranked
        turns = sources.store.summaries.turns_below([node.id for node in summaries])
        ranked = _with_outdated_summaries_moved(query, ranked, turns, read.ids.tolist(), sources)
        before, repeated = len(repeated), repeated_summaries([each.node for each in ranked], turns)
        enough = len(ranked) - len(repeated) >= query.limit * 3 // 2
        if enough or len(repeated) == before or len(read) == len(fused):
            break
    trace.dropped |= {id: f"says the same as [id:{other}]" for id, other in repeated.items()}
    return [each for each in ranked if each.node.id not in repeated]


def _with_outdated_summaries_moved(
    query: Query,
    ranked: Sequence[_ScoredNode],
    turns: Mapping[int, frozenset[int]],
    found: Sequence[int],
    sources: SearchSources,
) -> list[_ScoredNode]:
    """Lower the score of outdated summaries, and put the current facts in their place."""
    if query.filter.as_of is not None or query.asks_only_for_time:
        return list(ranked)
    summaries = [each.node for each in ranked if each.node.id in turns]
    outdated = outdated_summaries(summaries, turns, found, query.terms, query.filter, sources.store)
    factor = ScoreFactor("outdated", OUTDATED_FACTOR)
    best: dict[int, _ScoredNode] = {}
    for each in ranked:
        moved = [each]
        if each.node.id in outdated:
            moved = [replace(each, score=each.score * factor.value, factors=(*each.factors, factor))]
            moved += [_replacement(current, each) for current in outdated[each.node.id]]
        for one in moved:
            if one.node.id not in best or best[one.node.id].score < one.score:
                best[one.node.id] = one
    return sorted(best.values(), key=_order(query))


def _replacement(current: Node, of: _ScoredNode) -> _ScoredNode:
    what = "tells that it ended" if is_summary(current) else "current"
    return _ScoredNode(current, of.score, (), current.id, instead=f"{what}; [id:{of.node.id}] is outdated")


def _order(query: Query) -> Callable[[_ScoredNode], tuple[Any, ...]]:
    """By score. What was said at a time is all equally relevant: by importance, then in order of time."""
    if query.asks_only_for_time and query.about_saying:
        return lambda each: (-each.node.importance, each.node.event_at, each.node.id)
    return lambda each: (-each.score, each.node.id)


def _score_all(
    query: Query, best: ScoredNodes, fused: Candidates, sources: SearchSources, trace: RecallTrace
) -> list[_ScoredNode]:
    """Read and score each node once. One that was also found by a version it replaced keeps the better score."""
    read = sources.rows if query.filter.as_of is None else sources.store.nodes.fetch_readable
    nodes: Mapping[int, RankedNode] = read(best.ids.tolist(), query.filter)
    # How tasks ended is known as of today: a recall of a past state ignores it.
    effects = (
        sources.store.lessons.outcome_effects([node.id for node in nodes.values()])
        if query.filter.as_of is None
        else {}
    )
    view = RankingView(
        now=query.question.at,
        time_window=None if query.asks_only_for_time else time_window(query, sources.store),
        speaker=named_speaker(query, nodes.values()),
        asked_role=query.speaker.by if query.speaker else None,
        about_user=query.about_user,
        about_now=query.about_now,
        outcome_effects=effects,
    )
    scored: dict[int, _ScoredNode] = {}
    for id, score in best:
        node = nodes.get(id)
        if node is None:
            trace.dropped[id] = "not among what was asked for"
            continue
        if node.id != id:
            trace.dropped[id] = f"superseded by [id:{node.id}], which is returned instead"
        factors = query.recipe.multipliers(node, view)
        candidate = _ScoredNode(node, apply_factors(score, factors), factors, id)
        if node.id not in scored or scored[node.id].score < candidate.score:
            scored[node.id] = candidate
    return _favour_sequence_end(query, list(scored.values()), fused)


def _favour_sequence_end(query: Query, scored: list[_ScoredNode], fused: Candidates) -> list[_ScoredNode]:
    """If the question asks for the first or the latest, raise that end of the sequence among the relevant nodes."""
    end, boost = query.sequence_end, query.recipe.sequence_boost
    if end is None or not boost:
        return scored
    reasons = fused.reasons([each.found for each in scored])
    members = [each for each in scored if any(arm != "neighbour" for arm, _, _ in reasons[each.found])]
    factors = sequence_factors([(each.score, each.node.event_at) for each in members], end, boost)
    moved = {each.node.id: factor for each, factor in zip(members, factors, strict=True)}
    return [
        replace(each, score=each.score * factor.value, factors=(*each.factors, factor))
        if (factor := moved.get(each.node.id))
        else each
        for each in scored
    ]


def named_speaker(query: Query, nodes: Iterable[RankedNode]) -> str | None:
    """The speaker of some node that the question names; None if it names none, or several."""
    words = set(name_key(query.question.text).split())
    speakers = {node.speaker for node in nodes if node.speaker}
    named = {speaker for speaker in speakers if words & set(name_key(speaker).split())}
    return named.pop() if len(named) == 1 else None


def sequence_factors(found: Sequence[tuple[float, datetime]], end: RowEnd, boost: float) -> list[ScoreFactor]:
    """A factor for each (score, time): larger toward the end that is asked for, among those close to the best."""
    close = _SEQUENCE_FLOOR * max((score for score, _ in found), default=0.0)
    times = sorted({at for score, at in found if score >= close}, reverse=end == "first")
    steps = {at: step / (len(times) - 1) for step, at in enumerate(times)} if len(times) > 1 else {}
    return [ScoreFactor(end, 1 + boost * (steps.get(at, 0.0) if score >= close else 0.0)) for score, at in found]


# ── repeated and outdated summaries ───────────────────────────────────────────────────────────────────────────────
#
# Compressed episodes, summaries of a day or a week and generated narratives are made from the same turns and often
# repeat a sentence. Turns themselves are never removed: what was said twice was said at two times.

OUTDATED_FACTOR = 0.5  # an outdated summary may still answer if nothing else does
_REPEATED_SHARE = 0.5  # of the words of a summary that another summary of the same turns contains


def is_summary(node: RankedNode) -> bool:
    """Whether the node was generated from turns."""
    if node.kind == "narrative":
        return node.source_type == "consolidation"
    return node.kind == "episode" and (node.attributes.get("compression") or "raw") != "raw"


class _Summary(NamedTuple):
    """A summary: its sentences, its words, and the turns it was made from."""

    id: int
    sentences: frozenset[str]
    words: frozenset[str]
    turns: frozenset[int]

    def is_in(self, other: _Summary) -> bool:
        """Whether the other one contains all its sentences, or most of its words about the same turns."""
        if self.sentences <= other.sentences:
            return True
        return self.turns <= other.turns and len(self.words & other.words) >= _REPEATED_SHARE * len(self.words)


def repeated_summaries(ranked: Sequence[RankedNode], turns: Mapping[int, frozenset[int]]) -> dict[int, int]:
    """{id of a summary: id of the better one that says the same}. `ranked` is in order, best first."""
    kept: list[_Summary] = []
    found: dict[int, int] = {}
    for node in filter(is_summary, ranked):
        words = frozenset(name_key(node.text).split())
        summary = _Summary(node.id, _sentence_keys(node.text), words, turns.get(node.id, frozenset()))
        same = next((other.id for other in kept if summary.is_in(other)), None)
        if same is None:
            kept.append(summary)
        else:
            found[node.id] = same
    return found


def _sentence_keys(text: str) -> frozenset[str]:
    """The sentences without the speaker in front."""
    lines = (line.partition(": ")[2] or line for line in text.splitlines())
    return frozenset(name_key(each) for line in lines for each in split_sentences(line))


def outdated_summaries(
    summaries: Sequence[RankedNode],
    turns: Mapping[int, frozenset[int]],
    found: Iterable[int],
    terms: Sequence[str],
    filter: NodeFilter,
    store: Store,
) -> dict[int, tuple[Node, ...]]:
    """{id of a summary: the nodes that are true now instead} for summaries that state an ended fact about `terms`.

    The ended fact was learned from the summary's turns, or is itself among the `found` nodes. The tuple is empty if
    nothing replaced the fact.
    """
    ended = store.summaries.ended_facts(frozenset().union(*turns.values()), found)
    ids = {each.id for each in ended} | {each.replacement for each in ended if each.replacement is not None}
    live = (
        {id: node for id, node in store.nodes.fetch_readable(sorted(ids), filter).items() if node.state == "live"}
        if ids
        else {}
    )
    current = {each.id: live.get(each.id) or live.get(each.replacement or 0) for each in ended}
    values = {each.id: _padded_words(each.value) for each in ended}
    outdated: dict[int, tuple[Node, ...]] = {}
    for node in summaries:
        own_turns, text = turns.get(node.id, frozenset()), _padded_words(node.text)
        named = [each for each in ended if values[each.id] in text]
        stated = [each.id for each in named if _states_outdated_value(node, each, own_turns, current[each.id], terms)]
        if stated:
            replacing = [each for id in stated if (each := current[id]) is not None]
            outdated[node.id] = tuple({each.id: each for each in replacing}.values())
    return outdated


def _states_outdated_value(
    node: RankedNode, fact: EndedFact, turns: frozenset[int], current: Node | None, terms: Sequence[str]
) -> bool:
    """Whether a sentence about `terms` states the old value, and no sentence states the current one."""
    if current is not None and _contains_words(node.text, stated_value(current.attributes)):
        return False
    learned = not turns.isdisjoint(fact.turns)
    has_value = current is not None and bool(stated_value(current.attributes))
    if not learned and (to_micros(node.event_at) > fact.until or (not has_value and turns & fact.after)):
        return False  # made after the fact ended, or from the turns that told of its end
    return any(
        _contains_words(each, fact.value)
        and share_of_terms(terms, each) > 0
        and (learned or _adds_nothing(fact, line, each, terms))
        for line in node.text.splitlines()
        for each in split_sentences(line)
    )


def _adds_nothing(fact: EndedFact, line: str, sentence: str, terms: Sequence[str]) -> bool:
    """Whether a sentence about the fact's subject contains no more of `terms` than the fact itself."""
    same_subject = fact.subject is not None and _contains_words(line, fact.subject)
    return same_subject and share_of_terms(terms, sentence) <= share_of_terms(terms, fact.text)


def _contains_words(text: str, value: str) -> bool:
    return bool(value) and _padded_words(value) in _padded_words(text)


def _padded_words(text: str) -> str:
    """Normalised words between spaces, so that a search matches whole words only."""
    return f" {name_key(text)} "


# ── reranking ─────────────────────────────────────────────────────────────────────────────────────────────────────


def rerank_hits(
    question: str, hits: Sequence[Hit], settings: RerankSettings, reranker: Reranker, notes: list[str]
) -> list[Hit]:
    """Put the best hits in the reranker's order. A reranker that fails is noted and changes nothing.

    The scores stay with the places, since a reranker's numbers have another scale.
    """
    best, rest = list(hits[: settings.best]), list(hits[settings.best :])
    try:
        texts = [dated_text(hit) for hit in best]
        scores = _checked_scores(reranker.scores(question, texts), len(best)) if best else []
    except Exception as error:  # a reranker is foreign code and may raise anything
        notes.append(f"skipped, {reranker.name}: {type(error).__name__}: {error}")
        return [*best, *rest]
    order = sorted(range(len(best)), key=lambda place: (-scores[place], place))
    notes.append(f"{len(best)} read again by {reranker.name}")
    moved = [
        replace(best[old], score=best[new].score, why=_moved_reason(best[old].why, old, new))
        for new, old in enumerate(order)
    ]
    return [*moved, *rest]


def dated_text(hit: Hit) -> str:
    """The text with its date in front, for questions such as "when" or "lately"."""
    return f"{hit.node.event_at.date().isoformat()}: {hit.text}"


def _checked_scores(scores: Sequence[float], count: int) -> list[float]:
    found = [float(score) for score in scores]
    if len(found) != count or not all(map(math.isfinite, found)):
        raise ValueError(f"expected {count} finite numbers, got {len(found)}")
    return found


def _moved_reason(why: str, old: int, new: int) -> str:
    return why if old == new else f"{why} · reranked from {old + 1} to {new + 1}"
