"""Imports Letta's agent files (.af, also the first version) and lists of archival passages.

Memory blocks and passages become notes, messages become turns of a session.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from omoide.transfer.import_records import (
    ImportedRecord,
    ImportedStatement,
    ImportedTurn,
    ImportFormat,
    SkippedRecord,
    as_list,
    as_mapping,
    clean_text,
    each_file,
    fingerprint,
    first_filled,
    iso_time,
    message_text,
    name_list,
    one_line_name,
    record_words,
    shorten_value,
    tool_call_text,
    tool_role,
)
from omoide.transfer.import_source import SourceFile, json_elements

_CHANNEL = "letta"


def _read(source_file: SourceFile) -> Iterator[ImportedRecord]:
    for number, given in json_elements(source_file):
        found = _json_object(given.strip()) or given if isinstance(given, str) else given
        if isinstance(found, Mapping) and ("agents" in found or "messages" in found or "core_memory" in found):
            yield from _agent_file(found, source_file)
        else:
            yield _passage(found, f"{source_file.name}, passage {number}")


def _agent_file(given: Mapping[str, Any], source_file: SourceFile) -> Iterator[ImportedRecord]:
    agents = [as_mapping(each) for each in as_list(given.get("agents"))] or [given]
    for number, block in enumerate([*as_list(given.get("blocks")), *as_list(given.get("core_memory"))], 1):
        yield _memory_block(as_mapping(block), f"{source_file.name}, block {number}")
    for number, agent in enumerate(agents, 1):
        yield from _agent_turns(agent, f"{source_file.name}, agent {number}", source_file.stem)
    yield from _file_records(given, source_file.name)
    if tools := len(as_list(given.get("tools"))):
        yield SkippedRecord(reason="tool of the agent", where=source_file.name, count=tools)
    for field in ("passages", "archival_memory", "archival_passages"):
        for number, each in enumerate(as_list(given.get(field)), 1):
            yield _passage(each, f"{source_file.name}, passage {number}")


def _file_records(given: Mapping[str, Any], file: str) -> Iterator[ImportedRecord]:
    """Yields the texts of the files and skills that an agent has."""
    for number, each in enumerate(map(as_mapping, as_list(given.get("files"))), 1):
        title = one_line_name(first_filled(each, "file_name", "original_file_name"))
        yield _document(each.get("content"), title, "file", f"{file}, file {number}")
    for number, each in enumerate(map(as_mapping, as_list(given.get("skills"))), 1):
        for path, text in as_mapping(each.get("files")).items():
            title = one_line_name(f"{each.get('name') or 'skill'}/{path}")
            yield _document(text, title, "skill", f"{file}, skill {number}")


def _document(given: Any, title: str | None, category: str, where: str) -> ImportedRecord:
    text = clean_text(given)
    if not text:
        return SkippedRecord(reason=f"{category} without content", where=where)
    return ImportedStatement(
        text=text, where=where, key=f"letta:{category}:{fingerprint(title, text)}", title=title, category=category
    )


def _memory_block(block: Mapping[str, Any], where: str) -> ImportedRecord:
    text, label = clean_text(block.get("value")), one_line_name(block.get("label"))
    if not text:
        return SkippedRecord(reason="empty block", where=where)
    return ImportedStatement(
        text=text,
        where=where,
        key=f"letta:block:{fingerprint(block.get('id'), label, text)}",
        title=label,
        category="memory block",
        tags=(label,) if label else (),
        at=iso_time(first_filled(block, "updated_at", "created_at")),
    )


def _passage(given: Any, where: str) -> ImportedRecord:
    text = clean_text(first_filled(as_mapping(given), "text", "content"))
    if not text:
        return SkippedRecord(reason="no text", where=where, words=record_words(given))
    return ImportedStatement(
        text=text,
        where=where,
        key=f"letta:{one_line_name(given.get('id')) or fingerprint(text)}",
        category="archival passage",
        tags=name_list(given.get("tags")),
        at=iso_time(first_filled(given, "created_at", "timestamp")),
    )


def _agent_turns(agent: Mapping[str, Any], where: str, file: str) -> Iterator[ImportedRecord]:
    """Keys use text and time, because every export numbers the messages anew (`message-0`)."""
    session = f"letta:{one_line_name(agent.get('name')) or one_line_name(agent.get('id')) or file}"
    for number, message in enumerate(as_list(agent.get("messages")), 1):
        place = f"{where}, message {number}"
        at = iso_time(as_mapping(message).get("created_at"))
        for turn in _message_turns(as_mapping(message), place):
            if isinstance(turn, SkippedRecord):
                yield turn
                continue
            role, text, type = turn
            key = f"letta:{fingerprint(session, role, text, at or number)}"
            yield ImportedTurn(
                text=text, where=place, key=key, role=role, type=type, session=session, channel=_CHANNEL, at=at
            )


def _message_turns(message: Mapping[str, Any], where: str) -> Iterator[tuple[str, str, str | None] | SkippedRecord]:
    text = message_text(message.get("content")) or clean_text(message.get("text"))
    match message.get("role"):
        case "user":
            spoken = _user_text(text)
            yield ("user", spoken, None) if spoken else SkippedRecord(reason="text added by the program", where=where)
        case "assistant":
            yield from _assistant_turns(message, text, where)
        case "tool":
            if text and not _is_empty_acknowledgement(text):
                yield tool_role(message.get("name")), shorten_value(text, 4000), None
            else:
                yield SkippedRecord(reason="empty tool result" if text else "no text", where=where)
        case _:
            yield SkippedRecord(reason="text added by the program", where=where)


def _assistant_turns(
    message: Mapping[str, Any], text: str, where: str
) -> Iterator[tuple[str, str, str | None] | SkippedRecord]:
    """An agent speaks with the tool send_message; then its other text is reasoning."""
    calls = [as_mapping(as_mapping(call).get("function")) for call in as_list(message.get("tool_calls"))]
    speaks = any(call.get("name") == "send_message" for call in calls)
    if text:
        yield SkippedRecord(reason="model reasoning", where=where) if speaks else ("agent", text, None)
    elif not calls:
        yield SkippedRecord(reason="no text", where=where)
    for call in calls:
        given = _json_object(call.get("arguments"))
        if call.get("name") == "send_message" and clean_text(given.get("message")):
            yield "agent", clean_text(given["message"]), None
        else:
            yield "agent", tool_call_text(call.get("name"), call.get("arguments")), "action"


def _user_text(text: str) -> str:
    """Unwraps the JSON in which Letta puts user messages and its own heartbeats."""
    inside = _json_object(text)
    if not inside:
        return text
    if inside.get("type") not in (None, "user_message"):
        return ""
    return clean_text(inside.get("message")) or text


def _is_empty_acknowledgement(text: str) -> bool:
    """Whether a result says nothing, as `{"status": "OK", "message": "None"}` does."""
    inside = _json_object(text)
    silent = inside.get("message") in (None, "", "None") and not set(inside) - {"status", "message", "time"}
    return inside.get("status") == "OK" and silent


def _json_object(text: Any) -> Mapping[str, Any]:
    if isinstance(text, Mapping):
        return text
    if not isinstance(text, str) or not text.startswith("{"):
        return {}
    try:
        return as_mapping(json.loads(text))
    except (ValueError, RecursionError):
        return {}


FORMAT = ImportFormat(
    "letta", "Letta's agent files and passages", lambda name: name.endswith((".af", ".json")), each_file(_read)
)
