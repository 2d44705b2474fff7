"""The MCP clients we know: where each keeps its settings, and how a server stands in them."""

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
from omoide.interfaces.change import Change

NAME = "omoide"
_SECTION = re.compile(rf"^\[mcp_servers\.{NAME}[\].].*?(?=^\[(?!mcp_servers\.{NAME}[\].])|\Z)", re.S | re.M)


@dataclass(frozen=True, slots=True)
class Client:
    """`key` is where servers stand in its JSON; without one the file is TOML."""

    name: str
    path: Path
    signs: tuple[Path, ...]  # it is here if one of these is
    key: str | None = "mcpServers"

    @property
    def is_here(self) -> bool:
        return self.path.exists() or any(each.exists() for each in self.signs)


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
    """This Python, so that it works outside the environment too."""
    options = ["--db", str(Path(db).expanduser().resolve())] if db else []
    return sys.executable, ["-m", "omoide", "mcp", *options, *(["--tools", tools] if tools else [])]


def adding(client: Client, db: str | None, tools: str | None) -> Change:
    """Ours beside whatever is there; what we put there before is replaced."""
    program, arguments = command(db, tools)
    if client.key is None:
        before = _toml(client.path)
        section = f"[mcp_servers.{NAME}]\ncommand = {json.dumps(program)}\nargs = {json.dumps(arguments)}\n"
        rest = _SECTION.sub("", before).rstrip()
        after = f"{rest}\n\n{section}" if rest else section
        return Change(client.path, before, before if _same_toml(before, program, arguments) else after)
    before, found = _json(client)
    server = {**({"type": "stdio"} if client.key == "servers" else {}), "command": program, "args": arguments}
    servers = found.get(client.key) or {}
    if servers.get(NAME) == server:
        return Change(client.path, before, before)
    return Change(client.path, before, _written({**found, client.key: {**servers, NAME: server}}))


def removing(client: Client) -> Change:
    if client.key is None:
        before = _toml(client.path)
        return Change(
            client.path, before, _SECTION.sub("", before).rstrip() + "\n" if _SECTION.search(before) else before
        )
    before, found = _json(client)
    servers = dict(found.get(client.key) or {})
    if servers.pop(NAME, None) is None:
        return Change(client.path, before, before)
    return Change(client.path, before, _written({**found, client.key: servers}))


def _json(client: Client) -> tuple[str, dict[str, Any]]:
    text = _text(client.path)
    try:
        found = json.loads(text or "{}")
    except ValueError as error:
        raise InvalidInput(f"{client.path} is not plain JSON ({error}); it was left as it is") from None
    if not isinstance(found, dict) or not isinstance(found.get(client.key or "") or {}, dict):
        raise InvalidInput(f"{client.path} does not look like settings of {client.name}; it was left as it is")
    return text, found


def _toml(path: Path) -> str:
    text = _text(path)
    try:
        tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InvalidInput(f"{path} is not TOML ({error}); it was left as it is") from None
    return text


def _same_toml(text: str, program: str, arguments: list[str]) -> bool:
    server = tomllib.loads(text).get("mcp_servers", {}).get(NAME)
    return bool(server == {"command": program, "args": arguments})


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8") if path.exists() else ""
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInput(f"{path} cannot be read ({error}); it was left as it is") from None


def _written(found: dict[str, Any]) -> str:
    return json.dumps(found, indent=2, ensure_ascii=False) + "\n"
