"""Imports mem0's get_all() and exports: a list of memories or {"results": […]}. Tested with 0.1 and the platform."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from omoide.transfer.foreign_fields import (
    as_list,
    as_mapping,
    clean_text,
    first_filled,
    iso_time,
    name_list,
    one_line_name,
)
from omoide.transfer.import_records import (
    ImportedRecord,
    ImportedRelation,
    ImportedStatement,
    ImportFormat,
    SkippedRecord,
    fingerprint,
    record_words,
)
from omoide.transfer.import_source import SourceFile, json_elements

_OWNER_FIELDS = ("user_id", "agent_id", "app_id", "run_id", "actor_id")


def _read(source_files: Sequence[SourceFile]) -> Iterator[ImportedRecord]:
    for source_file in source_files:
        for number, found in json_elements(source_file):
            where = f"{source_file.name}, memory {number}"
            inside = next(
                (found[key] for key in ("results", "memories", "data") if isinstance(as_mapping(found).get(key), list)),
                None,
            )
            if inside is None:
                yield _memory_record(found, where)
                continue
            for nth, each in enumerate(inside, 1):
                yield _memory_record(each, f"{source_file.name}, memory {nth}")
            for nth, each in enumerate(as_list(found.get("relations")), 1):
                yield _relation_record(as_mapping(each), f"{source_file.name}, relation {nth}")


def _memory_record(given: Any, where: str) -> ImportedRecord:
    text = clean_text(first_filled(as_mapping(given), "memory", "data", "text", "content"))
    if not isinstance(given, Mapping) or not text:
        return SkippedRecord(reason="no memory text", where=where, words=record_words(given))
    metadata = as_mapping(given.get("metadata"))
    who = {field: given[field] for field in _OWNER_FIELDS if given.get(field)}
    return ImportedStatement(
        text=text,
        where=where,
        key=f"mem0:{one_line_name(given.get('id')) or fingerprint(text, who)}",
        kind="fact",
        at=iso_time(first_filled(given, "created_at", "updated_at")),
        tags=name_list(first_filled(given, "categories") or metadata.get("category")),
        details={**who, **({"metadata": dict(metadata)} if metadata else {})} or None,
    )


def _relation_record(given: Mapping[str, Any], where: str) -> ImportedRecord:
    source, type, target = (
        one_line_name(first_filled(given, *fields))
        for fields in (("source", "source_node"), ("relationship", "relation", "type"), ("target", "destination"))
    )
    if not source or not type or not target:
        return SkippedRecord(reason="relation without both ends", where=where, words=record_words(given))
    return ImportedRelation(source=source, type=type, target=target, where=where)


FORMAT = ImportFormat("mem0", "mem0's exports", lambda name: name.endswith(".json"), _read)
