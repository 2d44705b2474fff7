"""Ranked hits → what fits the token budget: categories with shares, the most value for the tokens, nothing twice."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from omoide.layers import Entity, Node, layer_of
from omoide.recall.choose import Form, Item, Room, choose
from omoide.recall.hit import Hit
from omoide.recall.inject import introduction, line
from omoide.recall.shorter import distinct, words
from omoide.recall.worth import worth

Counter = Callable[[str], int]
"""How many tokens a text costs."""


@dataclass(frozen=True, slots=True)
class Category:
    """A part of the pack: its title and the share of the budget it may take before the others are served (Kira-R)."""

    title: str
    share: float
    takes: Callable[[Hit], bool]


_PREFERENCES = Category("Preferences", 0.15, lambda hit: hit.kind == "preference")
_KNOWN = Category("Known", 0.45, lambda hit: layer_of(hit.kind) == "semantic")
_PROCEDURES = Category("How to", 0.10, lambda hit: layer_of(hit.kind) == "procedural")
_HISTORY = Category("What happened", 0.30, lambda hit: True)
# In the order in which they stand in the pack, which never changes: a stable start keeps prompt caches warm.
# Kira-R's 30 % for what is named and 15 % for what is linked to it are one part here: both are known facts.
CATEGORIES = (_PREFERENCES, _KNOWN, _PROCEDURES, _HISTORY)


@dataclass(frozen=True, slots=True)
class Line:
    """One memory as it stands in the pack, or an entity that was named, which has no node."""

    node: Node | None
    text: str
    tokens: int

    @property
    def id(self) -> int | None:
        return None if self.node is None else self.node.id


@dataclass(frozen=True, slots=True)
class Section:
    """A titled part of the pack."""

    title: str
    lines: tuple[Line, ...]

    @property
    def tokens(self) -> int:
        return sum(each.tokens for each in self.lines)


@dataclass(frozen=True, slots=True)
class Candidates:
    """What may go into a pack: what stands always, what was found, best first, and who is named."""

    standing: Sequence[Hit]
    found: Sequence[Hit]
    named: Sequence[Entity]
    asked: Sequence[str] = ()  # the words that excerpts are looked for by

    def values(self) -> dict[int, float]:
        """A wish is worth its strength, a hit how likely it is what was asked for."""
        hits = zip(self.found, worth(self.found), strict=True)
        return {hit.id: value for hit, value in hits} | {hit.id: hit.score for hit in self.standing}


def fit(
    given: Candidates, budget: int, now: datetime, count: Counter, categories: Sequence[Category] = CATEGORIES
) -> tuple[list[Section], dict[int, str]]:
    """Chosen sections, and why the rest was left out. Each category has its share first; what it leaves goes on."""
    distinct_hits, left_out = _distinct((*given.standing, *given.found))
    values = given.values()
    items = [_named(entity, count) for entity in given.named]
    parts = {hit.id: next(each.title for each in categories if each.takes(hit)) for hit in distinct_hits}
    items += [_item(hit, parts[hit.id], values[hit.id], given.asked, now, count) for hit in distinct_hits]
    titles = {category.title: count(f"### {category.title}\n") for category in categories}
    shares = {category.title: category.share for category in categories}
    chosen = choose(items, Room(max(0, budget), shares, titles))
    nodes = {hit.id: hit.node for hit in distinct_hits}
    left_out |= {id: "no room in the token budget" for id in nodes if id not in chosen}
    sections = []
    for category in categories:
        mine = [item for item in items if item.part == category.title and item.key in chosen]
        lines = [(nodes.get(item.key) if isinstance(item.key, int) else None, chosen[item.key]) for item in mine]
        if lines:
            sections.append(Section(category.title, tuple(Line(node, form.text, form.tokens) for node, form in lines)))
    return sections, left_out


def _named(entity: Entity, count: Counter) -> Item:
    """Who or what the question names, before anything that is known of them."""
    text = introduction(entity)
    return Item(("named", entity.id), _KNOWN.title, 1.0, (Form(text, count(text + "\n")),), words(text))


def _item(hit: Hit, part: str, value: float, asked: Sequence[str], now: datetime, count: Counter) -> Item:
    def written(text: str) -> str:
        return line(hit.node, text, now)

    found = distinct(lambda text: count(written(text) + "\n"), hit.node, asked)
    forms = tuple(Form(written(text), tokens, keeps) for text, tokens, keeps in found)
    return Item(hit.id, part, value, forms, words(hit.text))


def _distinct(hits: Sequence[Hit]) -> tuple[list[Hit], dict[int, str]]:
    """Each wording once, and who was left out for it: the same sentence said twice costs tokens and tells nothing."""
    first: dict[str, int] = {}
    kept: list[Hit] = []
    left_out: dict[int, str] = {}
    for hit in hits:
        same = first.setdefault(" ".join(hit.text.casefold().split()), hit.id)
        if same == hit.id:
            kept.append(hit)
        else:
            left_out[hit.id] = f"same words as [id:{same}]"
    return kept, left_out
