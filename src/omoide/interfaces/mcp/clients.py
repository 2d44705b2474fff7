"""The MCP clients that `omoide init` knows: where each keeps its settings, and how a server is written there."""

from __future__ import annotations

import json
import re
import sys
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from omoide.errors import InvalidInput
from omoide.interfaces.file_change import FileChange, pretty_json

NAME = "omoide"
_SECTION = re.compile(rf"^\[mcp_servers\.{NAME}[\].].*?(?=^\[(?!mcp_servers\.{NAME}[\].])|\Z)", re.S | re.M)


@dataclass(frozen=True, slots=True)
class Client:
    """`key` names the object of servers in its JSON settings; without one the settings are TOML.

    `extra` is what an entry holds besides the program and its arguments; `one_command`: both are one list.
    """

    name: str
    path: Path
    folders: tuple[Path, ...]  # it is installed if one of these exists
    key: str | None = "mcpServers"
    extra: Mapping[str, Any] = field(default_factory=dict)
    one_command: bool = False

    @property
    def is_installed(self) -> bool:
        return self.path.exists() or any(each.exists() for each in self.folders)


def known(home: Path, platform: str = sys.platform) -> Iterator[Client]:
    """Every client, whether or not it is installed."""
    support = {
        "darwin": home / "Library" / "Application Support",
        "win32": home / "AppData" / "Roaming",
    }.get(platform, home / ".config")
    yield Client("Claude Code", home / ".claude.json", (home / ".claude",))
    yield Client("Claude Desktop", support / "Claude" / "claude_desktop_config.json", (support / "Claude",))
    yield Client("Cursor", home / ".cursor" / "mcp.json", (home / ".cursor",))
    yield Client(
        "VS Code", support / "Code" / "User" / "mcp.json", (support / "Code" / "User",), "servers", {"type": "stdio"}
    )
    yield Client("Windsurf", home / ".codeium" / "windsurf" / "mcp_config.json", (home / ".codeium" / "windsurf",))
    yield Client("Codex CLI", home / ".codex" / "config.toml", (home / ".codex",), None, {"required": True})
    yield Client("Gemini CLI", home / ".gemini" / "settings.json", (home / ".gemini",))
    opencode = home / ".config" / "opencode"
    local = {"type": "local", "enabled": True}
    yield Client("OpenCode", opencode / "opencode.json", (opencode,), "mcp", local, one_command=True)


def command(db: str | None, tools: str | None) -> tuple[str, list[str]]:
    """The program and arguments to start: this Python, so that it works outside the virtual environment too."""
    options = ["--db", str(Path(db).expanduser().resolve())] if db else []
    return sys.executable, ["-m", "omoide", "mcp", *options, *(["--tools", tools] if tools else [])]


def adding(client: Client, db: str | None, tools: str | None) -> FileChange:
    """Adds our server; other servers stay, an earlier entry of ours is replaced.

    An entry that was made by hand (`claude mcp add`) stays where nothing else is asked for.
    """
    server: Any = _server(client, *command(db, tools))
    if client.key is None:
        before = _toml(client.path)
        section = f"[mcp_servers.{NAME}]\n" + "".join(f"{key} = {json.dumps(value)}\n" for key, value in server.items())
        rest = _SECTION.sub("", before).rstrip()
        after = f"{rest}\n\n{section}" if rest else section
        return FileChange(client.path, before, before if _same_toml(before, server) else after)
    before, found = _json(client)
    servers = found.get(client.key) or {}
    kept = servers.get(NAME)
    if kept == server or (db is None and tools is None and _is_by_hand(kept)):
        server = kept
    changed = _without_project_entries({**found, client.key: {**servers, NAME: server}}, server)
    return FileChange(client.path, before, before if changed == found else pretty_json(changed))


def _server(client: Client, program: str, arguments: list[str]) -> dict[str, Any]:
    """The entry as the client writes it."""
    if client.one_command:
        return {**client.extra, "command": [program, *arguments]}
    return {**client.extra, "command": program, "args": arguments}


def _is_by_hand(server: Any) -> bool:
    """Whether an entry starts `omoide mcp` by its name, as the documentation says to."""
    words = [server.get("command"), *(server.get("args") or [])] if isinstance(server, Mapping) else []
    return [Path(str(words[0])).stem, *words[1:]] == ["omoide", "mcp"] if words else False


def _without_project_entries(settings: dict[str, Any], server: Any) -> dict[str, Any]:
    """Claude Code also keeps servers by project, which would stand against the one for all projects. An entry with
    options of its own stays."""
    projects = settings.get("projects")
    if not isinstance(projects, dict):
        return settings
    kept = {}
    for folder, each in projects.items():
        servers = each.get("mcpServers") if isinstance(each, dict) else None
        ours = isinstance(servers, dict) and NAME in servers and (_is_by_hand(servers[NAME]) or servers[NAME] == server)
        others = {name: value for name, value in servers.items() if name != NAME} if ours and servers else servers
        kept[folder] = {**each, "mcpServers": others} if ours else each
    return {**settings, "projects": kept}


def removing(client: Client) -> FileChange:
    if client.key is None:
        before = _toml(client.path)
        return FileChange(
            client.path, before, _SECTION.sub("", before).rstrip() + "\n" if _SECTION.search(before) else before
        )
    before, found = _json(client)
    servers = dict(found.get(client.key) or {})
    if servers.pop(NAME, None) is None:
        return FileChange(client.path, before, before)
    return FileChange(client.path, before, pretty_json({**found, client.key: servers}))


def _json(client: Client) -> tuple[str, dict[str, Any]]:
    text = _text(client.path)
    try:
        found = json.loads(text or "{}")
    except ValueError as error:
        raise InvalidInput(f"{client.path} is not plain JSON ({error}); it was not changed") from None
    if not isinstance(found, dict) or not isinstance(found.get(client.key or "") or {}, dict):
        raise InvalidInput(f"{client.path} does not look like the settings of {client.name}; it was not changed")
    return text, found


def _toml(path: Path) -> str:
    text = _text(path)
    try:
        tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InvalidInput(f"{path} is not TOML ({error}); it was not changed") from None
    return text


def _same_toml(text: str, server: Mapping[str, Any]) -> bool:
    return bool(tomllib.loads(text).get("mcp_servers", {}).get(NAME) == server)


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8") if path.exists() else ""
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInput(f"{path} cannot be read ({error}); it was not changed") from None
