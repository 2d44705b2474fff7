"""Plain turns: lines or a list of {"text" or "content", "role", "session", "at", …}, or of {"messages": […]}.

The shape of OpenAI's chat messages is one of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from omoide.transfer.item import Format, Item, Said, Skipped, fingerprint
from omoide.transfer.source import Page
from omoide.transfer.stream import elements, lines
from omoide.transfer.transcript import short
from omoide.transfer.value import blocks, first, listed, moment, name, names, record, tool

_TEXT = ("text", "content", "message", "value")
_ROLE = ("role", "from", "sender", "author")
_SESSION = ("session", "session_id", "conversation_id", "thread_id", "conversation", "thread")
_AT = ("at", "timestamp", "created_at", "create_time", "time", "date")
_PROGRAM = {"developer": "system", "gpt": "agent", "model": "agent", "chatgpt": "agent"}


def _read(pages: Sequence[Page]) -> Iterator[Item]:
    for page in pages:
        for number, found, wrong in _records(page):
            where = f"{page.name}, {'line' if _is_lines(page) else 'element'} {number}"
            if wrong or not isinstance(found, Mapping):
                yield Skipped(reason=wrong or "no object", where=where)
            elif isinstance(found.get("messages"), list):
                yield from _conversation(found, page, number, where)
            else:
                yield from _turn(found, where, f"{page.name}:{number}", None)


def _is_lines(page: Page) -> bool:
    return page.name.endswith((".jsonl", ".ndjson"))


def _records(page: Page) -> Iterator[tuple[int, Any, str | None]]:
    if _is_lines(page):
        yield from lines(page)
    else:
        yield from ((number, found, None) for number, found in elements(page))


def _conversation(given: Mapping[str, Any], page: Page, number: int, where: str) -> Iterator[Item]:
    session = name(first(given, *_SESSION, "id")) or f"{page.stem} {number}"
    for nth, message in enumerate(given["messages"], 1):
        place = f"{where}, message {nth}"
        if isinstance(message, Mapping):
            yield from _turn(message, place, f"{page.name}:{number}:{nth}", session)
        else:
            yield Skipped(reason="no object", where=place)


def _turn(given: Mapping[str, Any], where: str, place: str, session: str | None) -> Iterator[Item]:
    text = next((found for found in (blocks(given.get(field)) for field in _TEXT) if found), "")
    said = first(given, *_ROLE)
    said = record(said).get("role") if isinstance(said, Mapping) else said
    role = _PROGRAM.get(said, said) if isinstance(said, str) else "user" if said is None else ""
    who = name(first(given, "speaker", "name", "user_name"))
    if role in ("tool", "function"):
        role, who = tool(first(given, "name", "tool")), None
    session = name(first(given, *_SESSION)) or session
    at = moment(first(given, *_AT))
    id = name(given.get("id"))
    # Without a time only the place in the file tells two equal turns apart.
    key = name(given.get("key")) or f"turns:{fingerprint(session, role, who, at or place, text, id)}"
    calls = [record(each) for each in listed(given.get("tool_calls"))]
    shared = {"where": where, "session": session, "channel": name(given.get("channel")), "at": at}
    if text:
        yield Said(
            text=text,
            key=key,
            role=role,
            speaker=who,
            type=name(given.get("type")) if given.get("type") != "message" else None,
            outcome=name(given.get("outcome")),
            tags=names(given.get("tags")),
            details=given.get("details"),
            **shared,  # type: ignore[arg-type]
        )
    elif not calls:
        yield Skipped(reason="no words in it", where=where)
    for number, call in enumerate(calls):
        used = record(call.get("function")) or call
        words = f"{name(used.get('name')) or 'tool'} {short(used.get('arguments'))}".strip()
        yield Said(text=words, key=f"{key}:{number}", role="agent", type="action", **shared)  # type: ignore[arg-type]


FORMAT = Format(
    "turns",
    "plain turns and chat messages",
    lambda name: name.endswith((".jsonl", ".ndjson", ".json")),
    _read,
)
