"""show and history: everything about one memory."""

from __future__ import annotations

from omoide.clock import moment, system_clock
from omoide.interfaces.cli import options, view
from omoide.interfaces.cli.output import Answer, document
from omoide.interfaces.cli.verb import Call, verb


@verb
def show(call: Call, id: options.Id) -> Answer:
    """Everything about one memory: its fields, its links, what became of it.

    Example: omoide show 7
    """
    with call.open() as memory:
        held = memory.show(id)
        today = held.effective_confidence(moment(system_clock()))
        found = {
            "node": document(held),
            "confidence_today": today,
            "links": document(memory.links(id)),
            "history": document(memory.history(id)),
        }
        return Answer(found, view.shown)


@verb
def history(call: Call, id: options.Id) -> Answer:
    """All versions of a memory, oldest first, and what changed in each.

    Example: omoide history 7
    """
    with call.open() as memory:
        return Answer({"versions": document(memory.history(id))}, view.versions)
