"""Rows from another file find their place here: the same one if it is known, the later version, or a new row.

Everything is decided by what is in the file, nothing by what was done before: an import that was interrupted, or is
run twice, ends like one that was not.
"""

from __future__ import annotations

import json
from typing import Any

import apsw

from omoide.errors import InvalidInput, OmoideError
from omoide.language.text import index_text
from omoide.store.ageing import archive
from omoide.store.engine import consistency
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
from omoide.store.search import vectors

_GROWING_IDS = (*SEQUENCES, "vector")  # ids only ever grow: one below the last may once have meant something else
_REFERRED_TABLES = {
    other for table in TABLES_BY_NAME.values() for other in (*table.refers.values(), *table.late.values())
} | {table.name for table in TABLES_BY_NAME.values() if table.late}
_ERASURE_TABLES = ("erasure", "erased", "tombstone_key", "tombstone")
_MERGE_UNDO_FIELDS = ("entity", "kept", "upto")  # by which a merge is taken back: it speaks of ids
_CHANGED_IDS_SHOWN = 20  # of the ids that changed
# Of two versions of an entity the later one stands, but what was counted is not counted back.
_MERGED_COLUMNS = {"mention_count": "max", "first_seen_at": "min", "last_referenced_at": "max"}


class RowImport:
    """One import, batch by batch; each batch is one transaction of the caller's."""

    def __init__(self) -> None:
        self.tally = RowImportTally()
        self._moved = {name: IdMap() for name in TABLES_BY_NAME}
        self._columns: dict[str, dict[str, ExportedColumn]] = {}
        self._joined = False  # whether a session was here before
        self._forgone = ErasedRowFilter()
        self.cleared = False  # whether some of what came went again: it had come for the sake of what was forgotten

    def take(self, db: apsw.Connection, batch: list[ExportLine], now: int) -> None:
        self._forgone.look(db, now)
        for line in batch:
            try:
                self._take(db, line, now)
            except OmoideError as error:
                raise type(error)(f"line {line.number}: {error}") from error
            except (apsw.ConstraintError, apsw.MismatchError) as error:
                raise InvalidInput(f"line {line.number}: the file's own rules refuse it ({error})") from error
            except (TypeError, ValueError, KeyError, OverflowError) as error:
                raise InvalidInput(f"line {line.number}: a {line.table} that cannot be read ({error})") from error

    def finish(self, db: apsw.Connection, sequences: dict[str, int]) -> None:
        """What could only be done at the end: ids that were given once are not given again, counts are true."""
        for name in SEQUENCES:
            last = int(sequences.get(name, 0))
            if name != "node" or _is_id_accounted(db, last + 1):
                _raise_sequence(db, name, last)
        for name, gone in self._forgone.clear(db).items():
            self.cleared = self.cleared or bool(gone)
            self.tally.uncount(name, gone)
        if self._joined or len(self._moved["node"]):  # what both files knew stays where it was here
            consistency.check_sessions(db, repair=True)
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

    # ── one row ───────────────────────────────────────────────────────────────────────────────────────────────

    def _take(self, db: apsw.Connection, line: ExportLine, now: int) -> None:
        table = TABLES_BY_NAME.get(line.table.removesuffix(LATE_MARK))
        if table is None or (line.table.endswith(LATE_MARK) and not table.late):
            raise InvalidInput(f"nothing is called {line.table!r} here; a newer Omoide may have written it: upgrade")
        if line.table.endswith(LATE_MARK):
            self._complete(db, table, parse_late_columns(table, line.fields))
            return
        if table.name not in self._columns:
            self._columns[table.name] = exported_columns(db, table)
        row = parse_row(table, self._columns[table.name], line.fields)
        there = row.pop("id", None)
        here, outcome = self._place(db, table, row, there, int(line.fields.get("nth", 1)), now)
        if there is not None and table.name in _REFERRED_TABLES:
            self._moved[table.name].note(there, here)
            if here not in (0, there) and len(self.tally.moved) < _CHANGED_IDS_SHOWN:
                self.tally.moved.append((table.name, there, here))
        self.tally.count(table.name, outcome)

    def _place(
        self, db: apsw.Connection, table: ExportedTable, row: ExportedRow, there: int | None, nth: int, now: int
    ) -> tuple[int, str]:
        """(its id here, what became of it)"""
        ends = [column for column in table.refers if row.get(column) is not None]
        row |= {column: self._moved[table.refers[column]].get(row[column]) for column in ends}
        if any(row[column] is None for column in ends):
            self._forgone.left_out(table.name, row)
            return 0, "skipped"
        self._rename_inside(db, table, row)
        if self._forgone.refuses(table.name, row):
            self.tally.forgotten += 1
            return 0, "skipped"
        if not _is_importable(db, table, row):
            return 0, "skipped"
        if table.repeats:
            equal = _is_equal(db, table, row)
            return (equal[0], "same") if len(equal) >= nth else (_insert_row(db, table, row, there), "added")
        held = _existing_row(db, table, row)
        if held is not None:
            if table.name == "session":
                self._joined = True
            self._forgone.came(db, table.name, held, row)
            known = self._columns[table.name]
            return held, "updated" if _update_row(db, table, known, row, held) else "same"
        if table.name == "node":
            return _insert_node(db, table, row, there, now), "added"
        if table.name == "archived":
            return 0, "added" if archive.archive_imported(
                db, row["node_id"], row["state_at"], row["reason"]
            ) else "skipped"
        if table.name == "task":
            _move_task_number(db, row)
        id = _insert_row(db, table, row, there)
        self._forgone.added(table.name, id)
        self._forgone.came(db, table.name, id, row)
        return id, "added"

    def _complete(self, db: apsw.Connection, table: ExportedTable, row: ExportedRow) -> None:
        id = self._moved[table.name].get(row.pop("id"))
        for column, other in table.late.items():
            value = None if row.get(column) is None else self._moved[other].get(row[column])
            if id is None or value is None:
                continue
            if column == "learned_upto" and not _all_learned(db, id, value, row.get("learned_episodes", 0)):
                continue  # something else was said here before; what is learned from twice changes nothing
            if column == "last_node_id" and not _belongs_to_session(db, id, value):
                continue  # this file knew it already, and elsewhere
            latest = column in ("last_node_id", "learned_upto")
            kept = f"max(coalesce({column}, 0), :value)" if latest else f"coalesce({column}, :value)"
            db.execute(f"UPDATE {table.name} SET {column} = {kept} WHERE id = :id", {"id": id, "value": value})

    def _rename_inside(self, db: apsw.Connection, table: ExportedTable, row: ExportedRow) -> None:
        """Ids that stand inside documents: the facts a summary was made from, the nodes of a merged entity."""
        if table.name == "entity" and len(self._moved["node"]) and row.get("attributes"):
            document = json.loads(row["attributes"])
            if isinstance(of := document.get("summary_of"), str):
                document["summary_of"] = json.dumps(self._all(json.loads(of)), separators=(",", ":"))
                row["attributes"] = rows.to_json(document)
        if table.name == "entity_change" and row.get("before"):
            document = json.loads(row["before"])
            if "entity" in document and not self._is_as_it_was(db, document["entity"].get("id")):
                document = {name: value for name, value in document.items() if name not in _MERGE_UNDO_FIELDS}
            if "nodes" in document:
                document["nodes"] = self._all(document["nodes"])
            if "into" in document:
                document["into"] = self._moved["entity"].get(document["into"])
            row["before"] = rows.to_json(document) if rows.to_json(document) != row["before"] else row["before"]

    def _is_as_it_was(self, db: apsw.Connection, merged: int | None) -> bool:
        """Whether every id still means what it meant there; else a merge stands, and is told apart by words."""
        moved = any(len(self._moved[name]) for name in ("node", "entity", "relation", "session", "edge"))
        taken = db.execute("SELECT EXISTS (SELECT 1 FROM entity WHERE id = ?)", (merged,)).get
        return not moved and not taken

    def _all(self, ids: list[int]) -> list[int]:
        return [here for there in ids if (here := self._moved["node"].get(there)) is not None]


