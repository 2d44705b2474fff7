"""Free text that no link ties to a node: emptied where it gives away what only the erased said.

What was made of the erased, or speaks of the same entity or session, is `tied` to them: there one word is enough. The
condition on a row that says so knows :shaken, :touched and :sessions of the erasure.
"""

from __future__ import annotations

import json
from typing import Any

import apsw

from omoide.store import records, rows
from omoide.store.doomed import Doomed, Erase
from omoide.store.forgotten import Mention

_SHAKEN = "(SELECT value FROM json_each(:shaken))"
_TOUCHED = "(SELECT value FROM json_each(:touched))"
NEVER, MADE = "0", "1"  # MADE: by us, of whatever there was, and made again
NODE = f"node_id IN {_SHAKEN}"
LINK = f"source_id IN {_SHAKEN} OR target_id IN {_SHAKEN}"
ENTITY = f"id IN {_TOUCHED}"
OF_ENTITY = f"entity_id IN {_TOUCHED}"
RELATION = f"source_node_id IN {_SHAKEN} OR source_id IN {_TOUCHED} AND target_id IN {_TOUCHED}"
SESSION = "id IN (SELECT value FROM json_each(:sessions))"


def _rows(
    db: apsw.Connection, doomed: Doomed, table: str, columns: tuple[str, ...], tied: str
) -> list[tuple[Any, ...]]:
    """(row, whether it is tied, the columns)."""
    known = {"shaken": doomed.shaken, "touched": doomed.touched, "sessions": doomed.said_in}
    values = {name: json.dumps(sorted(ids)) for name, ids in known.items() if f":{name}" in tied}
    some = " OR ".join(f"{column} <> ''" for column in columns)
    statement = f"SELECT {_key(table)}, coalesce({tied}, 0), {', '.join(columns)} FROM {table} WHERE {some}"
    return list(db.execute(statement, values))


def _key(table: str) -> str:
    return "path" if table == "foreign_file" else "rowid"


def texts(table: str, *columns: str, empty: str | None = None, tied: str = NEVER) -> Erase:
    """Empties the text columns of a table where they hold such a word."""

    def erase(db: apsw.Connection, doomed: Doomed) -> int:
        count = 0
        for row, is_tied, *values in _rows(db, doomed, table, columns, tied):
            for column, value in zip(columns, values, strict=True):
                if doomed.empties(f"{table}.{column}", row, value, tied=bool(is_tied)):
                    db.execute(f"UPDATE {table} SET {column} = ? WHERE {_key(table)} = ?", (empty, row))
                    count += 1
        return count

    return erase


def documents(table: str, *columns: str, empty: str = "{}", names: bool = True, tied: str = NEVER) -> Erase:
    """Takes such texts out of the JSON columns of a table; `names`: its fields are called as the user likes."""

    def erase(db: apsw.Connection, doomed: Doomed) -> int:
        assert doomed.sweep is not None
        count = 0
        for column in columns:
            for row, is_tied, value in _rows(db, doomed, table, (column,), tied):
                sweep = doomed.sweep.where(bool(is_tied))
                if value == empty or not sweep(value):
                    continue
                before = json.loads(value)
                kept = sweep.pruned(before, names=names)
                if kept != before:
                    db.execute(
                        f"UPDATE {table} SET {column} = ? WHERE {_key(table)} = ?", (rows.dump(kept) or empty, row)
                    )
                    doomed.swept.append(Mention(f"{table}.{column}", row if isinstance(row, int) else None, value))
                    count += 1
        return count

    return erase


def deleted(table: str, *columns: str, tied: str = NEVER) -> Erase:
    """Deletes such rows: without the word they would say nothing, or something else."""

    def erase(db: apsw.Connection, doomed: Doomed) -> int:
        count = 0
        for row, is_tied, *values in _rows(db, doomed, table, columns, tied):
            told = zip(columns, values, strict=True)
            if any(doomed.empties(f"{table}.{column}", row, each, tied=bool(is_tied)) for column, each in told):
                db.execute(f"DELETE FROM {table} WHERE {_key(table)} = ?", (row,))
                count += 1
        return count

    return erase


def merges(db: apsw.Connection, doomed: Doomed) -> int:
    """What merges of entities wrote down to be taken back by."""
    assert doomed.sweep is not None
    return records.swept(db, doomed.sweep, doomed.touched)


def boards(db: apsw.Connection, doomed: Doomed) -> int:
    """What an agent had before it in a session that is gone, or that says such a word: it is made anew."""
    found = [
        (session,)
        for session, board, system in list(db.execute("SELECT session, board, system FROM live"))
        if session in doomed.sessions
        or doomed.empties("live.board", None, board, tied=True)
        or doomed.empties("live.system", None, system)
        or doomed.empties("live.session", None, session)
    ]
    db.executemany("DELETE FROM live WHERE session = ?", found)
    return len(found)
