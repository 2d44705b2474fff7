"""Imports memory.json or memory.jsonl of the MCP reference memory server: entities with observations, and relations.

Tested with the lines it writes since 2024 and the document that read_graph returns. Names and observations stay
verbatim, so that the graph looks the same in Omoide.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from omoide.domain.entity import ENTITY_TYPES
from omoide.transfer.import_records import (
    ImportedEntity,
    ImportedRecord,
    ImportedRelation,
    ImportedStatement,
    ImportFormat,
    SkippedRecord,
    as_list,
    as_mapping,
    clean_text,
    each_file,
    fingerprint,
    first_filled,
    iso_time,
    one_line_name,
    record_words,
)
from omoide.transfer.import_source import SourceFile, json_document, json_lines

ORIGINAL_TYPE = "entity_type"  # attribute that keeps the entity type as it was written
_MAX_NAME_CHARACTERS = 200
_ENTITY_TYPES = {each: each for each in ENTITY_TYPES} | {
    "location": "place",
    "city": "place",
    "country": "place",
    "company": "organization",
    "organisation": "organization",
    "team": "organization",
    "human": "person",
    "user": "person",
    "technology": "tool",
    "library": "tool",
    "software": "tool",
}


def _read(source_file: SourceFile) -> Iterator[ImportedRecord]:
    for where, found in _records(source_file):
        match found:
            case SkippedRecord():
                yield found
            case {"type": "relation"}:
                yield _relation_record(found, where)
            case {"type": "entity"}:
                yield from _entity_records(found, where)
            case _:
                yield SkippedRecord(reason="neither an entity nor a relation", where=where, words=record_words(found))


def _records(source_file: SourceFile) -> Iterator[tuple[str, Any]]:
    """Yields location and record, entities before relations, as the server writes them."""
    if is_graph_document(source_file):
        graph = as_mapping(json_document(source_file))
        for kind, field in (("entity", "entities"), ("relation", "relations")):
            for number, each in enumerate(as_list(graph.get(field)), 1):
                yield f"{source_file.name}, {kind} {number}", {**as_mapping(each), "type": kind}
        return
    for number, found, wrong in json_lines(source_file):
        where = f"{source_file.name}, line {number}"
        yield where, SkippedRecord(reason=wrong, where=where, words=record_words(found)) if wrong else found


def is_graph_document(source_file: SourceFile) -> bool:
    """Whether the file is one document instead of JSON lines."""
    head = source_file.head().lstrip(b"\xef\xbb\xbf \t\r\n")
    return b'"entities"' in head and b'"type"' not in head.split(b'"entities"')[0]


def known_entity_type(given: Any) -> str:
    return _ENTITY_TYPES.get((one_line_name(given) or "").casefold(), "other")


def _entity_records(given: Mapping[str, Any], where: str) -> Iterator[ImportedRecord]:
    entity_name = _verbatim_name(given.get("name"))
    if not entity_name:
        yield SkippedRecord(reason="entity without a name", where=where, words=record_words(given))
        return
    kind = _verbatim_name(first_filled(given, "entityType", "entity_type")) or "other"
    yield ImportedEntity(name=entity_name, where=where, type=known_entity_type(kind), attributes={ORIGINAL_TYPE: kind})
    for each in as_list(given.get("observations")):
        observation = _verbatim(each) or _verbatim(first_filled(as_mapping(each), "content", "text"))
        if not observation:
            yield SkippedRecord(reason="empty observation", where=where, words=record_words(each))
            continue
        yield ImportedStatement(
            text=observation,
            where=where,
            key=f"mcp:{fingerprint(entity_name, observation)}",
            kind="fact",
            about=(entity_name,),
            subject=entity_name,
            at=iso_time(first_filled(as_mapping(each), "timestamp", "created_at")),
            details={"observation": fingerprint(observation)},  # keeps similar observations apart
        )


def _relation_record(given: Mapping[str, Any], where: str) -> ImportedRecord:
    source, type, target = (_verbatim_name(given.get(field)) for field in ("from", "relationType", "to"))
    if not source or not type or not target:
        return SkippedRecord(reason="relation without both ends", where=where, words=record_words(given))
    return ImportedRelation(source=source, type=type, target=target, where=where)


def _verbatim(value: Any) -> str:
    """Returns a text with its white space, as far as it can be stored."""
    return value if isinstance(value, str) and value.strip() == clean_text(value) != "" else clean_text(value)


def _verbatim_name(value: Any) -> str | None:
    found = _verbatim(value)
    return found if 0 < len(found) <= _MAX_NAME_CHARACTERS else one_line_name(value)


FORMAT = ImportFormat(
    "mcp",
    "the MCP reference memory server's file",
    lambda name: name.endswith(("memory.json", "memory.jsonl")),
    each_file(_read),
)
