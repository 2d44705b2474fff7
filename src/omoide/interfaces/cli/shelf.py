"""shelve and shelf: documents kept under a name, and read again by it."""

from __future__ import annotations

from typing import Annotated

import typer

from omoide.errors import NotFound
from omoide.interfaces.cli import options, view
from omoide.interfaces.cli.output import Answer
from omoide.interfaces.cli.parts import Document
from omoide.interfaces.cli.verb import Call, verb
from omoide.interfaces.document import document

Shelf = Annotated[str, typer.Argument(metavar="SHELF", help="Where it stands.", show_default=False)]
Name = Annotated[str, typer.Argument(metavar="NAME", help="What it is called there.", show_default=False)]
OneName = Annotated[
    str | None, typer.Argument(metavar="[NAME]", help="Only this one, in full; also when archived.", show_default=False)
]
Text = Annotated[str, typer.Argument(metavar="TEXT", help="The words; - reads standard input.", show_default=False)]
Body = Annotated[str | None, typer.Option("--details", metavar="JSON", help="Given back as it is.")]
Origin = Annotated[str, typer.Option("--origin", help="Whose word it is: user, agent, document, tool:NAME …")]


@verb
def shelve(
    call: Call,
    shelf: Shelf,
    name: Name,
    text: Text,
    details: Body = None,
    tag: options.Tags = None,
    origin: Origin = "user",
) -> Answer:
    """Keep a document under a name, or give the one that has it new words; the old ones are its history.

    Example: omoide shelve recipes rye "Rye bread: sourdough, 12 hours, 230 °C"
    """
    with call.open(create=True) as memory:
        kept = memory.documents.save(
            shelf, name, options.words(text), body=options.details(details), tags=tag or (), origin=origin
        )
    return Answer(document(kept), view.saved)


@verb
def shelf(call: Call, shelf: Shelf, name: OneName = None) -> Answer:
    """The documents of a shelf, the latest written first; or one of them by its name.

    Example: omoide shelf recipes

    Example: omoide shelf recipes rye
    """
    with call.open() as memory:
        if name is None:
            found = document(memory.documents.list(shelf))
        else:
            one = memory.documents.get(shelf, name)
            if one is None:
                raise NotFound(f"there is no {name!r} on the shelf {shelf!r}")
            return Answer(document(one), lambda node: str(node["text"]))
    if not found:
        call.note(f"nothing stands on the shelf {shelf!r}")
    return Answer({"documents": found}, _standing)


def _standing(found: Document) -> str:
    return "\n".join(f"{each['title']}: {view.saved(each)}" for each in found["documents"])
