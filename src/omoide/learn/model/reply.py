"""The text of an answer → JSON, repaired where that is certain: fences, thoughts and chatter around it, a cut end."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

LONGEST = 400_000  # characters; nothing we ask for is a tenth as long
_THOUGHT = re.compile(r"<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", re.DOTALL | re.IGNORECASE)
_FENCE = re.compile(r"```[\w-]*\s*\n?(.*?)(?:```|\Z)", re.DOTALL)
_STRING_OR_COMMA = re.compile(r'"(?:[^"\\]|\\.)*"|,(?=\s*[\]}])', re.DOTALL)
_CLOSES = {"{": "}", "[": "]"}


class Unreadable(Exception):
    """There is no JSON in it; the text says what was there instead."""


@dataclass(frozen=True, slots=True)
class Reply:
    """A value, and whether the end was missing, so that there may have been more."""

    value: Any
    cut: bool = False


def read(text: str) -> Reply:
    """The JSON of an answer. Of a list that was cut off its whole items are kept."""
    if len(text) > LONGEST:
        raise Unreadable(f"it is {len(text):,} characters long")
    text = _THOUGHT.sub("", text.lstrip("\ufeff")).strip()
    if not text:
        raise Unreadable("it is empty")
    for candidate in _candidates(text):
        for repaired in (candidate, _STRING_OR_COMMA.sub(_without_comma, candidate)):
            try:
                return Reply(_decoder.raw_decode(repaired)[0])
            except (ValueError, RecursionError):
                continue
        if (closed := _closed(candidate)) is not None:
            return Reply(closed, cut=True)
    raise Unreadable(f"it is not JSON: {text[:60]!r}…" if len(text) > 60 else f"it is not JSON: {text!r}")


_decoder = json.JSONDecoder(strict=False)  # a newline inside of a string is no reason to refuse it


def _candidates(text: str) -> list[str]:
    """What may be the JSON: inside of a fence, or from the first bracket on."""
    fenced = [block.strip() for block in _FENCE.findall(text)]
    starts = [text[at:] for at in sorted(text.find(bracket) for bracket in "{[") if at >= 0]
    return [each for each in dict.fromkeys([*fenced, *starts]) if each.startswith(("{", "["))]


def _without_comma(match: re.Match[str]) -> str:
    return "" if match[0] == "," else match[0]


def _closed(text: str) -> Any | None:
    """The text up to its last whole item, with the open brackets closed."""
    end, still_open = _last_whole(text)
    if end == 0:
        return None
    try:
        return _decoder.decode(text[:end] + "".join(_CLOSES[bracket] for bracket in reversed(still_open)))
    except (ValueError, RecursionError):
        return None


def _last_whole(text: str) -> tuple[int, tuple[str, ...]]:
    """Where the last item of a list of the outermost object ends, and what is open there.

    Only there: half an item, such as a how-to without its last steps, is worse than none.
    """
    stack: list[str] = []
    end, still_open = 0, tuple[str, ...]()
    inside = escaped = False
    for at, character in enumerate(text):
        if inside:
            inside, escaped = escaped or character != '"', not escaped and character == "\\"
            if inside:
                continue
        elif character == '"':
            inside = True
            continue
        elif character in "{[":
            stack.append(character)
        elif character in "]}":
            if not stack:
                break
            stack.pop()
        if tuple(stack) in (("{", "["), ("[",)) and character in '{[]}"':
            end, still_open = at + 1, tuple(stack)
    return end, still_open
