"""Local days and weeks, and when the nightly maintenance is due (cron syntax in local time)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo

from omoide.clock import to_datetime, to_micros, zone_named
from omoide.errors import InvalidInput


@dataclass(frozen=True, slots=True)
class LocalCalendar:
    """Days in a time zone; None is the machine's own zone."""

    zone: tzinfo | None = None

    @classmethod
    def of(cls, name: str) -> LocalCalendar:
        return cls(zone_named(name))

    def day(self, at: int) -> date:
        return to_datetime(at).astimezone(self.zone).date()

    def span(self, first: date, days: int = 1) -> tuple[int, int]:
        """(start, end) of some days: from midnight to midnight, in microseconds."""
        return self._midnight(first), self._midnight(first + timedelta(days=days))

    def _midnight(self, day: date) -> int:
        naive = datetime.combine(day, time.min)
        return to_micros(naive.astimezone() if self.zone is None else naive.replace(tzinfo=self.zone))


def iso_week(day: date) -> str:
    """2026-W07 (ISO 8601)."""
    return f"{day.isocalendar().year}-W{day.isocalendar().week:02d}"


def monday_of(day: date) -> date:
    return day - timedelta(days=day.weekday())


# Occurrences are counted in local wall-clock time and then converted: a time that the clock skips runs when it has
# passed, a time that occurs twice runs the first time.
_MARGIN = timedelta(hours=3)  # more than any clock change
_EXAMPLE = "0 3 * * *"


def is_due(schedule: str, last_run: datetime | None, now: datetime, zone: tzinfo | None = None) -> bool:
    """Whether a run is due: one was scheduled since the last run began, or there was no run yet.

    A last run in the future comes from a wrong clock. If it is at most two occurrences ahead it counts as done;
    otherwise it is ignored and a run is due.
    """
    if last_run is None:
        return True
    if last_run <= now:
        return previous_occurrence(schedule, now, zone) > last_run
    return last_run > next_occurrence(schedule, next_occurrence(schedule, now, zone), zone)


def next_occurrence(schedule: str, after: datetime, zone: tzinfo | None = None) -> datetime:
    """The first occurrence after a time."""
    occurrences = _occurrences(schedule, _wall_clock(after, zone) - _MARGIN, reverse=False)
    return next(found for each in occurrences if (found := _moment(each, zone)) > after)


def previous_occurrence(schedule: str, upto: datetime, zone: tzinfo | None = None) -> datetime:
    """The last occurrence at or before a time."""
    occurrences = _occurrences(schedule, _wall_clock(upto, zone) + _MARGIN, reverse=True)
    return next(found for each in occurrences if (found := _moment(each, zone)) <= upto)


def validate_schedule(schedule: str, setting: str = "maintain_schedule") -> str:
    """Returns the schedule. Raises InvalidInput if it cannot be parsed or never occurs."""
    try:
        next_occurrence(schedule, datetime(2026, 1, 1, tzinfo=UTC), UTC)
    except InvalidInput as error:
        raise InvalidInput(f"{setting}: {error}") from None
    return schedule


def _wall_clock(at: datetime, zone: tzinfo | None) -> datetime:
    """Local time without a zone."""
    return at.astimezone(zone).replace(tzinfo=None, fold=0)


def _moment(wall: datetime, zone: tzinfo | None) -> datetime:
    return (wall.replace(tzinfo=zone) if zone else wall).astimezone(UTC)


def _occurrences(schedule: str, start: datetime, *, reverse: bool) -> Iterator[datetime]:
    from cronsim import CronSim, CronSimError  # only the daemon needs it

    if len(schedule.split()) != 5:
        raise InvalidInput(f"{schedule!r} does not have five fields like {_EXAMPLE!r}")
    try:
        yield from CronSim(schedule, start, reverse)
    except CronSimError as error:
        raise InvalidInput(f"{schedule!r} is not a cron schedule ({error}); {_EXAMPLE!r} is an example") from error
    raise InvalidInput(f"{schedule!r} never occurs")
