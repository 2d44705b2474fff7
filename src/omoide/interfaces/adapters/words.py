"""What a message says, whichever way a framework writes its parts down."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def words(content: Any) -> str:
    """The text of a message's content: a string, or parts of which some are text. Pictures and sounds say nothing."""
    if isinstance(content, str):
        return content
    if isinstance(content, Mapping):
        found = content.get("text", content.get("refusal"))
        return found if isinstance(found, str) else ""
    if isinstance(found := getattr(content, "text", None), str):
        return found
    return "\n".join(filter(None, map(words, content))) if isinstance(content, list | tuple) else ""


def question(messages: Any) -> str:
    """The latest words of the user among messages that are dictionaries; a string is one."""
    if isinstance(messages, str):
        return messages
    for message in reversed(list(messages or ())):
        if isinstance(message, Mapping) and message.get("role") == "user":
            return words(message.get("content"))
    return ""
