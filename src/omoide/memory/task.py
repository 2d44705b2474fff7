"""A task that is going on: records what happens, and returns what is known about it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from omoide.domain import Node
from omoide.errors import Conflict
from omoide.memory.core import Core
from omoide.observe import task_trace
from omoide.store import TaskEnding

if TYPE_CHECKING:
    from omoide.recall.briefing import Briefing


class Problem:
    """An error that occurred in a task."""

    def __init__(self, task: Task, id: int) -> None:
        self._task = task
        self.id = id

    def resolved(self, resolution: str) -> None:
        """Record what resolved the error. It becomes a mistake to avoid.

        Args:
            resolution: What helped.
        """
        self._task.resolve(resolution, self.id)


class Task:
    """A task that is going on. Each entry is stored when its method returns, so a crash loses nothing.

    As a context manager the task ends with its block: with the error if the block raises, else with success unless
    another outcome was recorded. The memories that were handed out are credited once, at the end of the block.
    """

    def __init__(self, core: Core, id: int, before: Callable[..., Briefing]) -> None:
        self._core = core
        self._store = core.store
        self._before = before
        self.id = id
        self._inside = False  # within its block
        self._ended = False  # within its block, so that the end of the block has the last word

    @property
    def trace(self) -> Node:
        """The episode with everything recorded so far."""
        return self._store.tasks.get_trace(self.id)

    @property
    def name(self) -> str:
        """The name to pass to `observe(task=…)`."""
        return self.trace.task_id or str(self.id)

    @property
    def outcome(self) -> str:
        """`pending`, `success`, `failure` or `partial`."""
        return str(self.trace.attributes["outcome"])

    def before(
        self, *, limit: int = 5, budget: int | None = None, consent: str | None = None, recipe: str = "before_task"
    ) -> Briefing:
        """Return what is known that matters for this task. Its outcome is credited to the memories in it.

        Args:
            limit: Greatest number of memories in each section.
            budget: Greatest number of tokens; `context_token_budget` of the settings if not given.
            consent: Session for which the user consented to show sensitive memories.
            recipe: Plan: everyday, deep, before_task, session_start, reciprocal, keyword, kira, koshi, yodoca or loki.

        Returns:
            The briefing, with `markdown` for a prompt.
        """
        held = self.trace.attributes
        return self._before(
            held["goal"],
            action_type=held["task_type"],
            files=held["files_involved"],
            limit=limit,
            budget=budget,
            consent=consent,
            recipe=recipe,
            task=self.id,
        )

    def action(self, /, name: str, *, target: Any = None, result: Any = None, error: Any = None, **more: Any) -> None:
        """Record something that was done.

        Args:
            name: What was done, such as `run_test`.
            target: What it was done to.
            result: What came of it.
            error: What went wrong.
            more: Further fields.
        """
        body = task_trace.action_entry(name, target=target, result=result, error=error, **more)
        self._store.tasks.add_entry(self.id, "action", body)

    def tool(self, /, name: str, arguments: Any = None, *, result: Any = None, error: Any = None, **more: Any) -> None:
        """Record the call of a tool.

        Args:
            name: Name of the tool.
            arguments: Arguments of the call.
            result: What the tool returned.
            error: What went wrong.
            more: Further fields.
        """
        self.action(name, result=result, error=error, tool=True, arguments=arguments, **more)

    def error(self, type: str, message: str = "", *, resolution: str | None = None) -> Problem:
        """Record an error.

        Args:
            type: Type of the error, such as `TypeError`.
            message: The message.
            resolution: What helped, if known; otherwise call `resolved` on the result.

        Returns:
            The error.
        """
        return Problem(
            self, self._store.tasks.add_entry(self.id, "error", task_trace.error_entry(type, message, resolution))
        )

    def resolve(self, resolution: str, error: int | None = None) -> None:
        """Record what resolved an error.

        Args:
            resolution: What helped.
            error: Number of the error; the last unresolved one if not given.
        """
        self._store.tasks.resolve_error(self.id, error, task_trace.short_text(resolution, "resolution"))

    def artifact(self, *paths: str) -> None:
        """Record files that were produced.

        Args:
            paths: Paths of the files.
        """
        self._note_paths("artifact", paths)

    def file(self, *paths: str) -> None:
        """Record files that are involved.

        Args:
            paths: Paths of the files.
        """
        self._note_paths("file", paths)

    def use(self, id: int) -> None:
        """Record that the task uses a procedure or skill, which is credited with the outcome.

        Args:
            id: Id of the procedure or skill.
        """
        self._store.tasks.mark_used(self.id, id)

    def succeed(self, *, commit: str | None = None) -> Node:
        """End the task with success.

        Args:
            commit: Commit that it ended in.

        Returns:
            The trace.
        """
        return self._end("success", commit)

    def partial(self, why: str | None = None, *, commit: str | None = None) -> Node:
        """End the task with partial success.

        Args:
            why: What is missing.
            commit: Commit that it ended in.

        Returns:
            The trace.
        """
        return self._end("partial", commit, None if why is None else task_trace.error_entry("partial", why))

    def fail(self, why: str | None = None, *, type: str = "failed") -> Node:
        """End the task with failure.

        Args:
            why: What went wrong.
            type: Type of the error.

        Returns:
            The trace.
        """
        return self._end("failure", None, None if why is None else task_trace.error_entry(type, why))

    def __enter__(self) -> Self:
        if self.outcome != "pending":
            raise Conflict(f"task {self.id} has ended already: {self.outcome}; start another")
        self._inside = True
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._inside = False
        failed = None if error is None or _is_clean(error) else task_trace.exception_entry(error)
        if self._ended:
            self._ended = False
            self._store.tasks.settle_credit(self.id, failed, self._core.entity_finder())
            self._core.background.wake()
        elif self.outcome == "pending":  # else it was ended elsewhere
            self._end("failure" if failed else "success", None, failed)

    def __repr__(self) -> str:
        return f"Task({self.id})"

    def _note_paths(self, what: str, paths: Sequence[str]) -> None:
        for path in task_trace.unique_names(paths, what):
            self._store.tasks.add_entry(self.id, what, {"path": path})

    def _end(self, outcome: str, commit: str | None, error: dict[str, Any] | None = None) -> Node:
        first = self._inside and self.outcome == "pending"
        ending = TaskEnding(outcome=outcome, commit=commit, error=error, credited=not self._inside)
        node = self._store.tasks.finish_task(self.id, ending, self._core.entity_finder())
        self._core.background.wake()
        self._ended = self._ended or first
        return node


def _is_clean(error: BaseException) -> bool:
    return isinstance(error, SystemExit) and error.code in (None, 0)


def end_task(running: Task, outcome: str, why: str | None, commit: str | None) -> None:
    """Ends a task with `success`, `partial` or `failure`."""
    match outcome:
        case "success":
            running.succeed(commit=commit)
        case "partial":
            running.partial(why, commit=commit)
        case _:
            running.fail(why)
