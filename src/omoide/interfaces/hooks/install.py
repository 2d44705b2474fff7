"""Adds our hooks to an agent's settings, and removes them; other hooks stay."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

from omoide.errors import InvalidInput
from omoide.interfaces.file_change import FileChange, pretty_json
from omoide.interfaces.hooks.agents import Agent, EventKind

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
    return home / agent.settings if project is None else project / agent.project_settings


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
