"""Imports rows of another file: a known row is kept or updated to the newer version, an unknown one is added.

Every decision depends only on the contents of the file, so an import that was interrupted or run twice ends the same.
"""

from __future__ import annotations

import json
import zlib
from typing import Any

import apsw

from omoide.errors import InvalidInput, OmoideError
from omoide.language.text import index_text
from omoide.store.ageing import archive
from omoide.store.engine import consistency
from omoide.store.engine.connection import Connection
from omoide.store.erasure import receipts
from omoide.store.exchange.exported_tables import (
    LATE_MARK,
    SEQUENCES,
    TABLES_BY_NAME,
    ExportedColumn,
    ExportedRow,
    ExportedTable,
    exported_columns,
    parse_late_columns,
    parse_row,
)
from omoide.store.exchange.import_filter import ErasedRowFilter, ExportLine, IdMap, RowImportTally
from omoide.store.records import edges, nodes, rows
from omoide.store.search import fulltext, vectors

_GROWING_IDS = (*SEQUENCES, "vector")  # never reused: a lower id may once have meant something else
_REFERRED_TABLES = {
    other for table in TABLES_BY_NAME.values() for other in (*table.refers.values(), *table.late.values())
} | {table.name for table in TABLES_BY_NAME.values() if table.late}
LARGEST_ID = 2**53  # after a larger one, SQLite would soon have no ids left for new rows
_ERASURE_TABLES = ("erasure", "erased", "tombstone_key", "tombstone")
_MERGE_UNDO_FIELDS = ("entity", "kept", "upto")  # contain ids
_CHANGED_IDS_SHOWN = 20
# The newer version of an entity wins, but counts never go back.
_MERGED_COLUMNS = {"mention_count": "max", "first_seen_at": "min", "last_referenced_at": "max"}


