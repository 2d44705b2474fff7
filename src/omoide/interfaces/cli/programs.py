"""Programs around a memory: servers for agents and other programs, the setup of clients and hooks, the daemon."""

from __future__ import annotations

import html
import os
import secrets
import sys
import tempfile
import textwrap
import webbrowser
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from omoide.errors import InvalidInput, needs_extra
from omoide.interfaces.cli import actions_spaces, output
from omoide.interfaces.cli.actions_spaces import FleetAddress
from omoide.interfaces.cli.command import Call, stopping
from omoide.interfaces.cli.output import Answer
from omoide.interfaces.file_change import FileChange
from omoide.interfaces.mcp import clients

_WIDTH = 100  # columns of a page, also in a pipe

Host = Annotated[str, typer.Option(help="The address to listen on; one that is not loopback is open to your network.")]
Port = Annotated[int, typer.Option(min=0, max=65535, help="0 chooses a free one.")]
Token = Annotated[
    str, typer.Option(envvar="OMOIDE_TOKEN", help="What clients must send; without one it is generated and printed.")
]
Origin = Annotated[list[str] | None, typer.Option(help="The origin of a web page that may call. May be repeated.")]
AllowHost = Annotated[
    list[str] | None,
    typer.Option(
        "--allow-host", metavar="NAME", help="A further name to answer to, such as a proxy's. May be repeated."
    ),
]
ToolSets = Annotated[str, typer.Option("--tools", metavar="SETS", help="Sets or single tools, such as core,graph.")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Show what would change, and change nothing.")]


# ── servers ───────────────────────────────────────────────────────────────────────────────────────────────────────

Reader = Annotated[str, typer.Option("--audience", help="Who reads: private, or shared to leave out private memories.")]
Consent = Annotated[
    str | None,
    typer.Option(help="Session with consent to show sensitive memories.", show_default=False),
]


def mcp(
    call: Call,
    tools: ToolSets = "core",
    http: Annotated[bool, typer.Option("--http", help="Listen on HTTP instead of standard input.")] = False,
    host: Host = "127.0.0.1",
    port: Port = 8377,
    token: Token = "",
    origin: Origin = None,
    allow_host: AllowHost = None,
    audience: Reader = "private",
    consent: Consent = None,
) -> Answer:
    """Serve this memory to agents over the Model Context Protocol.

    It runs until the client disconnects, or Ctrl-C.

    \b
    Examples:
      omoide mcp --db otto.db --tools core,graph
    """
    from omoide.interfaces.mcp import start

    chosen = _tool_package().chosen(tools)
    with call.open(embedder=True, create=True, stays=True) as memory:
        start.import_reference_file(memory, chosen, output.note)
        seen = memory.viewed(audience=audience, consent=consent)
        if http:
            from omoide.interfaces import network
            from omoide.interfaces.mcp import streamable_http

            token = token or streamable_http.new_token()
            with network.listening(host, port) as listener:
                at = network.address(host, listener)
                output.note(f"{at}/mcp serves {memory.path}; send the header Authorization: Bearer {token}")
                streamable_http.serve(seen, chosen, host, listener, token, origin or [], allow_host or [])
        else:
            start.serve(seen, chosen)
    return Answer(None, lambda _: "")


def serve(
    call: Call,
    host: Host = "127.0.0.1",
    port: Port = 8378,
    token: Token = "",
    origin: Origin = None,
    allow_host: AllowHost = None,
    spaces: Annotated[
        Path | None, typer.Option(help="A folder of spaces, one memory per user; see `omoide spaces`.", file_okay=False)
    ] = None,
    fleet: FleetAddress = "",
    copies: Annotated[
        Path | None, typer.Option(help="Where a server of a fleet keeps its copies of spaces.", file_okay=False)
    ] = None,
    address: Annotated[str, typer.Option(help="The URL at which other servers of a fleet reach this one.")] = "",
) -> Answer:
    """Serve memories to other programs over HTTP.

    It runs until Ctrl-C. The API is described at /docs and /openapi.json.

    \b
    Examples:
      omoide serve --db otto.db --port 8378
      OMOIDE_FLEET=postgresql://… omoide serve --host 10.0.0.7 --copies /var/lib/omoide
    """
    if fleet:
        options = actions_spaces.ServerOptions(host, port, address, tuple(allow_host or ()), tuple(origin or ()))
        return actions_spaces.serve(call, fleet, copies, options)
    from omoide.memory.spaces import SpaceFolder

    token = token or secrets.token_urlsafe(24)
    source = SpaceFolder(spaces) if spaces else {token: call.db}
    shown = "Bearer TOKEN, of `omoide spaces token`" if spaces else f"Bearer {token}"
    with _listening(call, "the HTTP server", source, host, port) as (at, serve):
        output.note(f"{at}/docs describes the API; send the header Authorization: {shown}")
        serve(hosts=(host, *(allow_host or ())), origins=tuple(origin or ()))
    return Answer(None, lambda _: "")


def view(
    call: Call,
    port: Port = 0,
    browser: Annotated[
        bool, typer.Option("--browser/--no-browser", help="Open the page in the browser of this machine.")
    ] = True,
) -> Answer:
    """Open the page of a memory in the browser: see, question and repair what is remembered.

    Only this machine reaches it. It runs until Ctrl-C.

    \b
    Examples:
      omoide view
      omoide view --db otto.db --no-browser
    """
    with call.open() as memory:  # an error is told here, and not on the page
        path = memory.path
    token = secrets.token_urlsafe(24)
    with _listening(call, "the page", {token: path}, "127.0.0.1", port, consent="omoide view") as (at, serve):
        url = f"{at}/#token={token}"
        output.note(f"{url} shows {path}; Ctrl-C ends it")
        with _opened(url) if browser else nullcontext():
            serve()
    return Answer(None, lambda _: "", silent=True)


@contextmanager
def _listening(
    call: Call, what: str, source: Any, host: str, port: int, **options: Any
) -> Iterator[tuple[str, Callable[..., None]]]:
    """The address of a listener, and a function that serves these memories there until Ctrl-C."""
    with needs_extra(f'{what} is an extra: `pip install "omoide[http]"`, or in a checkout `pip install ".[http]"`'):
        from omoide.interfaces import network
        from omoide.interfaces.http.application import application
        from omoide.interfaces.http.spaces import Spaces
    spaces = Spaces(source, embedder=None if call.no_embedder else "default", **options)
    try:
        with network.listening(host, port) as listener:
            yield (
                network.address(host, listener),
                lambda **allowed: network.serve(application(spaces, **allowed), listener),
            )
    finally:
        spaces.close()


@contextmanager
def _opened(url: str) -> Iterator[None]:
    """Opens the browser through a file that only this user can read: arguments of programs are visible to others."""
    with tempfile.TemporaryDirectory(prefix="omoide-") as folder:
        file = Path(folder) / "open.html"
        page = f'<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="0; url={html.escape(url)}">'
        with open(os.open(file, os.O_WRONLY | os.O_CREAT, 0o600), "w", encoding="utf-8") as opening:
            opening.write(page)
        webbrowser.open(file.as_uri())
        yield


def tools(
    call: Call, name: Annotated[str, typer.Argument(help="A set or a tool; without it, all sets.")] = ""
) -> Answer:
    """List the tools for agents, and how many tokens their descriptions take.

    \b
    Examples:
      omoide tools core
    """
    found = _tool_package()
    if not name:
        rows = {
            each: {"tools": list(found.SETS[each]), "tokens": found.cost(found.chosen(each))} for each in found.SETS
        }
        return Answer({"sets": rows}, _tool_sets)
    rows = {
        each.name: {"description": each.description, "parameters": each.schema, "tokens": found.cost([each])}
        for each in found.chosen(name)
    }
    return Answer({"tools": rows}, _tool_list)


def _tool_package() -> Any:
    with needs_extra('agent tools are an extra: `pip install "omoide[mcp]"`, or in a checkout `pip install ".[mcp]"`'):
        from omoide.interfaces import tools
    return tools


def _tool_sets(found: Any) -> str:
    return "\n".join(
        f"{name} ({each['tokens']:,} tokens)\n{_wrapped(', '.join(each['tools']))}"
        for name, each in found["sets"].items()
    )


def _tool_list(found: Any) -> str:
    return "\n\n".join(
        f"{name} ({each['tokens']} tokens)\n{_wrapped(each['description'])}\n"
        + _wrapped(", ".join(each["parameters"].get("properties", {})))
        for name, each in found["tools"].items()
    )


def _wrapped(text: str) -> str:
    return textwrap.fill(" ".join(text.split()), _WIDTH, initial_indent="  ", subsequent_indent="  ")


def daemon(
    call: Call,
    once: Annotated[bool, typer.Option("--once", help="Run what is due now, if anything, and end.")] = False,
) -> Answer:
    """Run the maintenance whenever it is due, in the foreground.

    The setting maintain_schedule says when it is due.

    \b
    Examples:
      omoide daemon
      OMOIDE_BACKUP_FOLDER=~/backups omoide daemon --once
    """
    from omoide.memory.daemon import watch

    said: list[dict[str, Any]] = []

    def say(text: str) -> None:
        now = datetime.now().astimezone()
        if call.json and once:
            said.append({"at": now, "says": text})
        elif call.json:
            output.print_line(output.encoded({"at": now, "says": text}))
        else:
            output.print_line(f"{now:%Y-%m-%d %H:%M:%S}  {text}")

    with stopping() as stop:

        def wait(seconds: float) -> bool:
            return stop.wait(seconds) if seconds else stop.is_set()

        watching = watch(call.db, say=say, wait=wait, embedder=None if call.no_embedder else "default")
        if once:
            watching.once()
        else:
            watching.watch()
        if stop.is_set():
            say("stopped")
    return Answer({"said": said}, lambda _: "", silent=not (call.json and once))


# ── setup ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def init(
    call: Call,
    tools: Annotated[
        str | None, typer.Option("--tools", metavar="SETS", help="Sets or single tools; default core.")
    ] = None,
    client: Annotated[
        list[str] | None, typer.Option("--client", help="A client by name; default all that are installed.")
    ] = None,
    remove: Annotated[bool, typer.Option("--remove", help="Remove Omoide from the clients again.")] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
    dry_run: DryRun = False,
) -> Answer:
    """Create your memory and add it to the MCP clients on this machine.

    Knows Claude Code, Claude Desktop, Cursor, VS Code, Windsurf, Codex CLI, Gemini CLI and OpenCode. Shows every change
    before it is written and keeps a copy of the old settings beside the new ones. Running it again changes nothing.

    \b
    Examples:
      omoide init --yes
    """
    if tools is not None:
        _tool_package().chosen(tools)  # a mistyped set is an error now, and not later in every client
    found = _wanted_clients(client)
    changes = [(each, *_change(each, call, tools, remove)) for each in found]
    needed = [change for _, change, _ in changes if change is not None and change.needed]
    if needed and not (dry_run or yes):
        _ask(needed, call)
    path = None
    if not (dry_run or remove):
        with call.open(create=True) as memory:
            path = memory.path
    for change in [] if dry_run else needed:
        change.write()
    rows = [_client_row(each, change, why, done=not dry_run) for each, change, why in changes]
    return Answer({"memory": path, "clients": rows}, lambda found: _init_text(found, diff=yes or dry_run))


