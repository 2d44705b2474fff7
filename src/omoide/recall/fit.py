"""Ranked hits → what fits the token budget: categories with shares, shorter forms, nothing twice."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from omoide.layers import Entity, Node, layer_of
from omoide.recall.hit import Hit
from omoide.recall.inject import introduction, line
from omoide.text import shorten

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

_SHORT_FORMS = (400, 160)  # characters, tried in turn when the whole text does not fit


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


def fit(
    hits: Sequence[Hit],
    named: Sequence[Entity],
    budget: int,
    now: datetime,
    count: Counter,
    categories: Sequence[Category] = CATEGORIES,
) -> tuple[list[Section], dict[int, str]]:
    """Chosen sections, and why the rest was left out: first each category within its share, then what is left over."""
    distinct, left_out = _distinct(hits)
    waiting = _by_category(distinct, categories)
    chosen: dict[str, list[Line]] = {category.title: [] for category in categories}
    left = budget
    for category in categories:
        title = count(f"### {category.title}\n")
        room = min(left, int(budget * category.share)) - title
        who = _introduced(named, room, count) if category is _KNOWN else []
        taken, rest = _fill(waiting[category.title], room - sum(each.tokens for each in who), now, count)
        taken = [*who, *taken]
        if taken:
            left -= title + sum(each.tokens for each in taken)
        chosen[category.title], waiting[category.title] = taken, rest
    for category in categories:  # what one category did not need, the next may have
        title = 0 if chosen[category.title] else count(f"### {category.title}\n")
        taken, rest = _fill(waiting[category.title], left - title, now, count)
        if taken:
            left -= title + sum(each.tokens for each in taken)
        chosen[category.title] = [*chosen[category.title], *taken]
        left_out |= {hit.id: "no room in the token budget" for hit in rest}
    return [Section(title, tuple(lines)) for title, lines in chosen.items() if lines], left_out


def _introduced(named: Sequence[Entity], room: int, count: Counter) -> list[Line]:
    """Who or what the question names, as far as there is room."""
    lines: list[Line] = []
    for entity in named:
        text = introduction(entity)
        tokens = count(text + "\n")
        if tokens <= room:
            lines.append(Line(None, text, tokens))
            room -= tokens
    return lines


def _fill(hits: Sequence[Hit], room: int, now: datetime, count: Counter) -> tuple[list[Line], list[Hit]]:
    taken, rest = [], []
    for hit in hits:
        found = _line_within(hit.node, room, now, count)
        if found is None:
            rest.append(hit)
        else:
            taken.append(found)
            room -= found.tokens
    return taken, rest


def _line_within(node: Node, room: int, now: datetime, count: Counter) -> Line | None:
    """The longest form of a memory that fits: whole, then its summary, then clipped."""
    for text in _forms(node):
        written = line(node, text, now)
        tokens = count(written + "\n")
        if tokens <= room:
            return Line(node, written, tokens)
    return None


def _forms(node: Node) -> Iterable[str]:
    yield node.told
    if node.told != node.text:
        yield node.text
    if node.summary:
        yield node.summary
    for length in _SHORT_FORMS:
        if len(node.text) > length:
            yield shorten(node.text, length)


def _by_category(hits: Sequence[Hit], categories: Sequence[Category]) -> dict[str, list[Hit]]:
    sorted_in: dict[str, list[Hit]] = {category.title: [] for category in categories}
    for hit in hits:
        category = next(category for category in categories if category.takes(hit))
        sorted_in[category.title].append(hit)
    return sorted_in


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