class RowImport:
    """One import in batches; the caller runs each batch in a transaction."""

    def __init__(self) -> None:
        self.tally = RowImportTally()
        self._ids = {name: IdMap() for name in TABLES_BY_NAME}
        self._columns: dict[str, dict[str, ExportedColumn]] = {}
        self._session_existed = False  # whether one of the sessions was known
        self._erased_filter = ErasedRowFilter()
        self.cleared = False  # whether rows were removed again because they came only with erased nodes

    def take(self, db: Connection, batch: list[ExportLine], now: int) -> None:
        self._erased_filter.refresh(db, now)
        for line in batch:
            try:
                self._import_line(db, line, now)
            except OmoideError as error:
                raise type(error)(f"line {line.number}: {error}") from error
            except (apsw.ConstraintError, apsw.MismatchError) as error:
                raise InvalidInput(f"line {line.number}: the file's own rules refuse it ({error})") from error
            except (TypeError, ValueError, KeyError, OverflowError) as error:
                raise InvalidInput(f"line {line.number}: cannot read this {line.table} ({error})") from error

    def finish(self, db: Connection, sequences: dict[str, int]) -> None:
        """Restores id sequences, removes what came only with erased nodes, recounts sessions, completes names."""
        for name in SEQUENCES:
            last = int(sequences.get(name, 0))
            if name != "node" or _is_id_accounted(db, last + 1):
                _raise_sequence(db, name, last)
        for name, gone in self._erased_filter.clear(db).items():
            self.cleared = self.cleared or bool(gone)
            self.tally.uncount(name, gone)
        if self._session_existed or len(self._ids["node"]):  # nodes known to both files stay in their session here
            consistency.check_sessions(db, repair=True)
        consistency.check_entity_names(db, repair=True)
        db.execute(
            """
            DELETE FROM embedding_queue
            WHERE node_id IN (
                SELECT vector.node_id
                FROM vector
                JOIN embedding_model ON embedding_model.id = vector.model_id AND embedding_model.current
                LEFT JOIN token_state ON token_state.vector_id = vector.id
                WHERE token_state.vector_id IS NOT NULL OR NOT embedding_model.gives_tokens
            )
            """
        )

    def _import_line(self, db: Connection, line: ExportLine, now: int) -> None:
        table = TABLES_BY_NAME.get(line.table.removesuffix(LATE_MARK))
        if table is None or (line.table.endswith(LATE_MARK) and not table.late):
            raise InvalidInput(f"unknown table {line.table!r}; a newer version of Omoide may have written it: upgrade")
        if line.table.endswith(LATE_MARK):
            self._fill_late_columns(db, table, parse_late_columns(table, line.fields))
            return
        if table.name not in self._columns:
            self._columns[table.name] = exported_columns(db, table)
        row = parse_row(table, self._columns[table.name], line.fields)
        old_id = row.pop("id", None)
        new_id, outcome = self._import_row(db, table, row, old_id, int(line.fields.get("nth", 1)), now)
        if old_id is not None and table.name in _REFERRED_TABLES:
            self._ids[table.name].note(old_id, new_id)
            if new_id not in (0, old_id) and len(self.tally.changed_ids) < _CHANGED_IDS_SHOWN:
                self.tally.changed_ids.append((table.name, old_id, new_id))
        self.tally.count(table.name, outcome)

    def _import_row(
        self, db: Connection, table: ExportedTable, row: ExportedRow, old_id: int | None, nth: int, now: int
    ) -> tuple[int, str]:
        """(new id, outcome)"""
        ends = [column for column in table.refers if row.get(column) is not None]
        row |= {column: self._ids[table.refers[column]].get(row[column]) for column in ends}
        if any(row[column] is None for column in ends):
            self._erased_filter.skipped(table.name, row)
            return 0, "skipped"
        self._rename_ids_in_json(db, table, row)
        if self._erased_filter.refuses(table.name, row):
            self.tally.erased += 1
            return 0, "skipped"
        if not _is_importable(db, table, row):
            return 0, "skipped"
        if table.repeats:
            equal = _equal_rows(db, table, row)
            return (equal[0], "same") if len(equal) >= nth else (_insert_row(db, table, row, old_id), "added")
        existing = _existing_row(db, table, row)
        if existing is not None:
            if table.name == "session":
                self._session_existed = True
            self._erased_filter.found_entity(db, table.name, existing, row)
            known = self._columns[table.name]
            return existing, "updated" if _update_row(db, table, known, row, existing) else "same"
        if table.name == "node":
            return _insert_node(db, table, row, old_id, now), "added"
        if table.name == "archived":
            archived = archive.archive_imported(db, row["node_id"], row["state_at"], row["reason"])
            return 0, "added" if archived else "skipped"
        if table.name == "task":
            _move_task_number(db, row)
        id = _insert_row(db, table, row, old_id)
        self._erased_filter.added(table.name, id)
        self._erased_filter.found_entity(db, table.name, id, row)
        return id, "added"

    def _fill_late_columns(self, db: Connection, table: ExportedTable, row: ExportedRow) -> None:
        """Sets columns that refer to rows imported later."""
        id = self._ids[table.name].get(row.pop("id"))
        for column, other in table.late.items():
            value = None if row.get(column) is None else self._ids[other].get(row[column])
            if id is None or value is None:
                continue
            if column == "learned_upto" and not _all_learned(db, id, value, row.get("learned_episodes", 0)):
                continue  # the session has other episodes here; learning twice from an episode changes nothing
            if column == "last_node_id" and not _belongs_to_session(db, id, value):
                continue  # the node was known here, in another session
            latest = column in ("last_node_id", "learned_upto")
            kept = f"max(coalesce({column}, 0), :value)" if latest else f"coalesce({column}, :value)"
            db.execute(f"UPDATE {table.name} SET {column} = {kept} WHERE id = :id", {"id": id, "value": value})

    def _rename_ids_in_json(self, db: Connection, table: ExportedTable, row: ExportedRow) -> None:
        """Replaces ids inside JSON columns: facts of an entity summary, nodes of a merge."""
        if table.name == "entity" and len(self._ids["node"]) and row.get("attributes"):
            document = json.loads(row["attributes"])
            if isinstance(of := document.get("summary_of"), str):
                document["summary_of"] = json.dumps(self._new_ids(json.loads(of)), separators=(",", ":"))
                row["attributes"] = rows.to_json(document)
        if table.name == "entity_change" and row.get("before"):
            document = json.loads(row["before"])
            if "entity" in document and not self._can_undo_merge(db, document["entity"].get("id")):
                document = {name: value for name, value in document.items() if name not in _MERGE_UNDO_FIELDS}
            if "nodes" in document:
                document["nodes"] = self._new_ids(document["nodes"])
            if "into" in document:
                document["into"] = self._ids["entity"].get(document["into"])
            row["before"] = rows.to_json(document) if rows.to_json(document) != row["before"] else row["before"]

    def _can_undo_merge(self, db: Connection, merged: int | None) -> bool:
        """Whether all ids are unchanged; otherwise a merge becomes final and split goes by names."""
        moved = any(len(self._ids[name]) for name in ("node", "entity", "relation", "session", "edge"))
        taken = db.execute("SELECT EXISTS (SELECT 1 FROM entity WHERE id = ?)", (merged,)).get
        return not moved and not taken

    def _new_ids(self, ids: list[int]) -> list[int]:
        return [new_id for old_id in ids if (new_id := self._ids["node"].get(old_id)) is not None]


