"""`omoide view`: the page of a memory in the browser."""

from __future__ import annotations

import html
import os
import secrets
import tempfile
import webbrowser
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from omoide.errors import MissingExtra
from omoide.interfaces.cli import output
from omoide.interfaces.cli.command import Call
from omoide.interfaces.cli.output import Answer


def view(
    call: Call,
    port: Annotated[int, typer.Option(min=0, max=65535, help="0 chooses a free one.")] = 0,
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
    try:
        import uvicorn  # noqa: F401

        from omoide.interfaces import network
        from omoide.interfaces.http.application import application
        from omoide.interfaces.http.spaces import Spaces
    except ImportError as error:
        raise MissingExtra(
            'the page is an extra: `pip install "omoide[http]"`, or in a checkout `pip install ".[http]"`'
        ) from error
    with call.open() as memory:  # an error is told here, and not on the page
        path = memory.path
    token = secrets.token_urlsafe(24)
    spaces = Spaces({token: path}, consent="omoide view", embedder=None if call.no_embedder else "default")
    try:
        with network.listening("127.0.0.1", port) as listener:
            url = f"{network.address('127.0.0.1', listener)}/#token={token}"
            output.note(f"{url} shows {path}; Ctrl-C ends it")
            with _opened(url) if browser else _nothing():
                network.serve(application(spaces), listener)
    finally:
        spaces.close()
    return Answer(None, lambda _: "", silent=True)


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


@contextmanager
def _nothing() -> Iterator[None]:
    yield
