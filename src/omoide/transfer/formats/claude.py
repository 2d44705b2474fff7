"""Claude's data export: conversations.json, a list of conversations with their chat_messages, and what lies beside it
(`claudenotes`). Seen: 2024 and 2025."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from omoide.transfer.formats import claudenotes
from omoide.transfer.item import Format, Item, Said, Skipped
from omoide.transfer.source import Page
from omoide.transfer.stream import elements
from omoide.transfer.transcript import short
from omoide.transfer.value import blocks, first, listed, moment, name, record, tool, words

_CHANNEL = "claude"
_NAMED = re.compile(r"(^|/)((conversations|memories|projects|users)\.json|(memories|projects)/[^/]+\.json)$")


def _read(pages: Sequence[Page]) -> Iterator[Item]:
    projects: dict[str, str] = {}  # by id: memories come after them and speak of them
    for page in sorted(pages, key=lambda page: "memories" in page.name):
        for number, found in elements(page):
            where = f"{page.name}, conversation {number}"
            if not isinstance(found, Mapping):
                yield Skipped(reason="no conversation of Claude", where=where)
            elif isinstance(found.get("chat_messages"), list):
                yield from conversation(found, where)
            elif claudenotes.is_project(found):
                projects[name(found.get("uuid")) or ""] = name(found.get("name")) or ""
                yield from claudenotes.project(found, f"{page.name}, project {number}")
            elif claudenotes.is_memory(found):
                yield from claudenotes.memory(found, f"{page.name}, memory {number}", projects)
            elif "email_address" in found:
                yield Skipped(reason="who has the account", where=page.name)
            else:
                yield Skipped(reason="no conversation of Claude", where=where)


def conversation(given: Mapping[str, Any], where: str) -> Iterator[Item]:
    """Its messages in their order; what tools did stands as actions between them."""
    id = name(given.get("uuid")) or name(given.get("name")) or where
    session = f"claude:{id}"
    title, last = name(given.get("name")), moment(given.get("created_at"))
    for number, message in enumerate(given["chat_messages"], 1):
        place = f"{where}, message {number}"
        if not isinstance(message, Mapping):
            yield Skipped(reason="no message", where=place)
            continue
        last = moment(message.get("created_at")) or last
        key = f"claude-export:{name(message.get('uuid')) or f'{id}:{number}'}"
        said = 0
        for turn in _turns(message, place, key):
            said += 1
            yield replace(turn, session=session, channel=_CHANNEL, at=last, tags=(title,) if title else ())
            title = None
        for note in claudenotes.attached(message, place, session, last):
            said += 1
            yield note
        if not said:
            yield Skipped(reason="no words in it", where=place)


def _turns(message: Mapping[str, Any], where: str, key: str) -> Iterator[Said]:
    """In the order of the content: words before a tool was used, its use, its result, words after it."""
    role = str(message.get("sender") or "")
    named = [*listed(message.get("attachments")), *listed(message.get("files"))]
    files = [each for each in (name(first(record(file), "file_name", "name")) for file in named) if each]
    details = {"attachments": files} if files else None
    held = message.get("content")
    content = [held] if isinstance(held, str) else listed(held)
    texts = [] if blocks(held) else [words(message.get("text"))]  # the words of older exports stand beside it
    spoken = 0
    for number, block in enumerate([*content, None]):
        used = _used(record(block), where, f"{key}:{number}")
        if used is None and block is not None:
            texts.append(blocks([block]))
            continue
        if said := "\n".join(each for each in texts if each):
            mark, beside = (f"{key}:text:{spoken}", None) if spoken else (key, details)
            yield Said(text=said, where=where, key=mark, role=role, details=beside)
            spoken += 1
        texts = []
        if used is not None:
            yield used


def _used(block: Mapping[str, Any], where: str, key: str) -> Said | None:
    """The use of a tool, or what it gave back."""
    if block.get("type") == "tool_use":
        text = f"{name(block.get('name')) or 'tool'} {short(block.get('input'))}".strip()
        return Said(text=text, where=where, key=key, role="agent", type="action")
    if block.get("type") != "tool_result":
        return None
    content = block.get("content")
    result = blocks(content) or (json.dumps(content, ensure_ascii=True, default=str) if content else "")
    if not result:
        return None
    outcome = "failure" if block.get("is_error") else "success"
    return Said(text=short(result, 4000), where=where, key=key, role=tool(block.get("name")), outcome=outcome)


FORMAT = Format("claude", "Claude's data export", lambda name: bool(_NAMED.search(name)), _read)
