"""Claude Code's events: a session starts, the user speaks, a tool is used, the agent has answered."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import PurePath
from typing import Any

from omoide.interfaces.hooks.transcript import answers
from omoide.memory import Memory
from omoide.transfer.formats.claudecode import CHANNEL, answer_key, session_of
from omoide.transfer.transcript import short

_BUDGET = 800  # tokens added to a prompt: a page, not a book


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
    memory.observe(prompt, role="user", session=_session(event), channel=CHANNEL)
    return words


def _used(memory: Memory, event: Mapping[str, Any]) -> None:
    tool = str(event.get("tool_name") or "tool")
    given, got = event.get("tool_input"), event.get("tool_response")
    failed = isinstance(got, Mapping) and (got.get("is_error") or got.get("success") is False or got.get("error"))
    memory.observe(
        f"{tool} {short(given)}".strip(),
        role=f"tool:{tool}",
        type="action",
        outcome="failure" if failed else "success",
        session=_session(event),
        channel=CHANNEL,
        details={"output": short(got)},
    )


def _answered(memory: Memory, event: Mapping[str, Any]) -> None:
    """The agent's words stand in its transcript; each has an id of its own, so reading twice keeps it once."""
    for answer in answers(str(event.get("transcript_path") or "")):
        memory.observe(
            answer.text,
            role="agent",
            session=_session(event),
            channel=CHANNEL,
            at=answer.at,
            key=answer_key(answer.id),
        )


def _ended(memory: Memory, event: Mapping[str, Any]) -> None:
    memory.end(_session(event))


def _session(event: Mapping[str, Any]) -> str:
    return session_of(event.get("session_id"))


HANDLERS: dict[str, Callable[[Memory, Mapping[str, Any]], str | None]] = {
    "SessionStart": _started,
    "UserPromptSubmit": _asked,
    "PostToolUse": _used,
    "Stop": _answered,
    "SessionEnd": _ended,
}
