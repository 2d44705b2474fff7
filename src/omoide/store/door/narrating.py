"""Narrating: the sentences that say where things stood, and what they are made from."""

from __future__ import annotations

from collections.abc import Sequence

from omoide.layers import Node
from omoide.store import narratives, since
from omoide.store.door.opened import Opened
from omoide.store.narratives import Around, Telling, Wanted


class Narrating(Opened):
    """Narrating twice at the same point writes once."""

    def unnarrated(self, session: str) -> list[int]:
        return self._read(lambda db: narratives.unnarrated(db, session))

    def unnarrated_sessions(self) -> list[str]:
        return self._read(narratives.unnarrated_sessions)

    def tell(self, telling: Telling) -> Node | None:
        return self._write(lambda db: narratives.tell(db, telling, self._clock(), self._ids))

    def narrative_of(self, id: int) -> Around | None:
        return self._read(lambda db: narratives.around(db, id))

    def narratives(self, wanted: Wanted) -> list[Node]:
        return self._read(lambda db: narratives.told(db, wanted))

    def learned_since(self, after: int, limit: int, *, shared: bool, sensitive: bool) -> list[Node]:
        return self._read(lambda db: since.learned_since(db, after, limit, shared=shared, sensitive=sensitive))

    def mistakes(self, limit: int, *, shared: bool, sensitive: bool) -> list[Node]:
        return self._read(lambda db: since.mistakes(db, limit, shared=shared, sensitive=sensitive))

    def last_turn(self, session: str) -> int:
        return self._read(lambda db: since.last_turn(db, session))

    def latest_turns(self, sessions: Sequence[str], limit: int) -> list[Node]:
        return self._read(lambda db: since.latest_turns(db, sessions, limit))
