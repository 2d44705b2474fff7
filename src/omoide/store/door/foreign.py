"""In and out of other programs' folders, and what tasks took."""

from __future__ import annotations

from typing import Any

from omoide.domain import Node
from omoide.store.door.opened import Opened
from omoide.store.exchange import import_foreign


class Foreign(Opened):
    """What others called a memory finds it again."""

    def node_by_key(self, key: bytes) -> Node | None:
        return self._read(lambda db: import_foreign.node_by_key(db, key))

    def node_by_ulid(self, ulid: str) -> Node | None:
        return self._read(lambda db: import_foreign.node_by_ulid(db, ulid))

    def loki_nodes(self) -> list[int]:
        return self._read(import_foreign.exported_nodes)

    def loki_links(self) -> list[tuple[int, str, int]]:
        return self._read(import_foreign.exported_links)

    def keep_file(self, path: str, body: Any) -> bool:
        return self._write(lambda db: import_foreign.save_foreign_file(db, path, body))

    def kept_files(self) -> dict[str, Any]:
        return self._read(import_foreign.foreign_files)

    def tasks_since(self, since: int) -> list[tuple[int, dict[str, Any]]]:
        return self._read(lambda db: import_foreign.tasks_ended_since(db, since))
