"""Days and weeks as the user lives them: in their own time zone, whatever its clocks do in March."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from omoide.clock import to_datetime, to_micros
from omoide.errors import InvalidInput


@dataclass(frozen=True, slots=True)
class LocalCalendar:
    """`zone` None is the machine's own."""

    zone: tzinfo | None = None

    @classmethod
    def of(cls, name: str) -> LocalCalendar:
        try:
            return cls(ZoneInfo(name) if name else None)
        except (ZoneInfoNotFoundError, ValueError, OSError):
            raise InvalidInput(f"setting time_zone: {name!r} is no time zone; write it like Europe/Berlin") from None

    def day(self, at: int) -> date:
        return to_datetime(at).astimezone(self.zone).date()

    def span(self, first: date, days: int = 1) -> tuple[int, int]:
        """From the midnight that begins a day to that which ends the last."""
        return self._midnight(first), self._midnight(first + timedelta(days=days))

    def _midnight(self, day: date) -> int:
        naive = datetime.combine(day, time.min)
        return to_micros(naive.astimezone() if self.zone is None else naive.replace(tzinfo=self.zone))


def iso_week(day: date) -> str:
    """2026-W07, as ISO 8601 counts them."""
    return f"{day.isocalendar().year}-W{day.isocalendar().week:02d}"


def monday_of(day: date) -> date:
    return day - timedelta(days=day.weekday())


# When the nightly maintenance is due: cron syntax in local time, once a day whatever its length, once after sleep.
#
# Pure: times go in and come out. Occurrences are counted on the local clock as it hangs on the wall and only then turned
# into moments: a time that the clock skips is done when it has passed, one that it shows twice is done the first time.


_MARGIN = timedelta(hours=3)  # more than any clock is set forward or back at once
_EXAMPLE = "0 3 * * *"


def is_due(schedule: str, last_run: datetime | None, now: datetime, zone: tzinfo | None = None) -> bool:
    """Whether a run is owed: something was scheduled since the last one began, however often, or there never was one.

    A last run that lies ahead belongs to a clock that was wrong. A little ahead, it counts as done; further than two
    occurrences, it says nothing any more, and one run is owed, which sets it right.
    """
    if last_run is None:
        return True
    if last_run <= now:
        return previous_occurrence(schedule, now, zone) > last_run
    return last_run > next_occurrence(schedule, next_occurrence(schedule, now, zone), zone)


def next_occurrence(schedule: str, after: datetime, zone: tzinfo | None = None) -> datetime:
    """The first occurrence after a moment."""
    occurrences = _occurrences(schedule, _wall_clock(after, zone) - _MARGIN, reverse=False)
    return next(found for each in occurrences if (found := _moment(each, zone)) > after)


def previous_occurrence(schedule: str, upto: datetime, zone: tzinfo | None = None) -> datetime:
    """The last occurrence before a moment, or at it."""
    occurrences = _occurrences(schedule, _wall_clock(upto, zone) + _MARGIN, reverse=True)
    return next(found for each in occurrences if (found := _moment(each, zone)) <= upto)


def validate_schedule(schedule: str, setting: str = "maintain_schedule") -> str:
    """A schedule that can be read and comes round."""
    try:
        next_occurrence(schedule, datetime(2026, 1, 1, tzinfo=UTC), UTC)
    except InvalidInput as error:
        raise InvalidInput(f"{setting}: {error}") from None
    return schedule


def _wall_clock(at: datetime, zone: tzinfo | None) -> datetime:
    """What the clock on the wall shows; without a zone, the machine's own."""
    return at.astimezone(zone).replace(tzinfo=None, fold=0)


def _moment(wall: datetime, zone: tzinfo | None) -> datetime:
    return (wall.replace(tzinfo=zone) if zone else wall).astimezone(UTC)


def _occurrences(schedule: str, start: datetime, *, reverse: bool) -> Iterator[datetime]:
    from cronsim import CronSim, CronSimError  # only the daemon needs it

    if len(schedule.split()) != 5:
        raise InvalidInput(f"{schedule!r} has not five fields, like {_EXAMPLE!r}")
    try:
        yield from CronSim(schedule, start, reverse)
    except CronSimError as error:
        raise InvalidInput(f"{schedule!r} is no cron schedule ({error}); {_EXAMPLE!r} is") from error
    raise InvalidInput(f"{schedule!r} never comes round")
