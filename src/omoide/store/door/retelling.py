"""Of what says again what turns said: on which of them it rests, and what of it is over."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from omoide.store.ageing import summary_sources
from omoide.store.ageing.summary_sources import EndedFact
from omoide.store.door.opened import Opened


class Retelling(Opened):
    """Only reads."""

    def rests(self, ids: Sequence[int]) -> dict[int, frozenset[int]]:
        """The turns that each of these summaries rests on in the end."""
        return self._read(lambda db: summary_sources.turns_below(db, ids))

    def learned_and_over(self, turns: Iterable[int], found: Iterable[int] = ()) -> list[EndedFact]:
        """What was learned from these turns, or is among those found, and holds no more."""
        return self._read(lambda db: summary_sources.ended_facts(db, turns, found))
