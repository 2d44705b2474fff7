"""What the page shows of time, people and care: spans, the graph, sessions line by line, the inbox, nights, growth."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from omoide.clock import to_datetime, to_datetime_or_none, to_micros
from omoide.domain import Node, Session
from omoide.errors import NotFound
from omoide.language.text import shorten
from omoide.memory.core import positive
from omoide.memory.overview import LONGEST, MemoryCard, Overview
from omoide.memory.size_samples import ask_for_nothing, size_samples
from omoide.observe import validate
from omoide.store import NodeFilter

if TYPE_CHECKING:
    from omoide.memory.memory import Memory

_LABEL = 160  # characters of a bar
_MOST_LINES = 20_000  # of a graph
_DAY = 86_400_000_000
_BELIEVED = ("fact", "preference", "opinion", "procedure", "note")


@dataclass(frozen=True, slots=True)
class SessionLine:
    """A line of a conversation and what was learned from it."""

    node: Node
    text: str
    learned: tuple[MemoryCard, ...]


class TimeOverview:
    """Reads of the views Timeline, Graph, Sessions, Inbox and Maintenance."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self._core = memory._core
        self._cards = Overview(memory).cards

    def timeline(self, since: str, until: str, subject: str | None, limit: int) -> dict[str, Any]:
        """Bars of memories, and the sessions, between two moments."""
        store, (begin, end) = self._core.store, (to_micros(since, "since"), to_micros(until, "until"))
        entity = None if subject is None else store.entities.find_entity_or_user(subject).id
        found = store.overview.spans(begin, end, entity, positive(limit, "limit"))
        return {
            "spans": [
                {
                    "id": each.id,
                    "kind": each.kind,
                    "text": shorten(each.text, _LABEL),
                    "state": each.state,
                    "begins": to_datetime(each.begins),
                    "ends": to_datetime_or_none(each.ends),
                    "known": to_datetime(each.known),
                }
                for each in found
            ],
            "sessions": [
                {"name": name, "begins": to_datetime(first), "ends": to_datetime(last), "turns": turns}
                for name, first, last, turns in store.overview.talks(begin, end, positive(limit, "limit"))
            ],
        }

    def believed(self, at: str, subject: str | None, limit: int) -> list[MemoryCard]:
        """What was believed at a time, in the wording of that time."""
        store, then = self._core.store, to_micros(at, "at")
        entity = None if subject is None else store.entities.find_entity_or_user(subject).id
        keep = NodeFilter(kinds=_BELIEVED, as_of=then, valid_at=then, entity_id=entity)
        ids = store.search.matching(keep, positive(limit, "limit"), "newest")
        nodes = store.nodes.fetch(ids, then)
        return self._cards([nodes[id] for id in ids if id in nodes])

    def graph(self, limit: int, least: int) -> dict[str, Any]:
        """The entities, and what ties them."""
        overview = self._core.store.overview
        nodes = overview.graph_nodes(positive(limit, "limit"), positive(least, "least"))
        return {"nodes": nodes, "lines": overview.graph_lines([each.id for each in nodes], _MOST_LINES)}

    def sessions(self, words: str, limit: int) -> list[Session]:
        store = self._core.store
        return [store.sessions.require(each) for each in store.overview.find_sessions(words, positive(limit, "limit"))]

    def session_lines(self, name: str, after: int, limit: int) -> list[SessionLine]:
        """Lines of a conversation, each with what was learned from it."""
        store = self._core.store
        ids = store.overview.session_lines(validate.required_name(name, "name"), after, positive(limit, "limit"))
        nodes = store.nodes.fetch(ids)
        pairs = store.overview.learned_from(ids)
        learned = store.nodes.fetch({memory for _, memory in pairs})
        cards = {card.node.id: card for card in self._cards(list(learned.values()))}
        by_line: dict[int, list[MemoryCard]] = defaultdict(list)
        for turn, memory in pairs:
            if memory in cards:
                by_line[turn].append(cards[memory])
        return [
            SessionLine(nodes[id], shorten(nodes[id].text, LONGEST), tuple(by_line[id])) for id in ids if id in nodes
        ]

    def inbox(self, days: int, limit: int) -> dict[str, Any]:
        """What was learned of late, what contradicts each other, what is doubtful, and which secrets were replaced."""
        store, memory = self._core.store, self._memory
        since = self._core.clock() - positive(days, "days") * _DAY

        def cards(ids: list[int]) -> list[MemoryCard]:
            nodes = store.nodes.fetch(ids)
            return self._cards([nodes[id] for id in ids if id in nodes])

        pairs = memory.review.contradictions(limit)
        disputed = {node.id for pair in pairs for node in (pair.one, pair.other)}
        doubtful = [node for node in memory.review.uncertain(limit) if node.id not in disputed]
        return {
            "learned": cards(store.overview.learned_since(since, limit)),
            "contradictions": [self._cards([pair.one, pair.other]) for pair in pairs],
            "doubtful": self._cards(doubtful),
            "redacted": cards(store.overview.redacted_since(since, limit)),
            "refused": self._refused(since, limit),
        }

    def _refused(self, since: int, limit: int) -> list[dict[str, Any]]:
        """What learning found and did not keep, with the turn that says it."""
        found = self._core.store.learning.refused_since(since, limit)
        turns = self._core.store.nodes.fetch({each.node for each in found})
        return [
            {
                "id": each.id,
                "kind": each.kind,
                "text": each.text,
                "reason": each.reason,
                "turn": self._cards([turns[each.node]])[0],
            }
            for each in found
            if each.node in turns
        ]

    def learn_refused(self, id: int) -> Node:
        """Keeps what learning refused, on the user's word."""
        store = self._core.store
        if (found := store.learning.find_refused(id)) is None:
            raise NotFound(f"nothing was refused under the number {id}; it may be known by now")
        node = self._memory.remember(found.text, sources=[found.node])
        store.learning.delete_refused(id)
        return node

    def drop_refused(self, id: int) -> None:
        """The user agrees that it is not kept."""
        self._core.store.learning.delete_refused(id)

    def night(self, id: int) -> list[dict[str, Any]]:
        """What a night did, memory by memory."""
        found = self._core.store.maintenance.night_changes(id)
        nodes = self._core.store.nodes.fetch([each.id for each in found])
        return [
            {
                "id": each.id,
                "did": each.did,
                "columns": each.columns,
                "kind": nodes[each.id].kind if each.id in nodes else None,
                "state": nodes[each.id].state if each.id in nodes else None,
                "text": shorten(nodes[each.id].text if each.id in nodes else each.text or "", LONGEST),
                "before": shorten(each.text, LONGEST) if each.text else None,
            }
            for each in found
        ]

    def growth(self) -> list[dict[str, Any]]:
        """How many memories there were at the end of each day."""
        turns = learned = 0
        days = []
        for day, more_turns, more_learned in self._core.store.overview.growth():
            turns, learned = turns + more_turns, learned + more_learned
            at = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(days=day)
            days.append({"day": at.date().isoformat(), "turns": turns, "learned": learned})
        return days

    def speed(self) -> list[dict[str, Any]]:
        """Size of the file and time of a search, day by day."""
        return size_samples(self._core)

    def recall_time(self) -> float:
        """Milliseconds of a search now."""
        return ask_for_nothing(self._core)

    def copies(self) -> list[dict[str, Any]]:
        """Backups and exports that were made of this file."""
        return [
            {"path": each.path, "kind": each.kind, "made_at": each.made_at} for each in self._core.store.copies.known()
        ]
