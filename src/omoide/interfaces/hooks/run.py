"""`omoide hook`, which an agent runs at every step. It must be fast and must never stop the agent.

It imports little, because the agent waits for it before every tool use. Whatever goes wrong, the exit code is 0 and
nothing is printed; the reason is written to a log beside the memory file.
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

LIMIT = 2.0  # seconds; then the agent goes on without the hook
_LONGEST = 600.0  # seconds of a plausible limit
_PATIENCE = 0.5  # seconds to wait for another writer: below the limit, so that the log can name the busy file
_LARGEST = 20_000_000  # characters of one event: a tool may have printed a whole file


def main(arguments: Sequence[str]) -> int:
    """Runs `omoide hook [--db PATH] [--limit SECONDS]`: reads one event as JSON from standard input and prints what to
    add to the prompt."""
    db = _option(arguments, "--db")
    timer = _time_limit(_limit(arguments), db)
    try:
        event = json.loads(sys.stdin.read(_LARGEST))
        if not isinstance(event, dict):
            raise ValueError("an event is a JSON object")
        answer = _answer(event, db)
    except BaseException as error:  # also Ctrl-C: the agent goes on
        _log_error(error, db)
        return 0
    finally:
        timer.cancel()
    if answer is not None:
        sys.stdout.write(json.dumps(answer, ensure_ascii=True) + "\n")
    return 0


def _answer(event: dict[str, Any], db: str | None) -> dict[str, Any] | None:
    from omoide.interfaces.hooks import claude_code
    from omoide.memory import Memory
    from omoide.settings import load_settings

    if event.get("hook_event_name") not in claude_code.HANDLERS:
        return None
    settings = load_settings()
    settings = replace(settings, busy_timeout=min(settings.busy_timeout, _PATIENCE))
    with Memory(db, embedder=None, settings=settings) as memory:
        return claude_code.handle(memory, event)


def _time_limit(limit: float, db: str | None) -> threading.Timer:
    """Ends the process when the time is up. What was acknowledged is durable; the rest is as if never sent.

    A thread and not a signal, because a signal handler waits for the main thread to return from SQLite.
    """

    def leave() -> None:
        _log_error(TimeoutError(f"the limit of {limit:g} s was exceeded; the agent went on without the hook"), db)
        os._exit(0)

    timer = threading.Timer(limit, leave)
    timer.daemon = True
    timer.start()
    return timer


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
        return asked if 0 < asked <= _LONGEST else LIMIT  # NaN fails both comparisons
    return LIMIT


def _log_error(error: BaseException, db: str | None) -> None:
    """Writes an error to the log, so that a failing hook can be found."""
    line = f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ} {type(error).__name__}: {error}\n"
    for log in _logs(db):
        with suppress(OSError), log.open("a", encoding="utf-8") as file:
            file.write(line)
            return


def _logs(db: str | None) -> Iterator[Path]:
    """The log beside the given file; beside the default memory if there is none or its folder cannot be written."""
    if db and db != ":memory:":
        with suppress(RuntimeError):  # "~name" of an unknown user
            yield Path(db).expanduser().with_suffix(".hooks.log")
    with suppress(Exception):
        from omoide.settings import default_memory_path

        log = default_memory_path().with_suffix(".hooks.log")
        log.parent.mkdir(parents=True, exist_ok=True)
        yield log
