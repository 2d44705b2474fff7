"""What says again what turns said: it stands once, and below what holds now where it tells what is over.

A condensed episode, a day, a week and a made narrative rest on the same turns and often say the same sentence. Turns
themselves are never touched: what was said twice was said at two times.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from omoide.clock import micros
from omoide.layers import Node
from omoide.layers.attribute import value_of
from omoide.layers.entity import name_key
from omoide.recall import floor
from omoide.sentences import sentences
from omoide.store import Filter, Over, Store

OVER = 0.5  # of its score: it may still answer, where nothing else does
_ALIKE = 0.5  # of its words, said by another that rests on the same turns


def is_retold(node: Node) -> bool:
    """Whether it was made from turns and tells them again."""
    if node.kind == "narrative":
        return node.source_type == "consolidation"
    return node.kind == "episode" and (node.attributes.get("compression") or "raw") != "raw"


class _Told(NamedTuple):
    """A summary, the sentences and the words it says, and the turns it rests on."""

    id: int
    said: frozenset[str]
    words: frozenset[str]
    turns: frozenset[int]

    def is_in(self, other: _Told) -> bool:
        """Whether the other one says every sentence of it, or most of its words, of the same turns."""
        if self.said <= other.said:
            return True
        return self.turns <= other.turns and len(self.words & other.words) >= _ALIKE * len(self.words)


def repeated(ranked: Sequence[Node], rests: Mapping[int, frozenset[int]]) -> dict[int, int]:
    """{summary: the better one that says the same}, of nodes in their order, best first."""
    kept: list[_Told] = []
    found: dict[int, int] = {}
    for node in filter(is_retold, ranked):
        words = frozenset(name_key(node.text).split())
        told = _Told(node.id, _sentences(node.text), words, rests.get(node.id, frozenset()))
        same = next((other.id for other in kept if told.is_in(other)), None)
        if same is None:
            kept.append(told)
        else:
            found[node.id] = same
    return found


def _sentences(text: str) -> frozenset[str]:
    """Without who said them: a day names its speaker once, and a session again."""
    lines = (line.partition(": ")[2] or line for line in text.splitlines())
    return frozenset(name_key(each) for line in lines for each in sentences(line))


def over(
    nodes: Sequence[Node],
    rests: Mapping[int, frozenset[int]],
    found: Iterable[int],
    terms: Sequence[str],
    keep: Filter,
    store: Store,
) -> dict[int, tuple[Node, ...]]:
    """{summary: what holds now instead} of those whose words about what was asked are over: they were learned from its
    turns, or are said by a fact that was found too and has ended since.

    Nothing may hold now: then it ended, and the summary tells of the past all the same."""
    learned = store.learned_and_over(frozenset().union(*rests.values()), found)
    ids = {each.id for each in learned} | {each.instead for each in learned if each.instead is not None}
    now = {id: node for id, node in store.readable(sorted(ids), keep).items() if node.state == "live"} if ids else {}
    instead = {each.id: now.get(each.id) or now.get(each.instead or 0) for each in learned}
    values = {each.id: _whole(each.value) for each in learned}
    past: dict[int, tuple[Node, ...]] = {}
    for node in nodes:
        turns, text = rests.get(node.id, frozenset()), _whole(node.text)
        named = [each for each in learned if values[each.id] in text]
        ended = [each.id for each in named if _tells(node, each, turns, instead[each.id], terms)]
        if ended:
            held = [each for id in ended if (each := instead[id]) is not None]
            past[node.id] = tuple({each.id: each for each in held}.values())
    return past


def _tells(node: Node, past: Over, turns: frozenset[int], instead: Node | None, terms: Sequence[str]) -> bool:
    """Whether a sentence about what was asked names the old value, and the whole never the one that holds now."""
    if instead is not None and _names(node.text, value_of(instead.attributes)):
        return False
    learned = not turns.isdisjoint(past.turns)
    holds = instead is not None and bool(value_of(instead.attributes))
    if not learned and (micros(node.event_at) > past.until or (not holds and turns & past.after)):
        return False  # what was said at its end may tell of it: where nothing holds now, there is no more to say
    return any(
        _names(each, past.value) and floor.share(terms, each) > 0 and (learned or _says(past, line, each, terms))
        for line in node.text.splitlines()
        for each in sentences(line)
    )


def _says(past: Over, line: str, sentence: str, terms: Sequence[str]) -> bool:
    """Whether a sentence, of whoever its line names, says no more of what was asked than the fact did."""
    whose = past.subject is not None and _names(line, past.subject)
    return whose and floor.share(terms, sentence) <= floor.share(terms, past.text)


def _names(text: str, value: str) -> bool:
    return bool(value) and _whole(value) in _whole(text)


def _whole(text: str) -> str:
    """Its words, so that none is found within another."""
    return f" {name_key(text)} "
