"""What a derivation rests on: the memories that were read, and that nothing was erased since.

Summaries, lessons and narratives are read in one transaction and written in another, with a model between them. The
rule for all of them: the writing transaction checks that no erasure happened since reading began and that every memory
that was read still exists with the same text and state. If not, nothing is written and the work begins again.
"""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from omoide.store.engine.connection import Connection


class SourcesChanged(Exception):
    """Something that was read has been erased, reworded or retired. Raised before anything is written."""


@dataclass(slots=True)
class Basis:
    """The last erasure when reading began, and the version of each memory that was read since."""

    erasures: int
    seen: dict[int, tuple[bytes, str]] = field(default_factory=dict)

    def note(self, db: Connection, ids: Collection[int]) -> None:
        """Keeps the version that was read first."""
        self.seen = _versions(db, ids) | self.seen

    def is_current(self, db: Connection) -> bool:
        return last_erasure(db) == self.erasures and _versions(db, self.seen) == self.seen

    def require_current(self, db: Connection) -> None:
        if not self.is_current(db):
            raise SourcesChanged

    def renew(self, db: Connection) -> None:
        """Takes over the changes of the own transaction."""
        self.seen = _versions(db, self.seen)


def last_erasure(db: Connection) -> int:
    return int(db.execute("SELECT coalesce(max(id), 0) FROM erasure").get)


def _versions(db: Connection, ids: Collection[int]) -> dict[int, tuple[bytes, str]]:
    if not ids:
        return {}
    listed = json.dumps([int(id) for id in ids])
    found = db.execute(
        "SELECT id, content_hash, state FROM node WHERE id IN (SELECT value FROM json_each(?))", (listed,)
    )
    return {id: (hash, state) for id, hash, state in found}
