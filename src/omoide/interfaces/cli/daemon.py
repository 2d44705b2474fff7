"""daemon: the watch that runs the nightly maintenance, in the foreground."""

from __future__ import annotations

import signal
import threading
from datetime import datetime
from typing import Annotated

import typer

from omoide.interfaces.cli import output
from omoide.interfaces.cli.output import Answer
from omoide.interfaces.cli.verb import Call, verb


@verb
def daemon(
    call: Call,
    once: Annotated[bool, typer.Option("--once", help="Do what is due now, if anything, and end.")] = False,
) -> Answer:
    """Run the nightly maintenance whenever it is due (setting maintain_schedule), until it is stopped.

    Example: omoide daemon

    Example: OMOIDE_BACKUP_FOLDER=~/backups omoide daemon --once
    """
    from omoide.memory.daemon import watch

    stop = threading.Event()
    for each in (signal.SIGINT, signal.SIGTERM):
        signal.signal(each, lambda *_: _hear(stop))

    def wait(seconds: float) -> bool:
        return stop.wait(seconds) if seconds else stop.is_set()

    def say(words: str) -> None:
        now = datetime.now().astimezone()
        if call.json:
            output.tell(output.encoded({"at": now, "says": words}))
        else:
            output.tell(f"{now:%Y-%m-%d %H:%M:%S}  {words}")

    watching = watch(call.db, say=say, wait=wait, embedder=None if call.no_embedder else "default")
    if once:
        watching.once()
    else:
        watching.watch()
    if stop.is_set():
        say("stopped")
    return Answer(None, lambda _: "", silent=True)


def _hear(stop: threading.Event) -> None:
    """Once asks, and is heard at the next step; twice insists."""
    if stop.is_set():
        raise KeyboardInterrupt
    stop.set()
