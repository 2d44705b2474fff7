"""Working memory: a live session's blackboard at rest, and what it asks of the file."""

from __future__ import annotations

from collections.abc import Sequence

import apsw

from omoide.domain import Draft, Node
from omoide.store.door.opened import Opened
from omoide.store.records import edges, live_boards, nodes
from omoide.store.records.live_boards import BoardSnapshot
from omoide.store.search.fulltext import NodeFilter


class Working(Opened):
    """One row a live session."""

    def save_live(self, session: str, board: str, system: str, version: int) -> bool:
        """False, and nothing is written, where the row is no longer the version that was read; 0 for none."""
        return self._write(
            lambda db: live_boards.save_board(db, BoardSnapshot(session, board, system, self._clock()), version)
        )

    def live(self, session: str) -> BoardSnapshot | None:
        return self._read(lambda db: live_boards.find_board(db, session))

    def lives(self) -> list[BoardSnapshot]:
        return self._read(live_boards.list_boards)

    def end_live(self, session: str) -> None:
        self._write(lambda db: live_boards.delete_board(db, session))

    def compact(self, draft: Draft, sources: Sequence[int]) -> Node:
        """Stores a summary with links to what it sums up, those of it that are still there, in one transaction."""

        def work(db: apsw.Connection) -> Node:
            now = self._clock()
            node = nodes.insert(db, [draft])[0]
            held = nodes.fetch(db, sources)
            edges.insert_many(db, [(node.id, id, "derived_from") for id in sources if id in held], now)
            return node

        return self._write(work)

    def said_in(self, session: str, after: int, limit: int) -> list[int]:
        return self._read(lambda db: live_boards.session_episodes(db, session, after, limit))

    def newest_id(self) -> int:
        return self._read(live_boards.highest_node_id)

    def present(self, ids: Sequence[int], keep: NodeFilter) -> dict[int, int]:
        return self._read(lambda db: live_boards.visible_nodes(db, ids, keep))

    def own(self, ids: Sequence[int], *, shared: bool) -> dict[int, int]:
        return self._read(lambda db: live_boards.visible_session_nodes(db, ids, shared))

    def derivations(self, ids: Sequence[int]) -> list[tuple[int, int]]:
        return self._read(lambda db: live_boards.derived_pairs(db, ids))

    def owner_names(self, session: str) -> list[str]:
        return self._read(lambda db: live_boards.owner_names(db, session))

    def facts_about(self, names: Sequence[str], keep: NodeFilter, limit: int) -> list[int]:
        return self._read(lambda db: live_boards.facts_about(db, names, keep, limit))
