"""Reading what strangers wrote: a field is used when it is what it should be, and is not there otherwise."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from omoide.clock import EARLIEST, EPOCH, LATEST

_MILLISECONDS = 100_000_000_000  # seconds until the year 5138: a number above is of milliseconds
_UNNAMED = re.compile(r"[^\w.\-]+")


def words(value: Any) -> str:
    """A text as the file can hold it: without NUL and half characters. Empty for what is none."""
    if not isinstance(value, str):
        return ""
    text = value.replace("\0", "")
    try:
        text.encode()
    except UnicodeEncodeError:
        text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text.strip()


def name(value: Any) -> str | None:
    """An id or a name, on one line."""
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value) if abs(value) < 10**30 else None
    return " ".join(words(value).split())[:200] or None


def record(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def listed(value: Any) -> Sequence[Any]:
    return value if isinstance(value, list) else ()


def names(value: Any) -> tuple[str, ...]:
    """A list of tags, or a text of them with commas."""
    given = value.split(",") if isinstance(value, str) else listed(value)
    found = (name(each) for each in given)
    return tuple(dict.fromkeys(each for each in found if each))


def first(given: Mapping[str, Any], *fields: str) -> Any:
    """The first field that says something."""
    return next((given[field] for field in fields if given.get(field) not in (None, "", [], {})), None)


def moment(value: Any) -> str | None:
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


def day(text: str) -> str | None:
    """The day that a name or a heading speaks of: its noon in UTC, which is that day nearly everywhere."""
    found = _DAY.search(text)
    return moment(f"{found[1]}-{found[2]}-{found[3]}T12:00:00+00:00") if found else None


_DAY = re.compile(r"(?<!\d)(\d{4})-(\d{2})-(\d{2})(?!\d)")


def tool(value: Any) -> str:
    """The role of a tool: its name without what a role cannot hold."""
    return "tool:" + (_UNNAMED.sub("_", name(value) or "").strip("_.-")[:80] or "tool")


def blocks(content: Any) -> str:
    """The text of a message: a string, or the text blocks of a list."""
    if isinstance(content, str):
        return words(content)
    found = []
    for each in listed(content):
        if isinstance(each, str):
            found.append(words(each))
        elif record(each).get("type", "text") in ("text", "input_text", "output_text"):
            found.append(words(record(each).get("text")))
    return "\n".join(each for each in found if each)
