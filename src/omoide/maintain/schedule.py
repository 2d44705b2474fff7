"""When the nightly maintenance is due: cron syntax in local time, once a day whatever its length, once after sleep.

Pure: times go in and come out. Occurrences are counted on the local clock as it hangs on the wall and only then turned
into moments: a time that the clock skips is done when it has passed, one that it shows twice is done the first time.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, tzinfo

from omoide.errors import InvalidInput

_MARGIN = timedelta(hours=3)  # more than any clock is set forward or back at once
_EXAMPLE = "0 3 * * *"


def due(schedule: str, last_run: datetime | None, now: datetime, zone: tzinfo | None = None) -> bool:
    """Whether a run is owed: something was scheduled since the last one began, however often, or there never was one.

    A last run that lies ahead belongs to a clock that was wrong. A little ahead, it counts as done; further than two
    occurrences, it says nothing any more, and one run is owed, which sets it right.
    """
    if last_run is None:
        return True
    if last_run <= now:
        return previous(schedule, now, zone) > last_run
    return last_run > following(schedule, following(schedule, now, zone), zone)


def following(schedule: str, after: datetime, zone: tzinfo | None = None) -> datetime:
    """The first occurrence after a moment."""
    occurrences = _occurrences(schedule, _wall(after, zone) - _MARGIN, reverse=False)
    return next(found for each in occurrences if (found := _moment(each, zone)) > after)


def previous(schedule: str, upto: datetime, zone: tzinfo | None = None) -> datetime:
    """The last occurrence before a moment, or at it."""
    occurrences = _occurrences(schedule, _wall(upto, zone) + _MARGIN, reverse=True)
    return next(found for each in occurrences if (found := _moment(each, zone)) <= upto)


def checked(schedule: str, setting: str = "maintain_schedule") -> str:
    """A schedule that can be read and comes round."""
    try:
        following(schedule, datetime(2026, 1, 1, tzinfo=UTC), UTC)
    except InvalidInput as error:
        raise InvalidInput(f"{setting}: {error}") from None
    return schedule


def _wall(at: datetime, zone: tzinfo | None) -> datetime:
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
