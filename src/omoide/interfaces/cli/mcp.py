"""mcp and tools: the door for agents, and what its tools cost them."""

from __future__ import annotations

import textwrap
from typing import Annotated, Any

import typer

from omoide.errors import MissingExtra
from omoide.interfaces.cli import options, output
from omoide.interfaces.cli.output import Answer
from omoide.interfaces.cli.verb import Call, verb
from omoide.interfaces.mcp import start

Tools = Annotated[str, typer.Option("--tools", metavar="SETS", help="Sets or single tools, such as core,graph.")]

_WIDE = 100  # columns


@verb
def mcp(
    call: Call,
    tools: Tools = "core",
    http: Annotated[bool, typer.Option("--http", help="Listen on HTTP instead of standard input.")] = False,
    host: options.Host = "127.0.0.1",
    port: options.Port = 8377,
    token: options.Token = "",
    origin: options.Origin = None,
) -> Answer:
    """Serve this memory to agents over the Model Context Protocol, until the client leaves or Ctrl-C.

    Example: omoide mcp --db otto.db --tools core,graph
    """
    chosen = _extra().chosen(tools)
    with call.open(embedder=True, create=True, stays=True) as memory:
        start.adopt(memory, chosen, output.note)
        if http:
            from omoide.interfaces import listen
            from omoide.interfaces.mcp import serve

            token = token or serve.new_token()
            with listen.taken(host, port) as place:
                at = listen.address(host, place)
                output.note(f"{at}/mcp serves {memory.path}; send the header Authorization: Bearer {token}")
                serve.over_http(memory, chosen, host, place, token, origin or [])
        else:
            start.serve(memory, chosen)
    return Answer(None, lambda _: "")


@verb
def tools(
    call: Call, name: Annotated[str, typer.Argument(help="A set or a tool; without it, all sets.")] = ""
) -> Answer:
    """Which tools an agent can be given, and what their descriptions cost it with every message.

    Example: omoide tools core
    """
    found = _extra()
    if not name:
        rows = {
            each: {"tools": list(found.SETS[each]), "tokens": found.cost(found.chosen(each))} for each in found.SETS
        }
        return Answer({"sets": rows}, _sets)
    rows = {
        each.name: {"description": each.description, "parameters": each.schema, "tokens": found.cost([each])}
        for each in found.chosen(name)
    }
    return Answer({"tools": rows}, _tools)


def _extra() -> Any:
    try:
        from omoide.interfaces import tools
    except ImportError as error:
        raise MissingExtra('agents are served by an extra: `pip install "omoide[mcp]"`') from error
    return tools


def _sets(found: Any) -> str:
    return "\n".join(
        f"{name} ({each['tokens']:,} tokens)\n{_wrapped(', '.join(each['tools']))}"
        for name, each in found["sets"].items()
    )


def _tools(found: Any) -> str:
    return "\n\n".join(
        f"{name} ({each['tokens']} tokens)\n{_wrapped(each['description'])}\n"
        + _wrapped(", ".join(each["parameters"].get("properties", {})))
        for name, each in found["tools"].items()
    )


def _wrapped(text: str) -> str:
    """Indented, and no wider than a page: also in a pipe, for it is read there too."""
    lines = (textwrap.wrap(each, _WIDE, initial_indent="  ", subsequent_indent="  ") for each in text.splitlines())
    return "\n".join("\n".join(each) for each in lines)
