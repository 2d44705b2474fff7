"""Claude Code's transcripts (~/.claude/projects/*/*.jsonl): what was asked, answered and done. Seen: 2.0 and 2.1.

Keys, sessions and words are those of the hooks: what they recorded while it happened is not taken in twice.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from omoide.transfer.item import Format, Item, Said, Skipped
from omoide.transfer.source import Page
from omoide.transfer.stream import lines
from omoide.transfer.transcript import CHANNEL, answer_key, session_of, short, spoken
from omoide.transfer.value import listed, moment, name, record, tool, words

_OUTPUT = 4_000  # characters of what a tool gave back
_ASIDE = re.compile(r"<system-reminder>.*?</system-reminder>", re.DOTALL)
_TERMINAL = ("<command-name>", "<command-message>", "<local-command", "<bash-", "Caveat: The messages below")


@dataclass(slots=True)
class _Used:
    """A tool that was called and has not answered yet."""

    said: Said
    name: str


def _read(pages: Sequence[Page]) -> Iterator[Item]:
    for page in pages:
        yield from _page(page)


def _page(page: Page) -> Iterator[Item]:
    waiting: dict[str, _Used] = {}
    for number, entry, wrong in lines(page):
        where = f"{page.name}, line {number}"
        if wrong or not isinstance(entry, Mapping):
            yield Skipped(reason=wrong or "a line is no object", where=where)
        elif entry.get("type") not in ("user", "assistant") or not isinstance(entry.get("message"), Mapping):
            yield Skipped(reason="bookkeeping of the program", where=where)
        elif entry.get("isSidechain"):
            yield Skipped(reason="talk of a subagent", where=where)
        elif entry.get("isMeta") or entry.get("isCompactSummary"):
            yield Skipped(reason="words of the program", where=where)
        else:
            yield from _entry(entry, where, waiting)
    for used in waiting.values():  # it never answered
        yield used.said


def _entry(entry: Mapping[str, Any], where: str, waiting: dict[str, _Used]) -> Iterator[Item]:
    content, by = entry["message"].get("content"), entry["type"]
    key = answer_key(name(entry.get("uuid")) or where)
    text = words(_ASIDE.sub("", spoken(content)))
    if by == "user" and text.startswith(_TERMINAL):
        yield Skipped(reason="a command of the terminal", where=where)
    elif text:
        yield _said(entry, where, key, text, "agent" if by == "assistant" else "user")
    for number, block in enumerate(listed(content)):
        block = record(block)
        if block.get("type") == "tool_use":
            used = name(block.get("name")) or "tool"
            id = name(block.get("id")) or f"{key}:{number}"
            words_ = f"{used} {short(block.get('input'))}".strip()
            said = _said(entry, where, f"claude:{id}", words_, tool(used), type="action")
            waiting[id] = _Used(said, used)
        elif block.get("type") == "tool_result":
            yield from _result(block, where, waiting)


def _result(block: Mapping[str, Any], where: str, waiting: dict[str, _Used]) -> Iterator[Item]:
    used = waiting.pop(name(block.get("tool_use_id")) or "", None)
    if used is None:
        yield Skipped(reason="the result of a tool that was not called here", where=where)
        return
    output = short(spoken(block.get("content")), _OUTPUT)
    yield Said(
        text=used.said.text,
        where=used.said.where,
        key=used.said.key,
        role=used.said.role,
        session=used.said.session,
        channel=CHANNEL,
        at=used.said.at,
        type="action",
        outcome="failure" if block.get("is_error") else "success",
        details={"output": output},
    )


def _said(entry: Mapping[str, Any], where: str, key: str, text: str, role: str, type: str | None = None) -> Said:
    return Said(
        text=text,
        where=where,
        key=key,
        role=role,
        session=session_of(entry.get("sessionId")),
        channel=CHANNEL,
        at=moment(entry.get("timestamp")),
        type=type,
    )


FORMAT = Format(
    "claude-code",
    "Claude Code's transcripts",
    lambda name: name.endswith(".jsonl") and not name.endswith("history.jsonl"),
    _read,
)
