"""Reading the end of a Claude Code transcript: one JSON object a line, the agent's words in blocks."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass

from omoide.transfer.foreign_fields import text_blocks

_TAIL = 400_000  # bytes from the end: a turn's answers, not a day's


@dataclass(frozen=True, slots=True)
class Said:
    """Words of the agent, with the id and time the transcript gives them."""

    id: str
    text: str
    at: str | None


def answers(path: str) -> Iterator[Said]:
    """What the agent said lately, oldest first. A line that is cut off or unknown is passed over."""
    try:
        with open(path, "rb") as file:
            file.seek(0, 2)
            file.seek(max(0, file.tell() - _TAIL))
            lines = file.read().decode("utf-8", "replace").splitlines()
    except OSError:
        return
    for line in lines:
        try:
            entry = json.loads(line)
        except ValueError:
            continue
        if isinstance(entry, dict) and entry.get("type") == "assistant" and entry.get("uuid"):
            text = text_blocks((entry.get("message") or {}).get("content"))
            if text:
                yield Said(str(entry["uuid"]), text, entry.get("timestamp"))
