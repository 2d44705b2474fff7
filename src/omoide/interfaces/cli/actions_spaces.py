"""Commands of `omoide spaces` and `omoide fleet`. They change the folder or the fleet; running servers follow."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from omoide.errors import Busy, InvalidInput, needs_extra
from omoide.interfaces.cli import output
from omoide.interfaces.cli.command import Call
from omoide.interfaces.cli.output import Answer, counted
from omoide.interfaces.documents import serialise
from omoide.memory.spaces import IssuedToken, SpaceFolder, SpaceRegistry
from omoide.settings import default_memory_path, fleet_address

if TYPE_CHECKING:
    from omoide.fleet import Fleet


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
        if not (rows := document[key]):
            return empty
        shown = (("" if value is None else output.plain(value) for value in row.values()) for row in rows)
        return output.table(tuple(rows[0]), shown)

    return view


# Commands of `omoide fleet`, and the server of a fleet behind `omoide serve --fleet`.


FleetAddress = Annotated[
    str,
    typer.Option(
        "--fleet",
        envvar="OMOIDE_FLEET",
        metavar="DSN",
        show_default=False,
        help="The PostgreSQL database of a fleet. Rather use the variable: arguments can be seen by others.",
    ),
]
Space = Annotated[str, typer.Argument(metavar="SPACE", help="The name of the space.")]
File = Annotated[Path, typer.Argument(metavar="FILE", help="The memory file.", dir_okay=False)]


def status(call: Call, fleet: FleetAddress = "") -> Answer:
    """List the servers and spaces of a fleet, and who holds what.

    \b
    Examples:
      omoide fleet status
    """
    with _visitor(fleet) as opened:
        return Answer(serialise(opened.status()), _status_text)


def drain(
    call: Call,
    server: Annotated[str, typer.Argument(metavar="SERVER", help="The id of the server, as `status` lists it.")],
    fleet: FleetAddress = "",
) -> Answer:
    """Ask a server to give back its spaces and take no more, before it is stopped.

    \b
    Examples:
      omoide fleet drain node-1-4242-9f31c2
    """
    with _visitor(fleet) as opened:
        opened.drain(server)
    return Answer(
        {"draining": server}, lambda found: f"{server} gives back its spaces; `omoide fleet status` shows when"
    )


def rebalance(call: Call, fleet: FleetAddress = "") -> Answer:
    """Ask servers with many spaces to pass some on to those with few.

    \b
    Examples:
      omoide fleet rebalance
    """
    with _visitor(fleet) as opened:
        moves = [{"space": space, "from": source, "to": to} for space, source, to in opened.rebalance()]
    return Answer({"moves": moves}, lambda found: "1 space moves" if len(moves) == 1 else f"{len(moves)} spaces move")


def verify(
    call: Call,
    space: Space,
    file: Annotated[
        Path | None, typer.Argument(metavar="[FILE]", help="A server's copy; without it a new one.")
    ] = None,
    fleet: FleetAddress = "",
) -> Answer:
    """Compare a copy of a space with PostgreSQL, row by row. Differences are an error.

    Without FILE a new copy is made and compared. No server may hold the space meanwhile: drain or stop it first.

    \b
    Examples:
      omoide fleet verify ada
    """
    with _visitor(fleet) as opened:
        try:
            found = opened.verify(space, file)
        except Busy as error:
            if (holder := getattr(error, "holder", None)) is None:
                raise
            raise Busy(
                f"the space {space} is held by {holder.address or 'another server'}; name FILE, the copy of that "
                "server, or drain it first (`omoide fleet drain SERVER`) or stop it"
            ) from error
    return Answer(
        {"space": space, "differences": found},
        lambda _: "\n".join(found) or f"{space}: the same, row by row",
        exit_code=1 if found else 0,
    )


def import_(call: Call, space: Space, file: File, fleet: FleetAddress = "") -> Answer:
    """Put a memory file into a space of the fleet; the space is created if there is none.

    \b
    Examples:
      omoide fleet import ada ada.db
    """
    with _visitor(fleet) as opened:
        if space not in {each.name for each in opened.spaces.list()}:
            opened.spaces.create(space)
        rows = opened.import_file(space, file)
    return Answer(
        {"space": space, "rows": rows}, lambda _: f"{space}: {rows:,} rows; `omoide spaces token {space}` opens it"
    )


def export_fleet(call: Call, space: Space, file: File, fleet: FleetAddress = "") -> Answer:
    """Write a space into a new memory file that belongs to no fleet.

    \b
    Examples:
      omoide fleet export ada ada.db
    """
    with _visitor(fleet) as opened:
        rows = opened.export_file(space, file)
    return Answer({"space": space, "rows": rows, "file": str(file)}, lambda _: f"{file}: {rows:,} rows")


@contextmanager
def _visitor(dsn: str) -> Iterator[Fleet]:
    """The fleet, for one command: without an address and without work of its own."""
    fleet_class = _fleet_class()
    if not dsn:
        raise InvalidInput("name the database of the fleet with $OMOIDE_FLEET or --fleet postgresql://…")
    with (
        tempfile.TemporaryDirectory(prefix="omoide-fleet-") as folder,
        fleet_class(dsn, folder, background=False, visitor=True, embedder=None) as fleet,
    ):
        yield fleet


def _fleet_class() -> type[Fleet]:
    with needs_extra('a fleet is an extra: `pip install "omoide[fleet]"`'):
        from omoide.fleet import Fleet
    return Fleet


def _status_text(found: Any) -> str:
    lines = [
        f"{each['id']}  {each['address'] or '-'}  {counted(each['spaces'], 'space')}"
        + ("  draining" if each["draining"] else "" if each["alive"] else "  gone")
        for each in found["servers"]
    ]
    lines.append(f"{counted(len(found['servers']), 'server')}, {counted(len(found['spaces']), 'space')}")
    lines += [
        f"{each['name']}  {each['holder'] or '-'}  transaction {each['sequence']}" for each in found["spaces"][:200]
    ]
    if len(found["spaces"]) > 200:
        lines.append("…; --json lists all")
    return "\n".join(lines)


@dataclass(frozen=True, slots=True)
class ServerOptions:
    """Where a server listens, the URL at which others reach it, and the names and pages that it answers."""

    host: str
    port: int
    address: str
    hosts: tuple[str, ...]
    origins: tuple[str, ...]


def serve(call: Call, dsn: str, copies: Path | None, options: ServerOptions) -> Answer:
    """Serves the spaces of a fleet until Ctrl-C; then gives back what it holds."""
    fleet_class = _fleet_class()
    with needs_extra('a fleet needs the HTTP server too: `pip install "omoide[fleet]"`'):
        from omoide.fleet.telemetry import log_to_stderr
        from omoide.interfaces import network
        from omoide.interfaces.http.application import application
        from omoide.interfaces.http.fleet_server import FleetSource
    log_to_stderr()
    folder = copies or Path(default_memory_path()).parent / "fleet"
    with network.listening(options.host, options.port) as listener:
        at = options.address or network.address(options.host, listener)
        with fleet_class(dsn, folder, address=at, embedder=None if call.no_embedder else "default") as fleet:
            output.note(f"{at} serves {fleet.database.name} as {fleet.server}; /ready says when it takes requests")
            hosts = (options.host, network.origin_host(at.rstrip("/")) or "", *options.hosts)
            network.serve(application(FleetSource(fleet), hosts=hosts, origins=options.origins), listener)
    return Answer(None, lambda _: "")
