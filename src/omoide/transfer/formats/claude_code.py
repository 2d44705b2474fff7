"""Claude Code's transcripts (~/.claude/projects/*/*.jsonl): what was asked, answered and done. Seen: 2.0 and 2.1.

Keys, sessions and words are those of the hooks: what they recorded while it happened is not taken in twice.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from omoide.transfer.foreign_fields import (
    CLAUDE_CODE_CHANNEL,
    as_list,
    as_mapping,
    claude_code_key,
    claude_code_session,
    clean_text,
    iso_time,
    one_line_name,
    shorten_value,
    text_blocks,
    tool_role,
)
from omoide.transfer.import_records import ImportedRecord, ImportedTurn, ImportFormat, SkippedRecord
from omoide.transfer.import_source import SourceFile, json_lines

_OUTPUT_CHARACTERS = 4_000  # characters of what a tool gave back
_SYSTEM_REMINDER = re.compile(r"<system-reminder>.*?</system-reminder>", re.DOTALL)
_TERMINAL_COMMANDS = ("<command-name>", "<command-message>", "<local-command", "<bash-", "Caveat: The messages below")


@dataclass(slots=True)
class _PendingToolCall:
    """A tool that was called and has not answered yet."""

    said: ImportedTurn
    name: str


def _read(pages: Sequence[SourceFile]) -> Iterator[ImportedRecord]:
    for page in pages:
        yield from _read_transcript(page)


def _read_transcript(page: SourceFile) -> Iterator[ImportedRecord]:
    waiting: dict[str, _PendingToolCall] = {}
    for number, entry, wrong in json_lines(page):
        where = f"{page.name}, line {number}"
        if wrong or not isinstance(entry, Mapping):
            yield SkippedRecord(reason=wrong or "a line is no object", where=where)
        elif entry.get("type") not in ("user", "assistant") or not isinstance(entry.get("message"), Mapping):
            yield SkippedRecord(reason="bookkeeping of the program", where=where)
        elif entry.get("isSidechain"):
            yield SkippedRecord(reason="talk of a subagent", where=where)
        elif entry.get("isMeta") or entry.get("isCompactSummary"):
            yield SkippedRecord(reason="words of the program", where=where)
        else:
            yield from _entry_records(entry, where, waiting)
    for used in waiting.values():  # it never answered
        yield used.said


def _entry_records(
    entry: Mapping[str, Any], where: str, waiting: dict[str, _PendingToolCall]
) -> Iterator[ImportedRecord]:
    content, by = entry["message"].get("content"), entry["type"]
    key = claude_code_key(one_line_name(entry.get("uuid")) or where)
    text = clean_text(_SYSTEM_REMINDER.sub("", text_blocks(content)))
    if by == "user" and text.startswith(_TERMINAL_COMMANDS):
        yield SkippedRecord(reason="a command of the terminal", where=where)
    elif text:
        yield _turn(entry, where, key, text, "agent" if by == "assistant" else "user")
    for number, block in enumerate(as_list(content)):
        block = as_mapping(block)
        if block.get("type") == "tool_use":
            used = one_line_name(block.get("name")) or "tool"
            id = one_line_name(block.get("id")) or f"{key}:{number}"
            words_ = f"{used} {shorten_value(block.get('input'))}".strip()
            said = _turn(entry, where, f"claude:{id}", words_, tool_role(used), type="action")
            waiting[id] = _PendingToolCall(said, used)
        elif block.get("type") == "tool_result":
            yield from _tool_result(block, where, waiting)


def _tool_result(
    block: Mapping[str, Any], where: str, waiting: dict[str, _PendingToolCall]
) -> Iterator[ImportedRecord]:
    used = waiting.pop(one_line_name(block.get("tool_use_id")) or "", None)
    if used is None:
        yield SkippedRecord(reason="the result of a tool that was not called here", where=where)
        return
    output = shorten_value(text_blocks(block.get("content")), _OUTPUT_CHARACTERS)
    yield ImportedTurn(
        text=used.said.text,
        where=used.said.where,
        key=used.said.key,
        role=used.said.role,
        session=used.said.session,
        channel=CLAUDE_CODE_CHANNEL,
        at=used.said.at,
        type="action",
        outcome="failure" if block.get("is_error") else "success",
        details={"output": output},
    )


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
    _read,
)
