"""Letta: agent files (.af, of 2025 and the first ones) and lists of archival passages.

Memory blocks and passages become notes, messages the turns of a session.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from omoide.transfer.item import Format, Held, Item, Said, Skipped, fingerprint
from omoide.transfer.source import Page
from omoide.transfer.stream import elements
from omoide.transfer.transcript import short
from omoide.transfer.value import blocks, first, listed, moment, name, names, record, tool, words

_CHANNEL = "letta"


def _read(pages: Sequence[Page]) -> Iterator[Item]:
    for page in pages:
        for number, found in elements(page):
            if isinstance(found, Mapping) and ("agents" in found or "messages" in found or "core_memory" in found):
                yield from _file(found, page)
            else:
                yield _passage(found, f"{page.name}, passage {number}")


def _file(given: Mapping[str, Any], page: Page) -> Iterator[Item]:
    agents = [record(each) for each in listed(given.get("agents"))] or [given]
    for number, block in enumerate([*listed(given.get("blocks")), *listed(given.get("core_memory"))], 1):
        yield _block(record(block), f"{page.name}, block {number}")
    for number, agent in enumerate(agents, 1):
        yield from _agent(agent, f"{page.name}, agent {number}", page.stem)
    for field in ("passages", "archival_memory", "archival_passages"):
        for number, each in enumerate(listed(given.get(field)), 1):
            yield _passage(each, f"{page.name}, passage {number}")


def _block(block: Mapping[str, Any], where: str) -> Item:
    text, label = words(block.get("value")), name(block.get("label"))
    if not text:
        return Skipped(reason="an empty block", where=where)
    return Held(
        text=text,
        where=where,
        key=f"letta:block:{fingerprint(block.get('id'), label, text)}",
        title=label,
        category="memory block",
        tags=(label,) if label else (),
        at=moment(first(block, "updated_at", "created_at")),
    )


def _passage(given: Any, where: str) -> Item:
    text = words(first(record(given), "text", "content"))
    if not text:
        return Skipped(reason="no passage", where=where)
    return Held(
        text=text,
        where=where,
        key=f"letta:{name(given.get('id')) or fingerprint(text)}",
        category="archival passage",
        tags=names(given.get("tags")),
        at=moment(first(given, "created_at", "timestamp")),
    )


def _agent(agent: Mapping[str, Any], where: str, file: str) -> Iterator[Item]:
    """Ids in a file are counted anew with every export (`message-0`): the words and the time tell more."""
    session = f"letta:{name(agent.get('name')) or name(agent.get('id')) or file}"
    for number, message in enumerate(listed(agent.get("messages")), 1):
        place = f"{where}, message {number}"
        at = moment(record(message).get("created_at"))
        for turn in _turns(record(message), place):
            if isinstance(turn, Skipped):
                yield turn
                continue
            role, text, type = turn
            key = f"letta:{fingerprint(session, role, text, at or number)}"
            yield Said(text=text, where=place, key=key, role=role, type=type, session=session, channel=_CHANNEL, at=at)


def _turns(message: Mapping[str, Any], where: str) -> Iterator[tuple[str, str, str | None] | Skipped]:
    text = blocks(message.get("content")) or words(message.get("text"))
    match message.get("role"):
        case "user":
            spoken = _spoken(text)
            yield ("user", spoken, None) if spoken else Skipped(reason="words of the program", where=where)
        case "assistant":
            yield from _assistant(message, text, where)
        case "tool":
            if text and not _is_nod(text):
                yield tool(message.get("name")), short(text, 4000), None
            else:
                yield Skipped(reason="a tool that was done" if text else "no words in it", where=where)
        case _:
            yield Skipped(reason="words of the program", where=where)


def _assistant(message: Mapping[str, Any], text: str, where: str) -> Iterator[tuple[str, str, str | None] | Skipped]:
    """An agent speaks by the tool send_message; beside that, its text is what it thought."""
    calls = [record(record(call).get("function")) for call in listed(message.get("tool_calls"))]
    speaks = any(call.get("name") == "send_message" for call in calls)
    if text:
        yield Skipped(reason="what a model thought", where=where) if speaks else ("agent", text, None)
    elif not calls:
        yield Skipped(reason="no words in it", where=where)
    for call in calls:
        given = _document(call.get("arguments"))
        if call.get("name") == "send_message" and words(given.get("message")):
            yield "agent", words(given["message"]), None
        else:
            yield "agent", f"{name(call.get('name')) or 'tool'} {short(call.get('arguments'))}".strip(), "action"


def _spoken(text: str) -> str:
    """Letta wraps what a user says, and its own heartbeats, in JSON."""
    inside = _document(text)
    if not inside:
        return text
    if inside.get("type") not in (None, "user_message"):
        return ""
    return words(inside.get("message")) or text


def _is_nod(text: str) -> bool:
    """`{"status": "OK", "message": "None"}`: the tool has nothing to tell."""
    inside = _document(text)
    silent = inside.get("message") in (None, "", "None") and not set(inside) - {"status", "message", "time"}
    return inside.get("status") == "OK" and silent


def _document(text: Any) -> Mapping[str, Any]:
    if isinstance(text, Mapping):
        return text
    if not isinstance(text, str) or not text.startswith("{"):
        return {}
    try:
        return record(json.loads(text))
    except (ValueError, RecursionError):
        return {}


FORMAT = Format("letta", "Letta's agent files and passages", lambda name: name.endswith((".af", ".json")), _read)
