"""Knowledge sources of a live session: each proposes memories that may matter for a message. The prompt decides which
are included."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from omoide.domain import Entity, Node, layer_of
from omoide.domain.node import is_data_origin
from omoide.language.text import fts_terms, is_same_word
from omoide.recall.budget_selection import comparison_words, pack_values
from omoide.recall.context_pack import select_hits, standing_preferences
from omoide.recall.results import Recall
from omoide.store import NodeFilter, Store
from omoide.working.board import Board

_USER_NAMES = ("user", "User")  # the subject of facts about the user while the name is unknown
_MAX_PROFILE_FACTS = 30
_MAX_FACTS = 10  # of a named entity, the most confident
_MAX_RELATED_FACTS = 3  # of an entity related to it
_MIN_CONFIDENCE = 0.3  # of the relations that are followed
_MAX_RELATIONS = 10
_MAX_PROCEDURES = 5
_HOW_TO = ("procedure", "skill")
_NAMED_VALUE = 0.8  # of facts about a named entity; the best hit has 1
_RELATED_VALUE = 0.4  # of facts about a related entity
_SESSION_START_VALUE = 0.5  # of what is recalled at the start of a session, relative to what the message asks


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageScene:
    """A message, the board, what the message triggers and what recall found for it."""

    board: Board
    message: str
    at: datetime
    filter: NodeFilter
    triggers: frozenset[str] = frozenset()
    recalls: tuple[Recall, ...] = ()  # the first is that of the message
    entities: tuple[int, ...] = ()  # named in the message

    @property
    def terms(self) -> tuple[str, ...]:
        return self.recalls[0].query.terms if self.recalls else ()


@dataclass(frozen=True, slots=True)
class PostedMemory:
    """A memory or an entity that may matter, with a value from 0 to 1."""

    category: str  # preference, profile, goal, procedure, entity, fact, related, episode, evidence
    value: float
    why: str
    node: Node | None = None
    entity: Entity | None = None
    sources: frozenset[int] = frozenset()  # nodes it was derived from

    @property
    def key(self) -> tuple[str, int]:
        if self.node is not None:
            return "node", self.node.id
        assert self.entity is not None
        return "entity", self.entity.id


def category_of(node: Node) -> str:
    """The category in which a memory is posted."""
    layer = layer_of(node.kind)
    if layer == "procedural":
        return "preference" if node.kind == "preference" else "procedure"
    return "fact" if layer == "semantic" else "episode"


KnowledgeSource = Callable[[Store, MessageScene], Sequence[PostedMemory]]


def post_preferences(store: Store, scene: MessageScene) -> list[PostedMemory]:
    """Standing preferences, the strongest first."""
    found = standing_preferences(store, scene.filter, scene.at)
    return [PostedMemory("preference", hit.score, hit.why, hit.node) for hit in found]


def post_profile(store: Store, scene: MessageScene) -> list[PostedMemory]:
    """Facts about the user, the most important first."""
    names = [*store.boards.owner_names(scene.board.session), *_USER_NAMES]
    ids = store.boards.facts_about(names, scene.filter, _MAX_PROFILE_FACTS)
    nodes = store.nodes.fetch(ids)
    return [
        PostedMemory("profile", nodes[id].importance / 10, "about the user", nodes[id])
        for id in ids
        if id in nodes and not is_data_origin(nodes[id].origin)
    ]


def post_goals(store: Store, scene: MessageScene) -> list[PostedMemory]:
    """The active goals of the session."""
    nodes = store.nodes.fetch(scene.board.goals)
    return [PostedMemory("goal", 1.0, "an active goal", nodes[id]) for id in scene.board.goals if id in nodes]


def post_recalled(store: Store, scene: MessageScene) -> list[PostedMemory]:
    """What recall found and may matter for the answer. What is in the window is left out: it was just said."""
    found: list[PostedMemory] = []
    window = {*scene.board.turns, *scene.board.goals, *scene.board.summaries}
    for place, recall in enumerate(scene.recalls):
        hits = [hit for hit in select_hits(recall).hits if hit.id not in window]
        weight = 1.0 if place == 0 else _SESSION_START_VALUE
        for hit, value in zip(hits, pack_values(hits), strict=True):
            found.append(PostedMemory(category_of(hit.node), weight * value, hit.why, hit.node))
    return found


def post_entities(store: Store, scene: MessageScene) -> list[PostedMemory]:
    """The entities that the message names, facts about them, and facts about entities related to them.

    Descriptions and relations were told in private and are left out while others listen.
    """
    if not scene.entities:
        return []
    private = scene.filter.audience == "private"
    described = store.entities.described(scene.entities) if private else ()
    found = [PostedMemory("entity", _NAMED_VALUE, "named in the message", entity=each) for each in described]
    for reached in store.graph.related_entities(scene.entities, 1 if private else 0, _MIN_CONFIDENCE, _MAX_RELATIONS):
        direct = reached.depth == 0
        known = store.graph.learned_about(reached.id, scene.filter, _MAX_FACTS if direct else _MAX_RELATED_FACTS)
        nodes = store.nodes.fetch([id for id, _ in known])
        why = f"known of {reached.way}" if direct else f"by way of {reached.way}"
        value = _NAMED_VALUE if direct else _RELATED_VALUE
        for id, confidence in known:
            if id in nodes and nodes[id].kind != "preference":
                category = category_of(nodes[id]) if direct else "related"
                found.append(PostedMemory(category, value * confidence, why, nodes[id]))
    return found


def post_procedures(store: Store, scene: MessageScene) -> list[PostedMemory]:
    """Procedures and skills whose name, trigger or text matches the terms of the message."""
    filter = replace(scene.filter, kinds=_HOW_TO, session=None)
    terms = {term.lower() for term in scene.terms}
    if not terms or not store.search.matching(filter, 1):
        return []
    found = store.search.text(fts_terms(scene.terms), filter, _MAX_PROCEDURES)
    nodes = store.nodes.fetch([id for id, _ in found])
    return [
        PostedMemory("procedure", share * nodes[id].confidence, "its trigger fits", nodes[id])
        for id, _ in found
        if id in nodes and (share := _trigger_match(nodes[id], terms))
    ]


KNOWLEDGE_SOURCES: tuple[KnowledgeSource, ...] = (
    post_preferences,
    post_profile,
    post_goals,
    post_recalled,
    post_entities,
    post_procedures,
)


def _trigger_match(node: Node, terms: set[str]) -> float:
    """From 0.5 to 1 by the share of terms that name, trigger and text contain; 0 if they contain none."""
    text = " ".join(filter(None, (node.attributes.get("name"), node.attributes.get("trigger"), node.text)))
    words = comparison_words(text)
    shared = sum(any(is_same_word(term, word) for word in words) for term in terms)
    return 0.5 + 0.5 * shared / len(terms) if shared else 0.0
