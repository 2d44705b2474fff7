"""What goes into a pack: the most value for the tokens, over the forms that each memory may take.

A multiple-choice knapsack: every memory is taken in one of its forms or not at all, parts of the pack have quotas whose
leftovers the others may use, and what is in the pack already is worth little a second time. Filled by the best marginal
value per token, then mended by exchanges; the same input always gives the same pack.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from omoide.domain import Node
from omoide.language.text import has_unspaced_script, search_terms, shorten
from omoide.recall.results import Hit

_REPEATED_VALUE = 0.15  # what is left of a memory's worth when all of its words are in the pack already
_DERIVED_VALUE = (
    0.5  # the same of a turn whose fact is in the pack, and of a fact whose turn is: wording and context remain
)
_OVERLAP = 0.5  # of the words in common: less says nothing of redundancy, since people use the same words
_MAX_EXCHANGES = 24  # so many mend what can be mended; each is looked for over all that is chosen


@dataclass(frozen=True, slots=True)
class TextForm:
    """One way to write a memory: what it costs, and how much of the whole it still says."""

    text: str
    tokens: int
    keeps: float = 1.0


@dataclass(frozen=True, slots=True)
class PackItem:
    """A memory that may go into the pack. `says` are its words, `rests_on` what it was derived from."""

    key: Hashable
    part: str
    value: float
    forms: tuple[TextForm, ...]  # in any order; those that keep more should cost more
    says: frozenset[str] = frozenset()
    rests_on: frozenset[Hashable] = frozenset()


@dataclass(frozen=True, slots=True)
class TokenRoom:
    """How many tokens there are, each part's share of them, and what a part costs before its first line."""

    tokens: int
    shares: Mapping[str, float] = field(default_factory=dict)
    titles: Mapping[str, int] = field(default_factory=dict)


def choose_forms(items: Sequence[PackItem], room: TokenRoom) -> dict[Hashable, TextForm]:
    """The form of each memory that is in, by its key. Never more tokens than there is room for."""
    pack = _Selection(items, room)
    pack.fill(quotas=True)
    pack.fill(quotas=False)
    pack.exchange()
    pack.fill(quotas=False)
    return {items[place].key: form for place, form in sorted(pack.taken.items())}


class _Selection:
    """What is taken so far; each change is small, so that hundreds of candidates cost a millisecond or two."""

    def __init__(self, items: Sequence[PackItem], room: TokenRoom) -> None:
        self._items = items
        self._room = room
        self.taken: dict[int, TextForm] = {}
        self._fresh = [1.0] * len(items)  # what of each is not in the pack yet
        self._left = room.tokens
        self._used: dict[str, int] = {}

    def fill(self, *, quotas: bool) -> None:
        """Takes, or lengthens, whatever brings most for a token, until nothing more fits."""
        while (best := self._best(quotas)) is not None:
            self._take(*best)

    def _best(self, quotas: bool) -> tuple[int, TextForm] | None:
        found: tuple[float, float, int, TextForm] | None = None
        for place, item in enumerate(self._items):
            held = self.taken.get(place)
            worth = item.value * self._fresh[place]
            if worth <= 0.0 or (held is not None and held.keeps >= 1.0):
                continue
            open_for = self._open(item.part, quotas) + (held.tokens if held else self._untitled(item.part))
            for form in item.forms:
                gain = worth * (form.keeps - (held.keeps if held else 0.0))
                more = form.tokens - (held.tokens if held else 0)
                if gain <= 0.0 or form.tokens > open_for:
                    continue
                rank = gain / max(1, more)
                if found is None or (rank, gain) > found[:2]:
                    found = (rank, gain, place, form)
        return None if found is None else found[2:]

    def _open(self, part: str, quotas: bool) -> int:
        if not quotas or part not in self._room.shares:
            return self._left
        return min(self._left, int(self._room.tokens * self._room.shares[part]) - self._used.get(part, 0))

    def _untitled(self, part: str) -> int:
        """What the title of a part takes away, where nothing of it is in yet."""
        return 0 if self._used.get(part) else -self._room.titles.get(part, 0)

    def _take(self, place: int, form: TextForm) -> None:
        part = self._items[place].part
        held = self.taken.get(place)
        cost = form.tokens - (held.tokens if held else 0) - (0 if held else self._untitled(part))
        self._left -= cost
        self._used[part] = self._used.get(part, 0) + cost
        self.taken[place] = form
        if held is None:
            self._stale(place)

    def _stale(self, place: int) -> None:
        """What was taken makes what says the same worth less."""
        mine = self._items[place]
        for other, item in enumerate(self._items):
            if other != place and other not in self.taken:
                self._fresh[other] = min(self._fresh[other], remaining_value(item, mine))

    def exchange(self) -> None:
        """Gives up what brings little for something that brings more and had no room."""
        for _ in range(_MAX_EXCHANGES):
            better = self._better()
            if better is None:
                return
            out, place, form = better
            self._give_up(out)
            self._take(place, form)

    def _better(self) -> tuple[int, int, TextForm] | None:
        waiting = [place for place in range(len(self._items)) if place not in self.taken]
        waiting.sort(key=lambda place: (-self._worth(place), place))
        cheapest = sorted(self.taken, key=lambda place: (self._brings(place), place))
        for place in waiting[:8]:
            form = max(self._items[place].forms, key=lambda each: each.keeps)
            worth = self._worth(place) * form.keeps
            need = form.tokens - self._left - self._untitled(self._items[place].part)
            for out in cheapest:
                if self._brings(out) >= worth:
                    break
                if self.taken[out].tokens >= need and self._may_go(out, self._items[place].part):
                    return out, place, form
        return None

    def _may_go(self, out: int, part: str) -> bool:
        """No part gives up what is within its own share to another."""
        mine = self._items[out].part
        share = int(self._room.tokens * self._room.shares.get(mine, 0.0))
        return mine == part or self._used[mine] - self.taken[out].tokens >= share

    def _worth(self, place: int) -> float:
        return self._items[place].value * self._fresh[place]

    def _brings(self, place: int) -> float:
        return self._worth(place) * self.taken[place].keeps

    def _give_up(self, place: int) -> None:
        part = self._items[place].part
        form = self.taken.pop(place)
        self._left += form.tokens
        self._used[part] -= form.tokens
        if not any(self._items[other].part == part for other in self.taken):
            self._left += self._used.pop(part)  # its title goes too


