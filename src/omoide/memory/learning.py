"""Learning: from what was said to what is known, and what that rests on."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Literal

from omoide.clock import to_datetime
from omoide.domain import Entity, Node
from omoide.errors import InvalidInput
from omoide.history import Evidence, Explanation
from omoide.memory.rooms import Rooms, learned, positive
from omoide.observe import validate

if TYPE_CHECKING:
    from omoide.learn.learning_context import LearningReport

_WEAK_BELOW = 0.5  # between Kira-L's "inferred from behaviour" and "weak inference"


class Learning(Rooms):
    """Idempotent: learning twice from the same words changes nothing."""

    def learn(
        self, session: str | None = None, *, progress: Callable[[str, int], None] | None = None
    ) -> LearningReport:
        """Learns from a session, or from all that are over: facts, people, preferences, how-tos, each with its words.

        A session that goes on is learned from as far as it has come. What fails stays pending and says why.
        """
        self._end_abandoned()
        with self._background.at_rest():
            names = self._store.pending_sessions() if session is None else [validate.required_name(session, "session")]
            return learned(self._store, self._settings, self._language_model, names, progress)

    def outcome(self, id: int, outcome: Literal["success", "failure", "partial"]) -> Node:
        """A procedure or skill was used and ended so: its confidence and its counts follow."""
        if outcome not in ("success", "failure", "partial"):
            raise InvalidInput(f"outcome: expected success, failure or partial, got {outcome!r}")
        return self._store.count_outcome(id, outcome)

    def explain(self, id: int) -> Explanation:
        """Where a memory comes from: the words it rests on, what it replaced, what stands against it."""
        node = self._store.node(id)
        grounds = self._store.grounds(id)
        held = self._store.nodes([episode for episode, _ in grounds.sources])
        chain = self._store.chain(id)
        place = chain.index(id)
        return Explanation(
            node=node,
            confidence=node.effective_confidence(to_datetime(self._clock())),
            evidence=tuple(Evidence(held[episode], words) for episode, words in grounds.sources if episode in held),
            supersedes=chain[:place][::-1],
            superseded_by=chain[place + 1 :],
            contradicts=list(grounds.contradicts),
            entities=grounds.entities,
            changes=tuple(self._store.changes(id)),
            became=tuple(self._store.became([each.id for each in grounds.entities])),
        )

    def weak(self, limit: int = 20, *, below: float = _WEAK_BELOW) -> list[Node]:
        """What we are least sure of, or what contradicts something else: worth asking about or confirming."""
        return self._store.weak(validate.fraction(below, "below"), positive(limit, "limit"))

    def timeline(self, entity: str, limit: int = 50) -> list[Node]:
        """What was said and learned of an entity, in the order it happened."""
        found = self._store.entity(validate.required_name(entity, "entity"))
        return self._store.timeline(found.id, positive(limit, "limit"))

    def merge(self, name: str, into: str) -> Entity:
        """Two names, one thing: what was said of the first is now said of the second, whose alias it becomes."""
        from omoide.learn.entities import settle_merge

        return self._store.merge_entities(
            validate.required_name(name, "name"), validate.required_name(into, "into"), settle_merge
        )

    def split(self, name: str, alias: str, *, type: str | None = None) -> Entity:
        """One name, two things: an alias becomes an entity of its own, with the memories that call it so."""
        return self._store.split_entity(
            validate.required_name(name, "name"), validate.required_name(alias, "alias"), validate.name(type, "type")
        )
