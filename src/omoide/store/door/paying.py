"""Paying: what language models cost in a day, over all processes."""

from __future__ import annotations

from omoide.clock import moment
from omoide.store import spending
from omoide.store.door.opened import Opened
from omoide.store.spending import Spent


class Paying(Opened):
    """Durable, so that a limit of a day holds however often a program is started."""

    def spent_on(self, day: str) -> Spent:
        return self._read(lambda db: spending.on(db, day))

    def reserve_spending(self, cost: float, limit: float) -> str | None:
        """The day it was taken from, or None when less than that is left of it."""
        day = moment(self._clock()).date().isoformat()
        return day if self._write(lambda db: spending.reserve(db, day, cost, limit)) else None

    def settle_spending(self, day: str, reserved: float, spent: Spent) -> None:
        rest = Spent(spent.calls, spent.input_tokens, spent.output_tokens, spent.cost - reserved)
        self._write(lambda db: spending.add(db, day, rest))
