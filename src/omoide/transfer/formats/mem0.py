"""Imports mem0: get_all() and exports, a list or {"results": […]}; history() and history.db, what add() returned.

Tested with the files of 0.1, 2.2 and the platform. A memory that was updated there since the last import is updated
here; of a history, each wording is kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from omoide.store import foreign_rows
from omoide.transfer.import_records import (
    ImportedRecord,
    ImportedRelation,
    ImportedStatement,
    ImportedTurn,
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
from omoide.transfer.import_source import SourceFile, json_elements

_OWNER_FIELDS = ("user_id", "agent_id", "app_id", "run_id", "actor_id", "role")
_TEXTS = ("memory", "new_memory", "data", "text", "content")


def _read(source_file: SourceFile) -> Iterator[ImportedRecord]:
    if source_file.is_sqlite():
        yield from _database_records(source_file)
        return
    events: list[tuple[str, Mapping[str, Any]]] = []
    for number, found in json_elements(source_file):
        given = as_mapping(found)
        if _is_event(given):
            events.append((f"{source_file.name}, event {number}", given))
            continue
        lists = (given[key] for key in ("results", "memories", "data") if isinstance(given.get(key), list))
        inside = next(lists, None)
        if inside is None:
            yield _memory_record(found, f"{source_file.name}, memory {number}")
            continue
        for nth, each in enumerate(inside, 1):
            where = f"{source_file.name}, memory {nth}"
            if _is_event(as_mapping(each)):
                events.append((where, each))
            else:
                yield _memory_record(each, where)
        for nth, each in enumerate(as_list(given.get("relations")), 1):
            yield _relation_record(as_mapping(each), f"{source_file.name}, relation {nth}")
    yield from _history_records(events)


def _is_event(given: Mapping[str, Any]) -> bool:
    return given.get("event") in ("ADD", "UPDATE", "DELETE")


def _database_records(source_file: SourceFile) -> Iterator[ImportedRecord]:
    events = []
    with source_file.on_disk() as path:
        for table, number, row in foreign_rows(str(path), ("history", "messages")):
            where = f"{source_file.name}, {table} {number}"
            if table == "history" and _is_event(row):
                events.append((where, row))
            elif table == "messages":
                yield _message_record(row, where)
            else:
                yield SkippedRecord(reason="no memory text", where=where, words=record_words(row))
    yield from _history_records(events)


def _history_records(events: Iterable[tuple[str, Mapping[str, Any]]]) -> Iterator[ImportedRecord]:
    """Yields the wordings of each memory, the oldest first. What was deleted there is not imported."""
    by_memory: dict[str, list[tuple[str, Mapping[str, Any]]]] = {}
    for where, given in events:
        id = one_line_name(first_filled(given, "memory_id", "id")) or fingerprint(given)
        by_memory.setdefault(id, []).append((where, given))
    for id, wordings in by_memory.items():
        wordings.sort(key=lambda each: iso_time(first_filled(each[1], "updated_at", "created_at")) or "")
        if wordings[-1][1]["event"] == "DELETE":
            yield SkippedRecord(reason="deleted there", where=wordings[-1][0], count=len(wordings))
            continue
        for where, given in wordings:
            if given["event"] != "DELETE":
                yield _memory_record({**given, "id": id}, where)


def _memory_record(given: Any, where: str) -> ImportedRecord:
    found = first_filled(as_mapping(given), *_TEXTS)
    text = clean_text(as_mapping(found).get("memory") if isinstance(found, Mapping) else found)
    if not isinstance(given, Mapping) or not text:
        return SkippedRecord(reason="no memory text", where=where, words=record_words(given))
    metadata = as_mapping(given.get("metadata"))
    who = {field: given[field] for field in _OWNER_FIELDS if given.get(field)}
    id = one_line_name(given.get("id"))
    return ImportedStatement(
        text=text,
        where=where,
        key=f"mem0:{id or fingerprint(text, who)}",
        version=None if id is None else f"mem0:{id}:{fingerprint(text)}",
        kind="fact",
        at=iso_time(first_filled(given, "updated_at", "created_at")),
        tags=name_list(first_filled(given, "categories") or metadata.get("category")),
        details={**who, **({"metadata": dict(metadata)} if metadata else {})} or None,
    )


def _message_record(given: Mapping[str, Any], where: str) -> ImportedRecord:
    text = clean_text(given.get("content"))
    if not text:
        return SkippedRecord(reason="no text", where=where)
    return ImportedTurn(
        text=text,
        where=where,
        key=f"mem0:{one_line_name(given.get('id')) or fingerprint(text)}",
        role=one_line_name(given.get("role")) or "user",
        session=f"mem0:{one_line_name(given.get('session_scope')) or 'messages'}",
        channel="mem0",
        at=iso_time(given.get("created_at")),
    )


def _relation_record(given: Mapping[str, Any], where: str) -> ImportedRecord:
    source, type, target = (
        one_line_name(first_filled(given, *fields))
        for fields in (("source", "source_node"), ("relationship", "relation", "type"), ("target", "destination"))
    )
    if not source or not type or not target:
        return SkippedRecord(reason="relation without both ends", where=where, words=record_words(given))
    return ImportedRelation(source=source, type=type, target=target, where=where)


FORMAT = ImportFormat("mem0", "mem0's exports", lambda name: name.endswith((".json", "history.db")), each_file(_read))
