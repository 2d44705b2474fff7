"""The table of learning: what is still to be learned from, and applying what was learned."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import TypeVar

from omoide.store.engine.connection import Connection
from omoide.store.engine.file import Table, derives, reads, writes
from omoide.store.entities import names
from omoide.store.learning import statement_search, unlearned
from omoide.store.learning.learning_transaction import LearningTransaction
from omoide.store.learning.unlearned import UnlearnedSegment

T = TypeVar("T")


class LearningTable(Table):
    owner = reads(names.owner)
    pending_sessions = reads(unlearned.pending_sessions)
    next_segment = reads(unlearned.next_segment)
    segment_of_turn = reads(unlearned.segment_of_turn)
    rewordings = reads(unlearned.rewordings)
    recent_actions = reads(unlearned.recent_actions)
    unsummarised_entities = reads(unlearned.unsummarised_entities)
    unlearned_trace_count = reads(unlearned.unlearned_trace_count)
    read_traces = reads(unlearned.read_traces)
    saved_proposal = reads(unlearned.saved_proposal)
    save_proposal = derives(unlearned.save_proposal)
    discard_proposal = writes(unlearned.discard_proposal)
    mark_failed = writes(unlearned.mark_failed)
    reopen_turn = writes(unlearned.reopen_turn)
    refused_since = reads(statement_search.refused_since)
    find_refused = reads(statement_search.find_refused)
    delete_refused = writes(statement_search.delete_refused)

    def transact(self, apply: Callable[[LearningTransaction], T]) -> T:
        """Applies what somebody states, in one transaction."""
        return self._file.write(lambda db: apply(LearningTransaction(db)))

    def conclude(self, apply: Callable[[LearningTransaction], T]) -> T:
        """As `transact`, for what was concluded from several memories."""
        return self._file.write_derived(lambda db: apply(LearningTransaction(db)))

    def claimed(self, segment: UnlearnedSegment, timeout: float) -> AbstractContextManager[object]:
        """While inside, no other learner reads the same session, in this process or another."""
        return self._file.claimed(segment.session_id, timeout)

    def apply_segment(self, segment: UnlearnedSegment, apply: Callable[[LearningTransaction], T]) -> T | None:
        """Applies a segment and marks it as learned, in one transaction; None if another process was faster."""

        def work(db: Connection) -> T | None:
            current = unlearned.is_unlearned(db, segment.session_id, segment.after)
            if not current or not unlearned.is_complete(db, segment):
                return None
            found = apply(LearningTransaction(db))
            unlearned.mark_learned(db, segment.session_id, segment.upto)
            return found

        return self._file.write_derived(work)

    def learn_cluster(
        self, cluster: int, members: Sequence[int], apply: Callable[[LearningTransaction], T]
    ) -> T | None:
        """Applies a cluster of traces and marks them, in one transaction; None if another process was faster."""

        def work(db: Connection) -> T | None:
            if not unlearned.mark_traces_learned(db, cluster, members):
                return None
            return apply(LearningTransaction(db))

        return self._file.write_derived(work)
