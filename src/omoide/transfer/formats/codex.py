"""Codex's rollouts (~/.codex/sessions/**/rollout-*.jsonl): what was asked, answered and done.

Seen: lines with a payload (0.40 to 0.65), and the bare items of before.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from omoide.transfer.item import Format, Item, Said, Skipped
from omoide.transfer.source import Page
from omoide.transfer.stream import lines
from omoide.transfer.transcript import short
from omoide.transfer.value import blocks, first, moment, name, record, tool

_CHANNEL = "codex"
_OUTPUT = 4_000
_NAMED = re.compile(r"(^|/)rollout-[^/]*\.jsonl$")
_PUT_IN = ("<environment_context>", "<user_instructions>", "<permissions", "# AGENTS.md instructions", "<turn_aborted>")
_CALLS = ("function_call", "custom_tool_call", "local_shell_call")
_OUTPUTS = ("function_call_output", "custom_tool_call_output")


@dataclass(slots=True)
class _Rollout:
    """What is known while a file is read."""

    session: str
    at: str | None = None
    waiting: dict[str, Said] = field(default_factory=dict)


def _read(pages: Sequence[Page]) -> Iterator[Item]:
    for page in pages:
        yield from _page(page)


def _page(page: Page) -> Iterator[Item]:
    rollout = _Rollout(page.stem)
    for number, entry, wrong in lines(page):
        where = f"{page.name}, line {number}"
        if wrong or not isinstance(entry, Mapping):
            yield Skipped(reason=wrong or "a line is no object", where=where)
            continue
        rollout.at = moment(entry.get("timestamp")) or rollout.at
        payload = record(entry.get("payload"))
        if entry.get("type") == "session_meta":
            rollout.session = name(payload.get("id")) or rollout.session
        elif "type" not in entry and "record_type" not in entry and entry.get("id"):  # the first line of old ones
            rollout.session = name(entry["id"]) or rollout.session
        elif entry.get("type") == "response_item":
            yield from _item(payload, where, number, rollout)
        elif not payload and entry.get("type") in ("message", "reasoning", *_CALLS, *_OUTPUTS):
            yield from _item(entry, where, number, rollout)
        else:
            yield Skipped(reason="bookkeeping of the program", where=where)
    yield from rollout.waiting.values()


def _item(item: Mapping[str, Any], where: str, number: int, rollout: _Rollout) -> Iterator[Item]:
    type = item.get("type")
    if type == "message":
        yield _message(item, where, number, rollout)
    elif type in _CALLS:
        used = name(item.get("name")) or "shell"
        given = first(item, "arguments", "input", "action")
        said = _said(f"{used} {short(given)}".strip(), tool(used), where, number, rollout)
        rollout.waiting[name(first(item, "call_id", "id")) or where] = replace(said, type="action")
    elif type in _OUTPUTS:
        called = rollout.waiting.pop(name(item.get("call_id")) or "", None)
        if called is None:
            yield Skipped(reason="the result of a tool that was not called here", where=where)
            return
        words, failed = _output(item.get("output"))
        yield replace(called, outcome="failure" if failed else "success", details={"output": short(words, _OUTPUT)})
    else:
        yield Skipped(
            reason="what a model thought" if type == "reasoning" else "bookkeeping of the program", where=where
        )


def _message(item: Mapping[str, Any], where: str, number: int, rollout: _Rollout) -> Item:
    text = blocks(item.get("content"))
    role = item.get("role")
    if role in ("developer", "system") or (role == "user" and text.startswith(_PUT_IN)):
        return Skipped(reason="words of the program", where=where)
    if not text:
        return Skipped(reason="no words in it", where=where)
    return _said(text, str(role or ""), where, number, rollout)


def _said(text: str, role: str, where: str, number: int, rollout: _Rollout) -> Said:
    return Said(
        text=text,
        where=where,
        key=f"codex:{rollout.session}:{number}",  # a rollout only ever grows
        role=role,
        session=f"codex:{rollout.session}",
        channel=_CHANNEL,
        at=rollout.at,
    )


def _output(given: Any) -> tuple[str, bool]:
    """What a tool gave back, and whether it failed: a text, or a document with the text and an exit code in it."""
    found = given
    if isinstance(given, str) and given.startswith("{"):
        try:
            found = json.loads(given)
        except (ValueError, RecursionError):
            found = given
    if not isinstance(found, Mapping):
        return blocks(found), False
    code = record(found.get("metadata")).get("exit_code")
    failed = found.get("success") is False or (isinstance(code, int) and code != 0)
    return blocks(first(found, "output", "content")), failed


FORMAT = Format("codex", "Codex's rollouts", lambda name: bool(_NAMED.search(name)), _read)
