"""init and demo: the first minute."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from omoide.errors import InvalidInput
from omoide.interfaces import clients
from omoide.interfaces.change import Change, apply
from omoide.interfaces.cli import output
from omoide.interfaces.cli.output import Answer
from omoide.interfaces.cli.verb import Call, verb


@verb
def init(
    call: Call,
    tools: Annotated[
        str | None, typer.Option("--tools", metavar="SETS", help="Sets or single tools; default core.")
    ] = None,
    client: Annotated[
        list[str] | None, typer.Option("--client", help="One of the clients; default: all that are found.")
    ] = None,
    remove: Annotated[bool, typer.Option("--remove", help="Take us out of the clients again.")] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show what would change, and change nothing.")] = False,
) -> Answer:
    """Make your memory, and let the MCP clients on this machine use it: what changes is shown first.

    Knows Claude Code, Claude Desktop, Cursor, VS Code, Windsurf and Codex CLI. The settings as they were are kept
    beside the new ones; a second time changes nothing.

    Example: omoide init --yes
    """
    if tools is not None:
        from omoide.interfaces.tools import chosen

        chosen(tools)  # a mistyped set is better told now than by every client
    found = _wanted(client)
    changes = [(each, *_changed(each, call, tools, remove)) for each in found]
    needed = [change for _, change, _ in changes if change is not None and change.needed]
    if needed and not (dry_run or yes):
        _ask(needed, call)
    path = None
    if not (dry_run or remove):
        with call.open(create=True) as memory:
            path = memory.path
    for change in [] if dry_run else needed:
        apply(change)
    rows = [_row(each, change, why, done=not dry_run) for each, change, why in changes]
    shown = not (yes or dry_run)
    return Answer({"memory": path, "clients": rows}, lambda found: _told(found, diff=not shown))


def _wanted(names: list[str] | None) -> list[clients.Client]:
    known = list(clients.known(Path.home()))
    if not names:
        return [each for each in known if each.is_here]
    by_name = {each.name.casefold().replace(" ", "-"): each for each in known}
    asked = [name.casefold().replace(" ", "-") for name in names]
    if strange := [name for name in asked if name not in by_name]:
        raise InvalidInput(f"--client: unknown {', '.join(strange)}; there are {', '.join(by_name)}")
    return [by_name[name] for name in asked]


def _changed(client: clients.Client, call: Call, tools: str | None, remove: bool) -> tuple[Change | None, str]:
    """One file that cannot be read must not keep the others waiting."""
    try:
        return (clients.removing(client) if remove else clients.adding(client, call.db, tools)), ""
    except InvalidInput as error:
        return None, str(error)


def _ask(changes: list[Change], call: Call) -> None:
    if call.json or not sys.stdin.isatty():
        raise InvalidInput("nobody is here to ask; say --yes, or --dry-run to see what would change")
    for change in changes:
        output.tell("\n".join([str(change.path), *change.diff, ""]))
    typer.confirm("Write this?", default=True, abort=True)


def _row(client: clients.Client, change: Change | None, why: str, *, done: bool) -> dict[str, Any]:
    changed = change is not None and change.needed
    return {
        "client": client.name,
        "path": str(client.path),
        "changed": changed and done,
        "diff": change.diff if change is not None and changed else [],
        "error": why or None,
    }


def _told(found: Any, *, diff: bool) -> str:
    lines = [f"your memory is {found['memory']}"] if found["memory"] else []
    for each in found["clients"]:
        lines += each["diff"] if diff else []
        state = each["error"] or (
            "changed" if each["changed"] else "would change" if each["diff"] else "as it should be"
        )
        lines.append(f"{each['client']}: {each['path']}: {state}")
    if not found["clients"]:
        lines.append("no MCP client was found; docs/how-to/mcp.md says what to write for any other")
    return "\n".join(lines)
