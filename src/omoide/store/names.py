"""The index of names held in memory, brought up to date with what any process has written."""

from __future__ import annotations

import threading

import apsw

from omoide.layers.names import Names
from omoide.store import entities


class NameIndex:
    """Reads what is new; everything again only after a name was taken away or added to an entity known before."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._held: tuple[int, int, Names] | None = None  # version, last entity, names

    def fresh(self, db: apsw.Connection) -> Names:
        with self._lock:  # the version is read inside it, so that it never goes backwards
            version = entities.version(db)
            if self._held is None or self._held[0] != version:
                self._held = self._read(db, version)
            return self._held[2]

    def _read(self, db: apsw.Connection, version: int) -> tuple[int, int, Names]:
        if self._held is not None:
            seen, last, names = self._held
            news = entities.names(db, last)
            # Every row that came or went counted once: so many came, nothing went, and no older entity was touched.
            if len(news) == version - seen:
                names.learn(news)
                return version, news[-1][1], names
        rows = entities.names(db)
        return version, rows[-1][1] if rows else 0, Names(rows)
