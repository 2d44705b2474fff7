"""Imports Graphiti and Zep: {"nodes": […], "edges": […], "episodes": […], "communities": […]}, or a list of any.

Tested with what graphiti-core 0.31 writes; Zep's REST interface returns the same records. An edge that was
invalidated there is a fact of the past here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from omoide.transfer.formats.mcp_memory import known_entity_type
from omoide.transfer.import_records import (
    ImportedEntity,
    ImportedRecord,
    ImportedRelation,
    ImportedStatement,
    ImportedTurn,
    ImportFormat,
    SkippedRecord,
    as_mapping,
    clean_text,
    fingerprint,
    first_filled,
    iso_time,
    name_list,
    one_line_name,
    record_words,
)
from omoide.transfer.import_source import SourceFile, json_elements

_LISTS = {
    "nodes": "node",
    "entities": "node",
    "edges": "edge",
    "facts": "edge",
    "episodes": "episode",
    "communities": "community",
}
_SPEAKER = re.compile(r"^([^\n:]{1,60}?)(?: \((user|assistant|system|tool)\))?: ", re.MULTILINE)
_ROLES = ("user", "assistant", "system")


def _read(source_files: Sequence[SourceFile]) -> Iterator[ImportedRecord]:
    records = [each for source_file in source_files for each in _records(source_file)]
    names = {id: name for kind, given, _ in records if kind == "node" for id, name in [_named(given)] if id and name}
    for kind, given, where in records:
        match kind:
            case "node":
                yield _node_record(given, where)
            case "edge":
                yield from _edge_records(given, where, names)
            case "episode":
                yield from _episode_records(given, where)
            case "community":
                yield _community_record(given, where)
            case _:
                yield SkippedRecord(
                    reason="neither node, edge nor episode", where=where, words=record_words(dict(given))
                )


def _records(source_file: SourceFile) -> Iterator[tuple[str, Mapping[str, Any], str]]:
    """Yields kind, record and location."""
    for number, found in json_elements(source_file):
        given = as_mapping(found)
        lists = [key for key in _LISTS if isinstance(given.get(key), list) and "uuid" not in given]
        for key in lists:
            for nth, each in enumerate(given[key], 1):
                yield _LISTS[key], as_mapping(each), f"{source_file.name}, {_LISTS[key]} {nth}"
        if not lists:
            record = given if given else {"content": found}
            yield _kind_of(given), record, f"{source_file.name}, record {number}"


def _kind_of(given: Mapping[str, Any]) -> str:
    if "fact" in given:
        return "edge"
    if "content" in given and "uuid" in given:
        return "episode"
    return "node" if "name" in given and "uuid" in given else ""


def _named(given: Mapping[str, Any]) -> tuple[str | None, str | None]:
    return one_line_name(given.get("uuid")), one_line_name(given.get("name"))


def _node_record(given: Mapping[str, Any], where: str) -> ImportedRecord:
    name = one_line_name(given.get("name"))
    if not name:
        return SkippedRecord(reason="node without a name", where=where, words=record_words(dict(given)))
    types = [known_entity_type(each) for each in name_list(given.get("labels")) if each != "Entity"]
    return ImportedEntity(
        name=name,
        where=where,
        type=next((each for each in types if each != "other"), "other"),
        description=clean_text(given.get("summary")) or None,
        attributes=dict(as_mapping(given.get("attributes"))),
    )


def _edge_records(given: Mapping[str, Any], where: str, names: Mapping[str, str]) -> Iterator[ImportedRecord]:
    text = clean_text(given.get("fact"))
    ends = tuple(
        one_line_name(given.get(f"{end}_node_name")) or names.get(one_line_name(given.get(f"{end}_node_uuid")) or "")
        for end in ("source", "target")
    )
    since, until = iso_time(given.get("valid_at")), iso_time(first_filled(given, "invalid_at", "expired_at"))
    if not text:
        yield SkippedRecord(reason="edge without a fact", where=where, words=record_words(dict(given)))
        return
    uuid = one_line_name(given.get("uuid"))
    yield ImportedStatement(
        text=text,
        where=where,
        key=f"graphiti:{uuid or fingerprint(text, ends)}",
        kind="fact",
        about=tuple(each for each in ends if each),
        at=since or iso_time(given.get("created_at")),
        valid_from=since if since and (until is None or since <= until) else None,
        valid_until=until,
        details={"relation": one_line_name(given.get("name"))} if given.get("name") else None,
    )
    relation = (one_line_name(given.get("name")) or "").lower()
    if ends[0] and ends[1] and relation and until is None:
        yield ImportedRelation(source=ends[0], type=relation, target=ends[1], where=where)


def _episode_records(given: Mapping[str, Any], where: str) -> Iterator[ImportedRecord]:
    text = clean_text(given.get("content"))
    if not text:
        yield SkippedRecord(reason="no text", where=where, words=record_words(dict(given)))
        return
    key = f"graphiti:{one_line_name(given.get('uuid')) or fingerprint(text)}"
    at = iso_time(first_filled(given, "valid_at", "created_at"))
    if given.get("source", "message") != "message":
        yield ImportedStatement(
            text=text,
            where=where,
            key=key,
            title=one_line_name(first_filled(given, "source_description", "name")),
            category=one_line_name(given.get("source")),
            at=at,
        )
        return
    session = f"graphiti:{one_line_name(first_filled(given, 'thread_id', 'session_id', 'group_id')) or 'episodes'}"
    for number, (speaker, role, said) in enumerate(_messages(given, text)):
        yield ImportedTurn(
            text=said,
            where=where,
            key=key if number == 0 else f"{key}:{number}",
            role=role,
            speaker=speaker,
            session=session,
            channel="graphiti",
            at=at,
        )


def _messages(given: Mapping[str, Any], text: str) -> list[tuple[str | None, str, str]]:
    """Speaker, role and words of each message of an episode: `Otto (user): …`, `assistant: …`, one a line."""
    role, speaker = one_line_name(given.get("role_type")), one_line_name(given.get("role"))
    if role in _ROLES:
        return [(speaker if speaker != role else None, role, text)]
    starts = list(_SPEAKER.finditer(text))
    if not starts or starts[0].start() > 0:
        return [(None, "user", text)]
    found = []
    for start, after in zip(starts, [*starts[1:], None], strict=True):
        said = text[start.end() : after.start() if after else len(text)].strip()
        name, given_role = start[1].strip(), start[2]
        if said:
            named = name.casefold() if name.casefold() in _ROLES else None
            found.append((None if named else name, given_role or named or "user", said))
    return found


def _community_record(given: Mapping[str, Any], where: str) -> ImportedRecord:
    text = clean_text(given.get("summary"))
    uuid, name = _named(given)
    if not text:
        return SkippedRecord(reason="no text", where=where, words=record_words(dict(given)))
    return ImportedStatement(
        text=text,
        where=where,
        key=f"graphiti:{uuid or fingerprint(text)}",
        title=name,
        category="community",
        at=iso_time(given.get("created_at")),
    )


FORMAT = ImportFormat("graphiti", "Graphiti's or Zep's graph", lambda name: name.endswith(".json"), _read)
