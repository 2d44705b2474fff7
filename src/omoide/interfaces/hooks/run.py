"""The entry that an agent calls at every step: quick, quiet, and never in its way.

Imported before anything else of the command line, and importing little: an agent waits for us before every tool use.
Whatever goes wrong, the exit code is 0 and nothing is printed; the reason is a line in a log beside the file.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

LIMIT = 2.0  # seconds; then the agent goes on without us
_LARGEST = 20_000_000  # characters of one event: a tool may have printed a whole file


def main(arguments: Sequence[str]) -> int:
    """`omoide hook [--db PATH]`: one event as JSON on standard input, what to add to the prompt on standard output."""
    db = _option(arguments, "--db")
    try:
        _watch()
        event = json.loads(sys.stdin.read(_LARGEST))
        if not isinstance(event, dict):
            raise ValueError("an event is a JSON object")
        said = _answered(event, db)
    except BaseException as error:  # also Ctrl-C: the agent's own business goes on
        _note(error)
        return 0
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    if said is not None:
        sys.stdout.write(json.dumps(said, ensure_ascii=True) + "\n")
    return 0


def _answered(event: dict[str, Any], db: str | None) -> dict[str, Any] | None:
    from omoide.interfaces.hooks import claude
    from omoide.memory import Memory

    if event.get("hook_event_name") not in claude.HANDLERS:
        return None
    with Memory(db, embedder=None) as memory:
        return claude.handled(memory, event)


def _watch() -> None:
    """When the time is up we leave at once. What was acknowledged is durable; what was not is as if never sent."""
    signal.signal(signal.SIGALRM, lambda *_: os._exit(0))
    signal.setitimer(signal.ITIMER_REAL, LIMIT)


def _option(arguments: Sequence[str], name: str) -> str | None:
    found = list(arguments)
    return found[found.index(name) + 1] if name in found[:-1] else None


def _note(error: BaseException) -> None:
    """Failing open must not be failing unseen."""
    with suppress(Exception):
        from omoide import config

        log = config.default_path().with_suffix(".hooks.log")
        with log.open("a", encoding="utf-8") as file:
            file.write(f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ} {type(error).__name__}: {error}\n")
