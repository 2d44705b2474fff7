"""Knowledge as a graph: things with what is observed of them, and how they are related."""

from __future__ import annotations

from dataclasses import dataclass

from omoide.layers.entity import Relation
from omoide.layers.node import Node


@dataclass(frozen=True, slots=True)
class Thing:
    """An entity, the word for what it is as it was given, and the facts whose subject it is."""

    name: str
    type: str
    observations: tuple[Node, ...] = ()

    @property
    def texts(self) -> tuple[str, ...]:
        return tuple(node.text for node in self.observations)


@dataclass(frozen=True, slots=True)
class Graph:
    """Things in the order they became known, and relations in theirs."""

    things: tuple[Thing, ...] = ()
    relations: tuple[Relation, ...] = ()