def _wanted_clients(names: list[str] | None) -> list[clients.Client]:
    known = list(clients.known(Path.home()))
    if not names:
        return [each for each in known if each.is_installed]
    by_name = {each.name.casefold().replace(" ", "-"): each for each in known}
    asked = [name.casefold().replace(" ", "-") for name in names]
    if unknown := [name for name in asked if name not in by_name]:
        raise InvalidInput(f"--client: unknown {', '.join(unknown)}; choose from {', '.join(by_name)}")
    return [by_name[name] for name in asked]


def _change(client: clients.Client, call: Call, tools: str | None, remove: bool) -> tuple[FileChange | None, str]:
    """The change, or why there is none: one unreadable file must not keep the others from being changed."""
    try:
        return (clients.removing(client) if remove else clients.adding(client, call.db, tools)), ""
    except InvalidInput as error:
        return None, str(error)


def _ask(changes: list[FileChange], call: Call) -> None:
    if call.json or not sys.stdin.isatty():
        raise InvalidInput("there is nobody to ask; use --yes, or --dry-run to see what would change")
    for change in changes:
        output.print_line("\n".join([str(change.path), *change.diff, ""]))
    typer.confirm("Write this?", default=True, abort=True)


def _client_row(client: clients.Client, change: FileChange | None, why: str, *, done: bool) -> dict[str, Any]:
    changed = change is not None and change.needed
    return {
        "client": client.name,
        "path": str(client.path),
        "changed": changed and done,
        "diff": change.diff if change is not None and changed else [],
        "error": why or None,
    }


