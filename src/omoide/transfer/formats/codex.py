"""Imports Codex's rollouts (~/.codex/sessions/**/rollout-*.jsonl).

Tested with lines that have a payload (0.40 to 0.65), and the bare items of earlier versions.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from omoide.transfer.import_records import (
    ImportedRecord,
    ImportedTurn,
    ImportFormat,
    SkippedRecord,
    as_mapping,
    call_key,
    each_file,
    first_filled,
    is_own_tool_name,
    iso_time,
    message_text,
    one_line_name,
    record_words,
    shorten_value,
    tool_call_text,
    tool_role,
    turn_key,
)
from omoide.transfer.import_source import SourceFile, json_lines

_CHANNEL = "codex"
_OUTPUT_CHARACTERS = 4_000
_FILE_NAME = re.compile(r"(^|/)rollout-[^/]*\.jsonl$")
_INJECTED_TEXT = (
    "<environment_context>",
    "<user_instructions>",
    "<permissions",
    "# AGENTS.md instructions",
    "<turn_aborted>",
)
_CALLS = ("function_call", "custom_tool_call", "local_shell_call")
_OUTPUTS = ("function_call_output", "custom_tool_call_output")


@dataclass(slots=True)
class _Rollout:
    """State while a rollout file is read."""

    session: str
    at: str | None = None
    turn: str | None = None  # id of the user's prompt, in versions that give one
    pending: dict[str, ImportedTurn] = field(default_factory=dict)


def _read(source_file: SourceFile) -> Iterator[ImportedRecord]:
    rollout = _Rollout(source_file.stem)
    for number, entry, wrong in json_lines(source_file):
        where = f"{source_file.name}, line {number}"
        if wrong or not isinstance(entry, Mapping):
            yield SkippedRecord(reason=wrong or "line is not an object", where=where, words=record_words(entry))
            continue
        rollout.at = iso_time(entry.get("timestamp")) or rollout.at
        payload = as_mapping(entry.get("payload"))
        rollout.turn = one_line_name(payload.get("turn_id")) or rollout.turn
        if entry.get("type") == "session_meta":
            rollout.session = one_line_name(payload.get("id")) or rollout.session
        elif "type" not in entry and "record_type" not in entry and entry.get("id"):  # first line of old versions
            rollout.session = one_line_name(entry["id"]) or rollout.session
        elif entry.get("type") == "response_item":
            yield from _item_records(payload, where, number, rollout)
        elif not payload and entry.get("type") in ("message", "reasoning", *_CALLS, *_OUTPUTS):
            yield from _item_records(entry, where, number, rollout)
        else:
            yield SkippedRecord(reason="program metadata", where=where)
    yield from rollout.pending.values()


def _item_records(item: Mapping[str, Any], where: str, number: int, rollout: _Rollout) -> Iterator[ImportedRecord]:
    type = item.get("type")
    if type == "message":
        yield _message_record(item, where, number, rollout)
    elif type in _CALLS:
        used = one_line_name(item.get("name")) or "shell"
        if is_own_tool_name(f"{item.get('namespace') or ''}{used}"):
            yield SkippedRecord(reason="call of Omoide's own tool", where=where)
            return
        given = first_filled(item, "arguments", "input", "action")
        said = _turn(tool_call_text(used, given), tool_role(used), where, number, rollout)
        call = one_line_name(first_filled(item, "call_id", "id")) or ""
        key = call_key(_CHANNEL, said.session or "", call) if rollout.turn else None
        rollout.pending[call or where] = replace(said, type="action", key=key or said.key)
    elif type in _OUTPUTS:
        called = rollout.pending.pop(one_line_name(item.get("call_id")) or "", None)
        if called is None:
            yield SkippedRecord(reason="tool result without a call", where=where)
            return
        output, failed = _tool_output(item.get("output"))
        yield replace(
            called,
            outcome="failure" if failed else "success",
            details={"output": shorten_value(output, _OUTPUT_CHARACTERS)},
        )
    else:
        yield SkippedRecord(reason="model reasoning" if type == "reasoning" else "program metadata", where=where)


def _message_record(item: Mapping[str, Any], where: str, number: int, rollout: _Rollout) -> ImportedRecord:
    text = message_text(item.get("content"))
    role = item.get("role")
    if role in ("developer", "system") or (role == "user" and text.startswith(_INJECTED_TEXT)):
        return SkippedRecord(reason="text added by the program", where=where)
    if not text:
        return SkippedRecord(reason="no text", where=where)
    return _turn(text, str(role or ""), where, number, rollout)


def _turn(text: str, role: str, where: str, number: int, rollout: _Rollout) -> ImportedTurn:
    return ImportedTurn(
        text=text,
        where=where,
        # A rollout file only grows, so line numbers are stable; where turns have ids, hooks use them too.
        key=turn_key(_CHANNEL, rollout.turn, "user" if role == "user" else "agent", text)
        if rollout.turn
        else f"codex:{rollout.session}:{number}",
        role=role,
        session=f"codex:{rollout.session}",
        channel=_CHANNEL,
        at=rollout.at,
    )


def _tool_output(given: Any) -> tuple[str, bool]:
    """Returns the output of a tool and whether it failed, from a text or a document with text and exit code."""
    found = given
    if isinstance(given, str) and given.startswith("{"):
        try:
            found = json.loads(given)
        except (ValueError, RecursionError):
            found = given
    if not isinstance(found, Mapping):
        return message_text(found), False
    code = as_mapping(found.get("metadata")).get("exit_code")
    failed = found.get("success") is False or (isinstance(code, int) and code != 0)
    return message_text(first_filled(found, "output", "content")), failed


FORMAT = ImportFormat("codex", "Codex's rollouts", lambda name: bool(_FILE_NAME.search(name)), each_file(_read))
