"""serve: the HTTP API."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from omoide.errors import MissingExtra
from omoide.interfaces.cli import options, output
from omoide.interfaces.cli.output import Answer
from omoide.interfaces.cli.verb import Call, verb


@verb
def serve(
    call: Call,
    host: options.Host = "127.0.0.1",
    port: options.Port = 8378,
    token: options.Token = "",
    origin: options.Origin = None,
    spaces: Annotated[Path | None, typer.Option(help="A TOML file of tokens and files, one space for each.")] = None,
) -> Answer:
    """Serve memories to programs over HTTP, until Ctrl-C; the description of it is at /openapi.json and /docs.

    Example: omoide serve --db otto.db --port 8378
    """
    try:
        import uvicorn  # noqa: F401

        from omoide.interfaces import listen
        from omoide.interfaces.http.app import application
        from omoide.interfaces.http.spaces import Spaces, from_file
    except ImportError as error:
        raise MissingExtra('HTTP is served by an extra: `pip install "omoide[http]"`') from error
    import secrets

    files = from_file(spaces) if spaces else {token or secrets.token_urlsafe(24): call.db}
    open_spaces = Spaces(files, embedder=None if call.no_embedder else "default")
    shown = "the tokens of the file" if spaces else f"Bearer {next(iter(files))}"
    try:
        with listen.taken(host, port) as place:
            at = listen.address(host, place)
            output.note(f"{at}/docs tells what can be asked; send the header Authorization: {shown}")
            listen.serve(application(open_spaces, hosts=(host,), origins=tuple(origin or ())), place)
    finally:
        open_spaces.close()
    return Answer(None, lambda _: "")
