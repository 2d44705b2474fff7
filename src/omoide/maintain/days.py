"""Days and weeks as the user lives them: in their own time zone, whatever its clocks do in March."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta, tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from omoide.clock import micros, moment
from omoide.errors import InvalidInput


@dataclass(frozen=True, slots=True)
class Calendar:
    """`zone` None is the machine's own."""

    zone: tzinfo | None = None

    @classmethod
    def of(cls, name: str) -> Calendar:
        try:
            return cls(ZoneInfo(name) if name else None)
        except (ZoneInfoNotFoundError, ValueError, OSError):
            raise InvalidInput(f"setting time_zone: {name!r} is no time zone; write it like Europe/Berlin") from None

    def day(self, at: int) -> date:
        return moment(at).astimezone(self.zone).date()

    def span(self, first: date, days: int = 1) -> tuple[int, int]:
        """From the midnight that begins a day to that which ends the last."""
        return self._midnight(first), self._midnight(first + timedelta(days=days))

    def _midnight(self, day: date) -> int:
        naive = datetime.combine(day, time.min)
        return micros(naive.astimezone() if self.zone is None else naive.replace(tzinfo=self.zone))


def week(day: date) -> str:
    """2026-W07, as ISO 8601 counts them."""
    return f"{day.isocalendar().year}-W{day.isocalendar().week:02d}"


def monday(day: date) -> date:
    return day - timedelta(days=day.weekday())
