"""What all verbs share: the options that may stand before or after any of them, and how their answer is printed."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from omoide.interfaces.cli import output

if TYPE_CHECKING:
    from omoide.memory import Memory

_PANEL = "Everywhere"
Db = Annotated[
    str | None,
    typer.Option(
        "--db", metavar="PATH", rich_help_panel=_PANEL, help="The file; default $OMOIDE_DB, or your own space."
    ),
]
Json = Annotated[bool, typer.Option("--json", rich_help_panel=_PANEL, help="Print one JSON document.")]
NoEmbedder = Annotated[
    bool, typer.Option("--no-embedder", rich_help_panel=_PANEL, help="Search by words alone; load no model.")
]


@dataclass(frozen=True, slots=True)
class Call:
    """How a verb was called."""

    db: str | None = None
    json: bool = False
    no_embedder: bool = False

    def open(self, *, embedder: bool = False, create: bool = False, stays: bool = False) -> Memory:
        """Only asking needs an embedder: what is written waits in the file for its vector, so writing is quick.
        Only telling may create a file: a mistyped name must not look like an empty memory. Only what stays open
        learns in quiet moments: a command that waits for something is not to be overtaken."""
        from omoide import settings
        from omoide.memory import Memory

        return Memory(
            self.db,
            embedder="default" if embedder and not self.no_embedder else None,
            settings=settings.load_settings() if stays else settings.without_idle_learning(settings.load_settings()),
            create=create,
        )

    def note(self, text: str) -> None:
        """For people; a program finds the same in the document."""
        if not self.json:
            output.note(text)


def verb(function: Callable[..., output.Answer]) -> Callable[..., int]:
    """Makes a command of a function that takes a Call and its own options, and gives back an Answer."""
    _, *own = inspect.signature(function, eval_str=True).parameters.values()

    @functools.wraps(function)
    def command(_context: typer.Context, db: str | None, json: bool, no_embedder: bool, **given: Any) -> int:
        before: Call = _context.obj
        call = Call(db if db is not None else before.db, json or before.json, no_embedder or before.no_embedder)
        try:
            answer = function(call, **given)
            output.say(answer, call.json)
        except BrokenPipeError:  # caught here: typer would make it a failure
            output.hang_up()
            return 0
        return answer.exit_code

    named = inspect.Parameter.KEYWORD_ONLY
    shared = [
        inspect.Parameter("_context", named, annotation=typer.Context),
        *(each.replace(kind=named) for each in own),
        inspect.Parameter("db", named, default=None, annotation=Db),
        inspect.Parameter("json", named, default=False, annotation=Json),
        inspect.Parameter("no_embedder", named, default=False, annotation=NoEmbedder),
    ]
    command.__signature__ = inspect.Signature(shared)  # type: ignore[attr-defined]
    command.__annotations__ = {each.name: each.annotation for each in shared}
    return command
