"""Notes: what is linked to what, what contradicts what, and which links could be made."""

from __future__ import annotations

from omoide.domain import EDGE_TYPES, Edge, Node
from omoide.domain.edge import Contradiction, LinkSuggestion, Neighbour, parse_edge_type
from omoide.errors import InvalidInput
from omoide.memory.rooms import Rooms, positive


class Notes(Rooms):
    """Loki's linked notes: `link` makes a link, these take it back, follow it and propose more."""

    def unlink(self, source: int, target: int, type: str | None = None) -> list[Edge]:
        """Takes back a link, or every link from one memory to another. What it superseded is in use again."""
        if type is None:
            return self._store.unlink(source, target, list(EDGE_TYPES))
        stored, backwards = parse_edge_type(type)
        ends = (target, source) if backwards else (source, target)
        return self._store.unlink(*ends, [stored])

    def neighbours(self, id: int, *, relation: str | None = None) -> list[Neighbour]:
        """What a memory is linked to, each with the relation as it reads from here, and its direction."""
        if relation is not None:
            parse_edge_type(relation)
        return [each for each in self._store.linked(id) if relation in (None, each.relation)]

    def backlinks(self, id: int) -> list[Neighbour]:
        """What links to a memory."""
        return [each for each in self._store.linked(id) if not each.outgoing]

    def contradictions(self, limit: int = 20) -> list[Contradiction]:
        """Memories in use that contradict one another, the latest first: `resolve` keeps one of the two."""
        return self._store.contradictions(positive(limit, "limit"))

    def resolve(self, keep: int, over: int) -> Node:
        """Keeps one of two that contradict one another; the other is superseded by it and stays in the history."""
        if keep == over:
            raise InvalidInput(f"node {keep} cannot be kept over itself; name the two that contradict one another")
        return self._store.resolve(keep, over)

    def suggest(self, id: int, limit: int = 5) -> list[LinkSuggestion]:
        """Links that could be made from a memory to what it resembles, each with a relation and the reason.

        Nothing is written: `link(each.source, each.target, each.relation)` accepts one.
        """
        from omoide.recall.search import SearchSources
        from omoide.recall.suggest_links import suggest_links

        node = self._store.node(id)
        linked = {
            each.node.id for each in self._store.linked(id) if each.edge.type not in ("recalled_with", "temporal")
        }
        sources = SearchSources(self._store, self._embedder, lambda: self._background.model_id, self._no_embedder)
        return suggest_links(node, linked, positive(limit, "limit"), sources)
