"""Working memory: a live session's blackboard at rest, and what it asks of the file."""

from __future__ import annotations

from collections.abc import Sequence

import apsw

from omoide.layers import Draft, Node
from omoide.store import edges, nodes, snapshots
from omoide.store.door.opened import Opened
from omoide.store.fulltext import Filter
from omoide.store.snapshots import Snapshot


class Working(Opened):
    """One row a live session."""

    def save_live(self, session: str, board: str, system: str, version: int) -> bool:
        """False, and nothing is written, where the row is no longer the version that was read; 0 for none."""
        return self._write(lambda db: snapshots.save(db, Snapshot(session, board, system, self._clock()), version))

    def live(self, session: str) -> Snapshot | None:
        return self._read(lambda db: snapshots.find(db, session))

    def lives(self) -> list[Snapshot]:
        return self._read(snapshots.all_of)

    def end_live(self, session: str) -> None:
        self._write(lambda db: snapshots.drop(db, session))

    def compact(self, draft: Draft, sources: Sequence[int]) -> Node:
        """Stores a summary with links to what it sums up, those of it that are still there, in one transaction."""

        def work(db: apsw.Connection) -> Node:
            now = self._clock()
            node = nodes.insert(db, [draft], now, self._ids)[0]
            held = nodes.fetch(db, sources)
            edges.insert_many(db, [(node.id, id, "derived_from") for id in sources if id in held], now)
            return node

        return self._write(work)

    def said_in(self, session: str, after: int, limit: int) -> list[int]:
        return self._read(lambda db: snapshots.said_in(db, session, after, limit))

    def newest_id(self) -> int:
        return self._read(snapshots.newest_id)

    def present(self, ids: Sequence[int], keep: Filter) -> dict[int, int]:
        return self._read(lambda db: snapshots.present(db, ids, keep))

    def own(self, ids: Sequence[int], *, shared: bool) -> dict[int, int]:
        return self._read(lambda db: snapshots.own(db, ids, shared))

    def derivations(self, ids: Sequence[int]) -> list[tuple[int, int]]:
        return self._read(lambda db: snapshots.derivations(db, ids))

    def owner_names(self, session: str) -> list[str]:
        return self._read(lambda db: snapshots.owner_names(db, session))

    def facts_about(self, names: Sequence[str], keep: Filter, limit: int) -> list[int]:
        return self._read(lambda db: snapshots.facts_about(db, names, keep, limit))
