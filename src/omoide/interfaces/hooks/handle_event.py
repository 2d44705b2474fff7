"""What is done for each event: the words are stored first, then the agent is told what matters, if time is left."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path, PurePath
from typing import Any

from omoide.errors import Busy, NotFound
from omoide.interfaces.hooks.agents import HookEvent
from omoide.memory import Memory
from omoide.memory.task_verbs import lessons_markdown
from omoide.transfer.import_records import (
    ImportedTurn,
    ImportFormat,
    call_key,
    is_own_tool_name,
    shorten_value,
    tool_role,
    turn_key,
)
from omoide.transfer.import_source import SourceFile

_BUDGET = 800  # tokens added to a prompt
_LESSONS = 3


def handle(memory: Memory, event: HookEvent) -> dict[str, Any] | None:
    """Handles one event; returns what the agent is told, if anything.

    Raises Busy where words could not be stored; what the agent is told is then lost as well.
    """
    text = _HANDLERS[event.kind](memory, event)
    if not text or event.kind not in event.agent.is_told:
        return None
    if event.agent.name == "cursor":
        return {"additional_context": text}
    return {"hookSpecificOutput": {"hookEventName": event.name, "additionalContext": text}}


def _start(memory: Memory, event: HookEvent) -> str | None:
    if event.source == "resume":  # its context is there again
        return None
    project = PurePath(event.folder).name or "this project"
    reader = event.session if event.kind in event.agent.is_told else None
    return memory.context(f"work on {project}", budget=_BUDGET, recipe="session_start", reader=reader).markdown


def _prompt(memory: Memory, event: HookEvent) -> str | None:
    if not event.prompt:
        return None
    memory.observe(event.prompt, role="user", key=_key(event, "user", event.prompt), **_where(event))
    if "prompt" not in event.agent.is_told:
        return None
    return memory.context(event.prompt, budget=_BUDGET, reader=event.session).markdown


def _before_tool(memory: Memory, event: HookEvent) -> str | None:
    """Lessons bound to the tool, the file or the command. A hook never decides whether a tool may be used."""
    return lessons_markdown(memory.tasks.lessons(**_trigger(event), limit=_LESSONS))


def _after_tool(memory: Memory, event: HookEvent) -> str | None:
    if is_own_tool(event.tool, event.command):
        return None
    memory.observe(
        f"{event.tool or 'tool'} {shorten_value(event.given)}".strip(),
        role=tool_role(event.tool),
        type="action",
        outcome="failure" if event.failed else "success",
        details={"output": shorten_value(event.got)},
        key=call_key(event.agent.name, event.session, event.call),
        **_where(event),
    )
    if not event.failed:
        return None
    # Only lessons about the error: those about the tool itself were shown before it was used.
    found = memory.tasks.lessons(**_trigger(event), error=event.printed, limit=_LESSONS)
    return lessons_markdown([each for each in found if each.trigger.error is not None])


def _answer(memory: Memory, event: HookEvent) -> None:
    """Stores the agent's words, and what the transcript has beyond what was stored live: nothing is stored twice."""
    turns = transcript_turns(event.agent.name, event.session, event.transcript)
    if not turns:
        turns = [
            {**_where(event), "role": role, "text": text, "key": _key(event, role, text)}
            for role, text in _said(memory, event)
        ]
    memory.observe_many(turns)


def _said(memory: Memory, event: HookEvent) -> list[tuple[str, str]]:
    """The words in the event itself, without those that the session ends with already."""
    last = memory.list(session=event.session, kinds=("episode",), limit=50).items if _is_known(memory, event) else ()
    here = {(each.role, each.text) for each in last}
    said = [("user", event.prompt), ("agent", event.answer)]
    return [each for each in said if each[1] and each not in here]


def _is_known(memory: Memory, event: HookEvent) -> bool:
    with suppress(NotFound):
        return bool(memory.session(event.session))
    return False


def _end(memory: Memory, event: HookEvent) -> None:
    _answer(memory, event)
    with suppress(NotFound):  # nothing was said
        memory.end(event.session)


def recover(memory: Memory, agent: str, session: str, transcript: str) -> None:
    """Stores what an earlier hook could not, from the agent's own transcript."""
    with suppress(Busy):
        memory.observe_many(transcript_turns(agent, session, transcript))


def _where(event: HookEvent) -> dict[str, Any]:
    return {"session": event.session, "channel": event.agent.name}


def _key(event: HookEvent, role: str, text: str) -> str | None:
    return turn_key(event.agent.name, event.turn, role, text) if event.turn else None


def _trigger(event: HookEvent) -> dict[str, Any]:
    """The tool, and the file or command in its input."""
    return {"tool": event.tool or None, "path": event.path, "command": event.command}


_HANDLERS: Mapping[str, Callable[[Memory, HookEvent], str | None]] = {
    "start": _start,
    "prompt": _prompt,
    "before_tool": _before_tool,
    "after_tool": _after_tool,
    "answer": _answer,
    "end": _end,
}


# Recognises our own tools among those of an agent: what they return was said before and is no news.


_OWN_COMMAND = re.compile(r"(?:^|[;&|(]\s*)(?:\S*/)?(?:omoide\b(?!/)|python[\d.]*\s+-m\s+omoide\b)")
_BARE = "MCP:"  # Cursor names a tool without its server


def is_own_tool(name: str, command: str | None) -> bool:
    """Whether a tool call goes to Omoide: over MCP, or as a command in a shell."""
    if name.startswith(_BARE):
        from omoide.interfaces.tools import SETS  # 0.3 s, for a call of Cursor over MCP alone

        return any(name.removeprefix(_BARE) in names for names in SETS.values())
    return is_own_tool_name(name) or bool(command and _OWN_COMMAND.search(command))


# What an agent's own transcript holds: the words that a hook could not store are taken from it.


_END = 1_000_000  # bytes of a transcript that hold one turn
_FIELDS = ("text", "role", "channel", "at", "type", "outcome", "details", "key")


def transcript_turns(agent: str, session: str, path: str) -> list[dict[str, Any]]:
    """The latest turns of a transcript, as `observe_many` takes them. Their keys are those of the hooks, so that
    storing them again stores nothing."""
    format = _format(agent)
    if format is None or not path:
        return []
    try:
        with open(path, "rb") as file:
            size = file.seek(0, 2)
            file.seek(max(0, size - _END))
            lines = file.read()
    except (OSError, ValueError):  # the second: no path of a file
        return []
    if size > _END:
        lines = lines.partition(b"\n")[2]  # the first line is cut off
    name = Path(path).name
    source = SourceFile(name, len(lines), None, lambda: io.BytesIO(lines), lambda read: None)
    found = (each for each in format.read([source]) if isinstance(each, ImportedTurn))
    return [
        {name: getattr(each, name) for name in _FIELDS if getattr(each, name) is not None} | {"session": session}
        for each in found
    ]


def _format(agent: str) -> ImportFormat | None:
    if agent == "claude-code":
        from omoide.transfer.formats import claude_code

        return claude_code.FORMAT
    if agent == "codex":
        from omoide.transfer.formats import codex

        return codex.FORMAT
    return None
