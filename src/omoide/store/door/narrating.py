"""Narrating: the sentences that say where things stood, and what they are made from."""

from __future__ import annotations

from collections.abc import Sequence

from omoide.domain import Node
from omoide.store.door.opened import Opened
from omoide.store.records import narratives
from omoide.store.records.narratives import NarrativeContext, NarrativeDraft, NarrativeFilter


class Narrating(Opened):
    """Narrating twice at the same point writes once."""

    def unnarrated(self, session: str) -> list[int]:
        return self._read(lambda db: narratives.unnarrated(db, session))

    def unnarrated_sessions(self) -> list[str]:
        return self._read(narratives.unnarrated_sessions)

    def tell(self, telling: NarrativeDraft) -> Node | None:
        return self._write(lambda db: narratives.insert_narrative(db, telling))

    def narrative_of(self, id: int) -> NarrativeContext | None:
        return self._read(lambda db: narratives.narrative_context(db, id))

    def narratives(self, wanted: NarrativeFilter) -> list[Node]:
        return self._read(lambda db: narratives.list_narratives(db, wanted))

    def learned_since(self, after: int, limit: int, *, shared: bool, sensitive: bool) -> list[Node]:
        return self._read(lambda db: narratives.learned_since(db, after, limit, shared=shared, sensitive=sensitive))

    def mistakes(self, limit: int, *, shared: bool, sensitive: bool) -> list[Node]:
        return self._read(lambda db: narratives.mistakes(db, limit, shared=shared, sensitive=sensitive))

    def last_turn(self, session: str) -> int:
        return self._read(lambda db: narratives.last_turn(db, session))

    def latest_turns(self, sessions: Sequence[str], limit: int) -> list[Node]:
        return self._read(lambda db: narratives.latest_turns(db, sessions, limit))
