"""Which format a path holds, by what is in it: the names of a folder's files, or how a file begins."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any

from omoide.errors import InvalidInput
from omoide.transfer.formats import FORMATS, openclaw
from omoide.transfer.item import Format
from omoide.transfer.source import Page, Source
from omoide.transfer.value import listed, record

OWN = "jsonl"  # Omoide's own export
_OF_CLAUDE = {"chat_messages", "conversations_memory", "project_memories", "prompt_template"}
_TYPES_OF_CLAUDE_CODE = ("summary", "file-history-snapshot", "queue-operation", "system", "progress")


def chosen(source: Source, named: str | None) -> tuple[Format, list[Page]]:
    """The format, named or guessed, and the pages that are its own."""
    form = FORMATS[checked(named)] if named is not None else _guessed(source)
    pages = [page for page in source.pages if form.wants(page.name)] if source.is_folder else source.pages
    if not pages:
        raise InvalidInput(f"{source.path}: nothing there is {form.about}; name the file, or another format")
    return form, pages


def checked(named: str) -> str:
    if isinstance(named, str) and named in FORMATS:
        return named
    near = get_close_matches(str(named), FORMATS, n=1)
    raise InvalidInput(
        f"format: there is no {named!r}; " + (f"did you mean {near[0]}?" if near else f"known are {', '.join(FORMATS)}")
    )


def _guessed(source: Source) -> Format:
    found = _folder(source) if source.is_folder else _file(source.pages[0])
    if found == OWN:
        raise InvalidInput(f"{source.path} is an export of Omoide: import_() takes it as it is")
    if found is None:
        raise InvalidInput(f"{source.path}: not known what it is; name its format, one of {', '.join(FORMATS)}")
    chosen: Format = FORMATS[found]
    return chosen


def _folder(source: Source) -> str | None:
    names = [page.name for page in source.pages]
    if any(re.search(r"(^|/)conversations(-\d+)?\.json$", name) for name in names):
        return _file(next(page for page in source.pages if FORMATS["chatgpt"].wants(page.name)))
    if any(FORMATS["codex"].wants(name) for name in names):
        return "codex"
    if any(re.search(r"(^|/)MEMORY\.md$", name) for name in names):
        return "openclaw"
    if any(re.search(r"(^|/)memory/[^/]*\d{4}-\d{2}-\d{2}[^/]*\.md$", name) for name in names):
        return "openclaw"
    told = [page for page in source.pages if page.name.endswith((".jsonl", ".json", ".af"))]
    notes = sum(name.endswith(".md") for name in names)
    if notes >= max(1, len(told)):
        return "markdown"
    return next((found for page in told[:20] if (found := _file(page)) not in (None, OWN)), None)


def is_export(source: Source) -> bool:
    """Whether it is what Omoide itself has written."""
    return not source.is_folder and _file(source.pages[0]) == OWN


def _file(page: Page) -> str | None:
    if page.name.endswith((".md", ".markdown")):
        daily = openclaw.DAILY.match(page.stem)
        return "openclaw" if page.stem.casefold() == "memory" or daily else "markdown"
    head = page.head().decode("utf-8-sig", "ignore").lstrip()
    if page.name.endswith(".af"):
        return "letta"
    if head.startswith("["):
        return _element(_first(head[1:].lstrip()), head)
    if not head.startswith("{"):
        return None
    line, _, rest = head.partition("\n")
    first = _first(line)
    if first is None or (not rest.strip() and not page.name.endswith((".jsonl", ".ndjson"))):
        return _document(_first(head), head)
    return _line(first) if page.name.endswith((".jsonl", ".ndjson")) or _first(rest.lstrip()) is not None else None


def _first(text: str) -> Any:
    """The value that a text begins with, if it is whole."""
    try:
        return json.JSONDecoder().raw_decode(text)[0]
    except (ValueError, RecursionError):
        return None


def _element(first: Any, head: str) -> str | None:
    """What a list is one of; a first element too long to see is known by its fields."""
    found = record(first)
    fields = set(found) if found else set(re.findall(r'"(\w+)"\s*:', head))
    if "mapping" in fields:
        return "chatgpt"
    if fields & _OF_CLAUDE:
        return "claude"
    if str(found.get("id", "")).startswith("passage-") or "archive_id" in fields:
        return "letta"
    if "memory" in fields:
        return "mem0"
    return "turns" if fields & {"role", "content", "text", "messages"} else None


def _document(found: Any, head: str) -> str | None:
    fields = set(found) if isinstance(found, Mapping) else set(re.findall(r'"(\w+)"\s*:', head))
    if {"entities", "relations"} <= fields or ("entities" in fields and not found):
        return "mcp"
    if fields & _OF_CLAUDE:
        return "claude"
    if fields & {"agents", "core_memory", "agent_type", "archival_memory", "passages"}:
        return "letta"
    if fields & {"results", "memories"}:
        return "mem0"
    if "mapping" in fields:
        return "chatgpt"
    if isinstance(found, Mapping):
        return _line(found)
    return None


def _line(first: Any) -> str | None:
    found = record(first)
    if found.get("omoide") == "export":
        return OWN
    if found.get("type") in ("entity", "relation") and {"name", "from"} & set(found):
        return "mcp"
    if found.get("type") == "session_meta" or "payload" in found or {"id", "timestamp", "instructions"} <= set(found):
        return "codex"
    if {"sessionId", "parentUuid", "leafUuid"} & set(found) or found.get("type") in _TYPES_OF_CLAUDE_CODE:
        return "claude-code"
    if "memory" in found:
        return "mem0"
    spoken = {"text", "content", "message", "role"} & set(found) or listed(found.get("messages"))
    return "turns" if spoken else None
