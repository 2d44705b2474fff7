"""Imports mcp-memory-service: its JSON export, or its SQLite file with links and beliefs.

Tested with the files that version 12.4 writes. Both have the same keys, so that one adds to the other.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from omoide.store import foreign_rows
from omoide.transfer.import_records import (
    ImportedLink,
    ImportedRecord,
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
    name_list,
    one_line_name,
    record_words,
)
from omoide.transfer.import_source import SourceFile, json_elements, parse_json

_NOT_DETAILS = ("content", "content_hash", "tags", "memory_type", "created_at", "created_at_iso", "export_source")
_OWN_COLUMNS = ("id", "deleted_at", "superseded_by", "embedding", "embedding_pending", "last_accessed")


def _read(source_file: SourceFile) -> Iterator[ImportedRecord]:
    if source_file.is_sqlite():
        yield from _database_records(source_file)
        return
    for number, found in json_elements(source_file):
        given = as_mapping(found)
        if isinstance(given.get("memories"), list):
            for nth, each in enumerate(as_list(given["memories"]), 1):
                yield _memory_record(each, f"{source_file.name}, memory {nth}")
        else:
            yield _memory_record(found, f"{source_file.name}, memory {number}")


def _database_records(source_file: SourceFile) -> Iterator[ImportedRecord]:
    with source_file.on_disk() as path:
        for table, number, row in foreign_rows(str(path), ("memories", "memory_graph", "beliefs")):
            where = f"{source_file.name}, {table} {number}"
            match table:
                case "memories":
                    yield _memory_record(row, where)
                case "memory_graph":
                    yield ImportedLink(
                        source=_key(row.get("source_hash")),
                        target=_key(row.get("target_hash")),
                        where=where,
                        predicate=one_line_name(row.get("relationship_type")),
                    )
                case _:
                    yield _belief_record(row, where)


def _key(hash: Any) -> str:
    return f"memory-service:{one_line_name(hash)}"


def _memory_record(given: Any, where: str) -> ImportedRecord:
    text = clean_text(as_mapping(given).get("content"))
    if not isinstance(given, Mapping) or not text:
        return SkippedRecord(reason="no text", where=where, words=record_words(given))
    if given.get("deleted_at") is not None:
        return SkippedRecord(reason="deleted there", where=where)
    if given.get("superseded_by"):
        return SkippedRecord(reason="replaced there by a newer version", where=where)
    other = {key: each for key, each in given.items() if key not in (*_NOT_DETAILS, *_OWN_COLUMNS)}
    other["metadata"] = _json_value(other.get("metadata"))
    return ImportedStatement(
        text=text,
        where=where,
        key=_key(given.get("content_hash") or fingerprint(text)),
        category=one_line_name(given.get("memory_type")),
        tags=tuple(tag for tag in name_list(given.get("tags")) if tag != "untagged"),
        at=iso_time(first_filled(given, "created_at", "created_at_iso")),
        details={key: each for key, each in other.items() if each not in (None, "", [], {}, "default")} or None,
    )


def _belief_record(given: Mapping[str, Any], where: str) -> ImportedRecord:
    text = clean_text(given.get("content"))
    if not text or given.get("status") == "superseded":
        return SkippedRecord(reason="replaced there by a newer version" if text else "no text", where=where)
    return ImportedStatement(
        text=text,
        where=where,
        key=f"memory-service:belief:{one_line_name(given.get('belief_hash')) or fingerprint(text)}",
        category="belief",
        at=iso_time(given.get("created_at")),
        details={"status": given.get("status"), "confidence": given.get("confidence")},
    )


def _json_value(given: Any) -> Any:
    """Returns what a column holds as JSON; a text that is none stays as it is."""
    try:
        return parse_json(given) if isinstance(given, str) else given
    except (ValueError, RecursionError):
        return given


FORMAT = ImportFormat(
    "memory-service",
    "mcp-memory-service's export or SQLite file",
    lambda name: name.endswith((".json", ".db")) and "backup" not in name,
    each_file(_read),
)
