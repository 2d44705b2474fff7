"""What an agent's own transcript holds: the words that a hook could not store are taken from it."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

from omoide.transfer.import_records import ImportedTurn, ImportFormat
from omoide.transfer.import_source import SourceFile

_END = 1_000_000  # bytes of a transcript that hold one turn
_FIELDS = ("text", "role", "channel", "at", "type", "outcome", "details", "key")


def untold_turns(agent: str, session: str, path: str) -> list[dict[str, Any]]:
    """The latest turns of a transcript, as `observe_many` takes them. Their keys are those of the hooks, so that
    storing them again stores nothing."""
    format = _format(agent)
    if format is None or not path:
        return []
    try:
        with open(path, "rb") as file:
            size = file.seek(0, 2)
            file.seek(max(0, size - _END))
            lines = file.read()
    except (OSError, ValueError):  # the second: no path of a file
        return []
    if size > _END:
        lines = lines.partition(b"\n")[2]  # the first line is cut off
    name = Path(path).name
    source = SourceFile(name, len(lines), None, lambda: io.BytesIO(lines), lambda read: None)
    found = (each for each in format.read([source]) if isinstance(each, ImportedTurn))
    return [
        {name: getattr(each, name) for name in _FIELDS if getattr(each, name) is not None} | {"session": session}
        for each in found
    ]


def _format(agent: str) -> ImportFormat | None:
    if agent == "claude-code":
        from omoide.transfer.formats import claude_code

        return claude_code.FORMAT
    if agent == "codex":
        from omoide.transfer.formats import codex

        return codex.FORMAT
    return None
