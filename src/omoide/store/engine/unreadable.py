"""Makes damaged values readable: a text that is no UTF-8, or no JSON, would fail every query that meets it."""

from __future__ import annotations

import json
from collections.abc import Iterator

import apsw

from omoide.errors import Damaged, OmoideError
from omoide.store.engine import maintenance_log
from omoide.store.engine.connection import Connection
from omoide.store.search import fulltext

UNREADABLE = (UnicodeDecodeError, json.JSONDecodeError)


def is_unreadable(error: BaseException) -> bool:
    return isinstance(error, UNREADABLE) or (isinstance(error, apsw.SQLError) and "malformed JSON" in str(error))


def mend(db: Connection) -> int:
    """Replaces what cannot be read, or rebuilds the text index; says how much that was, and `doctor` what.

    Raises Damaged for a file whose pages are damaged, which is left alone: to write there may do harm.
    """
    found = [(table, *each) for table, sql in _tables(db) for each in _unreadable(db, table, sql)]
    rules = _rules_over_json(db) if found else []
    for type, name, _ in rules:  # to change a row, they would read what cannot be read
        db.execute(f'DROP {type} "{name}"')
    if damage := damage_of(db, but="CHECK constraint failed"):
        raise Damaged(damage)
    for table, id, column, text in found:
        db.execute(f'UPDATE "{table}" SET "{column}" = ? WHERE rowid = ?', (text, id))
        what = f"its {column} could not be read and was repaired; compare it with a backup"
        maintenance_log.set_aside(db, "scrub", f"{'memory' if table == 'node' else table} {id}", what)
    for _, _, sql in rules:
        db.execute(sql)
    if not found and not fulltext.is_index_consistent(db):
        fulltext.rebuild_index(db)
        return 1
    return len(found)


def damage_of(db: Connection, but: str = "ok") -> str:
    """The first damage of pages or rows, other than one that begins so; empty if there is none."""
    seen = [str(row[0]) for row in db.execute("PRAGMA quick_check(20)")]
    return next((each for each in seen if "nodes_fts" not in each and not each.startswith(("ok", but))), "")


def as_damage(error: Exception, db: Connection, path: str) -> Exception:
    """What follows from a row that breaks a rule of its table is damage; any other error is itself."""
    damage = "" if isinstance(error, OmoideError) else damage_of(db)
    return Damaged(f"{path} is damaged ({damage}); see `omoide admin doctor`") if damage else error


def _tables(db: Connection) -> list[tuple[str, str]]:
    """(name, SQL) of the tables whose rows have numbers."""
    return list(
        db.execute(
            """
            SELECT listed.name, sqlite_schema.sql
            FROM pragma_table_list AS listed
            JOIN sqlite_schema ON sqlite_schema.name = listed.name
            WHERE listed.schema = 'main' AND listed.type = 'table' AND NOT listed.wr AND listed.name NOT LIKE 'sqlite_%'
            """
        )
    )


def _rules_over_json(db: Connection) -> list[tuple[str, str, str]]:
    """(type, name, SQL) of indexes and triggers."""
    wanted = "SELECT type, name, sql FROM sqlite_schema WHERE type IN ('index', 'trigger') AND sql LIKE '%->>%'"
    return list(db.execute(wanted))


def _unreadable(db: Connection, table: str, sql: str) -> Iterator[tuple[int, str, str | None]]:
    """(row, column, readable text) of each value that cannot be read."""
    kinds = "SELECT name FROM pragma_table_info(?) WHERE type = 'TEXT'"
    names = [name for (name,) in db.execute(kinds, (table,))]
    if not names:
        return
    listed = ", ".join(f'CAST("{name}" AS BLOB)' for name in names)
    for id, *values in db.execute(f'SELECT rowid, {listed} FROM "{table}"'):
        for name, value in zip(names, values, strict=True):
            is_json = f"json_valid({name})" in sql
            if value is not None and not _is_readable(value, is_json):
                yield id, name, _readable(name, value, is_json)


def _is_readable(value: bytes, is_json: bool) -> bool:
    try:
        text = value.decode()
        if is_json:
            json.loads(text)
    except UNREADABLE:
        return False
    return True


def _readable(column: str, value: bytes, is_json: bool) -> str | None:
    """As much as can be read. What is JSON no more becomes a text in the details, and nothing elsewhere."""
    text = value.decode(errors="replace")
    if _is_readable(text.encode(), is_json):
        return text
    return json.dumps(text) if column == "details" else None
