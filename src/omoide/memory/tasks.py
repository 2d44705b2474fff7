"""Tasks: told before they begin, recorded as they go, credited when they end."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from omoide.clock import to_micros
from omoide.domain import Node
from omoide.domain.entity import entities_named_in
from omoide.language import tokens
from omoide.language.text import validate_text
from omoide.memory.asking import MOST_HITS, Asking
from omoide.memory.rooms import positive
from omoide.memory.task import Task
from omoide.observe import task_trace as told
from omoide.observe import validate
from omoide.store import NodeFilter, TaskEnding
from omoide.store.engine import process

if TYPE_CHECKING:
    from omoide.learn.credit_report import MemoryCredit
    from omoide.learn.learning_context import LearningReport
    from omoide.recall.briefing import Briefing


class Tasks(Asking):
    """For agents that do work."""

    def task(
        self,
        goal: str,
        *,
        agent: str | None = None,
        phase: str | None = None,
        type: str | None = None,
        constraints: Collection[str] = (),
        files: Collection[str] = (),
        name: str | None = None,
        session: str | None = None,
        tags: Collection[str] = (),
        sensitive: bool = False,
        audience: str = "private",
        detached: bool = False,
        key: str | None = None,
    ) -> Task:
        """Begins a task. Its trace is in the file from now on; `with memory.task(…) as task:` ends it too.

        A task whose process dies is recorded as failed. A `detached` one belongs to no process: whoever has its id goes
        on with it (`resume_task`), and it counts as crashed after `task_lease_hours` of silence.
        """
        begun = told.TaskStart(
            goal=goal,
            agent=agent,
            phase=phase,
            type=type,
            constraints=constraints,
            files=files,
            name=name,
            session=session,
            tags=tags,
            sensitive=sensitive,
            audience=audience,
            key=key,
        )
        draft = told.draft_task_trace(begun, self._clock(), self._settings, self._mentioned)
        node = self._store.start_task(draft, None if validate.boolean(detached, "detached") else process.this_process())
        self._background.wake()
        return Task(self, node.id)

    def resume_task(self, id: int | str) -> Task:
        """The task of this id or name, to go on with it from another process, or to look at it."""
        found = self._store.find_task(id) if isinstance(id, str) else id
        self._store.trace(found)
        return Task(self, found)

    def record_task(
        self,
        goal: str,
        outcome: str,
        *,
        agent: str | None = None,
        phase: str | None = None,
        type: str | None = None,
        constraints: Collection[str] = (),
        files: Collection[str] = (),
        actions: Sequence[Mapping[str, Any]] = (),
        errors: Sequence[Mapping[str, Any]] = (),
        artifacts: Collection[str] = (),
        commit: str | None = None,
        seconds: float | None = None,
        name: str | None = None,
        session: str | None = None,
        tags: Collection[str] = (),
        origin: str = "agent",
        sensitive: bool = False,
        audience: str = "private",
        at: datetime | str | None = None,
        details: Any = None,
        key: str | None = None,
    ) -> Node:
        """The whole trace of a task that is over; actions and errors in Loki's shape. The same key is one trace."""
        begun = told.TaskStart(
            goal=goal,
            agent=agent,
            phase=phase,
            type=type,
            constraints=constraints,
            files=files,
            name=name,
            session=session,
            tags=tags,
            origin=origin,
            sensitive=sensitive,
            audience=audience,
            at=at,
            details=details,
            key=key,
        )
        ended = told.TaskEnd(
            outcome=outcome, actions=actions, errors=errors, artifacts=artifacts, commit=commit, seconds=seconds
        )
        draft = told.draft_task_trace(begun, self._clock(), self._settings, self._mentioned, ended)
        node = self._store.record_tasks([draft])[0]
        self._background.wake()
        return node

    def tasks(self, limit: int = 20, *, open: bool = False) -> list[Node]:
        """The latest tasks first, or only those that go on."""
        return self._store.tasks(positive(limit, "limit"), validate.boolean(open, "open"))

    def before_task(
        self,
        goal: str,
        *,
        action_type: str | None = None,
        files: Collection[str] = (),
        limit: int = 5,
        budget: int | None = None,
        at: datetime | str | None = None,
        audience: str = "private",
        consent: bool = False,
        recipe: str = "before_task",
        task: int | None = None,
    ) -> Briefing:
        """What works, what fails, how it is done, how it went before: at most `limit` of each, best first.

        With a `task`, what is handed out is credited with how that task ends. Sensitive memories need `consent`.
        """
        from omoide.recall.briefing import brief_task, task_question
        from omoide.recall.recipes import recipe_by_name

        words = validate_text(goal, self._settings.max_text_bytes)
        text = task_question(words, validate.name(action_type, "action_type"), told.unique_names(files, "files"))
        keep = NodeFilter(
            audience=validate.audience(audience),
            sensitive=validate.boolean(consent, "consent"),
            valid_at=to_micros(self._asked(at)),
        )
        limit = positive(limit, "limit")
        budget = self._settings.context_token_budget if budget is None else positive(budget, "budget")
        plan = recipe_by_name(recipe, self._settings)
        found = self._recall(text, at, min(plan.depth_of_briefing * limit, MOST_HITS), keep, recipe)
        briefing = brief_task(words, found, limit, budget, self._asked(at), tokens.estimate, plan.floor)
        if task is not None:
            self._store.hand_out(task, briefing.ids)
        return briefing

    def consolidate(self) -> LearningReport:
        """Learns from traces alone: what alike ones have in common becomes patterns, resolved errors mistakes to avoid.

        `learn()` does this too, after the conversations.
        """
        from omoide.learn.traces import consolidate_traces

        self._end_abandoned()
        report = consolidate_traces(self._store, self._settings.decay_rate_default)
        self._background.wake()
        return report

    def credit(self, limit: int = 20, *, least_tasks: int = 1) -> list[MemoryCredit]:
        """Which memories help and which harm, by how the tasks ended that were told them; the strongest first."""
        from omoide.learn.credit_report import credit_report

        return credit_report(self._store, positive(limit, "limit"), positive(least_tasks, "least_tasks"))

    def _end_task(self, id: int, ending: TaskEnding) -> Node:
        names = self._store.entity_names()  # read before: inside the transaction there is no reading
        node = self._store.finish_task(id, ending, lambda text: entities_named_in(text, names))
        self._background.wake()
        return node

    def _settle_task(self, id: int, error: Mapping[str, Any] | None) -> None:
        names = self._store.entity_names()
        self._store.settle_task(id, error, lambda text: entities_named_in(text, names))
        self._background.wake()
