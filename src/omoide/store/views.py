"""The seeds' views as real tables of a plain SQLite file: any program that reads SQLite reads it, without ours."""

from __future__ import annotations

import json

import apsw

from omoide.store import nodes

_INSIDE = ("indexed", "learned")  # views that other views and the index stand on
# Where the words of a node stand that are packed away while it is out of use: the column of its id, those of its words.
_WORDS = {
    "memories_archive": ("id", ("content",)),
    "nodes": ("rowid", ("content",)),
    "episodes": ("rowid", ("summary", "details")),
    "facts": ("rowid", ("text", "object")),
}
_BATCH = 500


def copy(db: apsw.Connection, path: str) -> dict[str, int]:
    """Writes every view into the file, which must be empty; how many rows each has."""
    out = apsw.Connection(path)
    try:
        out.execute("PRAGMA journal_mode = DELETE")  # one file, nothing beside it
        with out:
            counts = {name: _table(db, out, name) for name in names(db)}
            for name, (id, columns) in _WORDS.items():
                _unpacked(db, out, name, id, columns)
        return counts
    finally:
        out.close()


def names(db: apsw.Connection) -> list[str]:
    found = db.execute("SELECT name FROM sqlite_schema WHERE type = 'view' ORDER BY name")
    return [name for (name,) in found if name not in _INSIDE]


def _table(db: apsw.Connection, out: apsw.Connection, name: str) -> int:
    columns = [row[1] for row in db.execute(f"PRAGMA table_info({name})")]
    told = ", ".join(f'"{column}"' for column in columns)
    out.execute(f'CREATE TABLE "{name}" ({told})')
    out.executemany(
        f'INSERT INTO "{name}" ({told}) VALUES ({", ".join("?" for _ in columns)})',
        db.execute(f'SELECT {told} FROM "{name}"'),
    )
    return int(out.execute(f'SELECT count(*) FROM "{name}"').get)


def _unpacked(db: apsw.Connection, out: apsw.Connection, name: str, id: str, columns: tuple[str, ...]) -> None:
    """A view sees no words that are packed away; here they stand in their place."""
    ids = [row[0] for row in db.execute("SELECT node_id FROM archived ORDER BY node_id")]
    for start in range(0, len(ids), _BATCH):
        for node in nodes.fetch(db, ids[start : start + _BATCH]).values():
            details = node.details if isinstance(node.details, str) else json.dumps(node.details, ensure_ascii=False)
            for column in columns:
                words = details if column == "details" and node.details is not None else node.text
                out.execute(
                    f'UPDATE "{name}" SET "{column}" = ? WHERE "{id}" = ? AND coalesce("{column}", \'\') = \'\'',
                    (words, node.id),
                )
