"""Brings every readable row of a damaged file into a new one, and reads SQLite files of other systems.

Rows are read in ranges of their ids; a range that cannot be read is halved until only the unreadable rows are left.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field
from typing import Any

import apsw

from omoide.errors import InvalidInput
from omoide.store.engine import connection
from omoide.store.engine.connection import Connection
from omoide.store.engine.encryption import FileKey

_OWN = frozenset({"migration", "counter", "write_mark", "lease", "cache_invalidation"})  # the new file has its own
_AT_ONCE = 1_000  # ids of the first ranges
_FAILURES = (apsw.Error, UnicodeDecodeError)


@dataclass(slots=True)
class SalvageReport:
    """Rows brought over and rows lost, by table; `gone` names the ids that could not be read, as ranges."""

    path: str
    kept: dict[str, int] = field(default_factory=dict)
    lost: dict[str, int] = field(default_factory=dict)
    gone: list[str] = field(default_factory=list)

    def lose(self, table: str, what: str, count: int = 1) -> None:
        self.lost[table] = self.lost.get(table, 0) + count
        self.gone.append(f"{table}: {what}")


def salvage_rows(damaged: str, fresh: str, busy_timeout: float, key: FileKey | None = None) -> SalvageReport:
    """Copies the rows of all tables. `fresh` is a new, empty memory file."""
    report = SalvageReport(fresh)
    source = connection.open_file(damaged, apsw.SQLITE_OPEN_READONLY, key)
    target = connection.connect(fresh, busy_timeout, key)
    try:
        target.pragma("foreign_keys", False)
        for table, has_ids in _tables(target):
            with target:
                _copy_table(source, target, table, has_ids, report)
        with target:
            _drop_dangling(target, report)
            _keep_sequences(source, target)
    finally:
        connection.close(target)
        source.close()
    return report


def _tables(db: Connection) -> list[tuple[str, bool]]:
    """The tables that hold rows of their own, and whether their rows have ids."""
    found = db.execute("SELECT name, wr FROM pragma_table_list WHERE schema = 'main' AND type = 'table'")
    return sorted((name, not wr) for name, wr in found if name not in _OWN and not name.startswith("sqlite_"))


def _copy_table(source: apsw.Connection, target: Connection, table: str, has_ids: bool, report: SalvageReport) -> None:
    columns = _columns(target, table)
    try:
        known = set(_columns(source, table))
    except _FAILURES as error:
        report.lose(table, f"the table cannot be read ({error})")
        return
    columns = [each for each in columns if each in known]
    if not columns:
        return
    names = ", ".join(f'"{each}"' for each in columns)
    insert = f'INSERT OR IGNORE INTO "{table}" ({names}) VALUES ({", ".join("?" * len(columns))})'
    rows = _rows_by_id(source, table, names, report) if has_ids else _rows_in_order(source, table, names, report)
    for row in rows:
        try:
            target.execute(insert, row)
            report.kept[table] = report.kept.get(table, 0) + int(target.changes())
        except apsw.Error as error:  # a value that was damaged breaks a constraint
            report.lose(table, f"a row does not fit ({error})")


def _columns(db: apsw.Connection, table: str) -> list[str]:
    return [str(row[0]) for row in db.execute("SELECT name FROM pragma_table_xinfo(?) WHERE hidden = 0", (table,))]


def _rows_by_id(source: apsw.Connection, table: str, names: str, report: SalvageReport) -> Iterator[tuple[Any, ...]]:
    try:
        last = int(source.execute(f'SELECT coalesce(max(rowid), 0) FROM "{table}"').get)
    except _FAILURES:
        last = _last_by_search(source, table)
    query = f'SELECT {names} FROM "{table}" WHERE rowid BETWEEN ? AND ? ORDER BY rowid'
    ranges = [(first, min(last, first + _AT_ONCE - 1)) for first in range(1, last + 1, _AT_ONCE)][::-1]
    while ranges:
        first, end = ranges.pop()
        try:
            rows = list(source.execute(query, (first, end)))
        except _FAILURES as error:
            if first == end:
                report.lose(table, f"id {first} ({error})")
            else:
                middle = (first + end) // 2
                ranges += [(middle + 1, end), (first, middle)]
            continue
        yield from rows


def _last_by_search(source: apsw.Connection, table: str) -> int:
    """The highest id where the end of a table cannot be read: what was ever assigned, or what can still be found."""
    try:
        found = source.execute("SELECT seq FROM sqlite_sequence WHERE name = ?", (table,)).get
        return int(found or 0)
    except _FAILURES:
        return _AT_ONCE * 100


def _rows_in_order(source: apsw.Connection, table: str, names: str, report: SalvageReport) -> Iterator[tuple[Any, ...]]:
    """The rows of a table without ids, up to the first that cannot be read."""
    try:
        yield from source.execute(f'SELECT {names} FROM "{table}"')
    except _FAILURES as error:
        report.lose(table, f"the rest of the table ({error})")


def _drop_dangling(target: Connection, report: SalvageReport) -> None:
    """What refers to a lost row: the reference is cleared, or the row goes where it is nothing without it."""
    for _ in range(10):
        broken = list(target.execute("PRAGMA foreign_key_check"))
        if not broken:
            return
        for table, rowid, parent, number in broken:
            column, required = _reference(target, table, number)
            if not required:
                target.execute(f'UPDATE "{table}" SET "{column}" = NULL WHERE rowid = ?', (rowid,))
            elif rowid is not None:
                target.execute(f'DELETE FROM "{table}" WHERE rowid = ?', (rowid,))
                report.lose(table, f"row {rowid} belonged to a lost row of {parent}")
            else:
                clause = f'"{column}" NOT IN (SELECT rowid FROM "{parent}")'
                target.execute(f'DELETE FROM "{table}" WHERE {clause}')
                report.lose(table, f"rows that belonged to lost rows of {parent}", int(target.changes()))


def _reference(db: Connection, table: str, number: int) -> tuple[str, bool]:
    """The column of a foreign key, and whether it must have a value."""
    column = str(db.execute('SELECT "from" FROM pragma_foreign_key_list(?) WHERE id = ?', (table, number)).get)
    found = db.execute('SELECT "notnull" OR pk FROM pragma_table_info(?) WHERE name = ?', (table, column)).get
    return column, bool(found)


def _keep_sequences(source: apsw.Connection, target: Connection) -> None:
    """Ids that were ever assigned are not assigned again, so that a lost memory is not mistaken for a new one."""
    try:
        found = list(source.execute("SELECT name, seq FROM sqlite_sequence"))
    except _FAILURES:
        return
    for name, last in found:
        target.execute("UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = ?", (last, name))


# Reads SQLite files of other systems. They are opened read-only; vectors and other blobs are not touched.


def foreign_columns(path: str, table: str) -> frozenset[str]:
    """The columns of a table of a SQLite file; none if it has no such table, or cannot be read."""
    try:
        db = apsw.Connection(path, apsw.SQLITE_OPEN_READONLY)
    except apsw.Error:
        return frozenset()
    with closing(db), suppress(apsw.Error):
        return frozenset(name for (name,) in db.execute("SELECT name FROM pragma_table_info(?)", (table,)))
    return frozenset()


def foreign_rows(path: str, tables: Sequence[str]) -> Iterator[tuple[str, int, dict[str, Any]]]:
    """Yields table, number and columns of each row of those tables that exist. Raises InvalidInput."""
    try:
        with closing(apsw.Connection(path, apsw.SQLITE_OPEN_READONLY)) as db:
            known = {name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
            for table in tables:
                if table in known:
                    found = db.execute(f"SELECT * FROM {table} ORDER BY rowid")
                    for number, row in enumerate(found, 1):
                        columns = (column[0] for column in found.getdescription())
                        yield table, number, dict(zip(columns, row, strict=True))
    except apsw.Error as error:
        raise InvalidInput(f"{path}: the SQLite file cannot be read ({error})") from error
