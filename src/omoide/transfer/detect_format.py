"""Which format a path holds, by what is in it: the names of a folder's files, or how a file begins."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any

from omoide.errors import InvalidInput
from omoide.transfer.foreign_fields import as_list, as_mapping
from omoide.transfer.formats import FORMATS, openclaw
from omoide.transfer.import_records import ImportFormat
from omoide.transfer.import_source import ImportSource, SourceFile

OMOIDE_EXPORT = "jsonl"  # Omoide's own export
_CLAUDE_FIELDS = {"chat_messages", "conversations_memory", "project_memories", "prompt_template"}
_CLAUDE_CODE_TYPES = ("summary", "file-history-snapshot", "queue-operation", "system", "progress")


def choose_format(source: ImportSource, named: str | None) -> tuple[ImportFormat, list[SourceFile]]:
    """The format, named or guessed, and the pages that are its own."""
    form = FORMATS[check_format_name(named)] if named is not None else _detect(source)
    pages = [page for page in source.pages if form.wants(page.name)] if source.is_folder else source.pages
    if not pages:
        raise InvalidInput(f"{source.path}: nothing there is {form.about}; name the file, or another format")
    return form, pages


def check_format_name(named: str) -> str:
    if isinstance(named, str) and named in FORMATS:
        return named
    near = get_close_matches(str(named), FORMATS, n=1)
    raise InvalidInput(
        f"format: there is no {named!r}; " + (f"did you mean {near[0]}?" if near else f"known are {', '.join(FORMATS)}")
    )


def _detect(source: ImportSource) -> ImportFormat:
    found = _detect_folder(source) if source.is_folder else _detect_file(source.pages[0])
    if found == OMOIDE_EXPORT:
        raise InvalidInput(f"{source.path} is an export of Omoide: import_() takes it as it is")
    if found is None:
        raise InvalidInput(f"{source.path}: not known what it is; name its format, one of {', '.join(FORMATS)}")
    chosen: ImportFormat = FORMATS[found]
    return chosen


def _detect_folder(source: ImportSource) -> str | None:
    names = [page.name for page in source.pages]
    if any(re.search(r"(^|/)conversations(-\d+)?\.json$", name) for name in names):
        return _detect_file(next(page for page in source.pages if FORMATS["chatgpt"].wants(page.name)))
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
    return next((found for page in told[:20] if (found := _detect_file(page)) not in (None, OMOIDE_EXPORT)), None)


def is_omoide_export(source: ImportSource) -> bool:
    """Whether it is what Omoide itself has written."""
    return not source.is_folder and _detect_file(source.pages[0]) == OMOIDE_EXPORT


def _detect_file(page: SourceFile) -> str | None:
    if page.name.endswith((".md", ".markdown")):
        daily = openclaw.DAILY_FILE.match(page.stem)
        return "openclaw" if page.stem.casefold() == "memory" or daily else "markdown"
    head = page.head().decode("utf-8-sig", "ignore").lstrip()
    if page.name.endswith(".af"):
        return "letta"
    if head.startswith("["):
        return _detect_list_element(_first_json_value(head[1:].lstrip()), head)
    if not head.startswith("{"):
        return None
    line, _, rest = head.partition("\n")
    first = _first_json_value(line)
    if first is None or (not rest.strip() and not page.name.endswith((".jsonl", ".ndjson"))):
        return _detect_document(_first_json_value(head), head)
    return (
        _detect_line(first)
        if page.name.endswith((".jsonl", ".ndjson")) or _first_json_value(rest.lstrip()) is not None
        else None
    )


def _first_json_value(text: str) -> Any:
    """The value that a text begins with, if it is whole."""
    try:
        return json.JSONDecoder().raw_decode(text)[0]
    except (ValueError, RecursionError):
        return None


def _detect_list_element(first: Any, head: str) -> str | None:
    """What a list is one of; a first element too long to see is known by its fields."""
    found = as_mapping(first)
    fields = set(found) if found else set(re.findall(r'"(\w+)"\s*:', head))
    if "mapping" in fields:
        return "chatgpt"
    if fields & _CLAUDE_FIELDS:
        return "claude"
    if str(found.get("id", "")).startswith("passage-") or "archive_id" in fields:
        return "letta"
    if "memory" in fields:
        return "mem0"
    return "turns" if fields & {"role", "content", "text", "messages"} else None


def _detect_document(found: Any, head: str) -> str | None:
    fields = set(found) if isinstance(found, Mapping) else set(re.findall(r'"(\w+)"\s*:', head))
    if {"entities", "relations"} <= fields or ("entities" in fields and not found):
        return "mcp"
    if fields & _CLAUDE_FIELDS:
        return "claude"
    if fields & {"agents", "core_memory", "agent_type", "archival_memory", "passages"}:
        return "letta"
    if fields & {"results", "memories"}:
        return "mem0"
    if "mapping" in fields:
        return "chatgpt"
    if isinstance(found, Mapping):
        return _detect_line(found)
    return None


def _detect_line(first: Any) -> str | None:
    found = as_mapping(first)
    if found.get("omoide") == "export":
        return OMOIDE_EXPORT
    if found.get("type") in ("entity", "relation") and {"name", "from"} & set(found):
        return "mcp"
    if found.get("type") == "session_meta" or "payload" in found or {"id", "timestamp", "instructions"} <= set(found):
        return "codex"
    if {"sessionId", "parentUuid", "leafUuid"} & set(found) or found.get("type") in _CLAUDE_CODE_TYPES:
        return "claude-code"
    if "memory" in found:
        return "mem0"
    spoken = {"text", "content", "message", "role"} & set(found) or as_list(found.get("messages"))
    return "turns" if spoken else None
