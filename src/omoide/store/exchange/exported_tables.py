"""Which tables an export contains, in which order, and how their rows are written and parsed.

Each table comes after those it refers to. Derived data is left out and computed again on import."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from omoide.domain import KINDS
from omoide.domain.node import kind_fields
from omoide.errors import InvalidInput
from omoide.store.ageing import archive_blocks
from omoide.store.engine.connection import Connection
from omoide.store.records import rows

ExportedRow = dict[str, Any]
_NEWER = "a newer version of Omoide may have written it: upgrade"


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportedTable:
    """How a table is exported and imported.

    `same`: columns that identify a row in another file. `newer`: columns that tell which version is newer. `refers`:
    columns with ids of other tables. `late`: columns set after all rows exist; `proves`: values exported with them to
    check that they still hold. `repeats`: several rows may be equal, and each counts."""

    name: str
    same: tuple[str, ...]
    newer: tuple[str, ...] = ()
    refers: Mapping[str, str] = field(default_factory=dict)
    late: Mapping[str, str] = field(default_factory=dict)
    proves: Mapping[str, str] = field(default_factory=dict)
    json: tuple[str, ...] = ()
    derived: tuple[str, ...] = ()
    repeats: bool = False
    embedding: bool = False
    exact: bool = False  # columns of `same` may be NULL, which equals only NULL
    numbered: bool = True  # rows have an id


EXPORTED_TABLES = (
    ExportedTable(name="erasure", same=("at", "receipt"), json=("receipt",)),
    ExportedTable(name="erased", same=("node_id",), refers={"erasure_id": "erasure"}, numbered=False),
    ExportedTable(name="tombstone_key", same=("key",), numbered=False),
    ExportedTable(name="tombstone", same=("digest",), numbered=False),
    ExportedTable(
        name="session",
        same=("name",),
        newer=("last_at", "ended_at", "learned_at"),
        late={"user_id": "entity", "last_node_id": "node", "learned_upto": "node"},
        proves={
            "learned_episodes": """(
                SELECT nullif(count(*), 0)
                FROM node
                WHERE session_id = session.id AND kind = 'episode' AND node.id <= session.learned_upto
            )"""
        },
    ),
    ExportedTable(
        name="node",
        same=("ulid",),
        newer=("updated_at",),
        refers={"session_id": "session"},
        late={"narrative_id": "node"},
        json=("details", "attributes", "tags"),
        derived=("folded_text", "folded_speaker", "folded_tags", "stays_since"),
    ),
    ExportedTable(  # after the node, whose text is archived on import
        name="archived", same=("node_id",), refers={"node_id": "node"}, derived=("block_id", "length"), numbered=False
    ),
    ExportedTable(name="entity", same=("ulid",), newer=("updated_at",), json=("attributes",)),
    ExportedTable(name="entity_name", same=("key", "entity_id"), refers={"entity_id": "entity"}, numbered=False),
    ExportedTable(
        name="edge",
        same=("source_id", "type", "target_id"),
        refers={"source_id": "node", "target_id": "node"},
        json=("evidence",),
    ),
    ExportedTable(
        name="node_entity",
        same=("entity_id", "node_id"),
        refers={"node_id": "node", "entity_id": "entity"},
        numbered=False,
    ),
    ExportedTable(
        name="mentioned_time", same=("node_id", "begins", "ends"), refers={"node_id": "node"}, numbered=False
    ),
    ExportedTable(
        name="relation",
        same=("ulid",),
        newer=("updated_at",),
        refers={"source_id": "entity", "target_id": "entity", "source_node_id": "node"},
        json=("properties",),
    ),
    ExportedTable(
        name="change",
        same=("node_id", "at", "verb", "before"),
        refers={"node_id": "node"},
        json=("before",),
        repeats=True,
    ),
    ExportedTable(
        name="entity_change",
        same=("entity_id", "at", "verb", "before"),
        refers={"entity_id": "entity"},
        json=("before",),
        repeats=True,
    ),
    ExportedTable(
        name="merge_move",
        same=("change_id", "kind", "ref", "before"),
        refers={"change_id": "entity_change"},
        json=("before",),
        exact=True,
        numbered=False,
    ),
    ExportedTable(
        name="task",
        same=("node_id",),
        newer=("seen_at",),
        refers={"node_id": "node", "cluster": "node"},
        derived=("process",),  # the process that works on it
        numbered=False,
    ),
    ExportedTable(
        name="task_entry",
        same=("task_id", "at", "what", "body"),
        refers={"task_id": "node"},
        json=("body",),
        repeats=True,
    ),
    ExportedTable(
        name="handed_out", same=("task_id", "node_id"), refers={"task_id": "node", "node_id": "node"}, numbered=False
    ),
    ExportedTable(name="credit", same=("node_id",), newer=("updated_at",), refers={"node_id": "node"}, numbered=False),
    ExportedTable(
        name="ledger",
        same=("agent_id",),
        newer=("last_checkpoint",),
        refers={"node_id": "node"},
        json=("state", "context", "details"),
        numbered=False,
    ),
    ExportedTable(
        name="checkpoint",
        same=("agent_id", "at", "tasks_completed", "current_task", "state", "context"),
        json=("state", "context"),
        repeats=True,
    ),
    ExportedTable(name="binding", same=("node_id", "tool", "path", "command", "error"), refers={"node_id": "node"}),
    ExportedTable(name="foreign_file", same=("path",), json=("body",), numbered=False),
    ExportedTable(name="embedding_model", same=("name",), embedding=True),
    ExportedTable(
        name="vector",
        same=("node_id",),
        refers={"node_id": "node", "model_id": "embedding_model"},
        derived=("checksum",),
        embedding=True,
    ),
    ExportedTable(
        name="entity_vector",
        same=("entity_id",),
        refers={"entity_id": "entity", "model_id": "embedding_model"},
        embedding=True,
        numbered=False,
    ),
    ExportedTable(
        name="token_state",
        same=("vector_id",),
        refers={"vector_id": "vector"},
        derived=("checksum",),
        embedding=True,
        numbered=False,
    ),
)
TABLES_BY_NAME = {table.name: table for table in EXPORTED_TABLES}
LATE_MARK = "+"  # suffix of a table's name: its late columns
SEQUENCES = ("node", "entity", "relation")  # ids of these tables are never reused

# Tables that are not exported, and why. A test fails for a table in neither list.
NOT_EXPORTED = {
    "migration": "the history of this file",
    "counter": "bookkeeping between processes",
    "write_mark": "the same",
    "cache_invalidation": "the same",
    "embedding_queue": "missing vectors of this file",
    "journal": "proposals that are not applied yet; learning makes them again",
    "lease": "who maintains this file",
    "maintenance_run": "when this file was maintained",
    "job_run": "the same",
    "cursor": "cursors of the jobs of this file",
    "night_change": "what the last nights changed in this file",
    "set_aside": "what the jobs of this file failed on",
    "spending": "costs of the users of this file",
    "live_board": "live boards of the agents of this file",
    "given": "what the agents of this file have in their context",
    "known_copy": "copies of this file",
    "fleet_position": "how far this file is a copy of its space",
    "proposal": "changes that wait for the user of this file",
    "refusal": "what learning in this file did not keep",
    "consent": "who may see what in this file, and for how long",
    "audit": "who changed this file",
    "archive_block": "the text of archived nodes is exported with them",
}


def completed_by(table: ExportedTable) -> str:
    """The last table that its late columns refer to."""
    return max(table.late.values(), key=[each.name for each in EXPORTED_TABLES].index)


class ExportedColumn(NamedTuple):
    type: str
    required: bool


def exported_columns(db: Connection, table: ExportedTable) -> dict[str, ExportedColumn]:
    """The exported columns by name."""
    left = {*table.derived, *table.late}
    found = db.execute(f"PRAGMA table_info({table.name})")
    return {name: ExportedColumn(type, bool(required)) for _, name, type, required, *_ in found if name not in left}


def row_counts(db: Connection, embeddings: bool) -> dict[str, int]:
    return {
        table.name: int(db.execute(f"SELECT count(*) FROM {table.name}").get)
        for table in EXPORTED_TABLES
        if embeddings or not table.embedding
    }


def last_ids(db: Connection) -> dict[str, int]:
    """The highest ids ever assigned."""
    found = dict(db.execute("SELECT name, seq FROM sqlite_sequence"))
    return {name: int(found.get(name, 0)) for name in SEQUENCES}


def export_rows(db: Connection, table: ExportedTable) -> Iterator[ExportedRow]:
    """The rows of a table, ordered by id."""
    names = exported_columns(db, table)
    nth = ""
    if table.repeats:
        nth = f""",  -- quick, by the index over the owner's id
            (
                SELECT count(*)
                FROM {table.name} AS other
                WHERE {" AND ".join(f"other.{name} IS this.{name}" for name in table.same)} AND other.id <= this.id
            )
        """
    order = "id" if table.numbered else ", ".join(table.same)
    selected = ", ".join(f"this.{name}" for name in names)
    archived = archive_blocks.BlockReader(db) if table.name == "node" else None
    for row in db.execute(f"SELECT {selected}{nth} FROM {table.name} AS this ORDER BY {order}"):
        if archived is not None and (words := archived.words(row[0])) is not None:
            row = tuple(words.get(name, row[place]) for place, name in enumerate(names))
        line = {name: _json_value(table, name, names[name].type, row[place]) for place, name in enumerate(names)}
        if table.repeats and row[-1] > 1:
            line["nth"] = row[-1]
        yield {name: value for name, value in line.items() if value is not None}


def export_late_columns(db: Connection, table: ExportedTable) -> Iterator[ExportedRow]:
    """The late columns of a table."""
    names = ("id", *table.late, *table.proves)
    some = " OR ".join(f"{name} IS NOT NULL" for name in table.late)
    selected = ", ".join(("id", *table.late, *table.proves.values()))
    for row in db.execute(f"SELECT {selected} FROM {table.name} WHERE {some} ORDER BY id"):
        yield {name: value for name, value in zip(names, row, strict=True) if value is not None}


def _json_value(table: ExportedTable, name: str, type: str, value: Any) -> Any:
    """A value as JSON: a JSON column as a document if that keeps every byte, a blob in base 64."""
    if value is None:
        return None
    if type == "BLOB":
        return base64.b64encode(value).decode()
    if name not in table.json:
        return value
    document = json.loads(value)
    plain = rows.to_json(document) == value and not (isinstance(document, dict) and "$json" in document)
    return document if plain and document is not None else {"$json": value}


def parse_row(table: ExportedTable, known: Mapping[str, ExportedColumn], line: Mapping[str, Any]) -> ExportedRow:
    """Parses and checks a row of an export."""
    row: ExportedRow = {}
    for name, value in line.items():
        if name == "nth":
            continue
        if name not in known:
            raise InvalidInput(f"a {table.name} has no field {name!r}; {_NEWER}")
        row[name] = _column_value(table, name, known[name].type, value)
    needed = (*(("id",) if table.numbered else ()), *(name for name in table.same if name != "before"))
    if missing := [name for name in needed if row.get(name) is None and name != "was"]:
        raise InvalidInput(f"a {table.name} without {missing[0]!r}")
    if table.name == "node":
        _check_attributes(row)
    return row


def _check_attributes(row: ExportedRow) -> None:
    """Reading a row leaves out attributes that its kind has not, so an import refuses them."""
    known = kind_fields(KINDS[row["kind"]]) if row.get("kind") in KINDS else ()
    for name in json.loads(row.get("attributes") or "{}"):
        if known and name not in known:
            raise InvalidInput(f"a {row['kind']} has no attribute {name!r}; {_NEWER}")


def parse_late_columns(table: ExportedTable, line: Mapping[str, Any]) -> ExportedRow:
    for name, value in line.items():
        if name != "id" and name not in table.late and name not in table.proves:
            raise InvalidInput(f"a {table.name} has no late field {name!r}; {_NEWER}")
        if type(value) is not int:
            raise InvalidInput(f"{name}: expected integer, got {value!r:.60}")
    if "id" not in line:
        raise InvalidInput(f"a {table.name} without 'id'")
    return dict(line)


def _column_value(table: ExportedTable, name: str, type: str, value: Any) -> Any:
    if value is None:
        return None
    if name in table.json:
        raw = isinstance(value, dict) and value.keys() == {"$json"}
        return value["$json"] if raw else rows.to_json(value)
    if type == "BLOB":
        try:
            return base64.b64decode(value, validate=True)
        except (TypeError, ValueError, binascii.Error) as error:
            raise InvalidInput(f"{name} is not base 64") from error
    wanted: tuple[Any, ...] = {"INTEGER": (int,), "REAL": (int, float)}.get(type, (str,))
    if not isinstance(value, wanted) or isinstance(value, bool):
        raise InvalidInput(f"{name}: expected {type.lower()}, got {value!r:.60}")
    return value
