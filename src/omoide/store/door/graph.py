"""The graph as a whole: drawn, read, and taken back."""

from __future__ import annotations

from collections.abc import Sequence

from omoide.layers import Entity, Relation
from omoide.layers.graph import Graph
from omoide.store import graph
from omoide.store.door.opened import Opened
from omoide.store.graph import Drawn, Tie


class Graphs(Opened):
    """Each verb is one transaction."""

    def draw(self, things: Sequence[Drawn], ties: Sequence[Tie], key: str | None) -> Graph:
        return self._write(lambda db: graph.draw(db, things, ties, key, self._clock(), self._ids))

    def drop(self, names: Sequence[str]) -> list[str]:
        return self._write(lambda db: graph.drop(db, names, self._clock()))

    def withdraw(self, ids: Sequence[int]) -> None:
        self._write(lambda db: graph.withdraw(db, ids, self._clock()))

    def unrelate(self, source: str, type: str, target: str) -> Relation:
        return self._write(lambda db: graph.unrelate(db, source, type, target, self._clock()))

    def graph(self, names: Sequence[str] | None) -> Graph:
        return self._read(lambda db: graph.read(db, names, self._clock()))

    def entities(self, limit: int) -> list[Entity]:
        return self._read(lambda db: graph.listed(db, limit))
