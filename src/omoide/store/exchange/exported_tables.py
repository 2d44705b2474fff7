"""Every row of a memory on its way into another file: what is carried, in which order, and how it finds its place.

One table after the other, each after those that it refers to. What is derived is left behind and made again.
"""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from omoide.errors import InvalidInput
from omoide.store.ageing import archive_blocks
from omoide.store.engine.connection import Connection
from omoide.store.records import rows

ExportedRow = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportedTable:
    """How the rows of a table travel.

    `same` are the columns by which a row is found in the other file; `newer` those by which the later of two versions
    is told; `refers` names the tables whose ids stand in a column; `late` columns are filled once all rows are there;
    `proves` is told beside those: what must be as it was for them to hold;
    `repeats` says that several rows may be the same in everything, and each of them counts.
    """

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
    exact: bool = False  # columns of `same` may be empty, and are the same only if both are
    numbered: bool = True  # rows have an id of their own


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
        derived=("folded_text", "folded_speaker", "folded_tags"),
    ),
    ExportedTable(  # after the node with its words, which are packed here
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
        derived=("process",),  # who is at it: nobody of this machine
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
        name="handed_out",
        same=("task_id", "node_id"),
        refers={"task_id": "node", "node_id": "node"},
        numbered=False,
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
        name="token_state", same=("vector_id",), refers={"vector_id": "vector"}, embedding=True, numbered=False
    ),
)
TABLES_BY_NAME = {table.name: table for table in EXPORTED_TABLES}
LATE_MARK = "+"  # behind a table's name: the columns that were filled late
SEQUENCES = ("node", "entity", "relation")  # whose ids are never given twice, even after a row is gone

# What stays behind, and why. A table that is in neither list fails a test: somebody has to choose.
NOT_EXPORTED = {
    "migration": "what was done to this file",
    "counter": "bookkeeping between the processes of this file",
    "write_mark": "the same",
    "cache_invalidation": "the same",
    "embedding_queue": "which vectors are missing here",
    "journal": "what was found and is not applied yet; reading again finds it",
    "lease": "who maintains this file",
    "maintenance_run": "when this file was maintained",
    "job_run": "the same",
    "cursor": "where the jobs of this file left off",
    "spending": "what was paid by who used this file",
    "live_board": "what the agents of this file have before them; they have it too",
    "known_copy": "which copies were made of this file",
    "archive_block": "the words of archived nodes travel with their nodes, and are packed again",
}


def completed_by(table: ExportedTable) -> str:
    """The last of the tables that its late columns refer to."""
    return max(table.late.values(), key=[each.name for each in EXPORTED_TABLES].index)


# ── out ───────────────────────────────────────────────────────────────────────────────────────────────────────────


class ExportedColumn(NamedTuple):
    type: str
    required: bool


def exported_columns(db: Connection, table: ExportedTable) -> dict[str, ExportedColumn]:
    """The columns that travel, by name."""
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
    """The last ids that were ever given."""
    found = dict(db.execute("SELECT name, seq FROM sqlite_sequence"))
    return {name: int(found.get(name, 0)) for name in SEQUENCES}


def export_rows(db: Connection, table: ExportedTable) -> Iterator[ExportedRow]:
    """The rows of a table, in the order of their ids."""
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
    packed = archive_blocks.BlockReader(db) if table.name == "node" else None
    for row in db.execute(f"SELECT {selected}{nth} FROM {table.name} AS this ORDER BY {order}"):
        if packed is not None and (words := packed.words(row[0])) is not None:
            row = tuple(words.get(name, row[place]) for place, name in enumerate(names))
        line = {name: _json_value(table, name, names[name].type, row[place]) for place, name in enumerate(names)}
        if table.repeats and row[-1] > 1:
            line["nth"] = row[-1]
        yield {name: value for name, value in line.items() if value is not None}


def export_late_columns(db: Connection, table: ExportedTable) -> Iterator[ExportedRow]:
    """The columns that refer to rows which come after their own."""
    names = ("id", *table.late, *table.proves)
    some = " OR ".join(f"{name} IS NOT NULL" for name in table.late)
    selected = ", ".join(("id", *table.late, *table.proves.values()))
    for row in db.execute(f"SELECT {selected} FROM {table.name} WHERE {some} ORDER BY id"):
        yield {name: value for name, value in zip(names, row, strict=True) if value is not None}


def _json_value(table: ExportedTable, name: str, type: str, value: Any) -> Any:
    """A value as JSON holds it: documents as documents where that keeps every byte, blobs in base 64."""
    if value is None:
        return None
    if type == "BLOB":
        return base64.b64encode(value).decode()
    if name not in table.json:
        return value
    document = json.loads(value)
    plain = rows.to_json(document) == value and not (isinstance(document, dict) and "$json" in document)
    return document if plain and document is not None else {"$json": value}


# ── in ────────────────────────────────────────────────────────────────────────────────────────────────────────────


def parse_row(table: ExportedTable, known: Mapping[str, ExportedColumn], line: Mapping[str, Any]) -> ExportedRow:
    """A row from its line, checked as far as it can be without the file."""
    row: ExportedRow = {}
    for name, value in line.items():
        if name == "nth":
            continue
        if name not in known:
            raise InvalidInput(
                f"a {table.name} has no field {name!r} here; a newer Omoide may have written it: upgrade"
            )
        row[name] = _column_value(table, name, known[name].type, value)
    needed = (*(("id",) if table.numbered else ()), *(name for name in table.same if name != "before"))
    if missing := [name for name in needed if row.get(name) is None and name != "was"]:
        raise InvalidInput(f"a {table.name} without {missing[0]!r}")
    return row


def parse_late_columns(table: ExportedTable, line: Mapping[str, Any]) -> ExportedRow:
    for name, value in line.items():
        if name != "id" and name not in table.late and name not in table.proves:
            raise InvalidInput(f"a {table.name} has no late field {name!r} here; upgrade")
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
