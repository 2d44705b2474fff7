"""The index of names held in memory, brought up to date with what any process has written."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass

import apsw

from omoide.layers.names import Names
from omoide.store import entities


@dataclass(frozen=True, slots=True)
class _Held:
    version: int
    last: int  # entity
    rows: int
    names: Names


class NameIndex:
    """Reads what is new; all rows again only after a name was taken away or given to an entity known before."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._held: _Held | None = None

    def fresh(self, db: apsw.Connection) -> Names:
        with self._lock:  # the version is read inside it, so that it never goes backwards
            version = entities.version(db)
            if self._held is None or self._held.version != version:
                self._held = self._more(db, version, self._held) if self._held else _all(db, version)
            return self._held.names

    def _more(self, db: apsw.Connection, version: int, held: _Held) -> _Held:
        """Every row that came or went counted once: when so many more are there, none went."""
        came = version - held.version
        news = entities.names_after(db, held.last)
        if len(news) == came:
            held.names.learn(news)
            return _Held(version, news[-1][1], held.rows + came, held.names)
        rows = entities.all_names(db)
        if len(rows) - held.rows != came:
            return _held(version, rows, Names(rows))
        held.names.learn(rows)
        return _held(version, rows, held.names)


def _held(version: int, rows: Sequence[tuple[str, int, str]], names: Names) -> _Held:
    return _Held(version, max((id for _, id, _ in rows), default=0), len(rows), names)


def _all(db: apsw.Connection, version: int) -> _Held:
    rows = entities.all_names(db)
    return _held(version, rows, Names(rows))
