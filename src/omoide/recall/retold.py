"""What says again what turns said: it stands once, and below what holds now where it tells what is over.

A condensed episode, a day, a week and a made narrative rest on the same turns and often say the same sentence. Turns
themselves are never touched: what was said twice was said at two times.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from omoide.layers import Node
from omoide.layers.entity import name_key
from omoide.recall import floor
from omoide.sentences import sentences
from omoide.store import Filter, Store

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
    nodes: Sequence[Node], rests: Mapping[int, frozenset[int]], terms: Sequence[str], keep: Filter, store: Store
) -> dict[int, tuple[Node, ...]]:
    """{summary: what holds now instead} of those whose words about what was asked were learned and are over.

    Nothing may hold now: then it ended, and the summary tells of the past all the same."""
    learned = store.learned_and_over(frozenset().union(*rests.values()))
    now = store.readable(sorted({fact for _, fact, _ in learned}), keep) if learned else {}
    now = {fact: node for fact, node in now.items() if node.state == "live"}
    found: dict[int, tuple[Node, ...]] = {}
    for node in nodes:
        mine = {fact: value for turn, fact, value in learned if turn in rests.get(node.id, ())}
        ended = [fact for fact, value in mine.items() if _tells(node, value, now.get(fact), terms)]
        if ended:
            found[node.id] = tuple({now[fact].id: now[fact] for fact in ended if fact in now}.values())
    return found


def _tells(node: Node, value: str, instead: Node | None, terms: Sequence[str]) -> bool:
    """Whether a sentence about what was asked names the old value, and the whole never the one that holds now."""
    if instead is not None and _names(node.text, _value(instead)):
        return False
    return any(_names(each, value) and floor.share(terms, each) > 0 for each in sentences(node.text))


def _value(node: Node) -> str:
    return str(node.attributes.get("object") or node.attributes.get("value") or "")


def _names(text: str, value: str) -> bool:
    return bool(value) and f" {name_key(value)} " in f" {name_key(text)} "
