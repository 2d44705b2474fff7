"""The MCP reference memory server's memory.json or memory.jsonl: entities with observations, and relations.

Seen: the lines it writes since 2024, and the one document that read_graph gives. What it calls by a name or observes
stays word for word, so that the graph we show is the one it would.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from omoide.domain.entity import ENTITY_TYPES
from omoide.transfer.foreign_fields import as_list, as_mapping, clean_text, first_filled, iso_time, one_line_name
from omoide.transfer.import_records import (
    ImportedEntity,
    ImportedRecord,
    ImportedRelation,
    ImportedStatement,
    ImportFormat,
    SkippedRecord,
    fingerprint,
)
from omoide.transfer.import_source import SourceFile, json_document, json_lines

ORIGINAL_TYPE = "entity_type"  # where the graph keeps the word for what a thing is, as it was given
_MAX_NAME_CHARACTERS = 200  # characters of a name
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


def _read(pages: Sequence[SourceFile]) -> Iterator[ImportedRecord]:
    for page in pages:
        for where, found in _records(page):
            match found:
                case SkippedRecord():
                    yield found
                case {"type": "relation"}:
                    yield _relation_record(found, where)
                case {"type": "entity"}:
                    yield from _entity_records(found, where)
                case _:
                    yield SkippedRecord(reason="neither an entity nor a relation", where=where)


def _records(page: SourceFile) -> Iterator[tuple[str, Any]]:
    """Relations behind their entities, as the server writes them."""
    if is_graph_document(page):
        graph = as_mapping(json_document(page))
        for kind, field in (("entity", "entities"), ("relation", "relations")):
            for number, each in enumerate(as_list(graph.get(field)), 1):
                yield f"{page.name}, {kind} {number}", {**as_mapping(each), "type": kind}
        return
    for number, found, wrong in json_lines(page):
        where = f"{page.name}, line {number}"
        yield where, SkippedRecord(reason=wrong, where=where) if wrong else found


def is_graph_document(page: SourceFile) -> bool:
    """One document, not lines of them."""
    head = page.head().lstrip(b"\xef\xbb\xbf \t\r\n")
    return b'"entities"' in head and b'"type"' not in head.split(b'"entities"')[0]


def known_entity_type(given: Any) -> str:
    return _ENTITY_TYPES.get((one_line_name(given) or "").casefold(), "other")


def _entity_records(given: Mapping[str, Any], where: str) -> Iterator[ImportedRecord]:
    called = _verbatim_name(given.get("name"))
    if not called:
        yield SkippedRecord(reason="an entity without a name", where=where)
        return
    kind = _verbatim_name(first_filled(given, "entityType", "entity_type")) or "other"
    yield ImportedEntity(name=called, where=where, type=known_entity_type(kind), attributes={ORIGINAL_TYPE: kind})
    for each in as_list(given.get("observations")):
        told = _verbatim(each) or _verbatim(first_filled(as_mapping(each), "content", "text"))
        if not told:
            yield SkippedRecord(reason="an empty observation", where=where)
            continue
        yield ImportedStatement(
            text=told,
            where=where,
            key=f"mcp:{fingerprint(called, told)}",
            kind="fact",
            about=(called,),
            subject=called,
            at=iso_time(first_filled(as_mapping(each), "timestamp", "created_at")),
            details={"observation": fingerprint(told)},  # two that are alike stay two
        )


def _relation_record(given: Mapping[str, Any], where: str) -> ImportedRecord:
    source, type, target = (_verbatim_name(given.get(field)) for field in ("from", "relationType", "to"))
    if not source or not type or not target:
        return SkippedRecord(reason="a relation without its ends", where=where)
    return ImportedRelation(source=source, type=type, target=target, where=where)


def _verbatim(value: Any) -> str:
    """As it stands there, blanks too, as far as our file can hold it."""
    return value if isinstance(value, str) and value.strip() == clean_text(value) != "" else clean_text(value)


def _verbatim_name(value: Any) -> str | None:
    found = _verbatim(value)
    return found if 0 < len(found) <= _MAX_NAME_CHARACTERS else one_line_name(value)


FORMAT = ImportFormat(
    "mcp", "the MCP reference memory server's file", lambda name: name.endswith(("memory.json", "memory.jsonl")), _read
)
