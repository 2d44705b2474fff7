"""When a run is due: once a night, at clock changes, after sleep, and with wrong clocks."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omoide.errors import InvalidInput
from omoide.maintain.daemon import is_due, next_occurrence, previous_occurrence, validate_schedule

NIGHTLY = "0 3 * * *"
BERLIN = ZoneInfo("Europe/Berlin")
NEW_YORK = ZoneInfo("America/New_York")


def at(text: str, zone: ZoneInfo = BERLIN) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=zone)


def runs(schedule: str, begin: datetime, end: datetime, zone: ZoneInfo, step: timedelta) -> list[datetime]:
    """The moments at which a daemon that looks so often would run."""
    found: list[datetime] = []
    last, now = begin, begin.astimezone(UTC)
    while now < end:
        if is_due(schedule, last, now, zone):
            last = now
            found.append(now.astimezone(zone))
        now += step
    return found


def test_it_is_due_from_three_o_clock_on_and_not_again_after_it_ran() -> None:
    last = at("2026-05-02 03:00")
    assert not is_due(NIGHTLY, last, at("2026-05-03 02:59"), BERLIN)
    assert is_due(NIGHTLY, last, at("2026-05-03 03:00"), BERLIN)
    assert not is_due(NIGHTLY, at("2026-05-03 03:00"), at("2026-05-03 03:01"), BERLIN)


def test_a_file_that_was_never_maintained_is_due() -> None:
    assert is_due(NIGHTLY, None, at("2026-05-03 12:00"), BERLIN)


def test_seven_missed_nights_are_made_up_for_once() -> None:
    woken = at("2026-05-10 09:00")
    assert is_due(NIGHTLY, at("2026-05-03 03:00"), woken, BERLIN)
    assert not is_due(NIGHTLY, woken, woken + timedelta(minutes=1), BERLIN)
    assert next_occurrence(NIGHTLY, woken, BERLIN) == at("2026-05-11 03:00")


@pytest.mark.parametrize(
    ("schedule", "zone", "begin", "hours"),
    [
        ("30 2 * * *", BERLIN, "2026-03-28 12:00", [(29, 3, 30), (30, 2, 30)]),  # 02:30 is skipped on the 29th
        ("30 2 * * *", BERLIN, "2026-10-24 12:00", [(25, 2, 30), (26, 2, 30)]),  # and there twice on the 25th
        ("0 3 * * *", BERLIN, "2026-03-28 12:00", [(29, 3, 0), (30, 3, 0)]),
        ("0 3 * * *", BERLIN, "2026-10-24 12:00", [(25, 3, 0), (26, 3, 0)]),
        ("30 2 * * *", NEW_YORK, "2026-03-07 12:00", [(8, 3, 30), (9, 2, 30)]),
        ("30 1 * * *", NEW_YORK, "2026-10-31 12:00", [(1, 1, 30), (2, 1, 30)]),
    ],
)
def test_on_days_of_23_and_25_hours_it_runs_once(
    schedule: str, zone: ZoneInfo, begin: str, hours: list[tuple[int, int, int]]
) -> None:
    start = at(begin, zone)
    found = runs(schedule, start, start + timedelta(days=2), zone, timedelta(minutes=10))
    assert [(each.day, each.hour, each.minute) for each in found] == hours


def test_the_29th_of_february_comes_every_four_years() -> None:
    assert next_occurrence("0 3 29 2 *", at("2026-05-03 12:00"), BERLIN) == at("2028-02-29 03:00")
    assert previous_occurrence("0 3 29 2 *", at("2026-05-03 12:00"), BERLIN) == at("2024-02-29 03:00")


def test_weekdays_are_those_of_cron() -> None:
    assert next_occurrence("0 3 * * 1", at("2026-05-03 12:00"), BERLIN).astimezone(BERLIN).strftime("%A") == "Monday"


def test_a_clock_that_is_set_back_a_little_does_not_run_twice() -> None:
    ran = at("2026-05-03 03:00:05")
    for now in ("2026-05-03 02:59", "2026-05-03 03:00", "2026-05-02 12:00"):
        assert not is_due(NIGHTLY, ran, at(now), BERLIN)
    assert is_due(NIGHTLY, ran, at("2026-05-04 03:00"), BERLIN)


def test_a_last_run_a_year_ahead_blocks_nothing() -> None:
    now = at("2026-05-03 12:00")
    assert is_due(NIGHTLY, at("2027-05-03 12:00"), now, BERLIN)
    assert not is_due(NIGHTLY, now, now + timedelta(hours=1), BERLIN)


@given(
    begin=st.datetimes(datetime(2020, 1, 1), datetime(2035, 1, 1)),
    zone=st.sampled_from(["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Tokyo", "UTC"]),
    hour=st.integers(0, 23),
    minute=st.integers(0, 59),
)
def test_on_any_day_of_any_zone_there_is_one_run_a_day(begin: datetime, zone: str, hour: int, minute: int) -> None:
    place = ZoneInfo(zone)
    now = begin.replace(tzinfo=place).astimezone(UTC)
    for _ in range(5):
        coming = next_occurrence(f"{minute} {hour} * * *", now, place)
        assert timedelta(0) < coming - now <= timedelta(hours=25)
        assert previous_occurrence(f"{minute} {hour} * * *", coming, place) == coming
        later = next_occurrence(f"{minute} {hour} * * *", coming, place)
        assert timedelta(hours=22) < later - coming < timedelta(hours=26)
        now = coming


@pytest.mark.parametrize("schedule", ["", "3", "* * * *", "0 3 * * * *", "61 3 * * *", "0 3 31 2 *", "at three"])
def test_an_invalid_schedule_is_refused(schedule: str) -> None:
    with pytest.raises(InvalidInput, match="maintain_schedule"):
        validate_schedule(schedule)
