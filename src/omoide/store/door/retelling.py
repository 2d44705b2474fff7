"""Of what says again what turns said: on which of them it rests, and what of it is over."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from omoide.store import retold
from omoide.store.door.opened import Opened
from omoide.store.retold import Over


class Retelling(Opened):
    """Only reads."""

    def rests(self, ids: Sequence[int]) -> dict[int, frozenset[int]]:
        """The turns that each of these summaries rests on in the end."""
        return self._read(lambda db: retold.rests(db, ids))

    def learned_and_over(self, turns: Iterable[int], found: Iterable[int] = ()) -> list[Over]:
        """What was learned from these turns, or is among those found, and holds no more."""
        return self._read(lambda db: retold.past(db, turns, found))
