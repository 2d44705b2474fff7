"""What goes into a pack: the most value for the tokens, over the forms that each memory may take.

A multiple-choice knapsack: every memory is taken in one of its forms or not at all, parts of the pack have quotas whose
leftovers the others may use, and what is in the pack already is worth little a second time. Filled by the best marginal
value per token, then mended by exchanges; the same input always gives the same pack.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field

_AGAIN = 0.15  # what is left of a memory's worth when all of its words are in the pack already
_SAID = 0.5  # the same of a turn whose fact is in the pack, and of a fact whose turn is: wording and context remain
_ALIKE = 0.5  # of the words in common: less says nothing of redundancy, since people use the same words
_EXCHANGES = 24  # so many mend what can be mended; each is looked for over all that is chosen


@dataclass(frozen=True, slots=True)
class Form:
    """One way to write a memory: what it costs, and how much of the whole it still says."""

    text: str
    tokens: int
    keeps: float = 1.0


@dataclass(frozen=True, slots=True)
class Item:
    """A memory that may go into the pack. `says` are its words, `rests_on` what it was derived from."""

    key: Hashable
    part: str
    value: float
    forms: tuple[Form, ...]  # in any order; those that keep more should cost more
    says: frozenset[str] = frozenset()
    rests_on: frozenset[Hashable] = frozenset()


@dataclass(frozen=True, slots=True)
class Room:
    """How many tokens there are, each part's share of them, and what a part costs before its first line."""

    tokens: int
    shares: Mapping[str, float] = field(default_factory=dict)
    titles: Mapping[str, int] = field(default_factory=dict)


def choose(items: Sequence[Item], room: Room) -> dict[Hashable, Form]:
    """The form of each memory that is in, by its key. Never more tokens than there is room for."""
    pack = _Pack(items, room)
    pack.fill(quotas=True)
    pack.fill(quotas=False)
    pack.exchange()
    pack.fill(quotas=False)
    return {items[place].key: form for place, form in sorted(pack.taken.items())}


class _Pack:
    """What is taken so far; each change is small, so that hundreds of candidates cost a millisecond or two."""

    def __init__(self, items: Sequence[Item], room: Room) -> None:
        self._items = items
        self._room = room
        self.taken: dict[int, Form] = {}
        self._fresh = [1.0] * len(items)  # what of each is not in the pack yet
        self._left = room.tokens
        self._used: dict[str, int] = {}

    def fill(self, *, quotas: bool) -> None:
        """Takes, or lengthens, whatever brings most for a token, until nothing more fits."""
        while (best := self._best(quotas)) is not None:
            self._take(*best)

    def _best(self, quotas: bool) -> tuple[int, Form] | None:
        found: tuple[float, float, int, Form] | None = None
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

    def _take(self, place: int, form: Form) -> None:
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
                self._fresh[other] = min(self._fresh[other], left_of(item, mine))

    def exchange(self) -> None:
        """Gives up what brings little for something that brings more and had no room."""
        for _ in range(_EXCHANGES):
            better = self._better()
            if better is None:
                return
            out, place, form = better
            self._give_up(out)
            self._take(place, form)

    def _better(self) -> tuple[int, int, Form] | None:
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


def left_of(item: Item, other: Item) -> float:
    """How much of a memory is still news once another is in the pack."""
    said = _SAID if item.key in other.rests_on or other.key in item.rests_on else 1.0
    if not item.says or not other.says:
        return said
    shared = len(item.says & other.says) / len(item.says)
    if shared < _ALIKE:
        return said
    return min(said, 1.0 - (1.0 - _AGAIN) * (shared - _ALIKE) / (1.0 - _ALIKE))
