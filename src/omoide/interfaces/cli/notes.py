"""unlink, links, contradictions, resolve and suggest: how notes hang together."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from omoide.interfaces.cli import options, view
from omoide.interfaces.cli.output import Answer
from omoide.interfaces.cli.parts import Document, flat
from omoide.interfaces.cli.recall import catch_up
from omoide.interfaces.cli.verb import Call, verb
from omoide.interfaces.document import document

Relation = Annotated[str | None, typer.Argument(metavar="TYPE", help="Only this relation; default all.")]
Only = Annotated[str | None, typer.Option("--relation", metavar="TYPE", help="Only this relation.")]
Back = Annotated[bool, typer.Option("--back", help="Only what links to it.")]
Limit = Annotated[int, typer.Option("--limit", "-n", min=1, metavar="N", help="How many at most.")]
Keep = Annotated[int, typer.Argument(metavar="KEEP", help="The memory that stays.", show_default=False)]
Over = Annotated[int, typer.Argument(metavar="OVER", help="The one that gives way.", show_default=False)]
Accept = Annotated[
    list[int] | None, typer.Option("--accept", metavar="ID", help="Make the link that is proposed to this memory.")
]


@verb
def unlink(call: Call, source: options.Id, target: options.Id, type: Relation = None) -> Answer:
    """Take back a link between two memories. What it superseded is in use again.

    Example: omoide unlink 7 12 elaborates
    """
    with call.open() as memory:
        return Answer({"removed": document(memory.graph.unlink(source, target, type))}, _removed)


@verb
def links(call: Call, id: options.Id, relation: Only = None, back: Back = False) -> Answer:
    """What a memory is linked to, as it reads from there.

    Example: omoide links 7
    """
    with call.open() as memory:
        found = memory.graph.backlinks(id) if back else memory.graph.neighbours(id)
    kept = [each for each in found if relation in (None, each.relation)]
    if not kept:
        call.note(f"nothing is linked to {id}; `omoide suggest {id}` proposes links")
    return Answer({"links": document(kept)}, _neighbours)


@verb
def contradictions(call: Call, limit: Limit = 20) -> Answer:
    """Memories that contradict one another; `omoide resolve KEEP OVER` keeps one of two.

    Example: omoide contradictions
    """
    with call.open() as memory:
        found = memory.review.contradictions(limit)
    if not found:
        call.note("nothing contradicts anything else")
    return Answer({"contradictions": document(found)}, _against)


@verb
def resolve(call: Call, keep: Keep, over: Over) -> Answer:
    """Keep one of two memories that contradict one another; the other is superseded.

    Example: omoide resolve 12 7
    """
    with call.open() as memory:
        return Answer(document(memory.review.resolve(keep, over)), view.saved)


@verb
def suggest(call: Call, id: options.Id, limit: Limit = 5, accept: Accept = None) -> Answer:
    """Links that could be made from a memory to what it resembles, each with the reason.

    Example: omoide suggest 7

    Example: omoide suggest 7 --accept 3
    """
    with call.open(embedder=True) as memory:
        waiting = catch_up(call, memory)
        found = memory.graph.suggest_links(id, limit)
        made = [
            memory.graph.link(each.source, each.target, each.relation)
            for each in found
            if each.target in (accept or ())
        ]
    if not found:
        call.note("it resembles nothing that it is not linked to")
    return Answer(
        {"suggestions": document(found), "made": document(made), "waiting_for_vectors": waiting}, _suggestions
    )


def _removed(found: Document) -> str:
    return "\n".join(f"no longer: {view.linked(each)}" for each in found["removed"])


def _neighbours(found: Document) -> str:
    return "\n".join(f"{each['relation']}  {_node(each['node'])}" for each in found["links"])


def _against(found: Document) -> str:
    return "\n".join(f"{_node(each['one'])}\n  contradicts {_node(each['other'])}" for each in found["contradictions"])


def _suggestions(found: Document) -> str:
    if found["made"]:
        return "\n".join(view.linked(each) for each in found["made"])
    return "\n".join(f"{each['relation']}  {_node(each['node'])}  ({each['why']})" for each in found["suggestions"])


def _node(node: Any) -> str:
    return f"[id:{node['id']}] {flat(node['text'])}"
