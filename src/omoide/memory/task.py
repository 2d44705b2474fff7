"""A task under way: the handle by which whoever does it tells what happens, and is told what went before."""

from __future__ import annotations

from collections.abc import Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from omoide.domain import Node
from omoide.errors import InvalidInput
from omoide.observe import task_trace as told
from omoide.store import TaskEnding

if TYPE_CHECKING:
    from omoide.memory.tasks import Tasks
    from omoide.recall.briefing import Briefing


class Problem:
    """An error that a task met."""

    def __init__(self, task: Task, id: int) -> None:
        self._task = task
        self.id = id

    def resolved(self, resolution: str) -> None:
        """What helped. It becomes a mistake to avoid for those who come after."""
        self._task.resolve(resolution, self.id)


class Task:
    """Every word is in the file when its method returns, so that a crash loses nothing that was told.

    As a context it ends by itself: a block that raises has failed, with the error, whatever it said before; one that
    says nothing, or leaves by `sys.exit()`, has succeeded. What it was told is credited once, when the block is left.
    """

    def __init__(self, memory: Tasks, id: int) -> None:
        self._memory = memory
        self._store = memory._store
        self.id = id
        self._inside = False  # its block goes on
        self._ended = False  # in its block, so that leaving it has the last word

    @property
    def trace(self) -> Node:
        """Its episode with everything that was told so far."""
        return self._store.trace(self.id)

    @property
    def name(self) -> str:
        """What `observe(task=…)` calls it."""
        return self.trace.task_id or str(self.id)

    @property
    def outcome(self) -> str:
        """pending, success, failure or partial."""
        return str(self.trace.attributes["outcome"])

    def before(
        self, *, limit: int = 5, budget: int | None = None, consent: bool = False, recipe: str = "before_task"
    ) -> Briefing:
        """What memory knows that matters for it. What was handed out is credited with how the task ends."""
        held = self.trace.attributes
        return self._memory.before_task(
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
        """One thing that was done, with the second at which it was done."""
        body = told.action_entry(name, target=target, result=result, error=error, **more)
        self._store.note_in_task(self.id, "action", body)

    def tool(self, /, name: str, arguments: Any = None, *, result: Any = None, error: Any = None, **more: Any) -> None:
        """A tool that was called, and what it said."""
        self.action(name, result=result, error=error, tool=True, arguments=arguments, **more)

    def error(self, type: str, message: str = "", *, resolution: str | None = None) -> Problem:
        """Something went wrong; `.resolved(…)` on what comes back tells what helped."""
        return Problem(self, self._store.note_in_task(self.id, "error", told.error_entry(type, message, resolution)))

    def resolve(self, resolution: str, error: int | None = None) -> None:
        """What helped against an error: the one of this number, or the last that is not resolved."""
        self._store.resolve_error(self.id, error, told.short_text(resolution, "resolution"))

    def artifact(self, *paths: str) -> None:
        """What came out of it."""
        self._names("artifact", paths)

    def file(self, *paths: str) -> None:
        """Files that turned out to be involved."""
        self._names("file", paths)

    def use(self, id: int) -> None:
        """It goes by this procedure or skill, whose outcome follows the task's."""
        self._store.use_in_task(self.id, id)

    def succeed(self, *, commit: str | None = None) -> Node:
        return self._end("success", commit)

    def partial(self, why: str | None = None, *, commit: str | None = None) -> Node:
        return self._end("partial", commit, None if why is None else told.error_entry("partial", why))

    def fail(self, why: str | None = None, *, type: str = "failed") -> Node:
        return self._end("failure", None, None if why is None else told.error_entry(type, why))

    def __enter__(self) -> Self:
        if self.outcome != "pending":
            raise InvalidInput(f"task {self.id} has ended already: {self.outcome}; start another")
        self._inside = True
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._inside = False
        failed = None if error is None or _is_clean(error) else told.exception_entry(error)
        if self._ended:
            self._ended = False
            self._memory._settle_task(self.id, failed)
        elif self.outcome == "pending":  # or somebody else ended it, and was believed
            self._end("failure" if failed else "success", None, failed)

    def __repr__(self) -> str:
        return f"Task({self.id})"

    def _names(self, what: str, paths: Sequence[str]) -> None:
        for path in told.unique_names(paths, what):
            self._store.note_in_task(self.id, what, {"path": path})

    def _end(self, outcome: str, commit: str | None, error: dict[str, Any] | None = None) -> Node:
        first = self._inside and self.outcome == "pending"
        ending = TaskEnding(outcome=outcome, commit=commit, error=error, credited=not self._inside)
        node = self._memory._end_task(self.id, ending)
        self._ended = self._ended or first
        return node


def _is_clean(error: BaseException) -> bool:
    return isinstance(error, SystemExit) and error.code in (None, 0)
