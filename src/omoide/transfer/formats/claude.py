"""What Claude's data export holds beside conversations: what it remembers of its user, and projects. Seen: 2025.

memories.json is a list of `{"conversations_memory": Markdown, "project_memories": {project: Markdown}}`, projects.json
one of projects with their `docs`; later exports hold a file for each project or account in a folder of that name.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from omoide.transfer.foreign_fields import (
    as_list,
    as_mapping,
    clean_text,
    first_filled,
    iso_time,
    message_text,
    one_line_name,
    shorten_value,
    tool_role,
)
from omoide.transfer.formats.markdown import markdown_blocks
from omoide.transfer.import_records import (
    ImportedEntity,
    ImportedRecord,
    ImportedStatement,
    ImportedTurn,
    ImportFormat,
    SkippedRecord,
    fingerprint,
)
from omoide.transfer.import_source import SourceFile, json_elements

_BOLD = re.compile(r"^\*\*([^*\n]+)\*\*:?[ \t]*$", re.MULTILINE)  # how a memory writes its headings


def is_memory(found: Mapping[str, Any]) -> bool:
    return "conversations_memory" in found or "project_memories" in found


def is_project(found: Mapping[str, Any]) -> bool:
    return "docs" in found or "prompt_template" in found


def memory_records(given: Mapping[str, Any], where: str, projects: Mapping[str, str]) -> Iterator[ImportedRecord]:
    """Each paragraph and list item a note, so that an export of next month adds what is new in it."""
    told: list[tuple[Any, str | None]] = [(given.get("conversations_memory"), None)]
    told += [
        (text, projects.get(id) or one_line_name(id)) for id, text in as_mapping(given.get("project_memories")).items()
    ]
    for said, project in told:
        text = clean_text(said)
        if not text:
            yield SkippedRecord(reason="an empty memory", where=where)
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
    """The project as a thing, its instructions and documents as notes."""
    title = one_line_name(given.get("name")) or one_line_name(given.get("uuid"))
    if title is None:
        yield SkippedRecord(reason="a project without a name", where=where)
        return
    at = iso_time(first_filled(given, "updated_at", "created_at"))
    yield ImportedEntity(
        name=title, where=where, type="project", description=clean_text(given.get("description")) or None
    )
    if told := clean_text(given.get("prompt_template")):
        yield _project_note(told, f"Instructions of {title}", title, where, "instructions", at)
    for number, each in enumerate(map(as_mapping, as_list(given.get("docs"))), 1):
        place, text = f"{where}, document {number}", clean_text(each.get("content"))
        if not text:
            yield SkippedRecord(reason="no words in it", where=place)
            continue
        file = one_line_name(first_filled(each, "filename", "file_name", "name")) or f"document {number}"
        yield _project_note(text, file, title, place, "document", iso_time(each.get("created_at")) or at)


def attachment_records(given: Mapping[str, Any], where: str, session: str, at: str | None) -> Iterator[ImportedRecord]:
    """What a message brought along, as far as Claude read it."""
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


# Claude's data export: conversations.json, a list of conversations with their chat_messages, and what lies beside it
# (`claudenotes`). Seen: 2024 and 2025.


_CHANNEL = "claude"
_FILE_NAME = re.compile(r"(^|/)((conversations|memories|projects|users)\.json|(memories|projects)/[^/]+\.json)$")


def _read(pages: Sequence[SourceFile]) -> Iterator[ImportedRecord]:
    projects: dict[str, str] = {}  # by id: memories come after them and speak of them
    for page in sorted(pages, key=lambda page: "memories" in page.name):
        for number, found in json_elements(page):
            where = f"{page.name}, conversation {number}"
            if not isinstance(found, Mapping):
                yield SkippedRecord(reason="no conversation of Claude", where=where)
            elif isinstance(found.get("chat_messages"), list):
                yield from claude_conversation(found, where)
            elif is_project(found):
                projects[one_line_name(found.get("uuid")) or ""] = one_line_name(found.get("name")) or ""
                yield from project_records(found, f"{page.name}, project {number}")
            elif is_memory(found):
                yield from memory_records(found, f"{page.name}, memory {number}", projects)
            elif "email_address" in found:
                yield SkippedRecord(reason="who has the account", where=page.name)
            else:
                yield SkippedRecord(reason="no conversation of Claude", where=where)


def claude_conversation(given: Mapping[str, Any], where: str) -> Iterator[ImportedRecord]:
    """Its messages in their order; what tools did stands as actions between them."""
    id = one_line_name(given.get("uuid")) or one_line_name(given.get("name")) or where
    session = f"claude:{id}"
    title, last = one_line_name(given.get("name")), iso_time(given.get("created_at"))
    for number, message in enumerate(given["chat_messages"], 1):
        place = f"{where}, message {number}"
        if not isinstance(message, Mapping):
            yield SkippedRecord(reason="no message", where=place)
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
            yield SkippedRecord(reason="no words in it", where=place)


def _message_turns(message: Mapping[str, Any], where: str, key: str) -> Iterator[ImportedTurn]:
    """In the order of the content: words before a tool was used, its use, its result, words after it."""
    role = str(message.get("sender") or "")
    named = [*as_list(message.get("attachments")), *as_list(message.get("files"))]
    files = [
        each for each in (one_line_name(first_filled(as_mapping(file), "file_name", "name")) for file in named) if each
    ]
    details = {"attachments": files} if files else None
    held = message.get("content")
    content = [held] if isinstance(held, str) else as_list(held)
    texts = (
        [] if message_text(held) else [clean_text(message.get("text"))]
    )  # the words of older exports stand beside it
    spoken = 0
    for number, block in enumerate([*content, None]):
        used = _tool_turn(as_mapping(block), where, f"{key}:{number}")
        if used is None and block is not None:
            texts.append(message_text([block]))
            continue
        if said := "\n".join(each for each in texts if each):
            mark, beside = (f"{key}:text:{spoken}", None) if spoken else (key, details)
            yield ImportedTurn(text=said, where=where, key=mark, role=role, details=beside)
            spoken += 1
        texts = []
        if used is not None:
            yield used


def _tool_turn(block: Mapping[str, Any], where: str, key: str) -> ImportedTurn | None:
    """The use of a tool, or what it gave back."""
    if block.get("type") == "tool_use":
        text = f"{one_line_name(block.get('name')) or 'tool'} {shorten_value(block.get('input'))}".strip()
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
