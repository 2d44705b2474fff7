"""Selection of memories under a token budget, and the forms (whole, summary, excerpt) that a memory can take.

A multiple-choice knapsack: every memory is taken in one of its forms or not at all. Each part of the pack has a share
of the budget; what it leaves goes to the others. A memory that repeats what was already taken is worth less. Filled
greedily by marginal value per token, then improved by exchanges. The same input always gives the same selection.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from omoide.domain import Node
from omoide.language.sentences import split_verbatim
from omoide.language.text import has_unspaced_script, search_terms, shorten
from omoide.recall.results import Hit

_REPEATED_VALUE = 0.15  # the value that remains if all words of a memory are already in the pack
_DERIVED_VALUE = 0.5  # the value that remains of a turn if its fact is in the pack, or of a fact if its turn is
_OVERLAP = 0.5  # share of common words below which two memories are not redundant
_MAX_EXCHANGES = 24
_MAX_EXCHANGE_CANDIDATES = 8  # the most valuable memories that were not taken


@dataclass(frozen=True, slots=True)
class TextForm:
    """One way to write a memory: its cost, and the share of the content that it keeps."""

    text: str
    tokens: int
    share: float = 1.0


@dataclass(frozen=True, slots=True)
class PackItem:
    """A memory that may be taken: its words, and the keys of the memories it was derived from."""

    key: Hashable
    part: str
    value: float
    forms: tuple[TextForm, ...]  # in any order; a form that keeps more should cost more
    words: frozenset[str] = frozenset()
    sources: frozenset[Hashable] = frozenset()
    heading: str = ""  # stands once above all items of the part that share it
    heading_tokens: int = 0


@dataclass(frozen=True, slots=True)
class TokenRoom:
    """The budget, the share of each part, what the title of each part costs, and the most that a part may take."""

    tokens: int
    shares: Mapping[str, float] = field(default_factory=dict)
    titles: Mapping[str, int] = field(default_factory=dict)
    limits: Mapping[str, float] = field(default_factory=dict)


def choose_forms(items: Sequence[PackItem], room: TokenRoom) -> dict[Hashable, TextForm]:
    """The chosen form of each memory that is taken, by key. Never exceeds the budget."""
    selection = _Selection(items, room)
    selection.fill(quotas=True)
    selection.fill(quotas=False)
    selection.exchange()
    selection.fill(quotas=False)
    return {items[place].key: form for place, form in sorted(selection.taken.items())}


_Gain = tuple[float, float, int, TextForm]  # for each token more, in all, of which item, in which form


class _Selection:
    """What is taken so far. Items are referred to by their place in the input."""

    def __init__(self, items: Sequence[PackItem], room: TokenRoom) -> None:
        self._items = items
        self._room = room
        self.taken: dict[int, TextForm] = {}
        self._novelty = [1.0] * len(items)  # the share of each item's value that is not in the pack yet
        self._gains: dict[int, tuple[TextForm | None, float, list[_Gain]]] = {}
        self._left = room.tokens
        self._used: dict[str, int] = {}
        self._headings: Counter[tuple[str, str]] = Counter()

    def fill(self, *, quotas: bool) -> None:
        """Take, or lengthen, what gains most per token until nothing more fits."""
        while (best := self._best(quotas)) is not None:
            self._take(*best)

    def _best(self, quotas: bool) -> tuple[int, TextForm] | None:
        found: _Gain | None = None
        for place, item in enumerate(self._items):
            gains = self._gains_of(place)
            if not gains or (found is not None and gains[0][:2] <= found[:2]):
                continue
            held = self.taken.get(place)
            room = self._room_for(item.part, quotas) + (held.tokens if held else -self._title_cost(item))
            best = next((each for each in gains if each[3].tokens <= room), None)
            if best is not None and (found is None or best[:2] > found[:2]):
                found = best
        return None if found is None else found[2:]

    def _gains_of(self, place: int) -> list[_Gain]:
        """What each form of an item would gain, the most per token first; the same until the item's state changes."""
        held, value = self.taken.get(place), self._value(place)
        known = self._gains.get(place)
        if known is not None and known[0] is held and known[1] == value:
            return known[2]
        share, tokens = (held.share, held.tokens) if held else (0.0, 0)
        gains: list[_Gain] = []
        if value > 0.0 and share < 1.0:
            for form in self._items[place].forms:
                gain = value * (form.share - share)
                if gain > 0.0:
                    gains.append((gain / max(1, form.tokens - tokens), gain, place, form))
            gains.sort(key=lambda each: each[:2], reverse=True)
        self._gains[place] = held, value, gains
        return gains

    def _room_for(self, part: str, quotas: bool) -> int:
        most = [self._room.limits.get(part, 1.0), self._room.shares.get(part, 1.0) if quotas else 1.0]
        return min(self._left, int(self._room.tokens * min(most)) - self._used.get(part, 0))

    def _title_cost(self, item: PackItem) -> int:
        """What the title of the part and the heading cost, if nothing below them is taken yet."""
        title = 0 if self._used.get(item.part) else self._room.titles.get(item.part, 0)
        return title + (0 if self._headings[item.part, item.heading] else item.heading_tokens)

    def _take(self, place: int, form: TextForm) -> None:
        item = self._items[place]
        held = self.taken.get(place)
        cost = form.tokens - held.tokens if held else form.tokens + self._title_cost(item)
        self._left -= cost
        self._used[item.part] = self._used.get(item.part, 0) + cost
        self.taken[place] = form
        if held is None:
            self._headings[item.part, item.heading] += 1
            for other, each in enumerate(self._items):
                if other not in self.taken:
                    self._novelty[other] = min(self._novelty[other], remaining_value(each, item))

    def exchange(self) -> None:
        """Replace what is worth little by something that is worth more and did not fit."""
        for _ in range(_MAX_EXCHANGES):
            better = self._better()
            if better is None:
                return
            out, place, form = better
            self._give_up(out)
            self._take(place, form)

    def _better(self) -> tuple[int, int, TextForm] | None:
        """(item to give up, item to take, its form), or None if no exchange improves the selection."""
        waiting = [place for place in range(len(self._items)) if place not in self.taken]
        waiting.sort(key=lambda place: (-self._value(place), place))
        cheapest = sorted(self.taken, key=lambda place: (self._taken_value(place), place))
        for place in waiting[:_MAX_EXCHANGE_CANDIDATES]:
            form = max(self._items[place].forms, key=lambda each: each.share)
            value = self._value(place) * form.share
            need = form.tokens - self._left + self._title_cost(self._items[place])
            for out in cheapest:
                if self._taken_value(out) >= value:
                    break
                if self.taken[out].tokens >= need and self._may_give_up(out, place, form):
                    return out, place, form
        return None

    def _may_give_up(self, out: int, place: int, form: TextForm) -> bool:
        """A part gives up what is within its own share only to itself; no part exceeds its limit."""
        own, part = self._items[out].part, self._items[place].part
        share = int(self._room.tokens * self._room.shares.get(own, 0.0))
        freed = self.taken[out].tokens if own == part else 0
        if part in self._room.limits and form.tokens - freed > self._room_for(part, quotas=False):
            return False
        return own == part or self._used[own] - self.taken[out].tokens >= share

    def _value(self, place: int) -> float:
        return self._items[place].value * self._novelty[place]

    def _taken_value(self, place: int) -> float:
        return self._value(place) * self.taken[place].share

    def _give_up(self, place: int) -> None:
        item, form = self._items[place], self.taken.pop(place)
        part = item.part
        self._headings[part, item.heading] -= 1
        cost = form.tokens + (0 if self._headings[part, item.heading] else item.heading_tokens)
        self._left += cost
        self._used[part] -= cost
        if not any(self._items[other].part == part for other in self.taken):
            self._left += self._used.pop(part)  # the title goes too


