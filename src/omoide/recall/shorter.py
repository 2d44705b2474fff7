"""The forms a memory may take in a pack: whole, as its summary, or as the sentences that the question is about."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from functools import lru_cache

from omoide.layers import Node
from omoide.text import is_unspaced, shorten, terms

_LENGTHS = (400, 160)  # characters of an excerpt: some three sentences, and one
_SUMMARY = 0.75  # what a summary keeps of what a memory says
_LEAST = 0.2  # what the best sentence alone keeps: that it was said, and the words that were asked for
_SENTENCE = re.compile(r"(?<=[.!?。！？…])\s+|\n+")


def forms(node: Node, asked: Collection[str]) -> Iterator[tuple[str, float]]:
    """Each form with the share of the whole that it keeps, the whole first."""
    yield node.told, 1.0
    if node.told != node.text:
        yield node.text, 0.8
    if node.summary and len(node.summary) < len(node.text):
        yield node.summary, _SUMMARY
    for length in _LENGTHS:
        if len(node.text) > 2 * length:  # less than half is worth its gaps
            yield excerpt(node.text, asked, length), _LEAST + (1 - _LEAST) * length / len(node.text)


def excerpt(text: str, asked: Collection[str], length: int) -> str:
    """At most so many characters: the sentences that hold most of the words asked for, in their order."""
    sentences = [each for each in _SENTENCE.split(text) if each.strip()]
    wanted = {word.lower() for word in asked}
    ranked = sorted(range(len(sentences)), key=lambda place: (-_holds(sentences[place], wanted), place))
    chosen: list[int] = []
    left = length
    for place in ranked:
        if len(sentences[place]) + 2 <= left:
            chosen.append(place)
            left -= len(sentences[place]) + 2
    if not chosen:
        return _around(sentences[ranked[0]] if ranked else text, wanted, length)
    return _joined(sentences, sorted(chosen))


@lru_cache(4_096)  # a live session looks at the same memories message after message
def words(text: str) -> frozenset[str]:
    """What two memories are compared by."""
    return frozenset(word.lower() for word in terms(text) if len(word) > 2 or is_unspaced(word))


def distinct(counted: Callable[[str], int], node: Node, asked: Collection[str]) -> Iterator[tuple[str, int, float]]:
    """The forms with their cost, without those that cost as much as one that keeps more."""
    cheapest: int | None = None
    for text, keeps in sorted(forms(node, asked), key=lambda each: -each[1]):
        tokens = counted(text)
        if cheapest is None or tokens < cheapest:
            cheapest = tokens
            yield text, tokens, keeps


def _holds(sentence: str, wanted: Collection[str]) -> int:
    lowered = sentence.lower()
    return sum(word in lowered for word in wanted)


def _around(sentence: str, wanted: Collection[str], length: int) -> str:
    """Of one sentence that is too long, the stretch where the words asked for begin."""
    lowered = sentence.lower()
    first = min((at for word in wanted if (at := lowered.find(word)) >= 0), default=0)
    start = max(0, first - length // 4)
    if start:
        start = sentence.find(" ", start, start + 20) + 1 or start
    return shorten(("…" if start else "") + sentence[start:], length)


def _joined(sentences: list[str], chosen: list[int]) -> str:
    """With an ellipsis where something was left out."""
    parts: list[str] = []
    for before, place in zip([-1, *chosen], chosen, strict=False):
        parts.append(("… " if place != before + 1 else "") + sentences[place])
    return " ".join(parts) + (" …" if chosen[-1] != len(sentences) - 1 else "")
