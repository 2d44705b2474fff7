"""An event as an agent sends it, read into the same fields for all agents."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from omoide.errors import InvalidInput
from omoide.interfaces.hooks.agents import Agent, EventKind, agent_named
from omoide.transfer.foreign_fields import one_line_name, shorten_value

_PATHS = ("file_path", "filePath", "path", "notebook_path")  # names of the file in the input of a tool
# What agents put before the user's words: they are no words of the user.
_ADDED = re.compile(
    r"<(hook_context|system-reminder|omoide-memory[-a-z]*)\b[^>]*>.*?</\1>\s*|<omoide-memory\b.*\Z", re.DOTALL
)


@dataclass(frozen=True, slots=True)
class HookEvent:
    """What happened, in which session of which agent."""

    agent: Agent
    name: str  # the agent's own name for it
    kind: EventKind
    session: str
    folder: str
    turn: str  # id of the user's prompt, if the agent gives one
    prompt: str
    answer: str  # the agent's last words
    transcript: str
    source: str  # why a session starts
    tool: str
    call: str  # id of the tool call
    given: Any
    got: Any
    failed: bool

    @property
    def path(self) -> str | None:
        """The file in the input of the tool, relative to the project if it is inside."""
        fields = self.given if isinstance(self.given, Mapping) else {}
        path = next((fields[name] for name in _PATHS if isinstance(fields.get(name), str)), None)
        inside = f"{self.folder.rstrip('/')}/"
        return path.removeprefix(inside) if path and self.folder else path

    @property
    def command(self) -> str | None:
        fields = self.given if isinstance(self.given, Mapping) else {}
        command = fields.get("command", fields.get("cmd"))
        return command if isinstance(command, str) else None

    @property
    def printed(self) -> str:
        """Everything that the tool printed: the error may be anywhere in it."""
        got = self.got
        if isinstance(got, Mapping):
            names = ("error", "error_message", "stderr", "stdout", "output", "content", "llmContent")
            parts = [str(got[name]) for name in names if got.get(name)]
            return "\n".join(parts) or json.dumps(got, ensure_ascii=False)
        return got if isinstance(got, str) else json.dumps(got, ensure_ascii=False) if got else ""


def read_event(event: Mapping[str, Any], agent_name: str) -> HookEvent | None:
    """Returns the event, or None if it is none of those that we ask for."""
    name = event.get("hook_event_name", event.get("hookEventName"))
    agent = agent_named("vscode" if "hookEventName" in event else agent_name)  # VS Code also runs Claude Code's hooks
    if not isinstance(name, str) or name not in agent.events:
        return None
    id = one_line_name(event.get("session_id") or event.get("sessionId") or event.get("conversation_id"))
    roots = event.get("workspace_roots")
    folder = event.get("cwd") or (roots[0] if isinstance(roots, list) and roots else "")
    got = event.get("tool_response", event.get("tool_output", event.get("error", event.get("error_message"))))
    return HookEvent(
        agent=agent,
        name=name,
        kind=agent.events[name],
        session=f"{agent.name}:{id or 'unknown'}",
        folder=str(folder or ""),
        turn=one_line_name(event.get("prompt_id") or event.get("turn_id") or event.get("generation_id")) or "",
        prompt=_words(event, "prompt"),
        answer=_words(event, "last_assistant_message", "prompt_response", "text"),
        transcript=str(event.get("transcript_path") or ""),
        source=str(event.get("source") or ""),
        tool=str(event.get("tool_name") or ""),
        call=one_line_name(event.get("tool_use_id")) or "",
        given=_document(event.get("tool_input")),
        got=_document(got),
        failed=name.endswith("Failure") or _failed(_document(got)),
    )


def _words(event: Mapping[str, Any], *names: str) -> str:
    """The first of these texts, without what the agent or a hook put into it."""
    given = next((event[name] for name in names if event.get(name) is not None), "")
    if not isinstance(given, str):
        raise InvalidInput(f"{names[0]}: expected a text, got {shorten_value(given, 80)}")
    return _ADDED.sub("", given).strip()


def _document(value: Any) -> Any:
    """Some agents send the JSON of a tool as text."""
    if isinstance(value, str) and value.startswith("{"):
        try:
            return json.loads(value)
        except (ValueError, RecursionError):
            return value
    return value


def _failed(got: Any) -> bool:
    """Whether a tool reports a failure in its response."""
    if not isinstance(got, Mapping):
        return False
    code = got.get("exit_code", got.get("exitCode", 0))
    return bool(got.get("is_error") or got.get("success") is False or got.get("error") or code not in (0, None))