def remaining_value(item: PackItem, other: PackItem) -> float:
    """The share of an item's value that remains once another item is in the pack."""
    derived = _DERIVED_VALUE if item.key in other.sources or other.key in item.sources else 1.0
    if not item.words or not other.words:
        return derived
    shared = len(item.words & other.words) / len(item.words)
    if shared < _OVERLAP:
        return derived
    return min(derived, 1.0 - (1.0 - _REPEATED_VALUE) * (shared - _OVERLAP) / (1.0 - _OVERLAP))


# ── forms of a memory ─────────────────────────────────────────────────────────────────────────────────────────────

_LONGEST_READ = 20_000  # characters of a text among which an excerpt is chosen
_MOST_TERMS_LOOKED_FOR = 20
_EXCERPT_LENGTHS = (400, 160)  # characters: about three sentences, and one
_PLAIN_SHARE = 0.8  # the share that the text keeps if `told` says more than `text`
_SUMMARY_SHARE = 0.75  # the share that a summary keeps
_EXCERPT_SHARE = 0.2  # the least share that an excerpt keeps
_STEEPNESS = 3.0  # 1 to 3 measured on four sets; below 2, short turns of little value displace the best


def pack_values(hits: Sequence[Hit]) -> list[float]:
    """The value of each hit, 1 for the best. Steeper than the scores: half the score is rarely half as likely."""
    best = max((hit.score for hit in hits), default=0.0)
    return [(max(0.0, hit.score) / best) ** _STEEPNESS if best > 0 else 0.0 for hit in hits]


