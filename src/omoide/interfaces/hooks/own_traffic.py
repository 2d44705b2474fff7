"""Recognises our own tools among those of an agent: what they return was said before and is no news."""

from __future__ import annotations

import re

from omoide.transfer.foreign_fields import is_own_tool_name

_OWN_COMMAND = re.compile(r"(?:^|[;&|(]\s*)(?:\S*/)?(?:omoide\b(?!/)|python[\d.]*\s+-m\s+omoide\b)")
_BARE = "MCP:"  # Cursor names a tool without its server


def is_own_tool(name: str, command: str | None) -> bool:
    """Whether a tool call goes to Omoide: over MCP, or as a command in a shell."""
    if name.startswith(_BARE):
        from omoide.interfaces.tools.sets import SETS  # 0.3 s, for a call of Cursor over MCP alone

        return any(name.removeprefix(_BARE) in names for names in SETS.values())
    return is_own_tool_name(name) or bool(command and _OWN_COMMAND.search(command))
