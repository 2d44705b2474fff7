"""Commands of `omoide fleet`, and the server of a fleet behind `omoide serve --fleet`."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from omoide.errors import Busy, InvalidInput, MissingExtra
from omoide.interfaces.cli import output
from omoide.interfaces.cli.command import Call
from omoide.interfaces.cli.output import Answer, counted
from omoide.interfaces.serialise import serialise
from omoide.settings import default_memory_path

if TYPE_CHECKING:
    from omoide.fleet import Fleet
    from omoide.fleet.fleet import HeldElsewhere

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
        except _held_elsewhere() as error:
            raise Busy(
                f"the space {space} is held by {error.holder.address or 'another server'}; name FILE, the copy of that "
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


def export(call: Call, space: Space, file: File, fleet: FleetAddress = "") -> Answer:
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
    opened = _fleet_class()
    if not dsn:
        raise InvalidInput("name the database of the fleet with $OMOIDE_FLEET or --fleet postgresql://…")
    with (
        tempfile.TemporaryDirectory(prefix="omoide-fleet-") as folder,
        opened(dsn, folder, background=False, visitor=True, embedder=None) as fleet,
    ):
        yield fleet


def _fleet_class() -> type[Fleet]:
    try:
        from omoide.fleet import Fleet
    except MissingExtra:
        raise
    except ImportError as error:
        raise MissingExtra('a fleet is an extra: `pip install "omoide[fleet]"`') from error
    return Fleet


def _held_elsewhere() -> type[HeldElsewhere]:
    from omoide.fleet.fleet import HeldElsewhere

    return HeldElsewhere


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
class Door:
    """Where a server listens, the URL at which others reach it, and the names and pages that it answers."""

    host: str
    port: int
    address: str
    hosts: tuple[str, ...]
    origins: tuple[str, ...]


def serve(call: Call, dsn: str, copies: Path | None, door: Door) -> Answer:
    """Serves the spaces of a fleet until Ctrl-C; then gives back what it holds."""
    from omoide.fleet.telemetry import log_to_stderr
    from omoide.interfaces import network

    opened = _fleet_class()
    try:
        from omoide.interfaces.http.application import application
        from omoide.interfaces.http.fleet_server import FleetSource
    except ImportError as error:
        raise MissingExtra('a fleet needs the HTTP server too: `pip install "omoide[fleet]"`') from error
    log_to_stderr()
    folder = copies or Path(default_memory_path()).parent / "fleet"
    with network.listening(door.host, door.port) as listener:
        at = door.address or network.address(door.host, listener)
        with opened(dsn, folder, address=at, embedder=None if call.no_embedder else "default") as fleet:
            output.note(f"{at} serves {fleet.database.name} as {fleet.server}; /ready says when it takes requests")
            hosts = (door.host, network.origin_host(at.rstrip("/")) or "", *door.hosts)
            network.serve(application(FleetSource(fleet), hosts=hosts, origins=door.origins), listener)
    return Answer(None, lambda _: "")
