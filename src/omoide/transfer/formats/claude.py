"""Imports Claude's data export: conversations, memories and projects. Tested with exports of 2024 and 2025.

conversations.json is a list of conversations with their `chat_messages`; memories.json a list of
`{"conversations_memory": Markdown, "project_memories": {project: Markdown}}`; projects.json a list of projects with
their `docs`. Later exports have folders with one file per project or account.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from omoide.transfer.formats.markdown import markdown_blocks
from omoide.transfer.import_records import (
    ImportedEntity,
    ImportedRecord,
    ImportedStatement,
    ImportedTurn,
    ImportFormat,
    SkippedRecord,
    as_list,
    as_mapping,
    clean_text,
    fingerprint,
    first_filled,
    iso_time,
    message_text,
    one_line_name,
    record_words,
    shorten_value,
    tool_call_text,
    tool_role,
)
from omoide.transfer.import_source import SourceFile, json_elements

_BOLD = re.compile(r"^\*\*([^*\n]+)\*\*:?[ \t]*$", re.MULTILINE)  # how memories mark headings


def is_memory(found: Mapping[str, Any]) -> bool:
    return "conversations_memory" in found or "project_memories" in found


def is_project(found: Mapping[str, Any]) -> bool:
    return "docs" in found or "prompt_template" in found


def memory_records(given: Mapping[str, Any], where: str, projects: Mapping[str, str]) -> Iterator[ImportedRecord]:
    """Yields each paragraph and list item as a note, so that a later export adds only what is new."""
    texts: list[tuple[Any, str | None]] = [(given.get("conversations_memory"), None)]
    texts += [
        (text, projects.get(id) or one_line_name(id)) for id, text in as_mapping(given.get("project_memories")).items()
    ]
    for given_text, project in texts:
        text = clean_text(given_text)
        if not text:
            yield SkippedRecord(reason="empty memory", where=where)
        for block in markdown_blocks(_BOLD.sub(r"## \1", text)):
            heading = one_line_name(block.headings[-1]) if block.headings else None
            yield ImportedStatement(
                text=clean_text(block.text),
                where=where,
                key=f"claude-memory:{fingerprint(project, block.headings, block.text)}",
                category=heading or "memory",
                tags=tuple(each for each in (project, heading) if each),
                about=(project,) if project else (),
                at=iso_time(first_filled(given, "updated_at", "created_at")),
            )


def project_records(given: Mapping[str, Any], where: str) -> Iterator[ImportedRecord]:
    """Yields the project as an entity, its instructions and documents as notes."""
    title = one_line_name(given.get("name")) or one_line_name(given.get("uuid"))
    if title is None:
        yield SkippedRecord(reason="project without a name", where=where, words=record_words(given))
        return
    at = iso_time(first_filled(given, "updated_at", "created_at"))
    yield ImportedEntity(
        name=title, where=where, type="project", description=clean_text(given.get("description")) or None
    )
    if instructions := clean_text(given.get("prompt_template")):
        yield _project_note(instructions, f"Instructions of {title}", title, where, "instructions", at)
    for number, each in enumerate(map(as_mapping, as_list(given.get("docs"))), 1):
        place, text = f"{where}, document {number}", clean_text(each.get("content"))
        if not text:
            yield SkippedRecord(reason="no text", where=place)
            continue
        file = one_line_name(first_filled(each, "filename", "file_name", "name")) or f"document {number}"
        yield _project_note(text, file, title, place, "document", iso_time(each.get("created_at")) or at)


def attachment_records(given: Mapping[str, Any], where: str, session: str, at: str | None) -> Iterator[ImportedRecord]:
    """Yields the text that Claude extracted from the attachments of a message."""
    for each in map(as_mapping, as_list(given.get("attachments"))):
        file = one_line_name(first_filled(each, "file_name", "name"))
        if text := clean_text(each.get("extracted_content")):
            yield ImportedStatement(
                text=text,
                where=where,
                key=f"claude-attachment:{fingerprint(file, text)}",
                title=file,
                category="attachment",
                at=at,
                details={"session": session},
            )


def _project_note(text: str, title: str, project: str, where: str, category: str, at: str | None) -> ImportedStatement:
    key = f"claude-project:{fingerprint(project, title, text)}"
    return ImportedStatement(
        text=text, where=where, key=key, title=title, category=category, tags=(project,), about=(project,), at=at
    )


_CHANNEL = "claude"
_FILE_NAME = re.compile(r"(^|/)((conversations|memories|projects|users)\.json|(memories|projects)/[^/]+\.json)$")


def _read(source_files: Sequence[SourceFile]) -> Iterator[ImportedRecord]:
    projects: dict[str, str] = {}  # name by id; memories refer to projects and are read after them
    for source_file in sorted(source_files, key=lambda each: "memories" in each.name):
        for number, found in json_elements(source_file):
            where = f"{source_file.name}, conversation {number}"
            if not isinstance(found, Mapping):
                yield SkippedRecord(reason="not a Claude conversation", where=where, words=record_words(found))
            elif isinstance(found.get("chat_messages"), list):
                yield from claude_conversation(found, where)
            elif is_project(found):
                projects[one_line_name(found.get("uuid")) or ""] = one_line_name(found.get("name")) or ""
                yield from project_records(found, f"{source_file.name}, project {number}")
            elif is_memory(found):
                yield from memory_records(found, f"{source_file.name}, memory {number}", projects)
            elif "email_address" in found:
                yield SkippedRecord(reason="account data", where=source_file.name)
            else:
                yield SkippedRecord(reason="not a Claude conversation", where=where, words=record_words(found))


def claude_conversation(given: Mapping[str, Any], where: str) -> Iterator[ImportedRecord]:
    """Yields the messages in order, with tool calls as actions between them."""
    id = one_line_name(given.get("uuid")) or one_line_name(given.get("name")) or where
    session = f"claude:{id}"
    title, last = one_line_name(given.get("name")), iso_time(given.get("created_at"))
    for number, message in enumerate(given["chat_messages"], 1):
        place = f"{where}, message {number}"
        if not isinstance(message, Mapping):
            yield SkippedRecord(reason="not a message", where=place, words=record_words(message))
            continue
        last = iso_time(message.get("created_at")) or last
        key = f"claude-export:{one_line_name(message.get('uuid')) or f'{id}:{number}'}"
        said = 0
        for turn in _message_turns(message, place, key):
            said += 1
            yield replace(turn, session=session, channel=_CHANNEL, at=last, tags=(title,) if title else ())
            title = None
        for note in attachment_records(message, place, session, last):
            said += 1
            yield note
        if not said:
            yield SkippedRecord(reason="no text", where=place)


def _message_turns(message: Mapping[str, Any], where: str, key: str) -> Iterator[ImportedTurn]:
    """Yields text and tool calls in the order of the content blocks."""
    role = str(message.get("sender") or "")
    named = [*as_list(message.get("attachments")), *as_list(message.get("files"))]
    names = (one_line_name(first_filled(as_mapping(file), "file_name", "name")) for file in named)
    files = [name for name in names if name]
    details = {"attachments": files} if files else None
    given = message.get("content")
    content = [given] if isinstance(given, str) else as_list(given)
    # Older exports have the text beside the content.
    texts = [] if message_text(given) else [clean_text(message.get("text"))]
    text_count = 0
    for number, block in enumerate([*content, None]):
        used = _tool_turn(as_mapping(block), where, f"{key}:{number}")
        if used is None and block is not None:
            texts.append(message_text([block]))
            continue
        if text := "\n".join(each for each in texts if each):
            turn_key, turn_details = (f"{key}:text:{text_count}", None) if text_count else (key, details)
            yield ImportedTurn(text=text, where=where, key=turn_key, role=role, details=turn_details)
            text_count += 1
        texts = []
        if used is not None:
            yield used


def _tool_turn(block: Mapping[str, Any], where: str, key: str) -> ImportedTurn | None:
    """Returns a tool call or its result as a turn, or None for other blocks."""
    if block.get("type") == "tool_use":
        text = tool_call_text(block.get("name"), block.get("input"))
        return ImportedTurn(text=text, where=where, key=key, role="agent", type="action")
    if block.get("type") != "tool_result":
        return None
    content = block.get("content")
    result = message_text(content) or (json.dumps(content, ensure_ascii=True, default=str) if content else "")
    if not result:
        return None
    outcome = "failure" if block.get("is_error") else "success"
    return ImportedTurn(
        text=shorten_value(result, 4000), where=where, key=key, role=tool_role(block.get("name")), outcome=outcome
    )


FORMAT = ImportFormat("claude", "Claude's data export", lambda name: bool(_FILE_NAME.search(name)), _read)