def _is_importable(db: Connection, table: ExportedTable, row: ExportedRow) -> bool:
    """Whether a row fits here; rows that refer to a skipped row are skipped too."""
    if table.name in _ERASURE_TABLES:  # they contain ids of the other file, so they need an empty file
        return _existing_row(db, table, row) is not None or not db.execute("SELECT EXISTS (SELECT 1 FROM node)").get
    if table.name == "merge_move":
        merge = "SELECT before -> '$.entity' IS NOT NULL FROM entity_change WHERE id = ?"
        return bool(db.execute(merge, (row["change_id"],)).get)
    if table.name not in ("vector", "entity_vector"):
        return True
    found = db.execute(
        "SELECT dimensions FROM embedding_model WHERE id = ? AND current", (row["model_id"],)
    ).get  # vectors of two models cannot be compared
    if found is None:
        return False
    if not vectors.is_valid_vector(row["data"], found):
        raise InvalidInput("a vector that its model did not make")
    return True


def _existing_row(db: Connection, table: ExportedTable, row: ExportedRow) -> int | None:
    """The id of the same row in this file; 0 in a table without ids; None if it is unknown."""
    for same in (table.same, *_ALTERNATIVE_KEYS.get(table.name, ())):
        if any(row.get(name) is None for name in same) and not table.exact:
            continue
        where = " AND ".join(f"{name} IS :{name}" for name in same)
        if same == ("key",):  # the index of keys is partial
            where += " AND key IS NOT NULL"
        found = db.execute(
            f"SELECT {'id' if table.numbered else 0} FROM {table.name} WHERE {where}",
            {name: row.get(name) for name in same},
        ).get
        if found is not None:
            return int(found)
    return None


# Further unique keys: two files that diverged may contain the same name, event or pair under different ULIDs.
_ALTERNATIVE_KEYS: dict[str, tuple[tuple[str, ...], ...]] = {
    "entity": (("name", "type"),),
    "node": (("key",),),
    "relation": (("source_id", "target_id", "type"),),
}


def _equal_rows(db: Connection, table: ExportedTable, row: ExportedRow) -> list[int]:
    where = " AND ".join(f"{name} IS :{name}" for name in table.same)
    found = db.execute(f"SELECT id FROM {table.name} WHERE {where}", {name: row.get(name) for name in table.same})
    return [each[0] for each in found]


def _belongs_to_session(db: Connection, session: int, node: int) -> bool:
    found = db.execute("SELECT session_id IS ? FROM node WHERE id = ?", (session, node)).get
    return found is None or bool(found)


def _all_learned(db: Connection, session: int, upto: int, learned: int) -> bool:
    """Whether the session has no more episodes up to `upto` than were learned from in the other file."""
    existing = db.execute(
        "SELECT count(*) FROM node WHERE session_id = ? AND kind = 'episode' AND id <= ?", (session, upto)
    ).get
    return int(existing) <= learned


def _insert_row(db: Connection, table: ExportedTable, row: ExportedRow, old_id: int | None) -> int:
    if table.name == "embedding_model":
        taken = db.execute("SELECT EXISTS (SELECT 1 FROM embedding_model WHERE current)").get
        row["current"] = int(bool(row.get("current")) and not taken)
    if old_id is not None and _is_free(db, table.name, old_id):
        row = {"id": old_id, **row}
    if table.name in ("vector", "token_state"):
        row = {**row, "checksum": zlib.crc32(row["data"])}
    names = ", ".join(row)
    values = ", ".join(f":{name}" for name in row)
    db.execute(f"INSERT INTO {table.name} ({names}) VALUES ({values})", row)
    return db.last_insert_rowid() if table.numbered else 0


def _is_free(db: Connection, table: str, id: int) -> bool:
    if not 0 < id <= LARGEST_ID:
        return False
    if table == "node":
        return _is_id_accounted(db, id)
    if table in _GROWING_IDS:
        return bool(id > int(db.execute("SELECT max(seq) FROM sqlite_sequence WHERE name = ?", (table,)).get or 0))
    return not db.execute(f"SELECT EXISTS (SELECT 1 FROM {table} WHERE id = ?)", (id,)).get


