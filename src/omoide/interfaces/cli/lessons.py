"""bind, unbind and lessons: what is told without a query, because of what happens."""

from __future__ import annotations

from typing import Annotated

import typer

from omoide.interfaces.cli import options
from omoide.interfaces.cli.output import Answer
from omoide.interfaces.cli.parts import Document, flat
from omoide.interfaces.cli.verb import Call, verb
from omoide.interfaces.document import document

Path = Annotated[str | None, typer.Option("--path", metavar="GLOB", help="Files: src/**/*.ts, **/migrations/**.")]
Command = Annotated[str | None, typer.Option("--command", metavar="WORDS", help="How a command begins.")]
Tool = Annotated[str | None, typer.Option("--tool", metavar="NAME", help="A tool.")]
Error = Annotated[
    str | None, typer.Option("--error", metavar="TEXT", help="An error; its numbers and paths are no part.")
]
Binding = Annotated[int | None, typer.Option("--binding", metavar="N", help="Only this one; default all of it.")]
AtPath = Annotated[str | None, typer.Option("--path", metavar="PATH", help="The file that is touched.")]
Running = Annotated[str | None, typer.Option("--command", metavar="LINE", help="The command line that is run.")]
Met = Annotated[str | None, typer.Option("--error", metavar="TEXT", help="What was printed; - reads standard input.")]
Limit = Annotated[int, typer.Option("--limit", "-n", min=1, metavar="N", help="How many at most.")]
Consent = Annotated[bool, typer.Option("--consent", help="Sensitive memories too.")]


@verb
def bind(
    call: Call, id: options.Id, path: Path = None, command: Command = None, tool: Tool = None, error: Error = None
) -> Answer:
    """Bind a lesson to what it is to be told for; of several options all must hold.

    Example: omoide bind 7 --path "src/**/*.ts" --tool Edit

    Example: omoide bind 7 --error "Missing return type annotation"
    """
    with call.open() as memory:
        return Answer(document(memory.tasks.bind(id, path=path, command=command, tool=tool, error=error)), _bound)


@verb
def unbind(call: Call, id: options.Id, binding: Binding = None) -> Answer:
    """Tell a lesson only when it is asked for.

    Example: omoide unbind 7
    """
    with call.open() as memory:
        return Answer(
            {"id": id, "removed": memory.tasks.unbind(id, binding)}, lambda found: f"{found['removed']} removed"
        )


@verb
def lessons(
    call: Call,
    tool: Tool = None,
    path: AtPath = None,
    command: Running = None,
    error: Met = None,
    limit: Limit = 3,
    consent: Consent = False,
) -> Answer:
    """What is bound to what happens, the most specific first; without options, every binding.

    Example: omoide lessons --tool Edit --path src/routes/todos.ts

    Example: omoide lessons --command "git push --force origin main"
    """
    with call.open() as memory:
        if tool is path is command is error is None:
            return Answer({"bindings": document(memory.tasks.bindings())}, _all)
        met = None if error is None else options.words(error)
        told = memory.tasks.lessons(tool=tool, path=path, command=command, error=met, limit=limit, consent=consent)
    if not told:
        call.note("nothing is bound to that")
    return Answer({"lessons": document(told)}, _told)


def _bound(binding: Document) -> str:
    held = ", ".join(f"{name} {value}" for name, value in binding["trigger"].items() if value)
    return f"[id:{binding['node_id']}] told for {held}"


def _all(found: Document) -> str:
    return "\n".join(f"{_bound(each)} (binding {each['id']})" for each in found["bindings"])


def _told(found: Document) -> str:
    return "\n".join(
        f"[id:{each['node']['id']}] {flat(each['node']['text'])}  ({each['why']})" for each in found["lessons"]
    )
