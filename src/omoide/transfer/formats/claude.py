"""Claude's data export: conversations.json, a list of conversations with their chat_messages. Seen: 2024 and 2025."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from omoide.transfer.item import Format, Item, Said, Skipped
from omoide.transfer.source import Page
from omoide.transfer.stream import elements
from omoide.transfer.transcript import short
from omoide.transfer.value import blocks, first, listed, moment, name, record, tool, words

_CHANNEL = "claude"


def _read(pages: Sequence[Page]) -> Iterator[Item]:
    for page in pages:
        for number, found in elements(page):
            where = f"{page.name}, conversation {number}"
            if not isinstance(found, Mapping) or not isinstance(found.get("chat_messages"), list):
                yield Skipped(reason="no conversation of Claude", where=where)
                continue
            yield from conversation(found, where)


def conversation(given: Mapping[str, Any], where: str) -> Iterator[Item]:
    """Its messages in their order; what tools did stands as actions between them."""
    id = name(given.get("uuid")) or name(given.get("name")) or where
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
            yield Said(
                text=turn.text,
                where=place,
                key=turn.key,
                role=turn.role,
                type=turn.type,
                outcome=turn.outcome,
                details=turn.details,
                session=f"claude:{id}",
                channel=_CHANNEL,
                at=last,
                tags=(title,) if title else (),
            )
            title = None
        if not said:
            yield Skipped(reason="no words in it", where=place)


def _turns(message: Mapping[str, Any], where: str, key: str) -> Iterator[Said]:
    sender = message.get("sender")
    text = blocks(message.get("content")) or words(message.get("text"))
    files = [name(first(record(each), "file_name", "name")) for each in listed(message.get("attachments"))]
    details = {"attachments": [each for each in files if each]} if any(files) else None
    if text:
        yield Said(text=text, where=where, key=key, role=str(sender or ""), details=details)
    for number, block in enumerate(listed(message.get("content"))):
        block = record(block)
        if block.get("type") == "tool_use":
            yield Said(
                text=f"{name(block.get('name')) or 'tool'} {short(block.get('input'))}".strip(),
                where=where,
                key=f"{key}:{number}",
                role="agent",
                type="action",
            )
        elif block.get("type") == "tool_result":
            result = blocks(block.get("content")) or (
                json.dumps(block.get("content"), ensure_ascii=True, default=str) if block.get("content") else ""
            )
            if result:
                yield Said(
                    text=short(result, 4000),
                    where=where,
                    key=f"{key}:{number}",
                    role=tool(block.get("name")),
                    outcome="failure" if block.get("is_error") else "success",
                )


FORMAT = Format("claude", "Claude's data export", lambda name: name.endswith("conversations.json"), _read)
