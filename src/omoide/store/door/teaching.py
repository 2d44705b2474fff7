"""Learning: lessons, their proposals, what they teach, and what that rests on."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import TypeVar

import apsw

from omoide.clock import DAY
from omoide.history import Became
from omoide.layers import Entity, Node
from omoide.store import identity, learning, nodes, provenance, unnamed
from omoide.store.door.opened import Opened
from omoide.store.fulltext import UNNAMED
from omoide.store.learning import Lesson, Untold
from omoide.store.pen import Pen
from omoide.store.provenance import Grounds
from omoide.store.union import Union

T = TypeVar("T")


class Teaching(Opened):
    """A proposal is written down first, then applied whole."""

    def pending_sessions(self) -> list[str]:
        return self._read(learning.pending)

    def lesson(self, name: str, size: int) -> Lesson:
        return self._read(lambda db: learning.lesson(db, name, size))

    def worded(self, texts: Collection[str]) -> frozenset[str]:
        """Those of the texts that are, letter by letter, what something learned says or said."""
        return self._read(lambda db: learning.worded(db, texts))

    def journaled(self, lesson: Lesson) -> str | None:
        """The proposal for this lesson that was written down and not applied yet."""
        found = self._read(lambda db: learning.journaled(db, lesson.session_id, lesson.after))
        return None if found is None else found[1]

    def propose(self, lesson: Lesson, extractor: str, proposal: str) -> None:
        self._write(lambda db: learning.propose(db, lesson, extractor, proposal, self._clock()))

    def apply_lesson(self, lesson: Lesson, apply: Callable[[Pen], T]) -> T | None:
        """All that a lesson teaches and the mark that it is learned, in one transaction; None if another was faster."""

        def work(db: apsw.Connection) -> T | None:
            if not learning.is_still(db, lesson.session_id, lesson.after) or not learning.is_whole(db, lesson):
                return None
            now = self._clock()
            found = apply(Pen(db, now, self._ids))
            learning.done(db, lesson.session_id, lesson.upto, now)
            return found

        return self._write(work)

    def teach(self, apply: Callable[[Pen], T]) -> T:
        """What is learned beside the lessons, in one transaction."""
        return self._write(lambda db: apply(Pen(db, self._clock(), self._ids)))

    def actions(self, days: int) -> list[tuple[int, str, str]]:
        return self._read(lambda db: learning.actions(db, self._clock(), days * DAY))

    def untold(self, least_mentions: int, limit: int) -> list[Untold]:
        return self._read(lambda db: learning.untold(db, least_mentions, self._clock(), limit))

    def count_outcome(self, id: int, outcome: str) -> Node:
        return self._write(lambda db: nodes.count_outcome(db, id, outcome, self._clock()))

    def grounds(self, id: int) -> Grounds:
        return self._read(lambda db: provenance.grounds(db, id))

    def weak(self, below: float, limit: int) -> list[Node]:
        return self._read(lambda db: provenance.weak(db, self._clock(), below, limit))

    def timeline(self, entity_id: int, limit: int) -> list[Node]:
        if entity_id == UNNAMED:
            return self._read(lambda db: unnamed.timeline(db, limit))
        return self._read(lambda db: provenance.timeline(db, entity_id, limit))

    def merge_entities(self, name: str, into: str, settle: Callable[[Union], None]) -> Entity:
        """All that was said of one is said of the other, and what they say against each other is settled, at once."""

        def work(db: apsw.Connection) -> Entity:
            now = self._clock()
            merged = identity.merge(db, name, into, now)
            settle(Union(db, merged, now))
            return merged.kept

        return self._write(work)

    def became(self, entity_ids: Sequence[int]) -> list[Became]:
        return self._read(lambda db: identity.became(db, entity_ids))

    def split_entity(self, name: str, alias: str, type: str | None) -> Entity:
        return self._write(lambda db: identity.split(db, name, alias, type, self._clock(), self._ids))

    def learning_failed(self, name: str, reason: str) -> None:
        self._write(lambda db: learning.failed(db, name, reason))
