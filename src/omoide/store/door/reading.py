"""Reading: nodes, what is linked to them, entities and sessions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import apsw

from omoide.clock import Clock
from omoide.domain import Edge, Entity, Node, Relation, Session
from omoide.domain.entity import EntityNames
from omoide.ids import UlidFactory
from omoide.store.door.opened import Opened
from omoide.store.entities import entities, graph, names
from omoide.store.entities.names import NameIndex
from omoide.store.records import edges, listing, nodes, provenance, sessions
from omoide.store.search import fulltext, words
from omoide.store.search.fulltext import NodeFilter


class Reading(Opened):
    """Never waits for a writer."""

    def __init__(self, path: str, clock: Clock, ids: UlidFactory, busy_timeout: float) -> None:
        super().__init__(path, clock, ids, busy_timeout)
        self._names = NameIndex()

    def node(self, id: int) -> Node:
        return self._read(lambda db: nodes.require(db, id))

    def nodes(self, ids: Sequence[int], as_of: int | None = None) -> dict[int, Node]:
        """The nodes that exist among these ids; with `as_of`, as they were believed then."""
        return self._read(lambda db: nodes.fetch(db, ids) if as_of is None else provenance.fetch_as_of(db, ids, as_of))

    def list_page(self, wanted: listing.Listing) -> tuple[list[Node], tuple[int, int] | None]:
        """Returns a page of nodes and the position after which the next page begins."""
        return self._read(lambda db: listing.page(db, wanted))

    def readable(self, ids: Sequence[int], keep: NodeFilter) -> dict[int, Node]:
        """The nodes that may be read, by the ids they were found under: a superseded one is answered by what stands in
        its place today, and with `as_of` each by the words it had then."""

        def read(db: apsw.Connection) -> dict[int, Node]:
            if keep.as_of is None:
                found = nodes.fetch(db, ids)
                retired = [id for id, node in found.items() if node.state == "superseded"]
                found |= self._successors(db, retired) if retired else {}
            else:
                found = provenance.fetch_as_of(db, ids, keep.as_of)
            allowed = set(fulltext.passing(db, [node.id for node in found.values()], keep))
            return {id: node for id, node in found.items() if node.id in allowed}

        return self._read(read)

    def chain(self, id: int) -> list[int]:
        """All versions of a node, oldest first."""
        return self._read(lambda db: nodes.versions(db, id))

    def facts_of(self, entity_id: int) -> list[int]:
        return self._read(lambda db: provenance.facts_of(db, entity_id))

    def changes(self, id: int) -> list[dict[str, Any]]:
        return self._read(lambda db: nodes.changes(db, id))

    def edges(self, id: int) -> list[Edge]:
        return self._read(lambda db: edges.of_node(db, id))

    def _successors(self, db: apsw.Connection, ids: Sequence[int]) -> dict[int, Node]:
        """What stands in the place of superseded nodes today, by their ids."""
        ends = {id: nodes.latest_version(db, id) for id in ids}
        found = nodes.fetch(db, ends.values())
        return {id: found[end] for id, end in ends.items() if end in found}

    def lengths(self, ids: Sequence[int]) -> dict[int, int]:
        return self._read(lambda db: nodes.text_lengths(db, ids))

    def session_ids(self, ids: Sequence[int]) -> dict[int, int]:
        return self._read(lambda db: nodes.session_ids(db, ids))

    def neighbours(self, ids: Sequence[int], reach: int) -> list[tuple[int, int, int, int]]:
        return self._read(lambda db: edges.temporal_neighbours(db, ids, reach))

    def link_chain(self, ids: Sequence[int], type: str, depth: int) -> list[graph.LinkStep]:
        return self._read(lambda db: graph.link_chain(db, ids, type, depth))

    def hops(
        self, entity_ids: Sequence[int], depth: int, confidence_over: float, fan: int
    ) -> list[graph.ReachedEntity]:
        return self._read(lambda db: graph.related_entities(db, entity_ids, depth, confidence_over, fan))

    def known_of(self, entity_id: int, keep: NodeFilter, limit: int) -> list[tuple[int, float]]:
        return self._read(lambda db: graph.learned_about(db, entity_id, keep, limit))

    def entity(self, name: str) -> Entity:
        return self._read(lambda db: names.find_entity_or_user(db, name))

    def described(self, entity_ids: Sequence[int]) -> list[Entity]:
        """Those of the entities that something is told of."""
        found = self._read(lambda db: entities.fetch(db, entity_ids))
        return [entity for entity in found if entity.description or entity.summary]

    def relations(self, entity_ids: Sequence[int], confidence_over: float = 0.0) -> list[Relation]:
        return self._read(lambda db: entities.relations(db, entity_ids, confidence_over))

    def mentions(self, entity_ids: Sequence[int], limit: int) -> list[tuple[int, int]]:
        return self._read(lambda db: entities.mentioning_nodes(db, entity_ids, limit))

    def entity_names(self) -> EntityNames:
        """The index of names, up to date with what any process has written."""
        return self._read(self._names.fresh)

    def spelled(self, candidates: Sequence[str]) -> frozenset[str]:
        """Those of the words that some text spells just so."""
        return self._read(lambda db: words.exact_words(db, candidates))

    def session(self, name: str) -> Session:
        return self._read(lambda db: sessions.require(db, name))

    def sessions(self, limit: int) -> list[Session]:
        return self._read(lambda db: sessions.recent(db, limit))

    def sessions_numbered(self, first: int, last: int) -> list[str]:
        return self._read(lambda db: sessions.by_number(db, first, last))

    def sessions_back(self, at: int, going_on: int, nearest: int, farthest: int) -> list[str]:
        return self._read(lambda db: sessions.by_recency(db, at, going_on, nearest, farthest))
