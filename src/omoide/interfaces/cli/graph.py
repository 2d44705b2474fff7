"""link, entity, relate, merge and split: how memories and the things they speak of hang together."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Any

import typer

from omoide.clock import system_clock, to_datetime
from omoide.interfaces.cli import known, options, view
from omoide.interfaces.cli.output import Answer
from omoide.interfaces.cli.verb import Call, verb
from omoide.interfaces.document import document

if TYPE_CHECKING:
    from omoide.memory import Memory

_MENTIONS = 1_000  # the latest that a profile is made of

LinkType = Annotated[str, typer.Argument(metavar="TYPE", help="related_to, causal, contradicts, elaborates …")]
Predicate = Annotated[str | None, typer.Option("--predicate", help="The link in a word of your own.")]
Weight = Annotated[float, typer.Option("--weight", help="How strong it is.")]
Type = Annotated[str | None, typer.Option("--type", help="person, organization, project, place, concept, tool …")]
Aliases = Annotated[list[str] | None, typer.Option("--alias", metavar="NAME", help="Another name it goes by.")]
Description = Annotated[str | None, typer.Option("--description", help="What it is.")]
Summary = Annotated[str | None, typer.Option("--summary", help="What is known of it.")]
Importance = Annotated[int | None, typer.Option("--importance", metavar="1..10", help="How much it matters.")]
Properties = Annotated[list[str] | None, typer.Option("--field", metavar="NAME=VALUE", help="A property of your own.")]
SourceNode = Annotated[int | None, typer.Option("--source", metavar="ID", help="The memory that says so.")]
Name = Annotated[str, typer.Argument(metavar="NAME", help="Its name, or one of its aliases.", show_default=False)]


@verb
def link(
    call: Call,
    source: options.Id,
    target: options.Id,
    type: LinkType = "related_to",
    predicate: Predicate = None,
    weight: Weight = 1.0,
    confidence: options.Confidence = 1.0,
) -> Answer:
    """Link two memories; linking again renews the link.

    Example: omoide link 7 12 elaborates
    """
    with call.open() as memory:
        edge = memory.graph.link(source, target, type, predicate=predicate, weight=weight, confidence=confidence)
        return Answer(document(edge), view.linked)


@verb
def entity(
    call: Call,
    name: Name,
    type: Type = None,
    alias: Aliases = None,
    description: Description = None,
    summary: Summary = None,
    importance: Importance = None,
    field: Properties = None,
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, metavar="N", help="Lines of the timeline.")] = 20,
) -> Answer:
    """A person, project or thing: what is known of it, and its timeline; with options, create it or add to it.

    Example: omoide entity Otto

    Example: omoide entity Otto --type person --alias "Otto K." --field city=Berlin
    """
    with call.open(create=True) as memory:
        found = memory.graph.entity(
            name,
            type=type,
            aliases=alias or (),
            description=description,
            summary=summary,
            importance=importance,
            **options.named(field, memory.graph.entity),
        )
        return Answer(_profile(memory, found, limit), known.profile)


@verb
def relate(
    call: Call,
    source: Annotated[str, typer.Argument(metavar="SOURCE", help="An entity's name.", show_default=False)],
    type: Annotated[str, typer.Argument(metavar="TYPE", help="works_at, uses, knows …", show_default=False)],
    target: Annotated[str, typer.Argument(metavar="TARGET", help="Another's.", show_default=False)],
    confidence: options.Confidence = 1.0,
    source_node: SourceNode = None,
    field: Properties = None,
) -> Answer:
    """Relate two entities; those not yet known are created.

    Example: omoide relate Otto works_at "Blue Harbour"
    """
    with call.open(create=True) as memory:
        properties = options.named(field, memory.graph.relate)
        relation = memory.graph.relate(
            source, type, target, confidence=confidence, source_node=source_node, **properties
        )
        return Answer(document(relation), view.related)


@verb
def merge(
    call: Call,
    name: Annotated[str, typer.Argument(metavar="NAME", help="The name that goes.", show_default=False)],
    into: Annotated[str, typer.Argument(metavar="INTO", help="The entity that stays.", show_default=False)],
) -> Answer:
    """Two names, one thing: what was said of the first is now said of the second, whose alias it becomes.

    Example: omoide merge "Otto K." Otto
    """
    with call.open() as memory:
        return Answer(document(memory.graph.merge(name, into)), known.named)


@verb
def split(
    call: Call,
    name: Name,
    alias: Annotated[str, typer.Argument(metavar="ALIAS", help="The alias that is something else.")],
    type: Type = None,
) -> Answer:
    """One name, two things: an alias becomes an entity of its own, with the memories that call it so.

    Example: omoide split Otto "Otto K."
    """
    with call.open() as memory:
        return Answer(document(memory.graph.split(name, alias, type=type)), known.named)


def _profile(memory: Memory, entity: Any, limit: int) -> dict[str, Any]:
    now = to_datetime(system_clock())
    spoken = sorted(memory.graph.timeline(entity.name, _MENTIONS), key=_begun)
    shown = spoken[-limit:]
    return {
        "entity": document(entity),
        "relations": document(memory.graph.relations(entity.name)),
        "known": document([node for node in spoken if _holds(node, now)]),
        "timeline": document(shown),
        "earlier": len(spoken) - len(shown),
        "became": known.document_of(memory.history(entity.name)),
    }


def _begun(node: Any) -> Any:
    return node.valid_from or min(node.event_at, node.valid_until or node.event_at)


def _holds(node: Any, now: datetime) -> bool:
    """What was learned and is still so; what happened stands in the timeline."""
    ended = node.valid_until is not None and node.valid_until <= now
    return bool(node.kind != "episode" and node.state == "live" and not ended)
