"""Imports the file of the MCP reference memory server: lines of entities and relations."""

from __future__ import annotations

import hashlib
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from omoide.domain.entity import EntityGraph
from omoide.errors import InvalidInput
from omoide.memory import Memory
from omoide.transfer import import_source
from omoide.transfer.formats import mcp_memory
from omoide.transfer.import_records import ImportedEntity, ImportedRelation, ImportedStatement, SkippedRecord


@dataclass(frozen=True, slots=True)
class ImportedReference:
    """What was new, and how many lines were left out, by reason."""

    graph: EntityGraph
    left_out: dict[str, int]


def import_reference_file(memory: Memory, path: Path) -> ImportedReference:
    """Imports the file of a reference memory server in one transaction.

    A file that was imported and has not changed since is skipped, so that what was deleted here does not come back.
    Lines that the reference server would skip are left out and counted: a server starts whatever is in the file.
    """
    try:
        content = hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError as error:
        raise InvalidInput(f"{path} cannot be read: {error.strerror or error}") from error
    entities: dict[str, dict[str, Any]] = {}
    relations: list[tuple[str, str, str]] = []
    left_out: Counter[str] = Counter()
    for item in mcp_memory.FORMAT.read(import_source.open_source(path).files):
        match item:
            case ImportedEntity():
                kind = item.attributes[mcp_memory.ORIGINAL_TYPE]
                entities.setdefault(item.name, {"name": item.name, "type": kind, "observations": []})
            case ImportedStatement(subject=str(subject)):
                entities[subject]["observations"].append(item.text)
            case ImportedRelation():
                relations.append((item.source, item.type, item.target))
            case SkippedRecord():
                left_out[item.reason] += item.count
    made = memory.graph.add(
        entities.values(),
        relations,
        origin="agent",
        key=f"file {content}",
        on_skip=lambda why: left_out.update([why.split(";")[0]]),
    )
    return ImportedReference(made, dict(left_out))
