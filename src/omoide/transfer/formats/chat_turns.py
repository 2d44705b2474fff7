"""Imports plain turns: JSON lines or a list of {"text" or "content", "role", "session", "at", …} or {"messages": […]}.

OpenAI's chat messages have this form.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from omoide.transfer.import_records import (
    ImportedRecord,
    ImportedTurn,
    ImportFormat,
    SkippedRecord,
    as_list,
    as_mapping,
    each_file,
    fingerprint,
    first_filled,
    iso_time,
    message_text,
    name_list,
    one_line_name,
    record_words,
    tool_call_text,
    tool_role,
)
from omoide.transfer.import_source import SourceFile, json_elements, json_lines

_TEXT_FIELDS = ("text", "content", "message", "value")
_ROLE_FIELDS = ("role", "from", "sender", "author")
_SESSION_FIELDS = ("session", "session_id", "conversation_id", "thread_id", "conversation", "thread")
_TIME_FIELDS = ("at", "timestamp", "created_at", "create_time", "time", "date")
_ROLE_NAMES = {"developer": "system", "gpt": "agent", "model": "agent", "chatgpt": "agent"}


def _read(source_file: SourceFile) -> Iterator[ImportedRecord]:
    for number, found, wrong in _records(source_file):
        where = f"{source_file.name}, {'line' if _is_json_lines(source_file) else 'element'} {number}"
        if wrong or not isinstance(found, Mapping):
            yield SkippedRecord(reason=wrong or "not an object", where=where, words=record_words(found))
        elif isinstance(found.get("messages"), list):
            yield from _conversation_records(found, source_file, number, where)
        else:
            yield from _turn_records(found, where, f"{source_file.name}:{number}", None)


def _is_json_lines(source_file: SourceFile) -> bool:
    return source_file.name.endswith((".jsonl", ".ndjson"))


def _records(source_file: SourceFile) -> Iterator[tuple[int, Any, str | None]]:
    if _is_json_lines(source_file):
        yield from json_lines(source_file)
    else:
        yield from ((number, found, None) for number, found in json_elements(source_file))


def _conversation_records(
    given: Mapping[str, Any], source_file: SourceFile, number: int, where: str
) -> Iterator[ImportedRecord]:
    session = one_line_name(first_filled(given, *_SESSION_FIELDS, "id")) or f"{source_file.stem} {number}"
    for nth, message in enumerate(given["messages"], 1):
        place = f"{where}, message {nth}"
        if isinstance(message, Mapping):
            yield from _turn_records(message, place, f"{source_file.name}:{number}:{nth}", session)
        else:
            yield SkippedRecord(reason="not an object", where=place, words=record_words(message))


def _turn_records(given: Mapping[str, Any], where: str, place: str, session: str | None) -> Iterator[ImportedRecord]:
    text = next((found for found in (message_text(given.get(field)) for field in _TEXT_FIELDS) if found), "")
    said = first_filled(given, *_ROLE_FIELDS)
    said = as_mapping(said).get("role") if isinstance(said, Mapping) else said
    role = _ROLE_NAMES.get(said, said) if isinstance(said, str) else "user" if said is None else ""
    who = one_line_name(first_filled(given, "speaker", "name", "user_name"))
    if role in ("tool", "function"):
        role, who = tool_role(first_filled(given, "name", "tool")), None
    session = one_line_name(first_filled(given, *_SESSION_FIELDS)) or session
    at = iso_time(first_filled(given, *_TIME_FIELDS))
    id = one_line_name(given.get("id"))
    # Without a time, only the position in the file distinguishes equal turns.
    key = one_line_name(given.get("key")) or f"turns:{fingerprint(session, role, who, at or place, text, id)}"
    calls = [as_mapping(each) for each in as_list(given.get("tool_calls"))]
    shared = {"where": where, "session": session, "channel": one_line_name(given.get("channel")), "at": at}
    if text:
        yield ImportedTurn(
            text=text,
            key=key,
            role=role,
            speaker=who,
            type=one_line_name(given.get("type")) if given.get("type") != "message" else None,
            outcome=one_line_name(given.get("outcome")),
            tags=name_list(given.get("tags")),
            details=given.get("details"),
            **shared,  # type: ignore[arg-type]
        )
    elif not calls:
        yield SkippedRecord(reason="no text", where=where)
    for number, call in enumerate(calls):
        used = as_mapping(call.get("function")) or call
        action = tool_call_text(used.get("name"), used.get("arguments"))
        yield ImportedTurn(text=action, key=f"{key}:{number}", role="agent", type="action", **shared)  # type: ignore[arg-type]


FORMAT = ImportFormat(
    "turns",
    "plain turns and chat messages",
    lambda name: name.endswith((".jsonl", ".ndjson", ".json")),
    each_file(_read),
)
