"""Time: integer microseconds since 1970 UTC inside, aware datetimes at the interfaces. Clocks are passed in."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta, tzinfo
from functools import cache

from omoide.errors import InvalidInput

Clock = Callable[[], int]
"""Returns the current time in microseconds since 1970 UTC."""

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
DAY = 86_400_000_000  # microseconds

# A date outside this range is a unit error or a default value, not something an agent experienced.
EARLIEST = datetime(1800, 1, 1, tzinfo=UTC)
LATEST = datetime(2300, 1, 1, tzinfo=UTC)


def system_clock() -> int:
    """Returns the time of the machine's clock."""
    return time.time_ns() // 1000


def to_micros(moment: datetime | str, name: str = "at") -> int:
    """Converts an aware datetime or an ISO 8601 string with an offset to microseconds.

    `name` is the parameter that error messages mention. Raises InvalidInput.
    """
    if isinstance(moment, str):
        moment = _parse(moment, name)
    if not isinstance(moment, datetime):
        raise InvalidInput(f"{name}: expected a datetime or an ISO 8601 string, got {type(moment).__name__}")
    if moment.tzinfo is None or moment.utcoffset() is None:
        raise InvalidInput(
            f"{name}: {moment.isoformat()} has no time zone; write it with one, "
            f"for example '{moment.isoformat()}Z', or pass an aware datetime"
        )
    try:
        inside = EARLIEST <= moment < LATEST
    except OverflowError:  # the comparison overflows near the years 1 and 9999
        inside = False
    if not inside:
        raise InvalidInput(
            f"{name}: {moment.isoformat()} is outside {EARLIEST.year}–{LATEST.year}; check the unit and the year"
        )
    return (moment - EPOCH) // timedelta(microseconds=1)


def to_datetime(at: int) -> datetime:
    """Converts microseconds to an aware datetime in UTC."""
    return EPOCH + timedelta(microseconds=at)


def to_local(at: int, zone: str) -> datetime:
    """Converts microseconds to an aware datetime in a zone such as Europe/Berlin; the machine's own if it is empty."""
    return to_datetime(at).astimezone(zone_named(zone))


@cache
def zone_named(name: str) -> tzinfo | None:
    """The time zone of this name; None for the machine's own. Raises InvalidInput."""
    if not name:
        return None
    from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise InvalidInput(f"setting time_zone: unknown time zone {name!r}; use a name like Europe/Berlin") from None


def to_datetime_or_none(at: int | None) -> datetime | None:
    """Converts microseconds to an aware datetime; None stays None."""
    return None if at is None else to_datetime(at)


def _parse(text: str, name: str) -> datetime:
    try:
        return datetime.fromisoformat(text)
    except ValueError as error:
        raise InvalidInput(
            f"{name}: {text!r} is not an ISO 8601 time; write it like 2026-05-03T09:30:00+00:00"
        ) from error


def date_precision(moment: int) -> int:
    """The length of the period that a date stands for: a year, a month or a day."""
    at = to_datetime(moment)
    if at.hour or at.minute or at.day > 1:
        return DAY
    return (366 if at.month == 1 else 31) * DAY
