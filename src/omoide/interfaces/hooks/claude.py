"""Claude Code's events: a session starts, the user speaks, a tool is used, the agent has answered."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import PurePath
from typing import Any

from omoide.interfaces.hooks.transcript import answers
from omoide.memory import Memory

_CHANNEL = "claude-code"
_BUDGET = 800  # tokens added to a prompt: a page, not a book
_SHOWN = 500  # characters of a tool's input or output that are kept as words


def handled(memory: Memory, event: Mapping[str, Any]) -> dict[str, Any] | None:
    """What the agent should be told, if anything."""
    name = event["hook_event_name"]
    words = HANDLERS[name](memory, event)
    if not words:
        return None
    return {"hookSpecificOutput": {"hookEventName": name, "additionalContext": words}}


def _started(memory: Memory, event: Mapping[str, Any]) -> str | None:
    project = PurePath(str(event.get("cwd") or "")).name or "this project"
    return memory.context(f"work on {project}", budget=_BUDGET, recipe="session_start").markdown


def _asked(memory: Memory, event: Mapping[str, Any]) -> str | None:
    """Recalled first, kept after: the question must not be its own best answer."""
    prompt = str(event.get("prompt") or "").strip()
    if not prompt:
        return None
    words = memory.context(prompt, budget=_BUDGET).markdown
    memory.observe(prompt, role="user", session=_session(event), channel=_CHANNEL)
    return words


def _used(memory: Memory, event: Mapping[str, Any]) -> None:
    tool = str(event.get("tool_name") or "tool")
    given, got = event.get("tool_input"), event.get("tool_response")
    failed = isinstance(got, Mapping) and (got.get("is_error") or got.get("success") is False or got.get("error"))
    memory.observe(
        f"{tool} {_short(given)}".strip(),
        role=f"tool:{tool}",
        type="action",
        outcome="failure" if failed else "success",
        session=_session(event),
        channel=_CHANNEL,
        details={"output": _short(got)},
    )


def _answered(memory: Memory, event: Mapping[str, Any]) -> None:
    """The agent's words stand in its transcript; each has an id of its own, so reading twice keeps it once."""
    for answer in answers(str(event.get("transcript_path") or "")):
        memory.observe(
            answer.text,
            role="agent",
            session=_session(event),
            channel=_CHANNEL,
            at=answer.at,
            key=f"claude:{answer.id}",
        )


def _ended(memory: Memory, event: Mapping[str, Any]) -> None:
    memory.end(_session(event))


def _session(event: Mapping[str, Any]) -> str:
    return f"claude-code:{event.get('session_id') or 'unknown'}"


def _short(value: Any) -> str:
    words = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False) if value else ""
    return words if len(words) <= _SHOWN else words[: _SHOWN - 1] + "…"


HANDLERS: dict[str, Callable[[Memory, Mapping[str, Any]], str | None]] = {
    "SessionStart": _started,
    "UserPromptSubmit": _asked,
    "PostToolUse": _used,
    "Stop": _answered,
    "SessionEnd": _ended,
}
