"""The events of Claude Code: what is recorded for each, and what the agent is told."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any

from omoide.errors import InvalidInput
from omoide.memory import Memory
from omoide.memory.lessons import lessons_markdown
from omoide.transfer.foreign_fields import (
    CLAUDE_CODE_CHANNEL,
    claude_code_key,
    claude_code_session,
    shorten_value,
    text_blocks,
)

_BUDGET = 800  # tokens added to a prompt
_LESSONS = 3
_TRANSCRIPT_END = 400_000  # bytes of a transcript that hold the answers of one turn
_PATHS = ("file_path", "path", "notebook_path")  # names of the file in the input of Claude Code's tools


def handle(memory: Memory, event: Mapping[str, Any]) -> dict[str, Any] | None:
    """Handles one event; returns what the agent is told, if anything."""
    name = event["hook_event_name"]
    text = HANDLERS[name](memory, event)
    if not text:
        return None
    return {"hookSpecificOutput": {"hookEventName": name, "additionalContext": text}}


def _session_start(memory: Memory, event: Mapping[str, Any]) -> str | None:
    project = PurePath(str(event.get("cwd") or "")).name or "this project"
    return memory.context(f"work on {project}", budget=_BUDGET, recipe="session_start").markdown


def _user_prompt(memory: Memory, event: Mapping[str, Any]) -> str | None:
    """Recalls first and observes after, so that the prompt does not find itself."""
    given = event.get("prompt") or ""
    if not isinstance(given, str):
        raise InvalidInput(f"prompt: expected a text, got {shorten_value(given, 80)}")
    prompt = given.strip()
    if not prompt:
        return None
    context = memory.context(prompt, budget=_BUDGET).markdown
    memory.observe(prompt, role="user", session=_session(event), channel=CLAUDE_CODE_CHANNEL)
    return context


def _before_tool(memory: Memory, event: Mapping[str, Any]) -> str | None:
    """Lessons bound to the tool, the file or the command. A hook never decides whether a tool may be used."""
    return lessons_markdown(memory.tasks.lessons(**_trigger(event), limit=_LESSONS))


def _after_tool(memory: Memory, event: Mapping[str, Any]) -> str | None:
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
    # Only lessons about the error: those about the tool itself were shown before it was used.
    found = memory.tasks.lessons(**_trigger(event), error=_printed(got), limit=_LESSONS)
    return lessons_markdown([each for each in found if each.trigger.error is not None])


def _failed(event: Mapping[str, Any]) -> bool:
    """A failed tool has an event of its own; older versions report it in the response."""
    got = event.get("tool_response")
    if event["hook_event_name"] == "PostToolUseFailure":
        return True
    if not isinstance(got, Mapping):
        return False
    code = got.get("exit_code", got.get("exitCode", 0))
    return bool(got.get("is_error") or got.get("success") is False or got.get("error") or code not in (0, None))


def _trigger(event: Mapping[str, Any]) -> dict[str, Any]:
    """The tool, and the file or command in its input."""
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
    """The path relative to the project, if it is inside."""
    inside = f"{folder.rstrip('/')}/"
    return path.removeprefix(inside) if folder else path


def _printed(got: Any) -> str:
    """Everything that a tool printed: the error may be anywhere in it."""
    if isinstance(got, Mapping):
        parts = [str(got[name]) for name in ("error", "stderr", "stdout", "output", "content") if got.get(name)]
        return "\n".join(parts) or json.dumps(got, ensure_ascii=False)
    return got if isinstance(got, str) else json.dumps(got, ensure_ascii=False) if got else ""


def _stop(memory: Memory, event: Mapping[str, Any]) -> None:
    """Observes the agent's answers from its transcript. Each has an id, so reading twice stores it once."""
    for answer in answers(str(event.get("transcript_path") or "")):
        memory.observe(
            answer.text,
            role="agent",
            session=_session(event),
            channel=CLAUDE_CODE_CHANNEL,
            at=answer.at,
            key=claude_code_key(answer.id),
        )


@dataclass(frozen=True, slots=True)
class TranscriptAnswer:
    """Words of the agent, with the id and time that the transcript gives them."""

    id: str
    text: str
    at: str | None


def answers(path: str) -> Iterator[TranscriptAnswer]:
    """The latest answers in a transcript, oldest first. Lines that are cut off or unknown are skipped."""
    try:
        with open(path, "rb") as file:
            file.seek(0, 2)
            file.seek(max(0, file.tell() - _TRANSCRIPT_END))
            lines = file.read().decode("utf-8", "replace").splitlines()
    except OSError:
        return
    for line in lines:
        try:
            entry = json.loads(line)
        except ValueError:
            continue
        if isinstance(entry, dict) and entry.get("type") == "assistant" and entry.get("uuid"):
            text = text_blocks((entry.get("message") or {}).get("content"))
            if text:
                yield TranscriptAnswer(str(entry["uuid"]), text, entry.get("timestamp"))


def _session_end(memory: Memory, event: Mapping[str, Any]) -> None:
    memory.end(_session(event))


def _session(event: Mapping[str, Any]) -> str:
    return claude_code_session(event.get("session_id"))


HANDLERS: dict[str, Callable[[Memory, Mapping[str, Any]], str | None]] = {
    "SessionStart": _session_start,
    "UserPromptSubmit": _user_prompt,
    "PreToolUse": _before_tool,
    "PostToolUse": _after_tool,
    "PostToolUseFailure": _after_tool,
    "Stop": _stop,
    "SessionEnd": _session_end,
}