# ── what is known ─────────────────────────────────────────────────────────────────────────────────────────────────


def _is_importable(db: apsw.Connection, table: ExportedTable, row: ExportedRow) -> bool:
    """Refuses a row that has no place here; what refers to it is refused with it."""
    if table.name in _ERASURE_TABLES:  # they speak of ids as they were there: for a file that was empty
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


def _existing_row(db: apsw.Connection, table: ExportedTable, row: ExportedRow) -> int | None:
    """The row here that is the same one; of a table without ids, 0."""
    for same in (table.same, *_ALTERNATIVE_KEYS.get(table.name, ())):
        if any(row.get(name) is None for name in same) and not table.exact:
            continue
        where = " AND ".join(f"{name} IS :{name}" for name in same)
        found = db.execute(
            f"SELECT {'id' if table.numbered else 0} FROM {table.name} WHERE {where}",
            {name: row.get(name) for name in same},
        ).get
        if found is not None:
            return int(found)
    return None


# Of two files that grew apart, what must not stand twice in one: the same name, the same event, the same pair.
_ALTERNATIVE_KEYS: dict[str, tuple[tuple[str, ...], ...]] = {
    "entity": (("name", "type"),),
    "node": (("key",),),
    "relation": (("source_id", "target_id", "type"),),
}