def remaining_value(item: PackItem, other: PackItem) -> float:
    """How much of a memory is still news once another is in the pack."""
    said = _DERIVED_VALUE if item.key in other.rests_on or other.key in item.rests_on else 1.0
    if not item.says or not other.says:
        return said
    shared = len(item.says & other.says) / len(item.says)
    if shared < _OVERLAP:
        return said
    return min(said, 1.0 - (1.0 - _REPEATED_VALUE) * (shared - _OVERLAP) / (1.0 - _OVERLAP))


# The forms a memory may take in a pack: whole, as its summary, or as the sentences that the question is about.


_EXCERPT_LENGTHS = (400, 160)  # characters of an excerpt: some three sentences, and one
_SUMMARY_VALUE = 0.75  # what a summary keeps of what a memory says
_EXCERPT_VALUE = 0.2  # what the best sentence alone keeps: that it was said, and the words that were asked for
_SENTENCE_END = re.compile(r"(?<=[.!?。！？…])\s+|\n+")


def text_forms(node: Node, asked: Collection[str]) -> Iterator[tuple[str, float]]:
    """Each form with the share of the whole that it keeps, the whole first."""
    yield node.told, 1.0
    if node.told != node.text:
        yield node.text, 0.8
    if node.summary and len(node.summary) < len(node.text):
        yield node.summary, _SUMMARY_VALUE
    for length in _EXCERPT_LENGTHS:
        if len(node.text) > 2 * length:  # less than half is worth its gaps
            yield excerpt(node.text, asked, length), _EXCERPT_VALUE + (1 - _EXCERPT_VALUE) * length / len(node.text)


def excerpt(text: str, asked: Collection[str], length: int) -> str:
    """At most so many characters: the sentences that hold most of the words asked for, in their order."""
    sentences = [each for each in _SENTENCE_END.split(text) if each.strip()]
    wanted = {word.lower() for word in asked}
    ranked = sorted(range(len(sentences)), key=lambda place: (-_count_words(sentences[place], wanted), place))
    chosen: list[int] = []
    left = length
    for place in ranked:
        if len(sentences[place]) + 2 <= left:
            chosen.append(place)
            left -= len(sentences[place]) + 2
    if not chosen:
        return _cut_around(sentences[ranked[0]] if ranked else text, wanted, length)
    return _join_sentences(sentences, sorted(chosen))


@lru_cache(4_096)  # a live session looks at the same memories message after message
def comparison_words(text: str) -> frozenset[str]:
    """What two memories are compared by."""
    return frozenset(word.lower() for word in search_terms(text) if len(word) > 2 or has_unspaced_script(word))


def distinct_forms(
    counted: Callable[[str], int], node: Node, asked: Collection[str]
) -> Iterator[tuple[str, int, float]]:
    """The forms with their cost, without those that cost as much as one that keeps more."""
    cheapest: int | None = None
    for text, keeps in sorted(text_forms(node, asked), key=lambda each: -each[1]):
        tokens = counted(text)
        if cheapest is None or tokens < cheapest:
            cheapest = tokens
            yield text, tokens, keeps


def _count_words(sentence: str, wanted: Collection[str]) -> int:
    lowered = sentence.lower()
    return sum(word in lowered for word in wanted)


def _cut_around(sentence: str, wanted: Collection[str], length: int) -> str:
    """Of one sentence that is too long, the stretch where the words asked for begin."""
    lowered = sentence.lower()
    first = min((at for word in wanted if (at := lowered.find(word)) >= 0), default=0)
    start = max(0, first - length // 4)
    if start:
        start = sentence.find(" ", start, start + 20) + 1 or start
    return shorten(("…" if start else "") + sentence[start:], length)


def _join_sentences(sentences: list[str], chosen: list[int]) -> str:
    """With an ellipsis where something was left out."""
    parts: list[str] = []
    for before, place in zip([-1, *chosen], chosen, strict=False):
        parts.append(("… " if place != before + 1 else "") + sentences[place])
    return " ".join(parts) + (" …" if chosen[-1] != len(sentences) - 1 else "")


# What a hit is worth to a pack, beside the others: how likely it is what was asked for.


_STEEPNESS = 3.0  # 1 to 3 measured on four sets: below 2 short turns of little worth crowd out the best


def pack_values(hits: Sequence[Hit]) -> list[float]:
    """One number from 0 to 1 a hit; the best is 1. Steeper than the scores: half the score is rarely half as likely."""
    best = max((hit.score for hit in hits), default=0.0)
    return [(max(0.0, hit.score) / best) ** _STEEPNESS if best > 0 else 0.0 for hit in hits]
