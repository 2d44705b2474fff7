"""show and history: everything about one memory."""

from __future__ import annotations

from omoide.interfaces.cli import options, view
from omoide.interfaces.cli.output import Answer
from omoide.interfaces.cli.verb import Call, verb
from omoide.interfaces.document import document


@verb
def show(call: Call, id: options.Id) -> Answer:
    """Everything about one memory: its fields, its links, what became of it.

    Example: omoide show 7
    """
    with call.open() as memory:
        node = document(memory.show(id))
        found = {"node": node, "links": document(memory.links(id)), "history": document(memory.history(id))}
        return Answer(found, view.shown)


@verb
def history(call: Call, id: options.Id) -> Answer:
    """All versions of a memory, oldest first, and what changed in each.

    Example: omoide history 7
    """
    with call.open() as memory:
        return Answer({"versions": document(memory.history(id))}, view.versions)
