"""What was said later on the matter of the best candidates.

"What do I charge at night?" finds the prices of August. That they went up in October shares no word with the question,
but much with the prices of August. So the best candidates are compared with what was said after them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from omoide.language.common_words import word_rank
from omoide.recall.candidates import Candidates, SearchSources
from omoide.recall.currency import matter_words
from omoide.recall.question import Query
from omoide.store import NodeRow

if TYPE_CHECKING:
    from omoide.recall.recipes import LaterSettings

_SPEAKERS_OF = 30  # of the best candidates it is seen whether several people talk
_REMEMBERED = 4_096  # texts
_LONGEST = 400  # characters
_EVERYDAY_WORDS, _EVERYDAY = 1_000, 0.4  # the weight of the most frequent words, beside 1 for all others


def raise_later(query: Query, fused: Candidates, settings: LaterSettings, sources: SearchSources) -> Candidates:
    """The candidates with those raised, or added, that speak of the same matter as a better and older one."""
    best, highest = fused.in_order()[:_SPEAKERS_OF].columns
    read = sources.rows
    rows = read(best, query.filter)
    if len({each.speaker for each in rows.values() if each.kind == "episode" and each.role != "agent"}) > 1:
        return fused  # a talk of several people: what sounds alike is mostly an answer
    told = [rows[id] for id in best if id in rows and rows[id].id == id and _on_one_matter(rows[id])]
    scores = dict(zip(best, highest, strict=True))
    seeds = [each for each in told if scores[each.id] >= settings.least_score * highest[0]][: settings.seeds]
    index = sources.store.search.vectors(sources.model_id())
    near: dict[int, dict[int, float]] = {}
    for id, vector in zip(*index.rows([each.id for each in seeds]), strict=True):
        found = sources.store.search.nearest(sources.model_id(), vector, query.filter, settings.near)
        near[id] = {other: score for other, score in found if other != id}
    others = read(sorted({other for found in near.values() for other in found}), query.filter)
    gains: dict[int, tuple[float, int]] = {}
    for seed in seeds:
        for id, likeness in _later(seed, near.get(seed.id, {}), others)[: settings.most]:
            gain = scores[seed.id] * min(0.95, settings.share * likeness)
            if likeness >= settings.likeness and gain > gains.get(id, (0.0, 0))[0]:
                gains[id] = gain, seed.id
    return fused.raised(gains)


def _later(seed: NodeRow, near: Mapping[int, float], others: Mapping[int, NodeRow]) -> list[tuple[int, float]]:
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
