"""Imports ChatGPT's data export: conversations.json, a list of message trees. The current branch is imported.

Tested with exports of 2023 to 2025, also those split into conversations-000.json and so on.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
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
    one_line_name,
    record_words,
    tool_role,
)
from omoide.transfer.import_source import SourceFile, json_elements

_CHANNEL = "chatgpt"
_FILE_NAME = re.compile(r"(^|/)conversations(-\d+)?\.json$")
_SKIPPED_CONTENT = {
    "thoughts": "model reasoning",
    "reasoning_recap": "model reasoning",
    "model_editable_context": "the program's copy of its own memory",
}
_CITATION = re.compile(
    " ?\ue200[^\ue201]*\ue201| ?【[^【】]*†[^【】]*】"
)  # marks that point to sources the export lacks


def _read(source_file: SourceFile) -> Iterator[ImportedRecord]:
    for number, found in json_elements(source_file):
        where = f"{source_file.name}, conversation {number}"
        if not isinstance(found, Mapping) or not isinstance(found.get("mapping"), Mapping):
            yield SkippedRecord(reason="not a ChatGPT conversation", where=where, words=record_words(found))
            continue
        yield from chatgpt_conversation(found, where)


def chatgpt_conversation(given: Mapping[str, Any], where: str) -> Iterator[ImportedRecord]:
    """Yields the turns of the current branch, in order."""
    tree = given["mapping"]
    branch = _current_branch(tree, given.get("current_node"))
    id = one_line_name(first_filled(given, "conversation_id", "id")) or one_line_name(given.get("title")) or where
    title = one_line_name(given.get("title"))
    last = iso_time(given.get("create_time"))
    for node in branch:
        message = as_mapping(as_mapping(tree[node]).get("message"))
        if not message:
            continue
        found = _message_turn(message, f"{where}, message {node}"[:300])
        if isinstance(found, ImportedTurn):
            last = iso_time(message.get("create_time")) or last
            key = f"chatgpt:{one_line_name(message.get('id')) or node}"[:400]
            tags = (title,) if title else ()
            yield replace(found, key=key, session=f"chatgpt:{id}", channel=_CHANNEL, at=last, tags=tags)
            title = None  # only the first turn carries the title as a tag
        else:
            yield found
    imported = set(branch)
    aside = sum(bool(as_mapping(each).get("message")) for key, each in tree.items() if key not in imported)
    if aside:
        yield SkippedRecord(reason="in an abandoned branch", where=where, count=aside)


def _current_branch(tree: Mapping[str, Any], current: Any) -> list[str]:
    """Returns the nodes from the root to the current node, or to the latest if none is marked."""
    if not isinstance(current, str) or current not in tree:
        current = max(tree, key=lambda key: _created_at(tree[key]), default=None)
    found: list[str] = []
    seen = set()
    while isinstance(current, str) and current in tree and current not in seen:
        seen.add(current)
        found.append(current)
        current = as_mapping(tree[current]).get("parent")
    return found[::-1]


def _created_at(node: Any) -> float:
    at = as_mapping(as_mapping(node).get("message")).get("create_time")
    return at if isinstance(at, int | float) else 0


def _message_turn(message: Mapping[str, Any], where: str) -> ImportedTurn | ImportedStatement | SkippedRecord:
    author, content = as_mapping(message.get("author")), as_mapping(message.get("content"))
    role, type = author.get("role"), content.get("content_type")
    if type == "user_editable_context":
        return _custom_instructions(content, where)
    if as_mapping(message.get("metadata")).get("is_visually_hidden_from_conversation") or role == "system":
        return SkippedRecord(reason="hidden message", where=where)
    if isinstance(type, str) and type in _SKIPPED_CONTENT:
        return SkippedRecord(reason=_SKIPPED_CONTENT[type], where=where)
    text = _content_text(content)
    if not text:
        return SkippedRecord(reason="no text", where=where)
    if role == "tool":
        return ImportedTurn(text=text, where=where, key="", role=tool_role(author.get("name")))
    is_action = role == "assistant" and message.get("recipient") not in (None, "", "all")
    return ImportedTurn(
        text=text, where=where, key="", role=role if isinstance(role, str) else "", type="action" if is_action else None
    )


def _content_text(content: Mapping[str, Any]) -> str:
    parts = [clean_text(part) or clean_text(as_mapping(part).get("text")) for part in as_list(content.get("parts"))]
    text = "\n".join(part for part in parts if part) or clean_text(first_filled(content, "text", "result"))
    return _CITATION.sub("", text).strip()


def _custom_instructions(content: Mapping[str, Any], where: str) -> ImportedStatement | SkippedRecord:
    """What the user wrote about themselves; it is the same in many conversations and kept once."""
    text = "\n".join(filter(None, (clean_text(content.get(each)) for each in ("user_profile", "user_instructions"))))
    if not text:
        return SkippedRecord(reason="no text", where=where)
    key = f"chatgpt:instructions:{fingerprint(text)}"
    return ImportedStatement(text=text, where=where, key=key, title="Custom instructions", category="chatgpt")


FORMAT = ImportFormat("chatgpt", "ChatGPT's data export", lambda name: bool(_FILE_NAME.search(name)), each_file(_read))
