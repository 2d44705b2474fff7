"""Reads fields of documents that other programs wrote. A field of the wrong type counts as missing."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from omoide.clock import EARLIEST, EPOCH, LATEST

_MILLISECONDS = 100_000_000_000  # as seconds the year 5138: larger numbers are milliseconds
_UNNAMED = re.compile(r"[^\w.\-]+")


def clean_text(value: Any) -> str:
    """Returns a text without NUL and lone surrogates, or "" if the value is not a text."""
    if not isinstance(value, str):
        return ""
    text = value.replace("\0", "")
    try:
        text.encode()
    except UnicodeEncodeError:
        text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text.strip()


def one_line_name(value: Any) -> str | None:
    """Returns an id or name on one line, or None."""
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value) if abs(value) < 10**30 else None
    return " ".join(clean_text(value).split())[:200] or None


def as_mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def as_list(value: Any) -> Sequence[Any]:
    return value if isinstance(value, list) else ()


def name_list(value: Any) -> tuple[str, ...]:
    """Returns the names in a list, or in a text separated by commas."""
    given = value.split(",") if isinstance(value, str) else as_list(value)
    found = (one_line_name(each) for each in given)
    return tuple(dict.fromkeys(each for each in found if each))


def first_filled(given: Mapping[str, Any], *fields: str) -> Any:
    """Returns the value of the first field that is not empty."""
    return next((given[field] for field in fields if given.get(field) not in (None, "", [], {})), None)


def iso_time(value: Any) -> str | None:
    """Converts an ISO time, seconds or milliseconds to ISO 8601 with offset; UTC if there is none.

    Returns None for other values and for times outside the valid range.
    """
    if isinstance(value, bool) or value is None:
        return None
    try:
        if isinstance(value, int | float):
            seconds = value / 1000 if abs(value) > _MILLISECONDS else value
            found = EPOCH + timedelta(seconds=seconds)
        else:
            found = datetime.fromisoformat(str(value).strip())
        found = found if found.tzinfo else found.replace(tzinfo=UTC)
        return found.isoformat() if EARLIEST <= found < LATEST else None
    except (ValueError, OverflowError, TypeError):
        return None


def day_in_text(text: str) -> str | None:
    """Returns noon UTC of the first date in a file name or heading; noon is that day in nearly all time zones."""
    found = _DAY.search(text)
    return iso_time(f"{found[1]}-{found[2]}-{found[3]}T12:00:00+00:00") if found else None


_DAY = re.compile(r"(?<!\d)(\d{4})-(\d{2})-(\d{2})(?!\d)")


def tool_role(value: Any) -> str:
    """Returns the role tool:NAME, without characters that a role cannot contain."""
    return "tool:" + (_UNNAMED.sub("_", one_line_name(value) or "").strip("_.-")[:80] or "tool")


def message_text(content: Any) -> str:
    """Returns the text of a message: a string, or the text blocks of a list."""
    if isinstance(content, str):
        return clean_text(content)
    found = []
    for each in as_list(content):
        if isinstance(each, str):
            found.append(clean_text(each))
        elif as_mapping(each).get("type", "text") in ("text", "input_text", "output_text"):
            found.append(clean_text(as_mapping(each).get("text")))
    return "\n".join(each for each in found if each)


CLAUDE_CODE_CHANNEL = "claude-code"
TOOL_INPUT_CHARACTERS = 500  # of a tool input


def shorten_value(value: Any, length: int = TOOL_INPUT_CHARACTERS) -> str:
    """Returns the input or output of a tool as text of at most `length` characters."""
    document = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str) if value else ""
    text = clean_text(document)
    return text if len(text) <= length else text[: length - 1] + "…"


def tool_call_text(name: Any, arguments: Any) -> str:
    """Returns a tool call as text: the name of the tool and its shortened arguments."""
    return f"{one_line_name(name) or 'tool'} {shorten_value(arguments)}".strip()


def text_blocks(content: Any) -> str:
    """Returns the text of a Claude Code message: a string, or its text blocks."""
    if isinstance(content, str):
        return content.strip()
    blocks = content if isinstance(content, list) else []
    texts = [each.get("text", "") for each in blocks if isinstance(each, dict) and each.get("type") == "text"]
    return "\n".join(each for each in texts if isinstance(each, str)).strip()


def claude_code_session(id: Any) -> str:
    return f"{CLAUDE_CODE_CHANNEL}:{one_line_name(id) or 'unknown'}"


def claude_code_key(uuid: str) -> str:
    return f"claude:{uuid}"


def turn_key(agent: str, turn: str, role: str, text: str) -> str:
    """The key of words said in a turn of a coding agent: the same for its hook and its transcript."""
    return f"{agent}:{turn}:{role}:{hashlib.blake2b(text.encode(), digest_size=8).hexdigest()}"


def call_key(agent: str, session: str, call: str) -> str | None:
    """The key of a tool call of a coding agent, if the call has an id."""
    return f"{agent}:{session}:{call}" if call else None


_OWN_TOOL = re.compile(r"ToolSearch|mcp__(plugin_omoide_)?omoide__.*|mcp_omoide_.*|omoide[_.].*")


def is_own_tool_name(name: str) -> bool:
    """Whether a tool of a coding agent is one of ours, or the agent's search for tools."""
    return _OWN_TOOL.fullmatch(name) is not None
