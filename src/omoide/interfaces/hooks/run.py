"""The entry that an agent calls at every step: quick, quiet, and never in its way.

Imported before anything else of the command line, and importing little: an agent waits for us before every tool use.
Whatever goes wrong, the exit code is 0 and nothing is printed; the reason is a line in a log beside the file.
"""

from __future__ import annotations

import json
import os
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

LIMIT = 2.0  # seconds; then the agent goes on without us
_LONGEST = 600.0  # seconds that anybody can mean
_PATIENCE = 0.5  # seconds for a file that another process writes: below the limit, so that the log can say which file
_LARGEST = 20_000_000  # characters of one event: a tool may have printed a whole file


def main(arguments: Sequence[str]) -> int:
    """`omoide hook [--db PATH] [--limit SECONDS]`: one event as JSON on standard input, what to add to the prompt on
    standard output."""
    db = _option(arguments, "--db")
    watch = _watched(_limit(arguments), db)
    try:
        event = json.loads(sys.stdin.read(_LARGEST))
        if not isinstance(event, dict):
            raise ValueError("an event is a JSON object")
        said = _answered(event, db)
    except BaseException as error:  # also Ctrl-C: the agent's own business goes on
        _note(error, db)
        return 0
    finally:
        watch.cancel()
    if said is not None:
        sys.stdout.write(json.dumps(said, ensure_ascii=True) + "\n")
    return 0


def _answered(event: dict[str, Any], db: str | None) -> dict[str, Any] | None:
    from omoide import settings as settings_module
    from omoide.interfaces.hooks import claude
    from omoide.memory import Memory

    if event.get("hook_event_name") not in claude.HANDLERS:
        return None
    settings = settings_module.load_settings()
    settings = replace(settings, busy_timeout=min(settings.busy_timeout, _PATIENCE))
    with Memory(db, embedder=None, settings=settings) as memory:
        return claude.handled(memory, event)


def _watched(limit: float, db: str | None) -> threading.Timer:
    """When the time is up we leave at once. What was acknowledged is durable; what was not is as if never sent.

    A thread and no signal: the handler of a signal waits for the main thread to come back from SQLite.
    """

    def leave() -> None:
        _note(TimeoutError(f"{limit:g} s were over; the agent went on without us"), db)
        os._exit(0)

    watch = threading.Timer(limit, leave)
    watch.daemon = True
    watch.start()
    return watch


def _option(arguments: Sequence[str], name: str) -> str | None:
    for word, value in zip(arguments, [*arguments[1:], ""], strict=True):
        if word.startswith(f"{name}="):
            return word.partition("=")[2] or None
        if word == name:
            return value or None
    return None


def _limit(arguments: Sequence[str]) -> float:
    with suppress(ValueError):
        asked = float(_option(arguments, "--limit") or LIMIT)
        return asked if 0 < asked <= _LONGEST else LIMIT  # NaN is on neither side
    return LIMIT


def _note(error: BaseException, db: str | None) -> None:
    """Failing open must not be failing unseen."""
    line = f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ} {type(error).__name__}: {error}\n"
    for log in _logs(db):
        with suppress(OSError), log.open("a", encoding="utf-8") as file:
            file.write(line)
            return


def _logs(db: str | None) -> Iterator[Path]:
    """Beside the file that was named; beside the default space where there is none, or its folder is not to be had."""
    if db and db != ":memory:":
        with suppress(RuntimeError):  # "~name" of nobody
            yield Path(db).expanduser().with_suffix(".hooks.log")
    with suppress(Exception):
        from omoide import settings as settings_module

        log = settings_module.default_memory_path().with_suffix(".hooks.log")
        log.parent.mkdir(parents=True, exist_ok=True)
        yield log
