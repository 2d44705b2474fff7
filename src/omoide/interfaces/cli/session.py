"""sessions, turns and end: the conversations a memory is made of."""

from __future__ import annotations

from typing import Annotated

import typer

from omoide.interfaces.cli import view
from omoide.interfaces.cli.output import Answer
from omoide.interfaces.cli.verb import Call, verb
from omoide.interfaces.document import document


@verb
def sessions(
    call: Call, limit: Annotated[int, typer.Option("--limit", "-n", metavar="N", help="How many at most.")] = 20
) -> Answer:
    """The latest conversations first.

    Example: omoide sessions --limit 5
    """
    with call.open() as memory:
        found = document(memory.sessions(limit))
    if not found:
        call.note("no sessions yet")
    return Answer({"sessions": found}, view.sessions)


@verb
def turns(
    call: Call,
    session: Annotated[str, typer.Argument(metavar="SESSION", help="Its name.", show_default=False)],
    limit: Annotated[int | None, typer.Option("--limit", "-n", metavar="N", help="Only the latest of them.")] = None,
) -> Answer:
    """What was said in a conversation and is still in use, in order.

    Example: omoide turns s1 --limit 10
    """
    with call.open() as memory:
        memory.session(session)
        found = document(list(memory.list(["episode"], session=session, limit=limit or 1_000_000).items)[::-1])
    if not found:
        call.note("nothing of it is in use; recall --archive finds what was archived")
    return Answer({"turns": found}, view.said)


@verb
def end(
    call: Call,
    session: Annotated[str, typer.Argument(metavar="SESSION", help="Its name.", show_default=False)],
    summary: Annotated[str | None, typer.Option("--summary", help="What it was about.")] = None,
) -> Answer:
    """Close a conversation, so that it can be learned from.

    Example: omoide end s1 --summary "Chose Vercel for the app"
    """
    with call.open() as memory:
        return Answer(document(memory.end(session, summary=summary)), view.ended)
