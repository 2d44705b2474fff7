"""Paying: what language models cost in a day, over all processes."""

from __future__ import annotations

from omoide.clock import to_datetime
from omoide.store.door.opened import Opened
from omoide.store.engine import maintenance_log
from omoide.store.engine.maintenance_log import DailySpending


class Paying(Opened):
    """Durable, so that a limit of a day holds however often a program is started."""

    def spent_on(self, day: str) -> DailySpending:
        return self._read(lambda db: maintenance_log.spending_on(db, day))

    def reserve_spending(self, cost: float, limit: float) -> str | None:
        """The day it was taken from, or None when less than that is left of it."""
        day = to_datetime(self._clock()).date().isoformat()
        return day if self._write(lambda db: maintenance_log.reserve_spending(db, day, cost, limit)) else None

    def settle_spending(self, day: str, reserved: float, spent: DailySpending) -> None:
        rest = DailySpending(spent.calls, spent.input_tokens, spent.output_tokens, spent.cost - reserved)
        self._write(lambda db: maintenance_log.add_spending(db, day, rest))
