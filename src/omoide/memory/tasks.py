"""`memory.tasks`: what agents do, what they learn from it, and how they pass work on."""

from __future__ import annotations

import builtins
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal

from omoide.clock import DAY, to_micros
from omoide.domain import Node
from omoide.domain.importance import MemoryCredit, rank_credits
from omoide.domain.task import TaskEfficiency, task_efficiency
from omoide.errors import InvalidInput
from omoide.language import tokens
from omoide.language.text import validate_text
from omoide.memory import task_verbs
from omoide.memory.core import Namespace, positive
from omoide.memory.read import MOST_HITS, search
from omoide.memory.task import Task
from omoide.observe import task_trace, validate
from omoide.store import NodeFilter
from omoide.store.engine import gate

if TYPE_CHECKING:
    from omoide.learn.learning_context import LearningReport
    from omoide.recall.briefing import Briefing

_MAX_DAYS = 36_500  # a hundred years: each day has its place in the chart


class TasksNamespace(Namespace):
    """Task traces, lessons, skills, ledgers and handoffs. Any number of agents may write at once."""

    # Task traces

    def start(
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
        """Start a task and record its trace. Used as a context manager, the task ends with its block.

        A task whose process dies is recorded as failed.

        Args:
            goal: What is to be done.
            agent: Name of the agent that does it.
            phase: Phase of the work, such as `planning`.
            type: Type of the task, such as `bugfix`.
            constraints: What must be respected.
            files: Files that are involved.
            name: Your own name for the task.
            session: Session it belongs to.
            tags: Labels to find it by.
            sensitive: Leave it out of prompts unless they are asked for with consent.
            audience: Who may read it: `private` or `shared`.
            detached: Do not bind it to this process; it fails after `task_lease_hours` without an entry.
            key: Your own key, so that starting it again returns the same task.

        Returns:
            The task, which records actions, errors and the outcome.
        """
        start = task_trace.TaskStart(
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
        core = self._core
        draft = task_trace.draft_task_trace(start, core.clock(), core.settings, core.entities_in)
        node = core.store.tasks.start_task(
            draft, None if validate.boolean(detached, "detached") else gate.process_mark()
        )
        core.background.wake()
        return Task(core, node.id, self.before)

    def resume(self, id: int | str) -> Task:
        """Continue a task that was started earlier, also from another process.

        Args:
            id: Id or name of the task.

        Returns:
            The task.

        Raises:
            NotFound: There is no such task.
        """
        store = self._core.store
        found = store.tasks.find_task(id) if isinstance(id, str) else id
        self._core.seen.tasks.get_trace(found)
        return Task(self._core, found, self.before)

    def record(
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
        """Record the whole trace of a task that is over.

        Args:
            goal: What was to be done.
            outcome: How it ended: `success`, `failure` or `partial`.
            agent: Name of the agent that did it.
            phase: Phase of the work, such as `planning`.
            type: Type of the task, such as `bugfix`.
            constraints: What had to be respected.
            files: Files that were involved.
            actions: Dictionaries with `action` and optionally `target`, `result` and `error`.
            errors: Dictionaries with `type`, `message` and optionally `resolution`.
            artifacts: Files that it produced.
            commit: Commit that it ended in.
            seconds: How long it took.
            name: Your own name for the task.
            session: Session it belongs to.
            tags: Labels to find it by.
            origin: Whose word it is.
            sensitive: Leave it out of prompts unless they are asked for with consent.
            audience: Who may read it: `private` or `shared`.
            at: When it started; now if not given.
            details: Further data that JSON can hold.
            key: Your own key, so that recording it again stores nothing.

        Returns:
            The stored trace.
        """
        start = task_trace.TaskStart(
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
        end = task_trace.TaskEnd(
            outcome=outcome, actions=actions, errors=errors, artifacts=artifacts, commit=commit, seconds=seconds
        )
        core = self._core
        draft = task_trace.draft_task_trace(start, core.clock(), core.settings, core.entities_in, end)
        node = core.store.tasks.record_tasks([draft])[0]
        core.background.wake()
        return node

    def list(self, limit: int = 20, *, open: bool = False) -> builtins.list[Node]:
        """List task traces, the latest first.

        Args:
            limit: Greatest number of tasks.
            open: Only tasks that are not over.

        Returns:
            The traces.
        """
        return self._core.seen.tasks.recent_tasks(positive(limit, "limit"), validate.boolean(open, "open"))

    def before(
        self,
        goal: str,
        *,
        action_type: str | None = None,
        files: Collection[str] = (),
        limit: int = 5,
        budget: int | None = None,
        at: datetime | str | None = None,
        audience: str = "private",
        consent: str | None = None,
        recipe: str = "before_task",
        task: int | None = None,
    ) -> Briefing:
        """Return what an agent should know before a task: what works, what fails, procedures and earlier tasks.

        Args:
            goal: What is to be done.
            action_type: Type of the task, such as `bugfix`.
            files: Files that are involved.
            limit: Greatest number of memories in each section.
            budget: Greatest number of tokens; `context_token_budget` of the settings if not given.
            at: When it is asked; now if not given.
            audience: Who reads the result: `private`, or `shared` to leave out private memories.
            consent: Session for which the user consented to show sensitive memories.
            recipe: Plan: everyday, deep, before_task, session_start, reciprocal, keyword, kira, koshi, yodoca or loki.
            task: Id of the task; its outcome is credited to the memories in the briefing.

        Returns:
            The briefing, with `markdown` for a prompt.
        """
        from omoide.recall.briefing import brief_task, task_question
        from omoide.recall.context_pack import PackWriter
        from omoide.recall.recipes import recipe_by_name

        core = self._core.as_viewer(audience, consent)
        goal = validate_text(goal, core.settings.max_text_bytes)
        query = task_question(goal, validate.name(action_type, "action_type"), task_trace.unique_names(files, "files"))
        keep = NodeFilter(valid_at=to_micros(core.local_time(at)))
        limit = positive(limit, "limit")
        budget = core.settings.context_token_budget if budget is None else positive(budget, "budget")
        plan = recipe_by_name(recipe, core.settings)
        found = search(core, query, at, min(plan.briefing_depth * limit, MOST_HITS), keep, recipe)
        writer = PackWriter(found.query.terms, core.local_time(at), tokens.estimate, core.new_fence())
        briefing = brief_task(goal, found, limit, budget, writer)
        if task is not None:
            core.store.tasks.hand_out(task, briefing.ids)
        return briefing

    # What is learned from tasks

    def learn(self) -> LearningReport:
        """Learn patterns and mistakes to avoid from task traces. `memory.learn` does this too.

        Returns:
            What was learned.
        """
        from omoide.learn.trace_patterns import consolidate_traces

        self._core.end_abandoned_tasks()
        report = consolidate_traces(self._core.store, self._core.settings.decay_rate_default)
        self._core.background.wake()
        return report

    def credit(self, limit: int = 20, *, least_tasks: int = 1) -> builtins.list[MemoryCredit]:
        """List the memories that helped or harmed tasks most, judged by the outcomes of the tasks that used them.

        Args:
            limit: Greatest number of memories.
            least_tasks: Only memories that were used in at least this many tasks.

        Returns:
            The memories with their counts, the strongest first.
        """
        limit = positive(limit, "limit")
        store = self._core.seen
        usual, credits = store.lessons.success_rate_and_credits(positive(least_tasks, "least_tasks"))
        return rank_credits(store.nodes.fetch(list(credits)), credits, usual)[:limit]

    def efficiency(self, days: int = 7, *, at: datetime | str | None = None) -> builtins.list[TaskEfficiency]:
        """Return time, errors, retries and outcomes of recent tasks, by type of task.

        Args:
            days: Number of days to look back.
            at: Last moment to count; now if not given.

        Returns:
            The figures of each type, the most common first.
        """
        days = positive(days, "days")
        now = to_micros(self._core.local_time(at))
        if days > _MAX_DAYS:
            raise InvalidInput(f"days: expected at most {_MAX_DAYS:,}, got {days:,}")
        since = now - days * DAY
        traces = self._core.store.imports.tasks_ended_since(since)
        ended = [((began - since) // DAY, fields) for began, fields in traces if began <= now]
        return task_efficiency(ended, days)

    def outcome(self, id: int, outcome: Literal["success", "failure", "partial"]) -> Node:
        """Record how the use of a procedure or skill ended: changes its counts and its confidence.

        Args:
            id: Id of the procedure or skill.
            outcome: `success`, `failure` or `partial`.

        Returns:
            The procedure or skill.
        """
        if outcome not in ("success", "failure", "partial"):
            raise InvalidInput(f"outcome: expected success, failure or partial, got {outcome!r}")
        self._core.require(id)
        return self._core.store.nodes.count_outcome(id, outcome)

    # Lessons, skills, ledgers and handoffs (memory/task_verbs.py)
    bind = task_verbs.bind
    unbind = task_verbs.unbind
    bindings = task_verbs.bindings
    lessons = task_verbs.lessons
    skills = task_verbs.skills
    skill_markdown = task_verbs.skill_markdown
    import_skills = task_verbs.import_skills
    export_skills = task_verbs.export_skills
    checkpoint = task_verbs.checkpoint
    checkpoints = task_verbs.checkpoints
    ledger = task_verbs.ledger
    ledgers = task_verbs.ledgers
    handoff = task_verbs.handoff
    handoffs = task_verbs.handoffs
    accept_handoff = task_verbs.accept_handoff
