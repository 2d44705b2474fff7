"""show and history: everything about one memory."""

from __future__ import annotations

from typing import Annotated

import typer

from omoide.clock import system_clock, to_datetime
from omoide.history import Version
from omoide.interfaces.cli import known, options, view
from omoide.interfaces.cli.output import Answer
from omoide.interfaces.cli.verb import Call, verb
from omoide.interfaces.document import document


@verb
def show(call: Call, id: options.Id) -> Answer:
    """Everything about one memory: its fields, its links, what became of it.

    Example: omoide show 7
    """
    with call.open() as memory:
        held = memory.get(id)
        today = held.effective_confidence(to_datetime(system_clock()))
        found = {
            "node": document(held),
            "confidence_today": today,
            "links": document(memory.graph.links(id)),
            "history": document(memory.history(id)),
        }
        return Answer(found, view.shown)


@verb
def history(
    call: Call, id: Annotated[str, typer.Argument(metavar="ID|NAME", help="A memory's number, or an entity's name.")]
) -> Answer:
    """All versions of a memory, oldest first, and what changed in each; of a name, its facts, merges and splits.

    Example: omoide history 7

    Example: omoide history Otto
    """
    with call.open() as memory:
        if id.strip().isdecimal():
            return Answer({"versions": document(memory.history(int(id)))}, view.versions)
        told = memory.history(id)
        facts = document([each for each in told if isinstance(each, Version)])
        return Answer({"versions": facts, "became": known.document_of(told)}, known.lived)
