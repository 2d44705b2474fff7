"""entities, graph, draw, unrelate and drop: who and what is known, all of it at once."""

from __future__ import annotations

import json
import sys
from typing import Annotated, Any

import typer

from omoide.errors import InvalidInput
from omoide.interfaces.cli.output import Answer
from omoide.interfaces.cli.parts import cell, columns
from omoide.interfaces.cli.verb import Call, verb
from omoide.interfaces.document import document

Names = Annotated[list[str] | None, typer.Argument(metavar="NAME…", help="Names; without them, everything.")]


@verb
def entities(
    call: Call, limit: Annotated[int, typer.Option("--limit", "-n", metavar="N", help="How many at most.")] = 20
) -> Answer:
    """Who and what is known, the most spoken of first.

    Example: omoide entities --limit 5
    """
    with call.open() as memory:
        found = document(memory.graph.entities(limit))
    if not found:
        call.note("nobody and nothing is known yet")
    return Answer({"entities": found}, _entities)


@verb
def graph(call: Call, names: Names = None) -> Answer:
    """Things with what is known of each, and how they are related.

    Example: omoide graph Otto Acme
    """
    with call.open() as memory:
        return Answer(document(memory.graph.read(names or None)), _graph)


@verb
def draw(
    call: Call,
    source: Annotated[str, typer.Argument(metavar="JSON", help='{"things": […], "relations": […]}; - reads it.')],
) -> Answer:
    """Add many things and relations at once; what is there already stays as it is.

    Example: omoide draw '{"things": [{"name": "Otto", "type": "person", "observations": ["speaks Spanish"]}]}'
    """
    try:
        given = json.loads(sys.stdin.read() if source == "-" else source)
        things, relations = given.get("things", []), given.get("relations", [])
    except (ValueError, AttributeError) as error:
        raise InvalidInput(f"expected a JSON object of things and relations ({error})") from None
    with call.open(create=True) as memory:
        return Answer(document(memory.graph.add(things, relations)), _graph)


@verb
def unrelate(
    call: Call,
    source: Annotated[str, typer.Argument(metavar="NAME", show_default=False)],
    type: Annotated[str, typer.Argument(metavar="TYPE", show_default=False)],
    target: Annotated[str, typer.Argument(metavar="NAME", show_default=False)],
) -> Answer:
    """Say that a relation no longer holds.

    Example: omoide unrelate Otto works_at "Blue Harbour"
    """
    with call.open() as memory:
        ended = document(memory.graph.unrelate(source, type, target))
    return Answer(ended, lambda each: f"{each['source']} no longer {each['type']} {each['target']}")


@verb
def drop(
    call: Call,
    names: Names = None,
    observation: Annotated[
        list[int] | None, typer.Option("--observation", metavar="ID", help="A single observation.")
    ] = None,
) -> Answer:
    """Take things off the graph: what is observed of them goes into the archive, their relations end.

    Example: omoide drop Otto
    """
    if not names and not observation:
        raise InvalidInput("drop what? give names, or --observation ID")
    with call.open() as memory:
        gone = memory.graph.remove(names or (), observations=observation or ())
    return Answer({"dropped": gone, "observations": observation or []}, _dropped)


def _entities(found: Any) -> Any:
    table = columns("name", "type", "mentions", "last seen")
    for each in found["entities"]:
        seen = f"{each['last_referenced_at']:%Y-%m-%d}"
        table.add_row(cell(each["name"]), cell(each["type"]), cell(str(each["mention_count"])), cell(seen))
    return table


def _graph(found: Any) -> str:
    lines = []
    for thing in found["things"]:
        lines.append(f"{thing['name']} ({thing['type']})")
        lines += [f"  [id:{each['id']}] {each['text']}" for each in thing["observations"]]
    lines += [f"{each['source']} {each['type']} {each['target']}" for each in found["relations"]]
    return "\n".join(lines)


def _dropped(found: Any) -> str:
    count = len(found["observations"])
    words = [*found["dropped"], *([f"{count} observation{'s' if count > 1 else ''}"] if count else [])]
    return f"dropped: {', '.join(words) or 'nothing was there'}"
