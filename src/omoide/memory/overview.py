"""What the page of a memory shows beside the results of verbs: many memories at once with their grounds, packs with
what was left out, and whether anybody has written."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from omoide.clock import to_datetime
from omoide.domain import Entity, Node
from omoide.language.text import shorten
from omoide.memory.core import positive
from omoide.memory.page import MemoryPage

if TYPE_CHECKING:
    from omoide.memory.memory import Memory
    from omoide.recall.context_pack import Pack
    from omoide.recall.results import RecallTrace

LONGEST = 1_500  # characters of a text in a list; the memory itself is shown whole
_LEFT_OUT = 60  # memories that a pack did not take, with the reasons


@dataclass(frozen=True, slots=True)
class CardQuote:
    """Words that a memory rests on."""

    episode: int
    words: str
    said_at: datetime
    session: str | None
    by: str


@dataclass(frozen=True, slots=True)
class OtherVersion:
    """A memory that was replaced, or that replaced another."""

    id: int
    text: str


@dataclass(frozen=True, slots=True)
class MemoryCard:
    """One memory with the words that it rests on and what it replaced."""

    node: Node
    text: str
    shortened: bool
    confidence: float  # as of now
    quotes: tuple[CardQuote, ...]
    replaced: tuple[OtherVersion, ...]
    replaced_by: tuple[OtherVersion, ...]


@dataclass(frozen=True, slots=True)
class Subject:
    """An entity and how many memories were learned about it."""

    entity: Entity
    learned: int


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A memory that a search found and a pack does not hold: the last stage it reached, and why it ended there."""

    id: int
    kind: str
    text: str
    stage: str
    rank: int
    reason: str


class Overview:
    """Reads for a page. Each takes one or a few queries, however many memories it shows."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self._core = memory._core

    def state(self) -> Hashable:
        """A value that differs from an earlier one if anybody has written since, also another process."""
        return self._core.store.state()

    def cards(self, nodes: Sequence[Node]) -> list[MemoryCard]:
        """The memories with their grounds, in the given order."""
        store, now = self._core.seen, to_datetime(self._core.clock())
        ids = [node.id for node in nodes]
        quotes: dict[int, list[CardQuote]] = defaultdict(list)
        for each in store.overview.quotations(ids):
            by = each.speaker or each.role or ""
            quotes[each.node].append(
                CardQuote(each.episode, shorten(each.words, LONGEST), to_datetime(each.said_at), each.session, by)
            )
        pairs = store.overview.replacements(ids)
        known = {node.id: node for node in nodes}
        known |= store.nodes.fetch({id for pair in pairs for id in pair} - known.keys())

        def versions(found: Iterable[int]) -> tuple[OtherVersion, ...]:
            return tuple(OtherVersion(id, shorten(known[id].text, LONGEST)) for id in found if id in known)

        return [
            MemoryCard(
                node=node,
                text=shorten(node.text, LONGEST),
                shortened=len(node.text) > LONGEST,
                confidence=node.effective_confidence(now),
                quotes=tuple(quotes[node.id]),
                replaced=versions(old for new, old in pairs if new == node.id),
                replaced_by=versions(new for new, old in pairs if old == node.id),
            )
            for node in nodes
        ]

    def page(self, listed: MemoryPage) -> list[MemoryCard]:
        return self.cards(listed.items)

    def subjects(self, words: str = "", limit: int = 50) -> list[Subject]:
        """Entities by the beginning of a word of their names, the most mentioned first."""
        found = self._core.seen.overview.find_entities(words, positive(limit, "limit"))
        return [Subject(entity, learned) for entity, learned in found]

    def recipes(self) -> list[str]:
        from omoide.recall.recipes import RECIPES

        return list(RECIPES)

    def left_out(self, pack: Pack) -> list[LeftOut]:
        """What the search of a pack found and the pack does not hold; first what came furthest."""
        ids = [id for id in pack.trace.considered if id not in set(pack.ids)][:_LEFT_OUT]
        nodes = self._core.seen.nodes.fetch(ids)
        places = _last_places(pack.trace, ids)
        return [
            LeftOut(id, nodes[id].kind, shorten(nodes[id].text, LONGEST), *places[id], pack.trace.dropped.get(id, ""))
            for id in ids
            if id in nodes and id in places
        ]

    def steps(self, pack: Pack) -> list[dict[str, Any]]:
        """The stages of the search: what each did, how long it took and how many memories it handed on."""
        return [
            {
                "stage": step.stage,
                "note": step.note,
                "milliseconds": step.milliseconds,
                "handed_on": len(step.output) if step.output is not None else None,
            }
            for step in pack.trace.steps
        ]

    def settings(self) -> list[dict[str, Any]]:
        """Every setting with its value, default, unit and reason. Keys of models are no settings."""
        from dataclasses import fields

        return [
            {
                "name": each.name,
                "value": getattr(self._core.settings, each.name),
                "default": each.default,
                "unit": each.metadata["unit"],
                "reason": each.metadata["reason"],
            }
            for each in fields(self._core.settings)
        ]


def _last_places(trace: RecallTrace, ids: Sequence[int]) -> dict[int, tuple[str, int]]:
    """The last stage that handed on each memory, and its rank there."""
    wanted, found = set(ids), {}
    for step in trace.steps:
        for rank, (id, _) in enumerate(step.candidates, start=1):
            if id in wanted:
                found[id] = (step.stage, rank)
    return found
