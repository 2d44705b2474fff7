"""Detects the format of an import from the file names of a folder or the beginning of a file."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any

from omoide.errors import InvalidInput
from omoide.store import foreign_columns
from omoide.transfer.formats import FORMATS, openclaw
from omoide.transfer.import_records import ImportFormat, as_list, as_mapping
from omoide.transfer.import_source import ImportSource, SourceFile

OMOIDE_EXPORT = "jsonl"
_CLAUDE_FIELDS = {"chat_messages", "conversations_memory", "project_memories", "prompt_template"}
_GRAPH_FIELDS = {"fact", "source_node_uuid", "target_node_uuid"}
_CLAUDE_CODE_TYPES = ("summary", "file-history-snapshot", "queue-operation", "system", "progress")


def choose_format(source: ImportSource, named: str | None) -> tuple[ImportFormat, list[SourceFile], list[str]]:
    """Returns the named or detected format, the files of the source that belong to it, and the names of the others."""
    form = FORMATS[check_format_name(named)] if named is not None else _detect(source)
    files = [file for file in source.files if form.wants(file.name)] if source.is_folder else source.files
    if not files:
        raise InvalidInput(f"{source.path}: no file there is {form.about}; name the file, or another format")
    wanted = {file.name for file in files}
    return form, files, [file.name for file in source.files if file.name not in wanted]


def check_format_name(named: str) -> str:
    """Returns the name of a known format. Raises InvalidInput with a suggestion for others."""
    if isinstance(named, str) and named in FORMATS:
        return named
    near = get_close_matches(str(named), FORMATS, n=1)
    raise InvalidInput(
        f"format: unknown format {named!r}; "
        + (f"did you mean {near[0]}?" if near else f"known are {', '.join(FORMATS)}")
    )


def _detect(source: ImportSource) -> ImportFormat:
    found = _detect_folder(source) if source.is_folder else _detect_file(source.files[0])
    if found == OMOIDE_EXPORT:
        raise InvalidInput(f"{source.path} is an export of Omoide; use import_() for it")
    if found is None:
        raise InvalidInput(f"{source.path}: unknown format; name it, one of {', '.join(FORMATS)}")
    return FORMATS[found]


def _detect_folder(source: ImportSource) -> str | None:
    names = [source_file.name for source_file in source.files]
    if any(re.search(r"(^|/)conversations(-\d+)?\.json$", name) for name in names):
        return _detect_file(next(file for file in source.files if FORMATS["chatgpt"].wants(file.name)))
    if any(FORMATS["codex"].wants(name) for name in names):
        return "codex"
    if any(re.search(r"(^|/)sqlite_vec\.db$", name) for name in names):
        return "memory-service"
    if any(re.search(r"(^|/)MEMORY\.md$", name) for name in names):
        return "openclaw"
    if any(re.search(r"(^|/)memory/[^/]*\d{4}-\d{2}-\d{2}[^/]*\.md$", name) for name in names):
        return "openclaw"
    json_files = [file for file in source.files if file.name.endswith((".jsonl", ".json", ".af"))]
    notes = sum(name.endswith(".md") for name in names)
    if notes >= max(1, len(json_files)):
        return "markdown"
    detected = map(_detect_file, json_files[:20])
    return next((found for found in detected if found not in (None, OMOIDE_EXPORT)), None)


def is_omoide_export(source: ImportSource) -> bool:
    """Whether the source is an export written by Omoide."""
    return not source.is_folder and _detect_file(source.files[0]) == OMOIDE_EXPORT


def _detect_file(source_file: SourceFile) -> str | None:
    if source_file.name.endswith((".md", ".markdown")):
        daily = openclaw.DAILY_FILE.match(source_file.stem)
        return "openclaw" if source_file.stem.casefold() == "memory" or daily else "markdown"
    if source_file.is_sqlite():
        with source_file.on_disk() as path:
            return _detect_tables(str(path))
    head = source_file.head().decode("utf-8-sig", "ignore").lstrip()
    if source_file.name.endswith(".af"):
        return "letta"
    if head.startswith('"'):  # JSON in a string, as Letta's client returns it
        return "letta" if re.search(r'\\"(agents|agent_type|core_memory)\\"', head) else None
    if head.startswith("["):
        return _detect_list_element(_first_json_value(head[1:].lstrip()), head)
    if not head.startswith("{"):
        return None
    line, _, rest = head.partition("\n")
    first = _first_json_value(line)
    if first is None or (not rest.strip() and not source_file.name.endswith((".jsonl", ".ndjson"))):
        return _detect_document(_first_json_value(head), head)
    is_lines = source_file.name.endswith((".jsonl", ".ndjson")) or _first_json_value(rest.lstrip()) is not None
    return _detect_line(first) if is_lines else None


def _detect_tables(path: str) -> str | None:
    if {"content_hash", "content"} <= foreign_columns(path, "memories"):
        return "memory-service"
    return "mem0" if {"memory_id", "new_memory", "event"} <= foreign_columns(path, "history") else None


def _first_json_value(text: str) -> Any:
    """Returns the JSON value at the start of a text, or None if it is incomplete."""
    try:
        return json.JSONDecoder().raw_decode(text)[0]
    except (ValueError, RecursionError):
        return None


def _detect_list_element(first: Any, head: str) -> str | None:
    """Detects by the first element of a list. If it is too long to parse, its field names decide."""
    found = as_mapping(first)
    fields = set(found) if found else set(re.findall(r'"(\w+)"\s*:', head))
    if "mapping" in fields:
        return "chatgpt"
    if fields & _CLAUDE_FIELDS:
        return "claude"
    if str(found.get("id", "")).startswith("passage-") or "archive_id" in fields:
        return "letta"
    if "content_hash" in fields:
        return "memory-service"
    if "memory" in fields or {"memory_id", "event"} <= fields:
        return "mem0"
    if fields & _GRAPH_FIELDS or {"uuid", "labels"} <= fields or {"uuid", "source_description"} <= fields:
        return "graphiti"
    return "turns" if fields & {"role", "content", "text", "messages"} else None


def _detect_document(found: Any, head: str) -> str | None:
    fields = set(found) if isinstance(found, Mapping) else set(re.findall(r'"(\w+)"\s*:', head))
    if {"entities", "relations"} <= fields or ("entities" in fields and not found):
        return "mcp"
    if fields & _CLAUDE_FIELDS:
        return "claude"
    if fields & {"agents", "core_memory", "agent_type", "archival_memory", "passages"}:
        return "letta"
    first = as_mapping(next(iter(as_list(as_mapping(found).get("memories"))), None))
    if "export_metadata" in fields or "content_hash" in (first or fields):
        return "memory-service"
    if fields & {"results", "memories"}:
        return "mem0"
    if fields & {"edges", "episodes", "facts"} or fields & _GRAPH_FIELDS or ("nodes" in fields and not found):
        return "graphiti"
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