def _move_task_number(db: Connection, row: ExportedRow) -> None:
    """Renumbers a finished task whose number is taken."""
    taken = "SELECT EXISTS (SELECT 1 FROM task WHERE number = ?)"
    if row.get("number") is not None and db.execute(taken, (row["number"],)).get:
        row["number"] = 1 + int(db.execute("SELECT max(number) FROM task").get)


def _is_id_accounted(db: Connection, id: int) -> bool:
    """Whether a node may get this id without leaving unexplained ids between it and the last one."""
    last = receipts.highest_node_id(db)
    between = db.execute("SELECT count(*) FROM erased WHERE node_id > ? AND node_id < ?", (last, id)).get
    return last < id == last + 1 + int(between)


def _insert_node(db: Connection, table: ExportedTable, row: ExportedRow, old_id: int | None, now: int) -> int:
    row = _with_derived_columns(row)
    current = _live_preference(db, row)
    wins = current is not None and row["updated_at"] > current[1]
    if current is not None and wins:
        nodes.retire(db, current[0], "superseded", now)
    elif current is not None:
        row |= {"state": "superseded", "state_at": now}
    id = _insert_row(db, table, row, old_id)
    fulltext.index_nodes(db, [id])
    if current is not None:
        edges.insert(db, *((id, current[0]) if wins else (current[0], id)), "supersedes", now)
    nodes.require(db, id)  # an unreadable node would break every query that returns it
    vectors.enqueue(db, [id])
    return id


def _with_derived_columns(row: ExportedRow) -> ExportedRow:
    """Computes derived columns again: a newer version may compute them differently."""
    return {
        **row,
        "content_hash": row.get("content_hash") or rows.content_hash(row["text"]),
        "folded_text": index_text(row["text"]),
        "folded_speaker": index_text(row["speaker"]) if row.get("speaker") else None,
        "folded_tags": index_text(row["tags"]) if row.get("tags") else None,
    }


def _live_preference(db: Connection, row: ExportedRow) -> tuple[int, int] | None:
    """(id, time of the last change) of the live preference of the same name; there is at most one."""
    if row["kind"] != "preference" or row.get("state", "live") != "live":
        return None
    own = json.loads(row.get("attributes") or "{}")
    existing = nodes.find_preference(db, own.get("category", "other"), own["name"]) if own.get("name") else None
    if existing is None:
        return None
    return existing.id, int(db.execute("SELECT updated_at FROM node WHERE id = ?", (existing.id,)).get)


def _update_row(
    db: Connection, table: ExportedTable, known: dict[str, ExportedColumn], row: ExportedRow, existing: int
) -> bool:
    """Updates a row if the imported version is newer; returns whether anything changed."""
    if not table.newer:
        return False
    where = "id = :held" if table.numbered else " AND ".join(f"{name} = :{name}" for name in table.same)
    keys = {"held": existing} if table.numbered else {name: row[name] for name in table.same}
    ours = db.execute(f"SELECT {', '.join(table.newer)} FROM {table.name} WHERE {where}", keys).fetchone()
    assert ours is not None
    if _rank(row.get(name) for name in table.newer) <= _rank(ours):
        return False
    text = db.execute("SELECT text FROM node WHERE id = ?", (existing,)).get if table.name == "node" else None
    if table.name == "node":
        archive.erase_from_archive(db, [existing])  # the newer version has its own text
    row = _with_derived_columns(row) if table.name == "node" else row
    gone = {name: None for name, column in known.items() if name not in row and not column.required and name != "id"}
    news = {name: value for name, value in {**gone, **row}.items() if name not in (*table.same, "episode_count")}
    db.execute(
        f"UPDATE OR IGNORE {table.name} SET {', '.join(_assignments(table, name) for name in news)} WHERE {where}",
        {**news, **keys},
    )
    changed = bool(db.changes())
    if table.name == "node" and changed:
        nodes.require(db, existing)
        if row["text"] != text:
            vectors.requeue(db, existing)
            edges.replace_times(db, existing, ())  # those of the new text follow
    return changed


def _assignments(table: ExportedTable, name: str) -> str:
    if table.name == "entity" and name in _MERGED_COLUMNS:
        return f"{name} = {_MERGED_COLUMNS[name]}({name}, :{name})"
    return f"{name} = :{name}"


def _rank(values: Any) -> tuple[tuple[bool, Any], ...]:
    return tuple((value is not None, value or 0) for value in values)


def _raise_sequence(db: Connection, table: str, last: int) -> None:
    db.execute("UPDATE sqlite_sequence SET seq = ? WHERE name = ? AND seq < ?", (last, table, last))
    if last and not db.execute("SELECT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = ?)", (table,)).get:
        db.execute("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", (table, last))
