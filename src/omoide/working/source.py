"""What a knowledge source is: it looks at the scene and posts what it knows. It decides nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

from omoide.layers import Entity, Node
from omoide.recall.hit import Recall
from omoide.store import Filter
from omoide.working.board import Board


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """What is going on: the board, the message, what recall made of it, and which triggers it pulled."""

    board: Board
    message: str
    at: datetime
    keep: Filter
    triggers: frozenset[str] = frozenset()
    recalls: tuple[Recall, ...] = ()  # the first is that of the message
    named: tuple[int, ...] = ()  # entities in it

    @property
    def asked(self) -> tuple[str, ...]:
        return self.recalls[0].query.terms if self.recalls else ()


@dataclass(frozen=True, slots=True)
class Posting:
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


class Source(Protocol):
    """One of the layers of memory, or what is on the board itself."""

    @property
    def name(self) -> str: ...

    def post(self, scene: Scene) -> Sequence[Posting]: ...
