"""The coding agents whose hooks we know: where each keeps them, how it names events; reading and installing them."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal

from omoide.errors import InvalidInput
from omoide.interfaces.file_change import FileChange, pretty_json
from omoide.transfer.import_records import one_line_name, shorten_value

EventKind = Literal["start", "prompt", "before_tool", "after_tool", "answer", "end"]


@dataclass(frozen=True, slots=True)
class Agent:
    """A coding agent. Paths are relative to the user's home, or to a project's folder."""

    name: str
    title: str
    settings: str
    events: Mapping[str, EventKind]  # what happens, by the agent's own name for it
    project_settings: str = ""  # where they are not as in the home folder
    style: Literal["groups", "flat", "plugin"] = "groups"  # of its settings
    head: Mapping[str, object] = field(default_factory=dict)  # what its settings need besides the hooks
    milliseconds: bool = False  # its unit of time
    is_told: frozenset[EventKind] = frozenset({"start", "prompt", "before_tool", "after_tool"})
    after_install: str = ""  # what the user has to do

    @property
    def own_file(self) -> bool:
        """Whether the file of settings is ours alone."""
        return self.settings.rpartition("/")[2].startswith("omoide.")


_CLAUDE: Mapping[str, EventKind] = MappingProxyType(
    {
        "SessionStart": "start",
        "UserPromptSubmit": "prompt",
        "PreToolUse": "before_tool",
        "PostToolUse": "after_tool",
        "Stop": "answer",
        "SessionEnd": "end",
    }
)

AGENTS = (
    Agent("claude-code", "Claude Code", ".claude/settings.json", {**_CLAUDE, "PostToolUseFailure": "after_tool"}),
    Agent(
        "codex",
        "Codex",
        ".codex/hooks.json",
        _CLAUDE,
        after_install="Codex runs a new hook only after you have trusted it: start codex and type /hooks",
    ),
    Agent(
        "gemini-cli",
        "Gemini CLI",
        ".gemini/settings.json",
        {
            "SessionStart": "start",
            "BeforeAgent": "prompt",
            "AfterTool": "after_tool",
            "AfterAgent": "answer",
            "SessionEnd": "end",
        },
        milliseconds=True,
    ),
    Agent(
        "cursor",
        "Cursor",
        ".cursor/hooks.json",
        {
            "sessionStart": "start",
            "beforeSubmitPrompt": "prompt",
            "postToolUse": "after_tool",
            "postToolUseFailure": "after_tool",
            "afterAgentResponse": "answer",
            "sessionEnd": "end",
        },
        style="flat",
        head={"version": 1},
        is_told=frozenset({"start", "after_tool"}),
    ),
    Agent(
        "vscode",
        "VS Code",
        ".copilot/hooks/omoide.json",
        {name: kind for name, kind in _CLAUDE.items() if kind != "end"},
        ".github/hooks/omoide.json",
        style="flat",
        is_told=frozenset({"start", "before_tool", "after_tool"}),
    ),
    Agent(
        "opencode",
        "OpenCode",
        ".config/opencode/plugins/omoide.js",
        {str(kind): kind for kind in _CLAUDE.values()},
        ".opencode/plugins/omoide.js",
        style="plugin",
        is_told=frozenset({"start", "prompt", "after_tool"}),
    ),
)


def agent_named(name: str) -> Agent:
    found = next((each for each in AGENTS if each.name == name), None)
    if found is None:
        raise InvalidInput(f"hooks exist for {', '.join(each.name for each in AGENTS)}, not for {name!r}")
    return found


# An event as an agent sends it, read into the same fields for all agents.


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


# Adds our hooks to an agent's settings, and removes them; other hooks stay.


_TIMEOUTS: dict[EventKind, int] = {"answer": 30, "end": 30}  # seconds: the agent's limits, above ours
_USUAL_TIMEOUT = 10
_PLUGIN = Path(__file__).with_name("opencode_plugin.js")


def arguments(agent: Agent, db: str | None) -> list[str]:
    """The command that the agent runs: this Python, so that it works outside the virtual environment too."""
    own = [sys.executable, "-m", "omoide", "hook", "--agent", agent.name]
    return [*own, *(["--db", str(Path(db).expanduser().resolve())] if db else [])]


def command(agent: Agent, db: str | None) -> str:
    words = arguments(agent, db)
    return subprocess.list2cmdline(words) if sys.platform == "win32" else shlex.join(words)


def settings_of(agent: Agent, project: Path | None, home: Path) -> Path:
    return home / agent.settings if project is None else project / (agent.project_settings or agent.settings)


def installing(agent: Agent, path: Path, db: str | None) -> FileChange:
    """Adds our hook to every event; other hooks stay, earlier ones of ours are replaced."""
    if agent.style == "plugin":
        before = path.read_text("utf-8") if path.exists() else ""
        text = _PLUGIN.read_text("utf-8").replace('["omoide", "hook"]', json.dumps(arguments(agent, db)))
        return FileChange(path, before, text)
    before, found = _read(agent, path)
    hooks = _without_ours(found.get("hooks") or {})
    for event, kind in agent.events.items():
        ours: dict[str, Any] = {"type": "command", "command": command(agent, db), "timeout": _timeout(agent, kind)}
        hooks[event] = [*hooks.get(event, []), {"hooks": [ours]} if agent.style == "groups" else ours]
    return FileChange(path, before, pretty_json({**agent.head, **found, "hooks": hooks}))


def removing(agent: Agent, path: Path) -> FileChange:
    """Removes our hooks; a file that is ours alone goes away."""
    if agent.own_file:
        before = path.read_text("utf-8") if path.exists() else ""
        return FileChange(path, before, "")
    before, found = _read(agent, path)
    hooks = _without_ours(found.get("hooks") or {})
    rest = {name: value for name, value in found.items() if name != "hooks"}
    after = pretty_json({**rest, "hooks": hooks} if hooks else rest)
    return FileChange(path, before, after if found.get("hooks") else before)


def _timeout(agent: Agent, kind: EventKind) -> int:
    return _TIMEOUTS.get(kind, _USUAL_TIMEOUT) * (1000 if agent.milliseconds else 1)


def _read(agent: Agent, path: Path) -> tuple[str, dict[str, Any]]:
    if not path.exists():
        return "", {}
    text = path.read_text("utf-8")
    try:
        found = json.loads(text or "{}")
    except ValueError as error:
        raise InvalidInput(f"{path} is not JSON ({error}); it was not changed") from None
    if not isinstance(found, dict) or not isinstance(found.get("hooks") or {}, dict):
        raise InvalidInput(f"{path} does not look like the settings of {agent.title}; it was not changed")
    return text, found


def _without_ours(hooks: dict[str, Any]) -> dict[str, Any]:
    kept = {}
    for event, entries in hooks.items():
        others = [each for each in entries if not any(map(_is_ours, [each, *(each.get("hooks") or [])]))]
        if others:
            kept[event] = others
    return kept


def _is_ours(hook: dict[str, Any]) -> bool:
    return "-m omoide hook" in str(hook.get("command", ""))
