"""Tasks: their traces as they go, what they were told, what that was worth."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

import apsw

from omoide.domain import Draft, Node
from omoide.domain.credit import Credit, credit_effect
from omoide.store.door.opened import Opened
from omoide.store.learning import unlearned
from omoide.store.learning.learning_transaction import LearningTransaction
from omoide.store.learning.unlearned import TaskTrace
from omoide.store.tasks import lessons, task_lifecycle
from omoide.store.tasks.task_lifecycle import FindEntities, OpenTask, TaskEnding, is_abandoned

T = TypeVar("T")


class Tasks(Opened):
    """What is written down of a task is durable when the verb returns, while the task goes on."""

    def start_task(self, draft: Draft, process: Mapping[str, Any] | None) -> Node:
        return self._write(lambda db: task_lifecycle.start_task(db, draft, process))

    def record_tasks(self, drafts: Sequence[Draft]) -> list[Node]:
        """Traces of tasks that are over, in one transaction."""
        return self._write(lambda db: task_lifecycle.record_tasks(db, drafts))

    def note_in_task(self, id: int, what: str, body: Mapping[str, Any]) -> int:
        return self._write(lambda db: task_lifecycle.add_entry(db, id, what, body))

    def resolve_error(self, id: int, entry: int | None, resolution: str) -> None:
        """`entry` None: the last error that is not resolved."""

        def work(db: apsw.Connection) -> None:
            error = task_lifecycle.latest_error(db, id) if entry is None else entry
            task_lifecycle.resolve_error(db, id, error, resolution)

        self._write(work)

    def finish_task(self, id: int, ending: TaskEnding, mentioned: FindEntities) -> Node:
        return self._write(lambda db: task_lifecycle.finish_task(db, id, ending, mentioned))

    def settle_task(self, id: int, error: Mapping[str, Any] | None, mentioned: FindEntities) -> Node:
        return self._write(lambda db: task_lifecycle.settle_credit(db, id, error, mentioned))

    def trace(self, id: int) -> Node:
        return self._read(lambda db: task_lifecycle.get_trace(db, id))

    def find_task(self, name: str) -> int:
        return self._read(lambda db: task_lifecycle.find_task(db, name))

    def tasks(self, limit: int, only_open: bool) -> list[Node]:
        return self._read(lambda db: task_lifecycle.recent_tasks(db, limit, only_open))

    def abandoned_tasks(self, lease_hours: float) -> list[OpenTask]:
        """Those that nobody ended and nobody is at any more."""
        going_on = self._read(task_lifecycle.open_tasks)
        now = self._clock() if going_on else 0
        return [each for each in going_on if is_abandoned(each, now, lease_hours)]

    def hand_out(self, id: int, node_ids: Sequence[int]) -> None:
        self._write(lambda db: task_lifecycle.hand_out(db, id, node_ids))

    def use_in_task(self, id: int, node_id: int) -> None:
        self._write(lambda db: task_lifecycle.mark_used(db, id, node_id))

    def handed_out(self, id: int) -> list[tuple[int, int, bool]]:
        return self._read(lambda db: task_lifecycle.handed_out(db, id))

    # ── what it was worth ─────────────────────────────────────────────────────────────────────────────────────

    def outcome_effects(self, ids: Sequence[int]) -> dict[int, float]:
        """−1 (harms) to 1 (helps) of those of the memories that tell either."""

        def read(db: apsw.Connection) -> dict[int, float]:
            found = lessons.credits_of(db, ids)
            rate = lessons.base_success_rate(db) if found else 0.5
            return {id: moved for id, each in found.items() if (moved := credit_effect(each, rate))}

        return self._read(read)

    def credits(self, least_tasks: int) -> tuple[float, dict[int, Credit]]:
        """How often tasks succeed, and the credit of what enough of them were told."""
        return self._read(lambda db: (lessons.base_success_rate(db), lessons.all_credits(db, least_tasks)))

    # ── learning ──────────────────────────────────────────────────────────────────────────────────────────────

    def unlearned_traces(self) -> bool:
        return self._read(unlearned.unlearned_trace_count)

    def traces(self, latest: int) -> list[TaskTrace]:
        return self._read(lambda db: unlearned.read_traces(db, latest))

    def learn_cluster(
        self, cluster: int, members: Sequence[int], apply: Callable[[LearningTransaction], T]
    ) -> T | None:
        """All that a cluster teaches and the marks of its traces, in one transaction; None if another was faster."""

        def work(db: apsw.Connection) -> T | None:
            if not unlearned.mark_traces_learned(db, cluster, members):
                return None
            return apply(LearningTransaction(db))

        return self._write(work)