def _is_equal(db: apsw.Connection, table: ExportedTable, row: ExportedRow) -> list[int]:
    where = " AND ".join(f"{name} IS :{name}" for name in table.same)
    found = db.execute(f"SELECT id FROM {table.name} WHERE {where}", {name: row.get(name) for name in table.same})
    return [each[0] for each in found]


def _belongs_to_session(db: apsw.Connection, session: int, node: int) -> bool:
    found = db.execute("SELECT session_id IS ? FROM node WHERE id = ?", (session, node)).get
    return found is None or bool(found)  # one that is gone is nobody's


def _all_learned(db: apsw.Connection, session: int, upto: int, learned: int) -> bool:
    """Whether a session holds no more episodes up to there than were learned from in the other file."""
    held = db.execute(
        "SELECT count(*) FROM node WHERE session_id = ? AND kind = 'episode' AND id <= ?", (session, upto)
    ).get
    return int(held) <= learned


# ── writing ───────────────────────────────────────────────────────────────────────────────────────────────────────


def _insert_row(db: apsw.Connection, table: ExportedTable, row: ExportedRow, there: int | None) -> int:
    if table.name == "embedding_model":
        taken = db.execute("SELECT EXISTS (SELECT 1 FROM embedding_model WHERE current)").get
        row["current"] = int(bool(row.get("current")) and not taken)
    if there is not None and _is_free(db, table.name, there):
        row = {"id": there, **row}
    names = ", ".join(row)
    values = ", ".join(f":{name}" for name in row)
    db.execute(f"INSERT INTO {table.name} ({names}) VALUES ({values})", row)
    return db.last_insert_rowid() if table.numbered else 0


def _is_free(db: apsw.Connection, table: str, id: int) -> bool:
    if id <= 0:
        return False
    if table == "node":
        return _is_id_accounted(db, id)
    if table in _GROWING_IDS:
        return bool(id > int(db.execute("SELECT max(seq) FROM sqlite_sequence WHERE name = ?", (table,)).get or 0))
    return not db.execute(f"SELECT EXISTS (SELECT 1 FROM {table} WHERE id = ?)", (id,)).get


def _move_task_number(db: apsw.Connection, row: ExportedRow) -> None:
    """A task that is over stands behind those that were over here, where its place is taken."""
    taken = "SELECT EXISTS (SELECT 1 FROM task WHERE number = ?)"
    if row.get("number") is not None and db.execute(taken, (row["number"],)).get:
        row["number"] = 1 + int(db.execute("SELECT max(number) FROM task").get)


def _is_id_accounted(db: apsw.Connection, id: int) -> bool:
    """Whether a node may have an id: none between it and the last one may be left that nothing accounts for."""
    last = receipts.highest_node_id(db)
    between = db.execute("SELECT count(*) FROM erased WHERE node_id > ? AND node_id < ?", (last, id)).get
    return last < id == last + 1 + int(between)


