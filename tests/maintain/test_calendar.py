"""Days in the user's own time zone."""

from __future__ import annotations

from datetime import date

from omoide.clock import to_micros
from omoide.maintain.daemon import LocalCalendar, iso_week, monday_of

HOUR = 3_600_000_000


def test_a_day_has_23_or_25_hours_at_clock_changes() -> None:
    berlin = LocalCalendar.of("Europe/Berlin")
    hours = [(until - since) // HOUR for since, until in map(berlin.span, (date(2026, 3, 29), date(2026, 10, 25)))]
    assert hours == [23, 25]


def test_every_moment_of_a_day_is_in_its_span() -> None:
    berlin = LocalCalendar.of("Europe/Berlin")
    since, until = berlin.span(date(2026, 3, 29))
    assert {berlin.day(since), berlin.day(until - 1)} == {date(2026, 3, 29)}
    assert berlin.day(until) == date(2026, 3, 30)


def test_a_late_evening_belongs_to_the_local_day() -> None:
    assert LocalCalendar.of("America/Sao_Paulo").day(to_micros("2026-02-09T01:00:00+00:00")) == date(2026, 2, 8)


def test_weeks_follow_iso_8601() -> None:
    assert iso_week(date(2027, 1, 3)) == "2026-W53"
    assert monday_of(date(2027, 1, 3)) == date(2026, 12, 28)


def test_without_a_name_the_machine_zone_is_used() -> None:
    since, until = LocalCalendar.of("").span(date(2026, 2, 9))
    assert LocalCalendar.of("").day(since) == LocalCalendar.of("").day(until - 1) == date(2026, 2, 9)
