"""The MCP clients that `omoide init` knows: where each keeps its settings, and how a server is written there."""

from __future__ import annotations

import json
import re
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from omoide.errors import InvalidInput
from omoide.interfaces.file_change import FileChange, pretty_json

NAME = "omoide"
_SECTION = re.compile(rf"^\[mcp_servers\.{NAME}[\].].*?(?=^\[(?!mcp_servers\.{NAME}[\].])|\Z)", re.S | re.M)


@dataclass(frozen=True, slots=True)
class Client:
    """`key` names the object of servers in its JSON settings; without one the settings are TOML."""

    name: str
    path: Path
    folders: tuple[Path, ...]  # it is installed if one of these exists
    key: str | None = "mcpServers"

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
    yield Client("VS Code", support / "Code" / "User" / "mcp.json", (support / "Code" / "User",), "servers")
    yield Client("Windsurf", home / ".codeium" / "windsurf" / "mcp_config.json", (home / ".codeium" / "windsurf",))
    yield Client("Codex CLI", home / ".codex" / "config.toml", (home / ".codex",), None)


def command(db: str | None, tools: str | None) -> tuple[str, list[str]]:
    """The program and arguments to start: this Python, so that it works outside the virtual environment too."""
    options = ["--db", str(Path(db).expanduser().resolve())] if db else []
    return sys.executable, ["-m", "omoide", "mcp", *options, *(["--tools", tools] if tools else [])]


def adding(client: Client, db: str | None, tools: str | None) -> FileChange:
    """Adds our server; other servers stay, an earlier entry of ours is replaced."""
    program, arguments = command(db, tools)
    if client.key is None:
        before = _toml(client.path)
        section = f"[mcp_servers.{NAME}]\ncommand = {json.dumps(program)}\nargs = {json.dumps(arguments)}\n"
        rest = _SECTION.sub("", before).rstrip()
        after = f"{rest}\n\n{section}" if rest else section
        return FileChange(client.path, before, before if _same_toml(before, program, arguments) else after)
    before, found = _json(client)
    server = {**({"type": "stdio"} if client.key == "servers" else {}), "command": program, "args": arguments}
    servers = found.get(client.key) or {}
    if servers.get(NAME) == server:
        return FileChange(client.path, before, before)
    return FileChange(client.path, before, pretty_json({**found, client.key: {**servers, NAME: server}}))


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


def _same_toml(text: str, program: str, arguments: list[str]) -> bool:
    server = tomllib.loads(text).get("mcp_servers", {}).get(NAME)
    return bool(server == {"command": program, "args": arguments})


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8") if path.exists() else ""
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInput(f"{path} cannot be read ({error}); it was not changed") from None
