"""Taking over the file of the reference memory server, once: lines of entities and relations."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from omoide.errors import InvalidInput
from omoide.layers.graph import Graph
from omoide.memory import Memory


def adopt(memory: Memory, path: Path) -> Graph:
    """All of the file or nothing; a file that was taken over and has not changed since is left alone, so that what was
    deleted here does not come back."""
    try:
        content = path.read_bytes()
        lines = content.decode("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInput(f"{path} cannot be read: {error}") from error
    things: list[dict[str, Any]] = []
    relations: list[tuple[str, str, str]] = []
    for number, line in enumerate(lines, start=1):
        if line.strip():
            _take(line, f"{path}, line {number}", things, relations)
    return memory.draw(things, relations, origin="agent", key=f"file {hashlib.sha256(content).hexdigest()}")


def _take(line: str, place: str, things: list[dict[str, Any]], relations: list[tuple[str, str, str]]) -> None:
    try:
        found = json.loads(line)
        if found["type"] == "entity":
            told = [text for text in found["observations"] if text.strip()]
            things.append({"name": found["name"], "type": found["entityType"], "observations": told})
        elif found["type"] == "relation" and found["from"] != found["to"]:  # what is related to itself says nothing
            relations.append((found["from"], found["relationType"], found["to"]))
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise InvalidInput(f"{place}: not a line of the reference memory server ({error!r})") from None
