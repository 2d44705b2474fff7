"""Shelves: documents that are found by their name."""

from __future__ import annotations

import apsw

from omoide.domain import Node
from omoide.store.door.opened import Opened
from omoide.store.records import documents, nodes


class Shelves(Opened):
    def document(self, shelf: str, name: str, key: bytes) -> Node | None:
        return self._read(lambda db: documents.find_document(db, shelf, name, key))

    def on_shelf(self, shelf: str) -> list[Node]:
        """The latest written first."""

        def read(db: apsw.Connection) -> list[Node]:
            ids = documents.list_documents(db, shelf)
            found = nodes.fetch(db, ids)
            return [found[id] for id in ids]

        return self._read(read)
