"""`omoide hook`, which an agent runs at every step. It must be fast and must never stop the agent.

It imports little, because the agent waits for it before every tool use. Whatever goes wrong, the exit code is 0 and
nothing is printed; the reason is written to a log beside the memory file, and words that could not be stored are taken
from the agent's transcript by the next hook that has the time.
"""

from __future__ import annotations

import json
import os
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from omoide.interfaces.hooks.agents import HookEvent
    from omoide.memory import Memory

LIMIT = 5.0  # seconds; then the agent goes on without the hook
_LIMITS = {"before_tool": 2.0, "answer": 20.0, "end": 20.0}  # of some events: nobody waits for the last two
_LONGEST = 600.0  # seconds of a plausible limit
_PATIENCE = {"before_tool": 0.5, "answer": 5.0, "end": 5.0}  # seconds to wait for another writer
_USUAL_PATIENCE = 1.5  # below the limit, so that the log can name the busy file
_LARGEST = 20_000_000  # characters of one event: a tool may have printed a whole file
_SHOWN = 60  # characters of an input that is no event
_RECOVERS = ("start", "answer", "end")  # events with time to store what earlier hooks could not


@dataclass(slots=True)
class _Hook:
    """One run: its options, its time limit, and the event once it was read."""

    db: str | None
    limit: float | None
    agent: str
    event: HookEvent | None = None
    timer: threading.Timer = field(init=False)

    def restart_timer(self, limit: float) -> None:
        """Ends the process when the time is up. What was acknowledged is durable; the rest is as if never sent.

        A thread and not a signal, because a signal handler waits for the main thread to return from SQLite.
        """

        def leave() -> None:
            self.fail(TimeoutError(f"the limit of {limit:g} s was exceeded; the agent went on without the hook"))
            os._exit(0)

        self.timer = threading.Timer(limit, leave)
        self.timer.daemon = True
        self.timer.start()

    def fail(self, error: BaseException) -> None:
        """Notes the error, and where the words are that may be missing now."""
        _append(self.db, ".hooks.log", f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ} {type(error).__name__}: {error}")
        event = self.event
        if event is not None and event.transcript and event.kind != "before_tool":
            _append(self.db, ".hooks.pending", json.dumps([event.agent.name, event.session, event.transcript]))


def main(arguments: Sequence[str]) -> int:
    """Runs `omoide hook [--db PATH] [--agent NAME] [--limit SECONDS]`: reads one event as JSON from standard input and
    prints what to add to the prompt."""
    hook = _Hook(None, None, "claude-code")
    try:
        hook.db = _option(arguments, "--db")
        hook.limit = _limit(arguments)
        hook.agent = _option(arguments, "--agent") or hook.agent
        hook.restart_timer(hook.limit or LIMIT)
        answer = _answer(hook, _event(sys.stdin.buffer.read(_LARGEST).decode("utf-8-sig", "replace")))
    except BaseException as error:  # also Ctrl-C: the agent goes on
        hook.fail(error)
        return 0
    finally:
        hook.timer.cancel()
    if answer is not None:
        with suppress(OSError):  # the agent has left
            sys.stdout.write(json.dumps(answer, ensure_ascii=True) + "\n")
            sys.stdout.flush()
    return 0


def _event(given: str) -> dict[str, Any]:
    with suppress(json.JSONDecodeError):
        event = json.loads(given)
        if isinstance(event, dict):
            return event
    shown = repr(given if len(given) <= _SHOWN else given[:_SHOWN] + "…") if given else "nothing"
    raise ValueError(f"an event is a JSON object, got {shown}")


def _answer(hook: _Hook, given: dict[str, Any]) -> dict[str, Any] | None:
    from omoide.interfaces.hooks.agents import read_event

    hook.event = event = read_event(given, hook.agent)
    if event is None:
        return None
    if hook.limit is None and event.kind in _LIMITS:
        hook.timer.cancel()
        hook.restart_timer(_LIMITS[event.kind])

    from omoide.interfaces.hooks import handle_event
    from omoide.memory import Memory
    from omoide.settings import load_settings, without_idle_learning

    settings = without_idle_learning(load_settings())
    patience = min(settings.busy_timeout, _PATIENCE.get(event.kind, _USUAL_PATIENCE))
    with Memory(hook.db, embedder=None, settings=replace(settings, busy_timeout=patience)) as memory:
        answer = handle_event.handle(memory, event)
        if event.kind in _RECOVERS:
            _recover(memory, hook.db)
    return answer


def _recover(memory: Memory, db: str | None) -> None:
    """Stores what earlier hooks could not. The list is taken by one process, and put back if that fails."""
    for pending in _beside(db, ".hooks.pending"):
        taken = pending.with_name(f"{pending.name}.{os.getpid()}")
        try:
            os.replace(pending, taken)
        except OSError:
            continue
        from omoide.interfaces.hooks.handle_event import recover

        for line in dict.fromkeys(taken.read_text("utf-8", "replace").splitlines()):
            try:
                agent, session, transcript = map(str, json.loads(line))
                recover(memory, agent, session, transcript)
            except Exception:
                _append(db, ".hooks.pending", line)
        taken.unlink(missing_ok=True)


def _option(arguments: Sequence[str], name: str) -> str | None:
    for word, value in zip(arguments, [*arguments[1:], ""], strict=False):
        if word.startswith(f"{name}="):
            return word.partition("=")[2] or None
        if word == name:
            return value or None
    return None


def _limit(arguments: Sequence[str]) -> float | None:
    with suppress(ValueError):
        asked = float(_option(arguments, "--limit") or 0)
        return asked if 0 < asked <= _LONGEST else None  # NaN fails both comparisons
    return None


def _append(db: str | None, suffix: str, line: str) -> None:
    """Adds a line to the first file beside the memory that can be written."""
    for path in _beside(db, suffix):
        with suppress(OSError), path.open("a", encoding="utf-8", errors="backslashreplace") as file:
            file.write(line + "\n")
            return


def _beside(db: str | None, suffix: str) -> Iterator[Path]:
    """The file beside the given memory; beside the default memory if there is none or its folder cannot be written."""
    if db and db != ":memory:":
        with suppress(RuntimeError):  # "~name" of an unknown user
            yield Path(db).expanduser().with_suffix(suffix)
    with suppress(Exception):
        from omoide.settings import default_memory_path

        path = default_memory_path().with_suffix(suffix)
        path.parent.mkdir(parents=True, exist_ok=True)
        yield path