def _init_text(found: Any, *, diff: bool) -> str:
    lines = [f"your memory is {found['memory']}"] if found["memory"] else []
    for each in found["clients"]:
        lines += each["diff"] if diff else []
        state = each["error"] or ("changed" if each["changed"] else "would change" if each["diff"] else "up to date")
        lines.append(f"{each['client']}: {each['path']}: {state}")
    if not found["clients"]:
        lines.append("no MCP client was found; docs/how-to/mcp.md says what to write for any other")
    return "\n".join(lines)


def hooks(
    call: Call,
    action: Annotated[Literal["install", "remove"], typer.Argument(help="Install or remove the hooks.")],
    agent: Annotated[
        str, typer.Argument(help="The agent: claude-code, codex, gemini-cli, cursor, vscode or opencode.")
    ] = "claude-code",
    project: Annotated[
        Path | None, typer.Option(help="A project's folder; default all your projects.", file_okay=False)
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
    dry_run: DryRun = False,
) -> Answer:
    """Let a coding agent record what it does and read what matters, by itself.

    Shows the change and, on a terminal, asks before it is written. Other hooks stay, and the old settings are kept
    beside the new ones. A hook that fails or is late never stops the agent.

    \b
    Examples:
      omoide hooks install claude-code --dry-run
      omoide hooks install codex
    """
    from omoide.interfaces.hooks import agents
    from omoide.interfaces.hooks.agents import agent_named
    from omoide.settings import default_memory_path

    chosen = agent_named(agent)
    path = agents.settings_of(chosen, project, Path.home())
    named = default_memory_path()  # by $OMOIDE_DB, without which the agent may run
    db = call.db or (None if named == default_memory_path({}) else str(named))
    change = agents.installing(chosen, path, db) if action == "install" else agents.removing(chosen, path)
    writes = change.needed and not dry_run
    asks = writes and not (yes or call.json) and sys.stdin.isatty()
    if asks:
        _ask([change], call)
    if writes:
        change.write()
    rows = {"path": str(path), "changed": writes, "diff": change.diff}
    rows["to_do"] = chosen.after_install if writes and action == "install" else ""
    return Answer(rows, lambda found: _hooks_text(found, shown=asks))


def _hooks_text(found: Any, *, shown: bool) -> str:
    if not found["diff"]:
        return f"{found['path']} is up to date"
    end = f"{found['path']}: {'changed' if found['changed'] else 'nothing was changed'}"
    return "\n".join([*([] if shown else found["diff"]), end, *([found["to_do"]] if found["to_do"] else [])])
