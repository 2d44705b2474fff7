"""Learning: lessons, their proposals, what they teach, and what that rests on."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import TypeVar

import apsw

from omoide.clock import DAY
from omoide.domain import Entity, Node
from omoide.history import EntityChange
from omoide.store.door.opened import Opened
from omoide.store.entities import merge, names
from omoide.store.entities.merge import MergeSettlement
from omoide.store.learning import unlearned
from omoide.store.learning.learning_transaction import LearningTransaction
from omoide.store.learning.unlearned import UnlearnedSegment, UnsummarisedEntity
from omoide.store.records import nodes, provenance
from omoide.store.records.provenance import Grounds
from omoide.store.search.fulltext import UNNAMED_USER

T = TypeVar("T")


class Teaching(Opened):
    """A proposal is written down first, then applied whole."""

    def pending_sessions(self) -> list[str]:
        return self._read(unlearned.pending_sessions)

    def lesson(self, name: str, size: int) -> UnlearnedSegment:
        return self._read(lambda db: unlearned.next_segment(db, name, size))

    def worded(self, texts: Collection[str]) -> frozenset[str]:
        """Those of the texts that are, letter by letter, what something learned says or said."""
        return self._read(lambda db: unlearned.rewordings(db, texts))

    def journaled(self, lesson: UnlearnedSegment) -> str | None:
        """The proposal for this lesson that was written down and not applied yet."""
        found = self._read(lambda db: unlearned.journaled_proposal(db, lesson.session_id, lesson.after))
        return None if found is None else found[1]

    def propose(self, lesson: UnlearnedSegment, extractor: str, proposal: str) -> None:
        self._write(lambda db: unlearned.save_proposal(db, lesson, extractor, proposal))

    def apply_lesson(self, lesson: UnlearnedSegment, apply: Callable[[LearningTransaction], T]) -> T | None:
        """All that a lesson teaches and the mark that it is learned, in one transaction; None if another was faster."""

        def work(db: apsw.Connection) -> T | None:
            if not unlearned.is_unlearned(db, lesson.session_id, lesson.after) or not unlearned.is_complete(db, lesson):
                return None
            now = self._clock()
            found = apply(LearningTransaction(db))
            unlearned.mark_learned(db, lesson.session_id, lesson.upto)
            return found

        return self._write(work)

    def teach(self, apply: Callable[[LearningTransaction], T]) -> T:
        """What is learned beside the lessons, in one transaction."""
        return self._write(lambda db: apply(LearningTransaction(db)))

    def actions(self, days: int) -> list[tuple[int, str, str]]:
        return self._read(lambda db: unlearned.recent_actions(db, days * DAY))

    def untold(self, least_mentions: int, limit: int) -> list[UnsummarisedEntity]:
        return self._read(lambda db: unlearned.unsummarised_entities(db, least_mentions, limit))

    def count_outcome(self, id: int, outcome: str) -> Node:
        return self._write(lambda db: nodes.count_outcome(db, id, outcome))

    def grounds(self, id: int) -> Grounds:
        return self._read(lambda db: provenance.grounds(db, id))

    def weak(self, below: float, limit: int) -> list[Node]:
        return self._read(lambda db: provenance.uncertain(db, below, limit))

    def timeline(self, entity_id: int, limit: int) -> list[Node]:
        if entity_id == UNNAMED_USER:
            return self._read(lambda db: names.user_timeline(db, limit))
        return self._read(lambda db: provenance.timeline(db, entity_id, limit))

    def merge_entities(self, name: str, into: str, settle: Callable[[MergeSettlement], None]) -> Entity:
        """All that was said of one is said of the other, and what they say against each other is settled, at once."""

        def work(db: apsw.Connection) -> Entity:
            now = self._clock()
            merged = merge.merge(db, name, into)
            settle(MergeSettlement(db, merged))
            return merged.kept

        return self._write(work)

    def became(self, entity_ids: Sequence[int]) -> list[EntityChange]:
        return self._read(lambda db: merge.entity_changes(db, entity_ids))

    def split_entity(self, name: str, alias: str, type: str | None) -> Entity:
        return self._write(lambda db: merge.split(db, name, alias, type))

    def learning_failed(self, name: str, reason: str) -> None:
        self._write(lambda db: unlearned.mark_failed(db, name, reason))
