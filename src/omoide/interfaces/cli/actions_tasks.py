"""Steps of a task: each command reopens the task by its id, so that a shell script can record one."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from omoide.errors import InvalidInput
from omoide.interfaces.cli.command import Call, load
from omoide.interfaces.cli.output import Answer
from omoide.interfaces.serialise import serialise

OUTCOMES = ("success", "failure", "partial")

TaskId = Annotated[int, typer.Argument(metavar="TASK", help="The id that `tasks start` printed.", show_default=False)]
ActionName = Annotated[str, typer.Argument(metavar="ACTION", help="Such as run_test.", show_default=False)]
Target = Annotated[str | None, typer.Option("--target", help="What it was done to.")]
Result = Annotated[str | None, typer.Option("--result", help="What came of it.")]
Failure = Annotated[str | None, typer.Option("--error", help="What went wrong in it.")]
ErrorType = Annotated[str, typer.Argument(metavar="TYPE", help="Such as TypeError.", show_default=False)]
Message = Annotated[str, typer.Argument(metavar="MESSAGE", help="What it said.")]
Resolution = Annotated[str | None, typer.Option("--resolution", help="What helped.")]
Helped = Annotated[str, typer.Argument(metavar="RESOLUTION", help="What helped against the last error.")]
Outcome = Annotated[str, typer.Option("--outcome", metavar="|".join(OUTCOMES), help="How it ended.")]
Why = Annotated[str | None, typer.Option("--why", help="Why it failed, or what is missing.")]
Commit = Annotated[str | None, typer.Option("--commit", metavar="HASH", help="The commit it ended in.")]
Artifacts = Annotated[
    list[str] | None, typer.Option("--artifact", metavar="PATH", help="A file it made. May be repeated.")
]
Used = Annotated[
    list[int] | None, typer.Option("--used", metavar="ID", help="A procedure or skill it followed. May be repeated.")
]


def action(
    call: Call, task: TaskId, action: ActionName, target: Target = None, result: Result = None, error: Failure = None
) -> Answer:
    """Record something that was done in a task.

    \b
    Examples:
      omoide tasks action 7 run_test --result fail --error "missing return type"
    """
    with call.open() as memory:
        memory.tasks.resume(task).action(action, target=target, result=result, error=error)
        return _shown(memory, task)


def error(call: Call, task: TaskId, type: ErrorType, message: Message = "", resolution: Resolution = None) -> Answer:
    """Record an error that a task met.

    \b
    Examples:
      omoide tasks error 7 TypeError "x is undefined"
    """
    with call.open() as memory:
        memory.tasks.resume(task).error(type, message, resolution=resolution)
        return _shown(memory, task)


def resolve(call: Call, task: TaskId, resolution: Helped) -> Answer:
    """Record what helped against the last error of a task.

    \b
    Examples:
      omoide tasks resolve 7 "check for undefined first"
    """
    with call.open() as memory:
        memory.tasks.resume(task).resolve(resolution)
        return _shown(memory, task)


def finish(
    call: Call,
    task: TaskId,
    outcome: Outcome = "success",
    why: Why = None,
    commit: Commit = None,
    artifact: Artifacts = None,
    used: Used = None,
) -> Answer:
    """Finish a task. The memories that it was given are credited with its outcome.

    \b
    Examples:
      omoide tasks finish 7 --outcome failure --why "the disk is full"
    """
    if outcome not in OUTCOMES:
        raise InvalidInput(f"outcome: expected success, failure or partial, got {outcome!r}")
    with call.open() as memory:
        running = memory.tasks.resume(task)
        if artifact:
            running.artifact(*artifact)
        for id in used or ():
            running.use(id)
        match outcome:
            case "success":
                running.succeed(commit=commit)
            case "partial":
                running.partial(why, commit=commit)
            case _:
                running.fail(why)
        return _shown(memory, task)


def _shown(memory: Any, task: int) -> Answer:
    return Answer(serialise(memory.tasks.resume(task).trace), load("view_tasks.task"))
