"""Finds and replaces secrets in what is stored already, in every column that can hold words."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import apsw

from omoide.domain.entity import name_key
from omoide.language import tokens
from omoide.language.text import index_text
from omoide.store.ageing import archive, archive_blocks
from omoide.store.engine.connection import Connection
from omoide.store.erasure.erasable_columns import TEXT_INDEX, has_rowid, worded_columns
from omoide.store.erasure.free_text import ErasureState
from omoide.store.erasure.receipts import KnownCopy
from omoide.store.records import rows
from omoide.store.search import vectors

_DERIVED_COLUMNS = ("content_hash", "folded_text", "folded_speaker", "folded_tags")
_LONG_COLUMNS = ("text", "summary", "details")  # of archived memories: in the archive
_MARKER = re.compile(r"\[redacted:([a-z0-9\-]+)\]")
_BATCH = 500


@dataclass(frozen=True, slots=True)
class Redactor:
    """What replaces the secrets in a text, and in all texts of a JSON value."""

    text: Callable[[str], str]
    value: Callable[[Any], Any]

    def column(self, stored: str) -> str:
        """A column without secrets: a JSON document stays one."""
        if stored[:1] in ("{", "["):
            try:
                document = json.loads(stored)
            except ValueError:
                return self.text(stored)
            kept = self.value(document)
            return stored if kept == document else rows.to_json(kept) or stored
        return self.text(stored)


@dataclass(frozen=True, slots=True)
class StoredSecret:
    """A column of a row that holds secrets, and their kinds."""

    table: str
    column: str
    row: int | str
    kinds: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class StoredSecretsReport:
    """Where secrets are or were stored, which copies may hold them still, and what could not be done."""

    found: tuple[StoredSecret, ...]
    redacted: bool
    copies: tuple[KnownCopy, ...] = ()
    pending: tuple[str, ...] = ()

    @property
    def memories(self) -> tuple[int, ...]:
        """Ids of the memories among them."""
        return tuple(dict.fromkeys(int(each.row) for each in self.found if each.table == "node"))


def find_secrets(db: Connection, redactor: Redactor) -> list[StoredSecret]:
    """Every column of every row in which the redactor finds something."""
    return [
        StoredSecret(table, column, row, _kinds(value, without))
        for table, columns in _columns()
        for row, values in _rows(db, table, columns)
        for column, value in values.items()
        if isinstance(value, str) and value and (without := redactor.column(value)) != value
    ]


def redact_rows(db: Connection, redactor: Redactor, found: Iterable[StoredSecret]) -> None:
    """Replaces the secrets in these rows. Vectors, indexes and hashes are made anew, freed pages overwritten."""
    db.execute("PRAGMA secure_delete = ON")
    places: dict[tuple[str, int | str], None] = {(each.table, each.row): None for each in found}
    for table, row in places:
        columns = dict(_columns())[table]
        for _, values in _rows(db, table, columns, row):
            texts = {name: value for name, value in values.items() if isinstance(value, str)}
            changed = {name: new for name, value in texts.items() if (new := redactor.column(value)) != value}
            if table == "node" and changed:
                _redact_node(db, int(row), changed, texts)
            elif changed:
                _assign(db, table, row, changed)
    if places:
        db.execute("DELETE FROM night_change")  # a night that is put back would bring the words back
        TEXT_INDEX.erase(db, ErasureState(frozenset(), db.now))


def _columns() -> list[tuple[str, tuple[str, ...]]]:
    """Tables with words and their columns; `audit` and other tables without words are not among them."""
    found: dict[str, tuple[str, ...]] = {}
    for table, columns in worded_columns():
        known = found.get(table, ())
        found[table] = (*known, *(each for each in columns if each not in (*_DERIVED_COLUMNS, *known)))
    return list(found.items())


def _key(db: Connection, table: str) -> str:
    """What names a row: its rowid, or its primary key as JSON."""
    if has_rowid(db, table):
        return "rowid"
    keys = db.column("SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk", (table,))
    return f"json_array({', '.join(keys)})"


def _rows(
    db: Connection, table: str, columns: tuple[str, ...], row: int | str | None = None
) -> Iterator[tuple[int | str, Mapping[str, Any]]]:
    """Rows by their key, with their words; those of archived memories come from the archive."""
    key = _key(db, table)
    one = "WHERE true" if row is None else f"WHERE {key} = :row"
    if table == "change":
        one += " AND verb <> 'evidence'"  # a digest of ours, under the name "key"
    cursor = db.execute(f"SELECT {key}, {', '.join(columns)} FROM {table} {one}", {"row": row})
    batch: list[tuple[Any, ...]] = []
    for each in cursor:
        batch.append(each)
        if len(batch) == _BATCH:
            yield from _with_archive(db, table, columns, batch)
            batch = []
    yield from _with_archive(db, table, columns, batch)


def _with_archive(
    db: Connection, table: str, columns: tuple[str, ...], batch: list[tuple[Any, ...]]
) -> Iterator[tuple[int | str, Mapping[str, Any]]]:
    archived = archive_blocks.archived_texts(db, [each[0] for each in batch]) if table == "node" and batch else {}
    for id, *values in batch:
        named = dict(zip(columns, values, strict=True))
        yield id, named | (archived[id].named if id in archived else {})


def _kinds(before: str, after: str) -> tuple[str, ...]:
    new = Counter(_MARKER.findall(after)) - Counter(_MARKER.findall(before))
    return tuple(dict.fromkeys(new)) or ("secret",)


def _redact_node(db: Connection, id: int, changed: dict[str, str], known: Mapping[str, str]) -> None:
    """Rewrites one memory where its words are: in its row or in the archive."""
    new: dict[str, Any] = {**changed, "updated_at": db.now}
    if "text" in changed:
        new |= {"content_hash": rows.content_hash(changed["text"]), "token_count": tokens.estimate(changed["text"])}
    for name in ("speaker", "tags"):
        new |= {f"folded_{name}": index_text(changed[name])} if name in changed else {}
    place = db.execute("SELECT state_at, reason FROM archived WHERE node_id = ?", (id,)).fetchone()
    words = {name: changed.get(name, known.get(name)) for name in _LONG_COLUMNS}
    if place is not None:
        archive.erase_from_archive(db, [id])
        new |= words
    if "text" in changed or place is not None:
        new["folded_text"] = index_text(words["text"] or "")
    _assign(db, "node", id, new)
    if place is not None:
        archive.archive_imported(db, id, *place)
    db.execute("DELETE FROM change WHERE node_id = ? AND verb = 'redacted'", (id,))
    db.insert("change", node_id=id, at=db.now, verb="redacted")
    if "text" in changed:
        vectors.requeue(db, id)


def _assign(db: Connection, table: str, row: int | str, values: dict[str, Any]) -> None:
    """Sets columns of a row. A name that another row has already is numbered."""
    if table == "entity_name":
        values = {"name": values.get("name", ""), "key": name_key(values.get("name", ""))} if "name" in values else {}
    if table == "entity":
        db.execute("DELETE FROM entity_vector WHERE entity_id = ?", (row,))
    if not values:
        return
    setting = ", ".join(f"{name} = :{name}" for name in values)
    statement = f"UPDATE {table} SET {setting} WHERE {_key(db, table)} = :_row"
    try:
        db.execute(statement, values | {"_row": row})
    except apsw.ConstraintError:
        numbered = {name: f"{value} {row}" if _MARKER.search(str(value)) else value for name, value in values.items()}
        db.execute(statement, numbered | {"_row": row})