def text_forms(node: Node, terms: Collection[str]) -> Iterator[tuple[str, float]]:
    """Each form with the share of the content that it keeps, the whole first."""
    yield node.full_text, 1.0
    if node.full_text != node.text:
        yield node.text, _PLAIN_SHARE
    if node.summary and len(node.summary) < len(node.text):
        yield node.summary, _SUMMARY_SHARE
    for length in _EXCERPT_LENGTHS:
        if len(node.text) > 2 * length:  # an excerpt must save at least half
            yield excerpt(node.text, terms, length), _EXCERPT_SHARE + (1 - _EXCERPT_SHARE) * length / len(node.text)


def distinct_forms(count: Callable[[str], int], node: Node, terms: Collection[str]) -> Iterator[tuple[str, int, float]]:
    """The forms with their cost, without those that cost as much as one that keeps more."""
    cheapest: int | None = None
    for text, share in sorted(text_forms(node, terms), key=lambda each: -each[1]):
        tokens = count(text)
        if cheapest is None or tokens < cheapest:
            cheapest = tokens
            yield text, tokens, share


def excerpt(text: str, terms: Collection[str], length: int) -> str:
    """The sentences that contain most of the terms, in their order, in at most `length` characters."""
    wanted = {term.lower()[: max(3, len(term) - 2)] for term in terms}
    sentences = split_verbatim(_stretch_with(wanted, text))
    counts = [sum(term in lowered for term in wanted) for lowered in map(str.lower, sentences)]
    ranked = sorted(range(len(sentences)), key=lambda place: (-counts[place], place))
    chosen: list[int] = []
    left = length
    for place in ranked:
        if len(sentences[place]) + 2 <= left:
            chosen.append(place)
            left -= len(sentences[place]) + 2
    if not chosen:
        return _cut_around(sentences[ranked[0]] if ranked else text, wanted, length)
    return _join_sentences(sentences, sorted(chosen))


def _stretch_with(terms: Collection[str], text: str) -> str:
    """A text, or of a very long one the stretch around the first place of its longest term."""
    if len(text) <= _LONGEST_READ:
        return text
    lowered = text.lower()
    places = (lowered.find(term) for term in sorted(terms, key=len, reverse=True)[:_MOST_TERMS_LOOKED_FOR])
    start = max(0, next((place for place in places if place >= 0), 0) - _LONGEST_READ // 2)
    return text[start : start + _LONGEST_READ]


@lru_cache(4_096)  # a live session compares the same memories at every message
def comparison_words(text: str) -> frozenset[str]:
    """The words by which two memories are compared."""
    return frozenset(word.lower() for word in search_terms(text) if len(word) > 2 or has_unspaced_script(word))


def _cut_around(sentence: str, terms: Collection[str], length: int) -> str:
    """Cut a sentence that is too long, starting shortly before the first term."""
    lowered = sentence.lower()
    first = min((at for term in terms if (at := lowered.find(term)) >= 0), default=0)
    start = max(0, first - length // 4)
    if start:
        start = sentence.find(" ", start, start + 20) + 1 or start
    return shorten(("…" if start else "") + sentence[start:], length)


def _join_sentences(sentences: list[str], chosen: list[int]) -> str:
    """Join the chosen sentences, with an ellipsis for each gap."""
    parts: list[str] = []
    for before, place in zip([-1, *chosen], chosen, strict=False):
        parts.append(("… " if place != before + 1 else "") + sentences[place])
    return " ".join(parts) + (" …" if chosen[-1] != len(sentences) - 1 else "")
