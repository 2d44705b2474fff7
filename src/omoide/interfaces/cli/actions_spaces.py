"""Commands of `omoide spaces`. They change the folder or the fleet itself; running servers follow."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from omoide.errors import InvalidInput
from omoide.interfaces.cli.command import Call
from omoide.interfaces.cli.output import Answer
from omoide.interfaces.serialise import serialise
from omoide.memory.spaces import IssuedToken, SpaceFolder, SpaceRegistry
from omoide.settings import default_memory_path, fleet_address

Folder = Annotated[
    Path | None,
    typer.Option(
        "--folder",
        envvar="OMOIDE_SPACES",
        help="The folder of the spaces; default `spaces` beside your own memory, or $OMOIDE_FLEET.",
    ),
]
Name = Annotated[str, typer.Argument(metavar="SPACE", help="The name of the space.")]
TokenId = Annotated[str, typer.Argument(metavar="ID", help="The id of the token, as `tokens` lists it.")]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")]


def list_spaces(call: Call, folder: Folder = None) -> Answer:
    """List the spaces of a server.

    \b
    Examples:
      omoide spaces list
    """
    return Answer({"spaces": serialise(_opened(folder).list())}, _table("spaces", "no spaces yet"))


def create(call: Call, name: Name, folder: Folder = None) -> Answer:
    """Create a space and its first token, which is shown once.

    \b
    Examples:
      omoide spaces create ada
    """
    opened = _opened(folder)
    info = opened.create(name)
    issued = opened.issue(name)
    return Answer({"space": serialise(info), **serialise(issued)}, lambda found: str(found["token"]))


def delete(call: Call, name: Name, folder: Folder = None, yes: Yes = False) -> Answer:
    """Delete a space: its tokens, and every memory in it.

    \b
    Examples:
      omoide spaces delete ada --yes
    """
    opened = _opened(folder)
    opened.file(name)
    if not yes:
        if call.json or not sys.stdin.isatty():
            raise InvalidInput("there is nobody to ask; use --yes")
        typer.confirm(f"Delete the space {name} and all its memories?", abort=True)
    return Answer({"deleted": serialise(opened.delete(name))}, lambda found: f"deleted {name}")


def usage(call: Call, folder: Folder = None) -> Answer:
    """Show what each space holds: memories, sessions, size, tokens.

    \b
    Examples:
      omoide spaces usage
    """
    return Answer({"spaces": serialise(_opened(folder).usage())}, _table("spaces", "no spaces yet"))


def export(
    call: Call,
    name: Name,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A new file.", dir_okay=False)],
    folder: Folder = None,
    unencrypted: Annotated[
        bool, typer.Option(help="Write it although the space is encrypted and this is not.")
    ] = False,
) -> Answer:
    """Write a space as lines of JSON, history included; `omoide admin import` reads them.

    \b
    Examples:
      omoide spaces export ada ada.jsonl
    """
    _opened(folder).export(name, file, unencrypted=unencrypted)
    return Answer({"space": name, "file": str(file)}, lambda _: f"{name} is in {file}")


def tokens(
    call: Call,
    name: Annotated[str | None, typer.Argument(metavar="[SPACE]", help="Only those of a space.")] = None,
    folder: Folder = None,
) -> Answer:
    """List tokens: what they open and until when, never their text.

    \b
    Examples:
      omoide spaces tokens ada
    """
    return Answer({"tokens": serialise(_opened(folder).tokens(name))}, _table("tokens", "no tokens yet"))


def token(
    call: Call,
    name: Annotated[str | None, typer.Argument(metavar="[SPACE]", help="The space that it opens.")] = None,
    right: Annotated[Literal["read", "write"], typer.Option(help="What it may do there.")] = "write",
    admin: Annotated[bool, typer.Option("--admin", help="It manages spaces and opens none.")] = False,
    note: Annotated[str, typer.Option(help="What it is for.")] = "",
    days: Annotated[float | None, typer.Option(help="How long it is valid; default until it is revoked.")] = None,
    folder: Folder = None,
) -> Answer:
    """Make a token, which is shown once.

    \b
    Examples:
      omoide spaces token ada --right read --note "the reading room" --days 30
      omoide spaces token --admin
    """
    if admin == (name is not None):
        raise InvalidInput("name a space, or use --admin for a token that manages spaces")
    return _shown(_opened(folder).issue(name, "admin" if admin else right, note=note, days=days))


def rotate(call: Call, id: TokenId, folder: Folder = None) -> Answer:
    """Replace a token by a new one with the same right; the old one stops at once.

    \b
    Examples:
      omoide spaces rotate 1f0c22ab
    """
    return _shown(_opened(folder).rotate(id))


def revoke(call: Call, id: TokenId, folder: Folder = None) -> Answer:
    """Delete a token; it stops at once.

    \b
    Examples:
      omoide spaces revoke 1f0c22ab
    """
    return Answer({"deleted": serialise(_opened(folder).revoke(id))}, lambda found: f"revoked {id}")


def _opened(folder: Path | None) -> SpaceRegistry:
    """The folder that was named, or the fleet of $OMOIDE_FLEET, or the folder beside the user's own memory."""
    if folder is None and (dsn := fleet_address()):
        from omoide.fleet import FleetSpaces

        return FleetSpaces.of(dsn)
    return SpaceFolder(folder or default_memory_path().parent / "spaces")


def _shown(issued: IssuedToken) -> Answer:
    return Answer(serialise(issued), lambda found: str(found["token"]))


def _table(key: str, empty: str) -> Any:
    def view(document: Any) -> Any:
        from omoide.interfaces.cli.output import cell, columns, plain

        rows = document[key]
        if not rows:
            return empty
        table = columns(*rows[0])
        for row in rows:
            table.add_row(*(cell("" if value is None else plain(value)) for value in row.values()))
        return table

    return view
