"""The tables of a fleet in PostgreSQL, made from the tables of a memory file: the migrations are their one source.

Every canonical table has a twin with the same columns, and `space` and `_sequence` besides: the space that the row
belongs to, and the transaction that last wrote it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import apsw

SCHEMA = "omoide"

# Tables that stay in each file: indexes and caches, which are built from the rows, and what is about one machine.
LOCAL_TABLES = frozenset({"cache_invalidation", "fleet_position", "known_copy", "lease", "migration", "write_mark"})
_LOCAL_PREFIXES = ("sqlite_", "nodes_fts", "word", "vector_block")

_TYPES = {"INTEGER": "bigint", "REAL": "double precision", "TEXT": "text", "BLOB": "bytea"}
# PostgreSQL's text cannot hold NUL. It and the mark itself are written as a mark and a letter.
_MARK, _NUL = "\ue000", "\x00"
_ESCAPES = {_MARK: f"{_MARK}m", _NUL: f"{_MARK}0"}


def is_canonical(table: str) -> bool:
    """Whether the rows of a table of the file belong to the truth that PostgreSQL holds."""
    return table not in LOCAL_TABLES and not table.startswith(_LOCAL_PREFIXES)


@dataclass(frozen=True)
class TwinTable:
    """A canonical table and its twin."""

    name: str
    columns: tuple[str, ...]  # as in the file; `_rowid_` first where the table has no primary key
    types: tuple[str, ...]  # of PostgreSQL
    defaults: tuple[str | None, ...]
    key: tuple[str, ...]

    @cached_property
    def key_places(self) -> tuple[int, ...]:
        return tuple(self.columns.index(name) for name in self.key)

    @cached_property
    def text_places(self) -> tuple[int, ...]:
        return tuple(place for place, type in enumerate(self.types) if type == "text")

    @cached_property
    def create(self) -> str:
        columns = ", ".join(f'"{name}" {type}' for name, type in zip(self.columns, self.types, strict=True))
        return (
            f"CREATE TABLE IF NOT EXISTS {self.twin} (space text NOT NULL, _sequence bigint NOT NULL, {columns}, "
            f"PRIMARY KEY (space, {_listed(self.key)}))"
        )

    @cached_property
    def additions(self) -> tuple[str, ...]:
        """Adds the columns that later migrations brought."""
        return tuple(
            f'ALTER TABLE {self.twin} ADD COLUMN IF NOT EXISTS "{name}" {type}'
            + (f" DEFAULT {default}" if default is not None else "")
            for name, type, default in zip(self.columns, self.types, self.defaults, strict=True)
        )

    @property
    def twin(self) -> str:
        return f'{SCHEMA}."{self.name}"'

    @cached_property
    def upsert(self) -> str:
        """Takes one array for each column; `moved` gives the space and the sequence."""
        arrays = ", ".join(f"%s::{type}[]" for type in self.types)
        changed = ", ".join(f'"{name}" = excluded."{name}"' for name in ("_sequence", *self.columns))
        return (
            f"INSERT INTO {self.twin} (space, _sequence, {_listed(self.columns)}) "
            f"SELECT moved.space, moved.sequence, given.* FROM moved, unnest({arrays}) AS given "
            f"ON CONFLICT (space, {_listed(self.key)}) DO UPDATE SET {changed}"
        )

    @cached_property
    def delete(self) -> str:
        """Takes one array for each column of the key; `moved` gives the space."""
        arrays = ", ".join(f"%s::{self.types[place]}[]" for place in self.key_places)
        same = " AND ".join(f't."{name}" = gone."{name}"' for name in self.key)
        return (
            f"DELETE FROM {self.twin} AS t USING moved, unnest({arrays}) AS gone({_listed(self.key)}) "
            f"WHERE t.space = moved.space AND {same}"
        )

    @cached_property
    def select(self) -> str:
        """Reads the row of a key from the file."""
        same = " AND ".join(f'"{name}" = ?' for name in self.key)
        return f'SELECT {_listed(self.columns)} FROM "{self.name}" WHERE {same}'

    @cached_property
    def insert(self) -> str:
        """Writes a row to the file."""
        marks = ", ".join("?" * len(self.columns))
        return f'INSERT OR REPLACE INTO "{self.name}" ({_listed(self.columns)}) VALUES ({marks})'

    @cached_property
    def remove(self) -> str:
        """Deletes the row of a key from the file."""
        return f'DELETE FROM "{self.name}" WHERE ' + " AND ".join(f'"{name}" = ?' for name in self.key)

    def to_twin(self, row: tuple[Any, ...]) -> tuple[Any, ...]:
        """A row of the file as PostgreSQL can hold it."""
        return self._with_texts(row, escaped)

    def from_twin(self, row: tuple[Any, ...]) -> tuple[Any, ...]:
        return self._with_texts(row, unescaped)

    def _with_texts(self, row: tuple[Any, ...], change: Any) -> tuple[Any, ...]:
        if not any(isinstance(row[place], str) and _is_special(row[place]) for place in self.text_places):
            return row
        return tuple(change(value) if isinstance(value, str) else value for value in row)


def _is_special(text: str) -> bool:
    return _NUL in text or _MARK in text


def escaped(text: str) -> str:
    return text.replace(_MARK, _ESCAPES[_MARK]).replace(_NUL, _ESCAPES[_NUL]) if _is_special(text) else text


def unescaped(text: str) -> str:
    return text.replace(_ESCAPES[_NUL], _NUL).replace(_ESCAPES[_MARK], _MARK) if _MARK in text else text


def _listed(names: Iterable[str]) -> str:
    return ", ".join(f'"{name}"' for name in names)


def twin_tables(db: apsw.Connection) -> dict[str, TwinTable]:
    """Every canonical table of a file, as its schema is now."""
    found = {}
    for name in db.execute("SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' ORDER BY name"):
        if is_canonical(str(name[0])):
            found[str(name[0])] = _twin_table(db, str(name[0]))
    return found


def _twin_table(db: apsw.Connection, table: str) -> TwinTable:
    rows = list(db.execute("SELECT name, type, pk, dflt_value FROM pragma_table_info(?) ORDER BY cid", (table,)))
    key = [name for _, name in sorted((pk, str(name)) for name, _, pk, _ in rows if pk)]
    columns = [str(row[0]) for row in rows]
    types = [_TYPES[str(row[1])] for row in rows]
    defaults = [row[3] for row in rows]
    if not key:
        key, columns, types, defaults = ["_rowid_"], ["_rowid_", *columns], ["bigint", *types], [None, *defaults]
    return TwinTable(table, tuple(columns), tuple(types), tuple(defaults), tuple(key))
