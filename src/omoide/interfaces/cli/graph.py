"""link, entity and relate: how memories and the things they speak of hang together."""

from __future__ import annotations

from typing import Annotated

import typer

from omoide.interfaces.cli import options, view
from omoide.interfaces.cli.output import Answer, document
from omoide.interfaces.cli.verb import Call, verb

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
        edge = memory.link(source, target, type, predicate=predicate, weight=weight, confidence=confidence)
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
) -> Answer:
    """Look up a person, project or thing; with options, create it or add to it.

    Example: omoide entity Otto --type person --alias "Otto K." --field city=Berlin
    """
    with call.open(create=True) as memory:
        found = memory.entity(
            name,
            type=type,
            aliases=alias or (),
            description=description,
            summary=summary,
            importance=importance,
            **options.named(field, memory.entity),
        )
        return Answer({"entity": document(found), "relations": document(memory.relations(found.name))}, view.entity)


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
        properties = options.named(field, memory.relate)
        relation = memory.relate(source, type, target, confidence=confidence, source_node=source_node, **properties)
        return Answer(document(relation), view.related)
