"""ChatGPT's data export: conversations.json, a list of trees of messages, of which the branch shown last is told.

Seen: exports of 2023 to 2025, also cut into conversations-000.json and so on.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from omoide.transfer.item import Format, Item, Said, Skipped
from omoide.transfer.source import Page
from omoide.transfer.stream import elements
from omoide.transfer.value import first, listed, moment, name, record, tool, words

_CHANNEL = "chatgpt"
_NAMED = re.compile(r"(^|/)conversations(-\d+)?\.json$")
_LEFT_OUT = {
    "thoughts": "what a model thought",
    "reasoning_recap": "what a model thought",
    "user_editable_context": "standing instructions",
    "model_editable_context": "standing instructions",
}


def _read(pages: Sequence[Page]) -> Iterator[Item]:
    for page in pages:
        for number, found in elements(page):
            where = f"{page.name}, conversation {number}"
            if not isinstance(found, Mapping) or not isinstance(found.get("mapping"), Mapping):
                yield Skipped(reason="no conversation of ChatGPT", where=where)
                continue
            yield from conversation(found, where)


def conversation(given: Mapping[str, Any], where: str) -> Iterator[Item]:
    """The turns of its current branch, in order."""
    tree = given["mapping"]
    branch = _branch(tree, given.get("current_node"))
    id = name(first(given, "conversation_id", "id")) or name(given.get("title")) or where
    title = name(given.get("title"))
    began = moment(given.get("create_time"))
    last = began
    for node in branch:
        message = record(record(tree[node]).get("message"))
        if not message:
            continue
        found = _turn(message, f"{where}, message {node}"[:300])
        if isinstance(found, Said):
            last = moment(message.get("create_time")) or last
            yield Said(
                text=found.text,
                where=found.where,
                key=f"chatgpt:{name(message.get('id')) or node}"[:400],
                role=found.role,
                type=found.type,
                session=f"chatgpt:{id}",
                channel=_CHANNEL,
                at=last,
                tags=(title,) if title else (),
            )
            title = None  # the first turn bears it: so it can be found, and is not repeated
        else:
            yield found
    told = set(branch)
    aside = sum(bool(record(each).get("message")) for key, each in tree.items() if key not in told)
    if aside:
        yield Skipped(reason="in another branch than the last", where=where, count=aside)


def _branch(tree: Mapping[str, Any], current: Any) -> list[str]:
    """From the root to the current node, or to the latest where none is named."""
    if not isinstance(current, str) or current not in tree:
        current = max(tree, key=lambda key: _created(tree[key]), default=None)
    found: list[str] = []
    seen = set()
    while isinstance(current, str) and current in tree and current not in seen:
        seen.add(current)
        found.append(current)
        current = record(tree[current]).get("parent")
    return found[::-1]


def _created(node: Any) -> float:
    at = record(record(node).get("message")).get("create_time")
    return at if isinstance(at, int | float) else 0


def _turn(message: Mapping[str, Any], where: str) -> Said | Skipped:
    author, content = record(message.get("author")), record(message.get("content"))
    role, type = author.get("role"), content.get("content_type")
    if record(message.get("metadata")).get("is_visually_hidden_from_conversation") or role == "system":
        return Skipped(reason="hidden in the conversation", where=where)
    if type in _LEFT_OUT:
        return Skipped(reason=_LEFT_OUT[type], where=where)
    text = _text(content)
    if not text:
        return Skipped(reason="no words in it", where=where)
    if role == "tool":
        return Said(text=text, where=where, key="", role=tool(author.get("name")))
    acts = role == "assistant" and message.get("recipient") not in (None, "", "all")
    return Said(
        text=text, where=where, key="", role=role if isinstance(role, str) else "", type="action" if acts else None
    )


def _text(content: Mapping[str, Any]) -> str:
    parts = [words(part) or words(record(part).get("text")) for part in listed(content.get("parts"))]
    return "\n".join(part for part in parts if part) or words(first(content, "text", "result"))


FORMAT = Format("chatgpt", "ChatGPT's data export", lambda name: bool(_NAMED.search(name)), _read)
