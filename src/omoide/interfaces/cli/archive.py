"""archive and unarchive: out of use without being lost, and back."""

from __future__ import annotations

from typing import Annotated

import typer

from omoide.interfaces.cli import view
from omoide.interfaces.cli.output import Answer
from omoide.interfaces.cli.verb import Call, verb
from omoide.interfaces.document import document

Ids = Annotated[list[int], typer.Argument(metavar="ID…", help=r"The numbers in \[id:…].", show_default=False)]


@verb
def archive(call: Call, ids: Ids) -> Answer:
    """Take memories out of use. Every word is kept: `recall --archive` finds them, `unarchive` brings them back.

    Example: omoide archive 7 9
    """
    with call.open() as memory:
        return Answer(
            {"archived": [document(memory.admin.archive(id)) for id in ids]}, lambda found: _lines(found["archived"])
        )


@verb
def unarchive(call: Call, ids: Ids) -> Answer:
    """Put archived memories back into use, as they were; no nightly job takes them out again.

    Example: omoide unarchive 7
    """
    with call.open() as memory:
        return Answer(
            {"unarchived": [document(memory.admin.unarchive(id)) for id in ids]},
            lambda found: _lines(found["unarchived"]),
        )


def _lines(nodes: list[dict[str, object]]) -> str:
    return "\n".join(view.saved(node) for node in nodes)
