"""forget and receipts: erased for good, shown first, and what became of it."""

from __future__ import annotations

import sys
from typing import Annotated, Any

import typer

from omoide.errors import InvalidInput
from omoide.interfaces.cli import erased, options, output
from omoide.interfaces.cli.output import Answer
from omoide.interfaces.cli.verb import Call, verb
from omoide.interfaces.document import document

Ids = Annotated[list[int] | None, typer.Argument(metavar="ID…", help=r"The numbers in \[id:…].", show_default=False)]
SaidIn = Annotated[str | None, typer.Option("--session", metavar="NAME", help="All of a conversation.")]
Entity = Annotated[str | None, typer.Option("--entity", metavar="NAME", help="All that speaks of somebody.")]
Query = Annotated[str | None, typer.Option("--query", metavar="QUESTION", help="What is clearly about it.")]
Origin = Annotated[str | None, typer.Option("--origin", help="All of one origin: user, import, tool:NAME …")]
Before = Annotated[str | None, typer.Option("--before", metavar="TIME", help="All that happened before.")]
Sources = Annotated[bool, typer.Option("--sources", help="Also what an erased fact was learned from.")]
Limit = Annotated[int, typer.Option("--limit", "-n", metavar="N", help="Of a --query: how many at most.")]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")]
Only = Annotated[bool, typer.Option("--preview", help="Only show what would go.")]


@verb
def forget(
    call: Call,
    ids: Ids = None,
    session: SaidIn = None,
    entity: Entity = None,
    query: Query = None,
    origin: Origin = None,
    before: Before = None,
    sources: Sources = False,
    limit: Limit = 10,
    yes: Yes = False,
    preview: Only = False,
) -> Answer:
    """Erase memories for good, with everything derived from them. Shows what would go, then asks.

    Exit code 1 if a byte of it was still seen, or the erasure could not be finished.

    Example: omoide forget 7 --preview

    Example: omoide forget --session s1 --yes
    """
    named: dict[str, Any] = {
        "id": ids or None,
        "session": session,
        "entity": entity,
        "query": query,
        "origin": origin,
        "before": options.when(before),
        "sources": sources,
        "limit": limit,
    }
    asks = sys.stdin.isatty() and not call.json
    if not (yes or preview or asks):
        raise InvalidInput("forgetting cannot be undone; look with --preview, then say --yes")
    with call.open(embedder=query is not None) as memory:
        if preview or not yes:
            shown = Answer(document(memory.forget(**named, preview=True)), erased.preview)
            if preview:
                return shown
            output.say(shown, as_json=False)
            if not typer.confirm("Erase this for good?"):
                return Answer({"erased": False}, lambda _: "nothing was erased")
        receipt = memory.forget(**named)
    return Answer(_receipt(receipt), erased.receipt, exit_code=0 if receipt.clean else 1)


@verb
def receipts(
    call: Call, limit: Annotated[int, typer.Option("--limit", "-n", metavar="N", help="How many at most.")] = 20
) -> Answer:
    """What was forgotten and when, the latest first, and where every id is. Finishes what was interrupted.

    Example: omoide receipts
    """
    with call.open() as memory:
        found = [_receipt(each) for each in memory.admin.receipts(limit)]
        account = memory.admin.id_states()
    if not found:
        call.note("nothing was ever forgotten")
    return Answer({"receipts": found, "account": {**document(account), "lost": account.lost}}, erased.receipts)


def _receipt(receipt: Any) -> dict[str, Any]:
    return {**document(receipt), "clean": receipt.clean}
