"""What a knowledge source is: it looks at the scene and posts what it knows. It decides nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Protocol

from omoide.domain import Entity, Node, layer_of
from omoide.language.stemmer import is_same_word
from omoide.language.text import fts_terms
from omoide.recall.budget_selection import comparison_words, pack_values
from omoide.recall.context_pack import standing_preferences
from omoide.recall.results import Recall
from omoide.store import NodeFilter, Store
from omoide.working.board import Board


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageScene:
    """What is going on: the board, the message, what recall made of it, and which triggers it pulled."""

    board: Board
    message: str
    at: datetime
    keep: NodeFilter
    triggers: frozenset[str] = frozenset()
    recalls: tuple[Recall, ...] = ()  # the first is that of the message
    named: tuple[int, ...] = ()  # entities in it

    @property
    def asked(self) -> tuple[str, ...]:
        return self.recalls[0].query.terms if self.recalls else ()


@dataclass(frozen=True, slots=True)
class PostedMemory:
    """Something that may matter: a memory, or an entity that was named; and how much, from 0 to 1."""

    sort: str  # preference, profile, goal, procedure, entity, fact, related, episode, evidence
    value: float
    why: str
    node: Node | None = None
    entity: Entity | None = None
    rests_on: frozenset[int] = field(default=frozenset())

    @property
    def key(self) -> tuple[str, int]:
        if self.node is not None:
            return "node", self.node.id
        assert self.entity is not None
        return "entity", self.entity.id


class KnowledgeSource(Protocol):
    """One of the layers of memory, or what is on the board itself."""

    @property
    def name(self) -> str: ...

    def post(self, scene: MessageScene) -> Sequence[PostedMemory]: ...


# The knowledge sources: who the user is, what they wish, what is found, who is named, how it is done, goals.


_USER_NAMES = ("user", "User")  # what the user is called in facts while their name is not known
_MAX_PROFILE_FACTS = 30  # facts: what fits into the slot is far less
_MAX_FACTS = 10  # Kira-R: the surest of an entity
_MAX_RELATED_FACTS = 3
_MIN_CONFIDENCE = 0.3  # Kira-R: weaker relations are not walked
_MAX_RELATIONS = 10
_NAMED_VALUE = 0.8  # what is known of somebody who was named, beside the best hit's 1
_LINKED_VALUE = 0.4  # the same one hop on: Kira-R's nearness of 1 / 1.5, and the message did not name it
_HOW_TO = ("procedure", "skill")
_MAX_PROCEDURES = 5


def posting_sort(node: Node) -> str:
    """What a memory is posted as."""
    layer = layer_of(node.kind)
    if layer == "procedural":
        return "preference" if node.kind == "preference" else "procedure"
    return "fact" if layer == "semantic" else "episode"


@dataclass(frozen=True, slots=True)
class PreferenceSource:
    """Standing preferences, the strongest first: no similarity finds them."""

    store: Store
    name: str = "preferences"

    def post(self, scene: MessageScene) -> Sequence[PostedMemory]:
        return [
            PostedMemory("preference", hit.score, hit.why, hit.node)
            for hit in standing_preferences(self.store, scene.keep, scene.at)
        ]


@dataclass(frozen=True, slots=True)
class ProfileSource:
    """What is known of the user, what matters most first."""

    store: Store
    name: str = "profile"

    def post(self, scene: MessageScene) -> Sequence[PostedMemory]:
        names = [*self.store.owner_names(scene.board.session), *_USER_NAMES]
        ids = self.store.facts_about(names, scene.keep, _MAX_PROFILE_FACTS)
        held = self.store.nodes(ids)
        return [
            PostedMemory("profile", held[id].importance / 10, "about the user", held[id]) for id in ids if id in held
        ]


@dataclass(frozen=True, slots=True)
class RecallSource:
    """What was recalled for the message, as far below the best as the recipe allows."""

    name: str = "recall"

    def post(self, scene: MessageScene) -> Sequence[PostedMemory]:
        found: list[PostedMemory] = []
        window = {*scene.board.turns, *scene.board.goals, *scene.board.summaries}
        for place, recall in enumerate(scene.recalls):
            hits = [hit for hit in recall.hits if hit.id not in window]  # what was just said is always the best hit
            floor = recall.query.recipe.pack_floor * max((hit.score for hit in hits), default=0.0)
            share = 1.0 if place == 0 else 0.5  # what was going on before matters less than what is asked
            for hit, value in zip(hits, pack_values(hits), strict=True):
                if hit.score >= floor:
                    found.append(PostedMemory(posting_sort(hit.node), share * value, hit.why, hit.node))
        return found


@dataclass(frozen=True, slots=True)
class EntitySource:
    """Who and what the message names: a line on each, what is known of it, and what one relation away is."""

    store: Store
    name: str = "entities"

    def post(self, scene: MessageScene) -> Sequence[PostedMemory]:
        if not scene.named:
            return []
        private = scene.keep.audience == "private"  # who they are and how they are related was told in private
        found = [
            PostedMemory("entity", _NAMED_VALUE, "named in the message", entity=each)
            for each in (self.store.described(scene.named) if private else ())
        ]
        for reached in self.store.hops(scene.named, 1 if private else 0, _MIN_CONFIDENCE, _MAX_RELATIONS):
            direct = reached.depth == 0
            known = self.store.known_of(reached.id, scene.keep, _MAX_FACTS if direct else _MAX_RELATED_FACTS)
            held = self.store.nodes([id for id, _ in known])
            why = f"known of {reached.way}" if direct else f"by way of {reached.way}"
            for id, confidence in known:
                if id in held and held[id].kind != "preference":
                    sort = posting_sort(held[id]) if direct else "related"
                    found.append(
                        PostedMemory(sort, (_NAMED_VALUE if direct else _LINKED_VALUE) * confidence, why, held[id])
                    )
        return found


@dataclass(frozen=True, slots=True)
class ProcedureSource:
    """How it is done: procedures and skills whose name or trigger speaks of what the message asks for."""

    store: Store
    name: str = "procedures"

    def post(self, scene: MessageScene) -> Sequence[PostedMemory]:
        keep = replace(scene.keep, kinds=_HOW_TO, session=None)
        asked = {word.lower() for word in scene.asked}
        if not asked or not self.store.matching(keep, 1):
            return []
        found = self.store.search_text(fts_terms(scene.asked), keep, _MAX_PROCEDURES)
        held = self.store.nodes([id for id, _ in found])
        return [
            PostedMemory("procedure", share * held[id].confidence, "its trigger fits", held[id])
            for id, _ in found
            if id in held and (share := _trigger_match(held[id], asked))
        ]


@dataclass(frozen=True, slots=True)
class GoalSource:
    """What the session is for."""

    store: Store
    name: str = "goals"

    def post(self, scene: MessageScene) -> Sequence[PostedMemory]:
        held = self.store.nodes(scene.board.goals)
        return [PostedMemory("goal", 1.0, "an active goal", held[id]) for id in scene.board.goals if id in held]


def knowledge_sources(store: Store) -> tuple[KnowledgeSource, ...]:
    return (
        PreferenceSource(store),
        ProfileSource(store),
        GoalSource(store),
        RecallSource(),
        EntitySource(store),
        ProcedureSource(store),
    )


def _trigger_match(node: Node, asked: set[str]) -> float:
    """From a half to 1 by how many of the words asked for its name and trigger hold; 0 for none."""
    told = comparison_words(
        " ".join(filter(None, (node.attributes.get("name"), node.attributes.get("trigger"), node.text)))
    )
    shared = sum(any(is_same_word(word, other) for other in told) for word in asked)
    return 0.5 + 0.5 * shared / len(asked) if shared else 0.0
