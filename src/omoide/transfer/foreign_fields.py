"""Reading what strangers wrote: a field is used when it is what it should be, and is not there otherwise."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from omoide.clock import EARLIEST, EPOCH, LATEST

_MILLISECONDS = 100_000_000_000  # seconds until the year 5138: a number above is of milliseconds
_UNNAMED = re.compile(r"[^\w.\-]+")


def clean_text(value: Any) -> str:
    """A text as the file can hold it: without NUL and half characters. Empty for what is none."""
    if not isinstance(value, str):
        return ""
    text = value.replace("\0", "")
    try:
        text.encode()
    except UnicodeEncodeError:
        text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text.strip()


def one_line_name(value: Any) -> str | None:
    """An id or a name, on one line."""
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value) if abs(value) < 10**30 else None
    return " ".join(clean_text(value).split())[:200] or None


def as_mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def as_list(value: Any) -> Sequence[Any]:
    return value if isinstance(value, list) else ()


def name_list(value: Any) -> tuple[str, ...]:
    """A list of tags, or a text of them with commas."""
    given = value.split(",") if isinstance(value, str) else as_list(value)
    found = (one_line_name(each) for each in given)
    return tuple(dict.fromkeys(each for each in found if each))


def first_filled(given: Mapping[str, Any], *fields: str) -> Any:
    """The first field that says something."""
    return next((given[field] for field in fields if given.get(field) not in (None, "", [], {})), None)


def iso_time(value: Any) -> str | None:
    """A time in ISO 8601 with its offset, from what others write: ISO, seconds or milliseconds. UTC where none is said.

    What is no time, or lies outside of ours, is none.
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
    """The day that a name or a heading speaks of: its noon in UTC, which is that day nearly everywhere."""
    found = _DAY.search(text)
    return iso_time(f"{found[1]}-{found[2]}-{found[3]}T12:00:00+00:00") if found else None


_DAY = re.compile(r"(?<!\d)(\d{4})-(\d{2})-(\d{2})(?!\d)")


def tool_role(value: Any) -> str:
    """The role of a tool: its name without what a role cannot hold."""
    return "tool:" + (_UNNAMED.sub("_", one_line_name(value) or "").strip("_.-")[:80] or "tool")


def message_text(content: Any) -> str:
    """The text of a message: a string, or the text blocks of a list."""
    if isinstance(content, str):
        return clean_text(content)
    found = []
    for each in as_list(content):
        if isinstance(each, str):
            found.append(clean_text(each))
        elif as_mapping(each).get("type", "text") in ("text", "input_text", "output_text"):
            found.append(clean_text(as_mapping(each).get("text")))
    return "\n".join(each for each in found if each)


# What coding agents write down while they work: how their tools are told in words, and Claude Code's own lines.


CLAUDE_CODE_CHANNEL = "claude-code"
TOOL_INPUT_CHARACTERS = 500  # characters of a tool's input that are kept as words


def shorten_value(value: Any, length: int = TOOL_INPUT_CHARACTERS) -> str:
    """What a tool was given or gave back, in at most so many characters."""
    told = clean_text(
        value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str) if value else ""
    )
    return told if len(told) <= length else told[: length - 1] + "…"


def text_blocks(content: Any) -> str:
    """The words of a message: a string, or its text blocks."""
    if isinstance(content, str):
        return content.strip()
    blocks = content if isinstance(content, list) else []
    said = [each.get("text", "") for each in blocks if isinstance(each, dict) and each.get("type") == "text"]
    return "\n".join(each for each in said if isinstance(each, str)).strip()


def claude_code_session(id: Any) -> str:
    return f"{CLAUDE_CODE_CHANNEL}:{one_line_name(id) or 'unknown'}"


def claude_code_key(uuid: str) -> str:
    return f"claude:{uuid}"
