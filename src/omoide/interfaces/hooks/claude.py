"""Claude Code's events: a session starts, the user speaks, a tool is used or about to be, the agent has answered."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import PurePath
from typing import Any

from omoide.errors import InvalidInput
from omoide.interfaces.hooks.transcript import answers
from omoide.memory import Memory
from omoide.memory.lessons import lessons_markdown as reminders
from omoide.transfer.foreign_fields import CLAUDE_CODE_CHANNEL, claude_code_key, claude_code_session, shorten_value

_BUDGET = 800  # tokens added to a prompt: a page, not a book
_LESSONS = 3
_PATHS = ("file_path", "path", "notebook_path")  # what Claude Code's tools call the file


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
    said = event.get("prompt") or ""
    if not isinstance(said, str):
        raise InvalidInput(f"prompt: expected words, got {shorten_value(said, 80)}")
    prompt = said.strip()
    if not prompt:
        return None
    words = memory.context(prompt, budget=_BUDGET).markdown
    memory.observe(prompt, role="user", session=_session(event), channel=CLAUDE_CODE_CHANNEL)
    return words


def _about_to_use(memory: Memory, event: Mapping[str, Any]) -> str | None:
    """What is bound to the tool, the file or the command. Whether it may be used is not for us to say."""
    told = memory.tasks.lessons(**_at_hand(event), limit=_LESSONS)
    return reminders(told)


def _used(memory: Memory, event: Mapping[str, Any]) -> str | None:
    tool = str(event.get("tool_name") or "tool")
    given = event.get("tool_input")
    got = event.get("tool_response", event.get("error"))
    failed = _failed(event)
    memory.observe(
        f"{tool} {shorten_value(given)}".strip(),
        role=f"tool:{tool}",
        type="action",
        outcome="failure" if failed else "success",
        session=_session(event),
        channel=CLAUDE_CODE_CHANNEL,
        details={"output": shorten_value(got)},
    )
    if not failed:
        return None
    # Only what speaks of the error: what is bound to the tool itself was told before it was used.
    told = memory.tasks.lessons(**_at_hand(event), error=_said(got), limit=_LESSONS)
    return reminders([each for each in told if each.trigger.error is not None])


def _failed(event: Mapping[str, Any]) -> bool:
    """A tool that failed has an event of its own; older agents say so in the response."""
    got = event.get("tool_response")
    if event["hook_event_name"] == "PostToolUseFailure":
        return True
    if not isinstance(got, Mapping):
        return False
    code = got.get("exit_code", got.get("exitCode", 0))
    return bool(got.get("is_error") or got.get("success") is False or got.get("error") or code not in (0, None))


def _at_hand(event: Mapping[str, Any]) -> dict[str, Any]:
    """The tool, and the file or the command in its input."""
    given = event.get("tool_input")
    fields = given if isinstance(given, Mapping) else {}
    path = next((fields[name] for name in _PATHS if isinstance(fields.get(name), str)), None)
    command = fields.get("command")
    return {
        "tool": str(event.get("tool_name") or "") or None,
        "path": _within(path, str(event.get("cwd") or "")) if path else None,
        "command": command if isinstance(command, str) else None,
    }


def _within(path: str, folder: str) -> str:
    """As the project calls it."""
    inside = f"{folder.rstrip('/')}/"
    return path.removeprefix(inside) if folder else path


def _said(got: Any) -> str:
    """All that a tool printed: the message may stand anywhere in it."""
    if isinstance(got, Mapping):
        parts = [str(got[name]) for name in ("error", "stderr", "stdout", "output", "content") if got.get(name)]
        return "\n".join(parts) or json.dumps(got, ensure_ascii=False)
    return got if isinstance(got, str) else json.dumps(got, ensure_ascii=False) if got else ""


def _answered(memory: Memory, event: Mapping[str, Any]) -> None:
    """The agent's words stand in its transcript; each has an id of its own, so reading twice keeps it once."""
    for answer in answers(str(event.get("transcript_path") or "")):
        memory.observe(
            answer.text,
            role="agent",
            session=_session(event),
            channel=CLAUDE_CODE_CHANNEL,
            at=answer.at,
            key=claude_code_key(answer.id),
        )


def _ended(memory: Memory, event: Mapping[str, Any]) -> None:
    memory.end(_session(event))


def _session(event: Mapping[str, Any]) -> str:
    return claude_code_session(event.get("session_id"))


HANDLERS: dict[str, Callable[[Memory, Mapping[str, Any]], str | None]] = {
    "SessionStart": _started,
    "UserPromptSubmit": _asked,
    "PreToolUse": _about_to_use,
    "PostToolUse": _used,
    "PostToolUseFailure": _used,
    "Stop": _answered,
    "SessionEnd": _ended,
}