def _insert_node(db: apsw.Connection, table: ExportedTable, row: ExportedRow, there: int | None, now: int) -> int:
    row = _with_derived_columns(row)
    rival = _live_preference(db, row)
    wins = rival is not None and row["updated_at"] > rival[1]
    if rival is not None and wins:
        nodes.retire(db, rival[0], "superseded", now)
    elif rival is not None:
        row |= {"state": "superseded", "state_at": now}
    id = _insert_row(db, table, row, there)
    if rival is not None:
        edges.insert(db, *((id, rival[0]) if wins else (rival[0], id)), "supersedes", now)
    nodes.require(db, id)  # one that cannot be read would spoil every answer it is in
    vectors.enqueue(db, [id])
    return id


def _with_derived_columns(row: ExportedRow) -> ExportedRow:
    """What is made from the words, made again: a newer version may make it in another way."""
    return {
        **row,
        "content_hash": row.get("content_hash") or rows.content_hash(row["text"]),
        "folded_text": index_text(row["text"]),
        "folded_speaker": index_text(row["speaker"]) if row.get("speaker") else None,
        "folded_tags": index_text(row["tags"]) if row.get("tags") else None,
    }


def _live_preference(db: apsw.Connection, row: ExportedRow) -> tuple[int, int] | None:
    """(id, when it was last changed) of the live preference that stands under the same name: there is at most one."""
    if row["kind"] != "preference" or row.get("state", "live") != "live":
        return None
    own = json.loads(row.get("attributes") or "{}")
    held = nodes.find_preference(db, own.get("category", "other"), own["name"]) if own.get("name") else None
    if held is None:
        return None
    return held.id, int(db.execute("SELECT updated_at FROM node WHERE id = ?", (held.id,)).get)


def _update_row(
    db: apsw.Connection, table: ExportedTable, known: dict[str, ExportedColumn], row: ExportedRow, held: int
) -> bool:
    """Takes over the later of two versions; tells whether anything changed."""
    if not table.newer:
        return False
    where = "id = :held" if table.numbered else " AND ".join(f"{name} = :{name}" for name in table.same)
    keys = {"held": held} if table.numbered else {name: row[name] for name in table.same}
    ours = db.execute(f"SELECT {', '.join(table.newer)} FROM {table.name} WHERE {where}", keys).fetchone()
    assert ours is not None
    if _rank(row.get(name) for name in table.newer) <= _rank(ours):
        return False
    text = db.execute("SELECT text FROM node WHERE id = ?", (held,)).get if table.name == "node" else None
    if table.name == "node":
        archive.erase_from_archive(db, [held])  # the later version brings its own words
    row = _with_derived_columns(row) if table.name == "node" else row
    gone = {name: None for name, column in known.items() if name not in row and not column.required and name != "id"}
    news = {name: value for name, value in {**gone, **row}.items() if name not in (*table.same, "episode_count")}
    db.execute(
        f"UPDATE OR IGNORE {table.name} SET {', '.join(_assignments(table, name) for name in news)} WHERE {where}",
        {**news, **keys},
    )
    changed = bool(db.changes())
    if table.name == "node" and changed:
        nodes.require(db, held)
        if row["text"] != text:
            vectors.requeue(db, held)
    return changed


def _assignments(table: ExportedTable, name: str) -> str:
    if table.name == "entity" and name in _MERGED_COLUMNS:
        return f"{name} = {_MERGED_COLUMNS[name]}({name}, :{name})"
    return f"{name} = :{name}"


def _rank(values: Any) -> tuple[tuple[bool, Any], ...]:
    return tuple((value is not None, value or 0) for value in values)


def _raise_sequence(db: apsw.Connection, table: str, last: int) -> None:
    db.execute("UPDATE sqlite_sequence SET seq = ? WHERE name = ? AND seq < ?", (last, table, last))
    if last and not db.execute("SELECT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = ?)", (table,)).get:
        db.execute("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", (table, last))
