"""Time, passed in and never looked up elsewhere: integer microseconds UTC inside, aware datetimes at the doors."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from omoide.errors import InvalidInput

Clock = Callable[[], int]
"""Now, in microseconds since 1970 UTC."""

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
DAY = 86_400_000_000

# What an agent lives through lies well inside these; a date outside them is a unit error or a default value.
EARLIEST = datetime(1800, 1, 1, tzinfo=UTC)
LATEST = datetime(2300, 1, 1, tzinfo=UTC)


def system_clock() -> int:
    """The machine's own clock."""
    return time.time_ns() // 1000


def to_micros(moment: datetime | str, name: str = "at") -> int:
    """Microseconds of an aware datetime or an ISO 8601 string with an offset."""
    if isinstance(moment, str):
        moment = _parse(moment, name)
    if not isinstance(moment, datetime):
        raise InvalidInput(f"{name}: expected a datetime or an ISO 8601 string, got {type(moment).__name__}")
    if moment.tzinfo is None or moment.utcoffset() is None:
        raise InvalidInput(
            f"{name}: {moment.isoformat()} has no time zone; pass an aware datetime, "
            "for example moment.replace(tzinfo=timezone.utc)"
        )
    try:
        inside = EARLIEST <= moment < LATEST
    except OverflowError:  # at the very ends of the calendar the comparison itself overflows
        inside = False
    if not inside:
        raise InvalidInput(
            f"{name}: {moment.isoformat()} is outside {EARLIEST.year}–{LATEST.year}; check the unit and the year"
        )
    return (moment - EPOCH) // timedelta(microseconds=1)


def to_datetime(at: int) -> datetime:
    """The aware datetime of some microseconds."""
    return EPOCH + timedelta(microseconds=at)


def to_datetime_or_none(at: int | None) -> datetime | None:
    return None if at is None else EPOCH + timedelta(microseconds=at)


def _parse(text: str, name: str) -> datetime:
    try:
        return datetime.fromisoformat(text)
    except ValueError as error:
        raise InvalidInput(
            f"{name}: {text!r} is not an ISO 8601 time; write it like 2026-05-03T09:30:00+00:00"
        ) from error
