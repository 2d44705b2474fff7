"""The knowledge sources: who the user is, what they wish, what is found, who is named, how it is done, goals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from omoide.layers import Node, layer_of
from omoide.recall.shorter import words
from omoide.recall.standing import standing
from omoide.recall.worth import worth
from omoide.store import Store
from omoide.text import quoted
from omoide.working.source import Posting, Scene, Source

_USER = ("user", "User")  # what the user is called in facts while their name is not known
_PROFILE = 30  # facts: what fits into the slot is far less
_FACTS = 10  # Kira-R: the surest of an entity
_RELATED_FACTS = 3
_CONFIDENCE_OVER = 0.3  # Kira-R: weaker relations are not walked
_RELATIONS = 10
_NAMED = 0.8  # what is known of somebody who was named, beside the best hit's 1
_LINKED = 0.4  # the same one hop on: Kira-R's nearness of 1 / 1.5, and the message did not name it
_HOW_TO = ("procedure", "skill")
_PROCEDURES = 5


def sort_of(node: Node) -> str:
    """What a memory is posted as."""
    layer = layer_of(node.kind)
    if layer == "procedural":
        return "preference" if node.kind == "preference" else "procedure"
    return "fact" if layer == "semantic" else "episode"


@dataclass(frozen=True, slots=True)
class Preferences:
    """Standing preferences, the strongest first: no similarity finds them."""

    store: Store
    name: str = "preferences"

    def post(self, scene: Scene) -> Sequence[Posting]:
        return [
            Posting("preference", hit.score, hit.why, hit.node) for hit in standing(self.store, scene.keep, scene.at)
        ]


@dataclass(frozen=True, slots=True)
class Profile:
    """What is known of the user, what matters most first."""

    store: Store
    name: str = "profile"

    def post(self, scene: Scene) -> Sequence[Posting]:
        names = [*self.store.owner_names(scene.board.session), *_USER]
        ids = self.store.facts_about(names, scene.keep, _PROFILE)
        held = self.store.nodes(ids)
        return [Posting("profile", held[id].importance / 10, "about the user", held[id]) for id in ids if id in held]


@dataclass(frozen=True, slots=True)
class Recalled:
    """What was recalled for the message, as far below the best as the recipe allows."""

    name: str = "recall"

    def post(self, scene: Scene) -> Sequence[Posting]:
        found: list[Posting] = []
        window = {*scene.board.turns, *scene.board.goals, *scene.board.summaries}
        for place, recall in enumerate(scene.recalls):
            hits = [hit for hit in recall.hits if hit.id not in window]  # what was just said is always the best hit
            floor = recall.query.question.recipe.floor * max((hit.score for hit in hits), default=0.0)
            share = 1.0 if place == 0 else 0.5  # what was going on before matters less than what is asked
            for hit, value in zip(hits, worth(hits), strict=True):
                if hit.score >= floor:
                    found.append(Posting(sort_of(hit.node), share * value, hit.why, hit.node))
        return found


@dataclass(frozen=True, slots=True)
class Entities:
    """Who and what the message names: a line on each, what is known of it, and what one relation away is."""

    store: Store
    name: str = "entities"

    def post(self, scene: Scene) -> Sequence[Posting]:
        if not scene.named:
            return []
        private = scene.keep.audience == "private"  # who they are and how they are related was told in private
        found = [
            Posting("entity", _NAMED, "named in the message", entity=each)
            for each in (self.store.described(scene.named) if private else ())
        ]
        for reached in self.store.hops(scene.named, 1 if private else 0, _CONFIDENCE_OVER, _RELATIONS):
            direct = reached.depth == 0
            known = self.store.known_of(reached.id, scene.keep, _FACTS if direct else _RELATED_FACTS)
            held = self.store.nodes([id for id, _ in known])
            why = f"known of {reached.way}" if direct else f"by way of {reached.way}"
            for id, confidence in known:
                if id in held and held[id].kind != "preference":
                    sort = sort_of(held[id]) if direct else "related"
                    found.append(Posting(sort, (_NAMED if direct else _LINKED) * confidence, why, held[id]))
        return found


@dataclass(frozen=True, slots=True)
class Procedures:
    """How it is done: procedures and skills whose name or trigger speaks of what the message asks for."""

    store: Store
    name: str = "procedures"

    def post(self, scene: Scene) -> Sequence[Posting]:
        keep = replace(scene.keep, kinds=_HOW_TO, session=None)
        asked = {word.lower() for word in scene.asked}
        if not asked or not self.store.matching(keep, 1):
            return []
        found = self.store.search_text(quoted(scene.asked), keep, _PROCEDURES)
        held = self.store.nodes([id for id, _ in found])
        return [
            Posting("procedure", share * held[id].confidence, "its trigger fits", held[id])
            for id, _ in found
            if id in held and (share := _fits(held[id], asked))
        ]


@dataclass(frozen=True, slots=True)
class Goals:
    """What the session is for."""

    store: Store
    name: str = "goals"

    def post(self, scene: Scene) -> Sequence[Posting]:
        held = self.store.nodes(scene.board.goals)
        return [Posting("goal", 1.0, "an active goal", held[id]) for id in scene.board.goals if id in held]


def sources(store: Store) -> tuple[Source, ...]:
    return (Preferences(store), Profile(store), Goals(store), Recalled(), Entities(store), Procedures(store))


def _fits(node: Node, asked: set[str]) -> float:
    """From a half to 1 by how many of the words asked for its name and trigger hold; 0 for none."""
    told = words(" ".join(filter(None, (node.attributes.get("name"), node.attributes.get("trigger"), node.text))))
    shared = sum(any(_same(word, other) for other in told) for word in asked)
    return 0.5 + 0.5 * shared / len(asked) if shared else 0.0


def _same(one: str, other: str) -> bool:
    short, long = sorted((one, other), key=len)
    return one == other or (len(short) >= 4 and long.startswith(short) and len(long) - len(short) <= 3)
