"""The coding agents whose hooks we know: where each keeps them, how it names its events, and what it can be told."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal

from omoide.errors import InvalidInput

EventKind = Literal["start", "prompt", "before_tool", "after_tool", "answer", "end"]


@dataclass(frozen=True, slots=True)
class Agent:
    """A coding agent. Paths are relative to the user's home, or to a project's folder."""

    name: str
    title: str
    settings: str
    project_settings: str
    events: Mapping[str, EventKind]  # what happens, by the agent's own name for it
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
    Agent(
        "claude-code",
        "Claude Code",
        ".claude/settings.json",
        ".claude/settings.json",
        {**_CLAUDE, "PostToolUseFailure": "after_tool"},
    ),
    Agent(
        "codex",
        "Codex",
        ".codex/hooks.json",
        ".codex/hooks.json",
        _CLAUDE,
        after_install="Codex runs a new hook only after you have trusted it: start codex and type /hooks",
    ),
    Agent(
        "gemini-cli",
        "Gemini CLI",
        ".gemini/settings.json",
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
        ".github/hooks/omoide.json",
        {name: kind for name, kind in _CLAUDE.items() if kind != "end"},
        style="flat",
        is_told=frozenset({"start", "before_tool", "after_tool"}),
    ),
    Agent(
        "opencode",
        "OpenCode",
        ".config/opencode/plugins/omoide.js",
        ".opencode/plugins/omoide.js",
        {
            "start": "start",
            "prompt": "prompt",
            "before_tool": "before_tool",
            "after_tool": "after_tool",
            "answer": "answer",
            "end": "end",
        },
        style="plugin",
        is_told=frozenset({"start", "prompt", "after_tool"}),
    ),
)


def agent_named(name: str) -> Agent:
    found = next((each for each in AGENTS if each.name == name), None)
    if found is None:
        raise InvalidInput(f"hooks exist for {', '.join(each.name for each in AGENTS)}, not for {name!r}")
    return found
