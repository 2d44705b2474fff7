"""The graph as a whole: drawn, read, and taken back."""

from __future__ import annotations

from collections.abc import Sequence

from omoide.domain import Entity, Relation
from omoide.domain.entity import EntityGraph
from omoide.store.door.opened import Opened
from omoide.store.entities import graph
from omoide.store.entities.graph import EntityDraft, RelationDraft


class Graphs(Opened):
    """Each verb is one transaction."""

    def draw(self, things: Sequence[EntityDraft], ties: Sequence[RelationDraft], key: str | None) -> EntityGraph:
        return self._write(lambda db: graph.add(db, things, ties, key))

    def drop(self, names: Sequence[str]) -> list[str]:
        return self._write(lambda db: graph.remove(db, names))

    def withdraw(self, ids: Sequence[int]) -> None:
        self._write(lambda db: graph.archive_observations(db, ids))

    def unrelate(self, source: str, type: str, target: str) -> Relation:
        return self._write(lambda db: graph.unrelate(db, source, type, target))

    def graph(self, names: Sequence[str] | None) -> EntityGraph:
        return self._read(lambda db: graph.read(db, names))

    def entities(self, limit: int) -> list[Entity]:
        return self._read(lambda db: graph.most_mentioned(db, limit))
