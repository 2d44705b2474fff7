"""What tasks take, by their type."""

from __future__ import annotations

from datetime import datetime

from omoide.clock import DAY, to_micros
from omoide.domain.task import TaskEfficiency as Figures
from omoide.domain.task import task_efficiency
from omoide.errors import InvalidInput
from omoide.memory.rooms import Rooms, positive

_MOST_DAYS = 36_500  # a hundred years: each day has its place in the chart


class Efficiency(Rooms):
    """Counted from the traces themselves: nothing is kept twice."""

    def efficiency(self, days: int = 7, *, at: datetime | str | None = None) -> list[Figures]:
        """Time, errors, second tries and outcome of the tasks of the last days, by type, the commonest first."""
        days = positive(days, "days")
        now = to_micros(self._asked(at))
        if days > _MOST_DAYS:
            raise InvalidInput(f"days: expected at most {_MOST_DAYS:,}, got {days:,}")
        since = now - days * DAY
        ended = [((began - since) // DAY, fields) for began, fields in self._store.tasks_since(since) if began <= now]
        return task_efficiency(ended, days)
