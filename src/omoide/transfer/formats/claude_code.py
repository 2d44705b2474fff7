"""Imports Claude Code's transcripts (~/.claude/projects/*/*.jsonl). Tested with 2.0 and 2.1.

Keys, sessions and texts equal those of the hooks, so that turns recorded live are not imported twice.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from omoide.transfer.import_records import (
    CLAUDE_CODE_CHANNEL,
    ImportedRecord,
    ImportedTurn,
    ImportFormat,
    SkippedRecord,
    as_list,
    as_mapping,
    call_key,
    claude_code_key,
    claude_code_session,
    clean_text,
    each_file,
    is_own_tool_name,
    iso_time,
    one_line_name,
    record_words,
    shorten_value,
    text_blocks,
    tool_call_text,
    tool_role,
    turn_key,
)
from omoide.transfer.import_source import SourceFile, json_lines

_OUTPUT_CHARACTERS = 4_000  # of a tool result
_SYSTEM_REMINDER = re.compile(r"<system-reminder>.*?</system-reminder>", re.DOTALL)
_TERMINAL_COMMANDS = ("<command-name>", "<command-message>", "<local-command", "<bash-", "Caveat: The messages below")


def _read(source_file: SourceFile) -> Iterator[ImportedRecord]:
    pending: dict[str, ImportedTurn] = {}
    for number, entry, wrong in json_lines(source_file):
        where = f"{source_file.name}, line {number}"
        if wrong or not isinstance(entry, Mapping):
            yield SkippedRecord(reason=wrong or "line is not an object", where=where, words=record_words(entry))
        else:
            yield from entry_records(entry, where, pending)
    yield from pending.values()  # calls without a result


def entry_records(entry: Mapping[str, Any], where: str, pending: dict[str, ImportedTurn]) -> Iterator[ImportedRecord]:
    """What one entry of a transcript says. Calls wait in `pending` for the entry that has their result."""
    if entry.get("type") not in ("user", "assistant") or not isinstance(entry.get("message"), Mapping):
        yield SkippedRecord(reason="program metadata", where=where)
    elif entry.get("isSidechain"):
        yield SkippedRecord(reason="subagent conversation", where=where)
    elif entry.get("isMeta") or entry.get("isCompactSummary"):
        yield SkippedRecord(reason="text added by the program", where=where)
    else:
        yield from _message_records(entry, where, pending)


def _message_records(
    entry: Mapping[str, Any], where: str, pending: dict[str, ImportedTurn]
) -> Iterator[ImportedRecord]:
    content, by = entry["message"].get("content"), entry["type"]
    key = claude_code_key(one_line_name(entry.get("uuid")) or where)
    prompt = one_line_name(entry.get("promptId")) if by == "user" else None
    text = clean_text(_SYSTEM_REMINDER.sub("", text_blocks(content)))
    if by == "user" and text.startswith(_TERMINAL_COMMANDS):
        yield SkippedRecord(reason="terminal command", where=where)
    elif text:
        said = turn_key(CLAUDE_CODE_CHANNEL, prompt, "user", text) if prompt else key
        yield _turn(entry, where, said, text, "agent" if by == "assistant" else "user")
    for number, block in enumerate(as_list(content)):
        block = as_mapping(block)
        if block.get("type") == "tool_use":
            used = one_line_name(block.get("name")) or "tool"
            if is_own_tool_name(used):
                yield SkippedRecord(reason="call of Omoide's own tool", where=where)
                continue
            id = one_line_name(block.get("id")) or f"{key}:{number}"
            text = tool_call_text(used, block.get("input"))
            session = claude_code_session(entry.get("sessionId"))
            own = call_key(CLAUDE_CODE_CHANNEL, session, id) or id
            pending[id] = _turn(entry, where, own, text, tool_role(used), type="action")
        elif block.get("type") == "tool_result":
            yield _tool_result(block, where, pending)


def _tool_result(block: Mapping[str, Any], where: str, pending: dict[str, ImportedTurn]) -> ImportedRecord:
    call = pending.pop(one_line_name(block.get("tool_use_id")) or "", None)
    if call is None:
        return SkippedRecord(reason="tool result without a call", where=where)
    output = shorten_value(text_blocks(block.get("content")), _OUTPUT_CHARACTERS)
    return replace(call, outcome="failure" if block.get("is_error") else "success", details={"output": output})


def _turn(
    entry: Mapping[str, Any], where: str, key: str, text: str, role: str, type: str | None = None
) -> ImportedTurn:
    return ImportedTurn(
        text=text,
        where=where,
        key=key,
        role=role,
        session=claude_code_session(entry.get("sessionId")),
        channel=CLAUDE_CODE_CHANNEL,
        at=iso_time(entry.get("timestamp")),
        type=type,
    )


FORMAT = ImportFormat(
    "claude-code",
    "Claude Code's transcripts",
    lambda name: name.endswith(".jsonl") and not name.endswith("history.jsonl"),
    each_file(_read),
)
