"""task, before and credit: what an agent's work was like, what to know before it begins, what knowing it was worth."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from omoide.interfaces.cli import options, view
from omoide.interfaces.cli.output import Answer
from omoide.interfaces.cli.parts import APART, Document, columns, flat, line
from omoide.interfaces.cli.recall import catch_up, told_hit
from omoide.interfaces.cli.verb import Call, verb
from omoide.interfaces.document import document

Goal = Annotated[str, typer.Argument(metavar="GOAL", help="What is to be done; - reads standard input.")]
Task = Annotated[int, typer.Argument(metavar="TASK", help="The number that `task start` printed.", show_default=False)]
Agent = Annotated[str | None, typer.Option("--agent", metavar="NAME", help="Who does it.")]
Phase = Annotated[str | None, typer.Option("--phase", metavar="NAME", help="Development, review, …")]
Type = Annotated[str | None, typer.Option("--type", metavar="NAME", help="What kind of work: bugfix, feature, …")]
Constraints = Annotated[list[str] | None, typer.Option("--constraint", metavar="TEXT", help="May be repeated.")]
Files = Annotated[list[str] | None, typer.Option("--file", metavar="PATH", help="May be given several times.")]
Name = Annotated[str | None, typer.Option("--name", help="What you call it; default task-ID.")]
What = Annotated[str, typer.Argument(metavar="ACTION", help="Such as run_test.", show_default=False)]
Target = Annotated[str | None, typer.Option("--target", help="To what it was done.")]
Result = Annotated[str | None, typer.Option("--result", help="What came of it.")]
Failure = Annotated[str | None, typer.Option("--error", help="What went wrong in it.")]
ErrorType = Annotated[str, typer.Argument(metavar="TYPE", help="Such as TypeError.", show_default=False)]
Message = Annotated[str, typer.Argument(metavar="MESSAGE", help="What it said.")]
Resolution = Annotated[str | None, typer.Option("--resolution", help="What helped.")]
Helped = Annotated[str, typer.Argument(metavar="RESOLUTION", help="What helped against the last error.")]
Outcome = Annotated[str, typer.Option("--outcome", metavar="success|failure|partial", help="How it ended.")]
Why = Annotated[str | None, typer.Option("--why", help="Why it failed, or what is missing.")]
Commit = Annotated[str | None, typer.Option("--commit", metavar="HASH", help="What it was committed as.")]
Artifacts = Annotated[list[str] | None, typer.Option("--artifact", metavar="PATH", help="What came out; repeatable.")]
Limit = Annotated[int, typer.Option("--limit", "-n", metavar="N", help="How many at most.")]
OnlyOpen = Annotated[bool, typer.Option("--open", help="Only those that go on.")]
Budget = Annotated[int | None, typer.Option("--budget", metavar="TOKENS", help="How much it may cost.")]
Consent = Annotated[bool, typer.Option("--consent", help="Sensitive memories too.")]
LeastTasks = Annotated[int, typer.Option("--least", metavar="N", help="Told to at least so many tasks.")]
Used = Annotated[list[int] | None, typer.Option("--used", metavar="ID", help="A procedure or skill it went by.")]

app = typer.Typer(
    help="Record what a task does: start, action, error, resolve, done, show, list, learn.",
    no_args_is_help=True,
    rich_markup_mode="rich",
)


@verb
def start(
    call: Call,
    goal: Goal,
    agent: Agent = None,
    phase: Phase = None,
    type: Type = None,
    constraint: Constraints = None,
    file: Files = None,
    name: Name = None,
    session: options.Session = None,
    tag: options.Tags = None,
    sensitive: options.Sensitive = False,
    audience: options.Audience = "private",
    key: options.Key = None,
) -> Answer:
    """Begin a task; its number is what the other commands take.

    Example: omoide task start "Add the orders endpoint" --type feature --file src/orders.ts
    """
    with call.open(create=True) as memory:
        begun = memory.task(
            options.words(goal),
            agent=agent,
            phase=phase,
            type=type,
            constraints=constraint or (),
            files=file or (),
            name=name,
            session=session,
            tags=tag or (),
            sensitive=sensitive,
            audience=audience,
            detached=True,
            key=key,
        )
        return Answer(document(begun.trace), _one)


@verb
def action(
    call: Call, task: Task, action: What, target: Target = None, result: Result = None, error: Failure = None
) -> Answer:
    """Tell what was done.

    Example: omoide task action 7 run_test --result fail --error "missing return type"
    """
    with call.open() as memory:
        under_way = memory.tasks.resume(task)
        under_way.action(action, target=target, result=result, error=error)
        return Answer(document(under_way.trace), _one)


@verb
def error(call: Call, task: Task, type: ErrorType, message: Message = "", resolution: Resolution = None) -> Answer:
    """Tell what went wrong.

    Example: omoide task error 7 TypeError "x is undefined"
    """
    with call.open() as memory:
        under_way = memory.tasks.resume(task)
        under_way.error(type, message, resolution=resolution)
        return Answer(document(under_way.trace), _one)


@verb
def resolve(call: Call, task: Task, resolution: Helped) -> Answer:
    """Tell what helped against the last error.

    Example: omoide task resolve 7 "check for undefined first"
    """
    with call.open() as memory:
        under_way = memory.tasks.resume(task)
        under_way.resolve(resolution)
        return Answer(document(under_way.trace), _one)


@verb
def done(
    call: Call,
    task: Task,
    outcome: Outcome = "success",
    why: Why = None,
    commit: Commit = None,
    artifact: Artifacts = None,
    used: Used = None,
) -> Answer:
    """End a task. What it was told is credited with how it ended.

    Example: omoide task done 7 --outcome failure --why "the disk is full"
    """
    from omoide.errors import InvalidInput

    with call.open() as memory:
        under_way = memory.tasks.resume(task)
        if outcome not in ("success", "failure", "partial"):
            raise InvalidInput(f"outcome: expected success, failure or partial, got {outcome!r}")
        if artifact:
            under_way.artifact(*artifact)
        for id in used or ():
            under_way.use(id)
        match outcome:
            case "success":
                under_way.succeed(commit=commit)
            case "partial":
                under_way.partial(why, commit=commit)
            case _:
                under_way.fail(why)
        return Answer(document(under_way.trace), _one)


@verb
def show(call: Call, task: Task) -> Answer:
    """Everything that was told of a task, while it goes on too.

    Example: omoide task show 7
    """
    with call.open() as memory:
        return Answer(document(memory.tasks.resume(task).trace), _whole)


@verb
def list_(call: Call, limit: Limit = 20, open: OnlyOpen = False) -> Answer:
    """The latest tasks first.

    Example: omoide task list --open
    """
    with call.open() as memory:
        return Answer({"tasks": document(memory.tasks.list(limit, open=open))}, _several)


@verb
def learn(call: Call) -> Answer:
    """Learn from tasks that are over: patterns, and mistakes to avoid. `omoide learn` does it too.

    Example: omoide task learn
    """
    from omoide.interfaces.cli import known

    with call.open() as memory:
        report = memory.tasks.learn()
    if not report.entries:
        call.note("nothing new to learn from tasks")
    return Answer({**document(report), "counts": report.counts}, known.report)


for _name, _verb in {
    "start": start,
    "action": action,
    "error": error,
    "resolve": resolve,
    "done": done,
    "show": show,
    "list": list_,
    "learn": learn,
}.items():
    app.command(_name)(_verb)


@verb
def before(
    call: Call,
    goal: Goal,
    type: Type = None,
    file: Files = None,
    limit: Limit = 5,
    budget: Budget = None,
    audience: options.Audience = "private",
    consent: Consent = False,
    recipe: options.Recipe = "before_task",
    task: options.ForTask = None,
) -> Answer:
    """What to know before a task, as Markdown for a prompt: what works, what fails, how to, how it went before.

    Example: omoide before "Add the orders endpoint" --type feature --file src/orders.ts
    """
    with call.open(embedder=True) as memory:
        waiting = catch_up(call, memory)
        told = memory.before_task(
            options.words(goal),
            action_type=type,
            files=file or (),
            limit=limit,
            budget=budget,
            audience=audience,
            consent=consent,
            recipe=recipe,
            task=task,
        )
    if not told.hits:
        call.note("nothing like it was done before")
    parts = ("patterns", "mistakes", "skills", "preferences", "successes", "failures")
    answer: dict[str, Any] = {name: [told_hit(hit) for hit in getattr(told, name)] for name in parts}
    answer = {"goal": told.goal, "markdown": told.markdown, "tokens": told.tokens, "budget": told.budget, **answer}
    return Answer({**answer, "waiting_for_vectors": waiting}, view.markdown)


@verb
def credit(call: Call, limit: Limit = 20, least: LeastTasks = 1) -> Answer:
    """Which memories help and which harm, by how the tasks ended that were told them.

    Example: omoide credit --least 5
    """
    with call.open() as memory:
        found = memory.tasks.credit(limit, least_tasks=least)
    if not found:
        call.note("no task that was told something has ended yet")
    return Answer({"credit": document(found)}, _credit)


def _one(trace: Document) -> str:
    counts = [
        f"{len(trace[name])} {noun}{'s' if len(trace[name]) != 1 else ''}"
        for name, noun in (("action_log", "action"), ("errors_encountered", "error"))
        if trace[name]
    ]
    return f"[id:{trace['id']}] {APART.join([trace['outcome'], *counts])}  {flat(trace['goal'])}"


def _several(found: Document) -> str:
    return "\n".join(_one(each) for each in found["tasks"])


def _whole(trace: Document) -> Any:
    from rich.console import Group

    from omoide.interfaces.cli.parts import pairs, title

    names = ("task_id", "agent", "phase", "task_type", "constraints", "files_involved", "duration_seconds")
    lines: list[Any] = [line((_one(trace), "bold")), pairs((name, trace[name]) for name in names)]
    for heading, name in (("Actions", "action_log"), ("Errors", "errors_encountered")):
        if trace[name]:
            lines += [title(heading), *(line((_entry(each), ""), clip=False) for each in trace[name])]
    lines.append(pairs((name, trace[name]) for name in ("artifacts_produced", "git_commit")))
    return Group(*lines)


def _entry(entry: Document) -> str:
    """One action or error, its fields in the order in which they were told."""
    return "  ".join(f"{value}s" if name == "t" else flat(str(value)) for name, value in entry.items() if value)


def _credit(found: Document) -> Any:
    table = columns("verdict", "tasks", "rate", "between", "usual", "id", "kind", "text")
    for each in found["credit"]:
        node = each["node"]
        between = f"{each['low']:.2f}–{each['high']:.2f}"
        figures = (each["verdict"], str(each["tasks"]), f"{each['rate']:.2f}", between, f"{each['usual']:.2f}")
        table.add_row(*figures, str(node["id"]), node["kind"], line((flat(node["text"]), "")))
    return table if found["credit"] else ""
