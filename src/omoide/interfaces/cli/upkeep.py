"""stats, doctor, flush and version: looking after the file."""

from __future__ import annotations

from typing import Annotated

import typer

from omoide import __version__
from omoide.errors import MissingExtra
from omoide.interfaces.cli import view
from omoide.interfaces.cli.output import Answer, progress
from omoide.interfaces.cli.verb import Call, verb
from omoide.interfaces.document import document


@verb
def stats(call: Call) -> Answer:
    """What is in the memory, in numbers.

    Example: omoide stats
    """
    with call.open() as memory:
        return Answer({"path": memory.path, **document(memory.stats())}, view.stats)


@verb
def doctor(
    call: Call,
    repair: Annotated[bool, typer.Option("--repair", help="Make again from the rows what differs.")] = False,
) -> Answer:
    """Check the file and its indexes; exit code 1 if something is wrong and stays so.

    Example: omoide doctor --repair
    """
    with call.open() as memory:
        findings = memory.admin.doctor(repair=repair)
        healthy = all(each.ok or each.repaired for each in findings)
        found = {"path": memory.path, "healthy": healthy, "findings": document(findings)}
        return Answer(found, view.findings, exit_code=0 if healthy else 1)


@verb
def flush(call: Call) -> Answer:
    """Make every vector that is waited for; after a large import this takes a while.

    Example: omoide flush
    """
    with call.open(embedder=True) as memory:
        if not (before := memory.admin.pending_embeddings()) and (left := memory.stats().waiting_for_vectors):
            raise MissingExtra(
                f"{left:,} texts wait for a vector and no embedder is at work; "
                '`pip install "omoide[minilm]"` brings the default one'
            )
        with progress("embedding", before, hidden=call.json) as so_far:
            memory.flush(progress=lambda waiting: so_far(before - waiting))
        return Answer(
            {"embedded": before - memory.admin.pending_embeddings(), "vectors": memory.stats().vectors}, view.flushed
        )


@verb
def version(call: Call) -> Answer:
    """Which Omoide this is.

    Example: omoide version
    """
    return Answer({"version": __version__}, lambda found: f"omoide {found['version']}")
