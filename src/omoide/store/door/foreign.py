"""In and out of other programs' folders, and what tasks took."""

from __future__ import annotations

from typing import Any

from omoide.layers import Node
from omoide.store import foreign
from omoide.store.door.opened import Opened


class Foreign(Opened):
    """What others called a memory finds it again."""

    def node_by_key(self, key: bytes) -> Node | None:
        return self._read(lambda db: foreign.by_key(db, key))

    def node_by_ulid(self, ulid: str) -> Node | None:
        return self._read(lambda db: foreign.by_ulid(db, ulid))

    def loki_nodes(self) -> list[int]:
        return self._read(foreign.exported)

    def loki_links(self) -> list[tuple[int, str, int]]:
        return self._read(foreign.links)

    def keep_file(self, path: str, body: Any) -> bool:
        return self._write(lambda db: foreign.keep(db, path, body))

    def kept_files(self) -> dict[str, Any]:
        return self._read(foreign.kept)

    def tasks_since(self, since: int) -> list[tuple[int, dict[str, Any]]]:
        return self._read(lambda db: foreign.ended_since(db, since))
