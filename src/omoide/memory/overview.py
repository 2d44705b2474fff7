"""What the page of a memory shows beside the results of verbs: many memories at once with their grounds, packs with
what was left out, spans, the graph, sessions, the inbox, nights and growth."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from time import perf_counter
from typing import TYPE_CHECKING, Any

from omoide.clock import to_datetime, to_datetime_or_none, to_micros
from omoide.domain import Entity, Node, Session
from omoide.errors import NotFound
from omoide.language.text import shorten
from omoide.memory.core import Core, positive
from omoide.memory.read import recall_sources
from omoide.observe import validate
from omoide.store import NodeFilter

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

    def subjects(self, words: str = "", limit: int = 50) -> list[tuple[Entity, int]]:
        """Entities by the beginning of a word of their names, and how many memories were learned about each; the most
        mentioned first."""
        return self._core.seen.overview.find_entities(words, positive(limit, "limit"))

    @staticmethod
    def recipes() -> list[str]:
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


# What the page shows of time, people and care: spans, the graph, sessions line by line, the inbox, nights, growth.


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


# How large the file was and how long a search took, day by day: measured at the end of each whole maintenance run.


_QUERY = "What do we know so far?"  # likely to find something, so that scoring takes part
_CURSOR = "size samples"
_DAYS_KEPT = 730


def ask_for_nothing(core: Core) -> float:
    """Asks a question that counts as no use of any memory; returns the milliseconds it took."""
    from omoide.recall.pipeline import answer
    from omoide.recall.question import RecallQuestion
    from omoide.recall.recipes import recipe_by_name

    now, plan = core.local_time(None), recipe_by_name("everyday", core.settings)
    asked = RecallQuestion(text=_QUERY, at=now, limit=None, filter=NodeFilter(valid_at=to_micros(now)), recipe=plan)
    began = perf_counter()
    answer(asked, recall_sources(core))
    return 1000 * (perf_counter() - began)


def note_size(core: Core) -> None:
    """Stores today's sample; the first question loads what a search needs and is not counted."""
    ask_for_nothing(core)
    stats = core.store.space.count_all()
    day = to_datetime(core.clock()).date().isoformat()
    sample = {"day": day, "nodes": stats.nodes, "bytes": stats.bytes, "recall_ms": round(ask_for_nothing(core), 1)}
    kept = [each for each in size_samples(core) if each["day"] != day]
    core.store.maintenance.set_cursor(_CURSOR, [*kept, sample][-_DAYS_KEPT:])


def size_samples(core: Core) -> list[dict[str, Any]]:
    """The samples, oldest first."""
    return list(core.store.maintenance.get_cursor(_CURSOR) or [])
