"""Shelves: documents that are found by their name."""

from __future__ import annotations

import apsw

from omoide.layers import Node
from omoide.store import nodes, shelves
from omoide.store.door.opened import Opened


class Shelves(Opened):
    def document(self, shelf: str, name: str, key: bytes) -> Node | None:
        return self._read(lambda db: shelves.find(db, shelf, name, key))

    def on_shelf(self, shelf: str) -> list[Node]:
        """The latest written first."""

        def read(db: apsw.Connection) -> list[Node]:
            ids = shelves.standing(db, shelf)
            found = nodes.fetch(db, ids)
            return [found[id] for id in ids]

        return self._read(read)
