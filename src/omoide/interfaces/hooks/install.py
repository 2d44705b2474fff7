"""Adds our hooks to an agent's settings, and removes them; other hooks stay."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path
from typing import Any

from omoide.errors import InvalidInput
from omoide.interfaces.file_change import FileChange, pretty_json
from omoide.interfaces.hooks.claude_code import HANDLERS

_TIMEOUT = 5  # seconds: the agent's limit, above ours


def command(db: str | None) -> str:
    """The command that the agent runs: this Python, so that it works outside the virtual environment too."""
    own = [sys.executable, "-m", "omoide", "hook", *(["--db", str(Path(db).expanduser().resolve())] if db else [])]
    return shlex.join(own)


def settings_of(agent: str, project: Path | None, home: Path) -> Path:
    if agent != "claude-code":
        raise InvalidInput(f"hooks exist for claude-code, not for {agent!r}")
    return (project or home) / ".claude" / "settings.json"


def installing(path: Path, db: str | None) -> FileChange:
    """Adds our hook to every event; other hooks stay, earlier ones of ours are replaced."""
    before, found = _read(path)
    hooks = _without_ours(found.get("hooks") or {})
    for event in HANDLERS:
        ours: dict[str, Any] = {"hooks": [{"type": "command", "command": command(db), "timeout": _TIMEOUT}]}
        hooks[event] = [*hooks.get(event, []), {"matcher": "*", **ours} if "ToolUse" in event else ours]
    return FileChange(path, before, pretty_json({**found, "hooks": hooks}))


def removing(path: Path) -> FileChange:
    before, found = _read(path)
    hooks = _without_ours(found.get("hooks") or {})
    rest = {name: value for name, value in found.items() if name != "hooks"}
    after = pretty_json({**rest, "hooks": hooks} if hooks else rest)
    return FileChange(path, before, after if found.get("hooks") else before)


def _read(path: Path) -> tuple[str, dict[str, Any]]:
    if not path.exists():
        return "", {}
    text = path.read_text("utf-8")
    try:
        found = json.loads(text or "{}")
    except ValueError as error:
        raise InvalidInput(f"{path} is not JSON ({error}); it was not changed") from None
    if not isinstance(found, dict) or not isinstance(found.get("hooks") or {}, dict):
        raise InvalidInput(f"{path} does not look like the settings of Claude Code; it was not changed")
    return text, found


def _without_ours(hooks: dict[str, Any]) -> dict[str, Any]:
    kept = {}
    for event, groups in hooks.items():
        others = [group for group in groups if not any(map(_is_ours, group.get("hooks", [])))]
        if others:
            kept[event] = others
    return kept


def _is_ours(hook: dict[str, Any]) -> bool:
    return "-m omoide hook" in str(hook.get("command", ""))
