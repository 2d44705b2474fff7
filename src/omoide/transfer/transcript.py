"""What coding agents write down while they work: how their tools are told in words, and Claude Code's own lines."""

from __future__ import annotations

import json
from typing import Any

from omoide.transfer.value import name, words

CHANNEL = "claude-code"
SHOWN = 500  # characters of a tool's input that are kept as words


def short(value: Any, length: int = SHOWN) -> str:
    """What a tool was given or gave back, in at most so many characters."""
    told = words(
        value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str) if value else ""
    )
    return told if len(told) <= length else told[: length - 1] + "…"


def spoken(content: Any) -> str:
    """The words of a message: a string, or its text blocks."""
    if isinstance(content, str):
        return content.strip()
    blocks = content if isinstance(content, list) else []
    said = [each.get("text", "") for each in blocks if isinstance(each, dict) and each.get("type") == "text"]
    return "\n".join(each for each in said if isinstance(each, str)).strip()


def session_of(id: Any) -> str:
    return f"{CHANNEL}:{name(id) or 'unknown'}"


def answer_key(uuid: str) -> str:
    return f"claude:{uuid}"
