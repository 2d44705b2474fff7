"""After a clock jump nothing is archived or deleted that a steady clock would have kept."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from omoide import Memory
from omoide.clock import DAY
from omoide.maintain import retention_jobs
from omoide.maintain.runner import ClockSightings, check_clock, judge_clock
from tests.conftest import START, Ticking, counted
from tests.maintain.store_dumps import compress, learn_all, run_job, states

HOUR = DAY // 24
JOBS = (retention_jobs.LOW_CONFIDENCE_JOB, retention_jobs.EXPIRE_JOB, retention_jobs.TRACES_JOB)


def test_a_plausible_clock_is_trusted() -> None:
    assert judge_clock(ClockSightings(START), START + DAY, None).ok
    assert judge_clock(ClockSightings(START), START + 7 * DAY, None).ok
    assert judge_clock(ClockSightings(), START, START - DAY).ok
    assert judge_clock(ClockSightings(), START, None).ok


def test_a_jump_is_trusted_after_a_day() -> None:
    leap = START + 365 * DAY
    first = judge_clock(ClockSightings(START), leap, None)
    assert not first.ok
    assert not judge_clock(first.sightings, leap + HOUR, None).ok
    assert judge_clock(first.sightings, leap + 23 * HOUR, None).ok


def test_a_clock_that_returns_discards_the_sighting() -> None:
    first = judge_clock(ClockSightings(START), START + 365 * DAY, None)
    back = judge_clock(first.sightings, START + DAY, None)
    assert back.ok
    assert back.sightings == ClockSightings(START + DAY)
    assert not judge_clock(back.sightings, START + 366 * DAY, None).ok


def test_a_clock_before_the_last_run_is_not_trusted() -> None:
    assert not judge_clock(ClockSightings(START), START - HOUR, None).ok
    assert not judge_clock(ClockSightings(), START, START + DAY).ok


@pytest.mark.parametrize("pause", [8, 10, 30, 31, 90, 365])
def test_runs_far_apart_still_archive(pause: int) -> None:
    sightings = ClockSightings(START)
    acted: list[bool] = []
    for run in range(1, 7):
        verdict = judge_clock(sightings, START + run * pause * DAY, None)
        sightings = verdict.sightings
        acted.append(verdict.ok)
    assert acted == [False, True] * 3


@given(st.lists(st.integers(8, 40), min_size=4, max_size=12))
def test_any_runs_a_week_to_six_apart_are_never_refused_for_long(pauses: list[int]) -> None:
    sightings, now, refused = ClockSightings(START), START, 0
    for pause in pauses:
        now += pause * DAY
        verdict = judge_clock(sightings, now, None)
        sightings, refused = verdict.sightings, 0 if verdict.ok else refused + 1
        assert refused <= 3


def test_a_corrected_clock_is_trusted_again() -> None:
    first = judge_clock(ClockSightings(START + 900 * DAY), START, None)
    assert not first.ok
    assert judge_clock(first.sightings, START + 30 * DAY, None).ok


def test_a_year_ahead_between_distant_runs_is_not_trusted() -> None:
    first = judge_clock(ClockSightings(START), START + 10 * DAY, None)
    ahead = judge_clock(first.sightings, START + 385 * DAY, None)
    back = judge_clock(ahead.sightings, START + 30 * DAY, None)
    assert (first.ok, ahead.ok, back.ok) == (False, False, False)
    assert judge_clock(back.sightings, START + 40 * DAY, None).ok


def test_the_reason_says_what_the_clock_is_compared_with() -> None:
    assert judge_clock(ClockSightings(START), START + 9 * DAY, None).why.startswith(
        "more than 7 days since the last run;"
    )
    assert judge_clock(ClockSightings(), START + 9 * DAY, START).why.startswith(
        "more than 7 days since the newest memory;"
    )
    assert judge_clock(ClockSightings(), START, START + DAY).why.startswith("the clock is before the newest memory;")


@pytest.mark.parametrize("pause", [8, 10, 30])
def test_a_rarely_maintained_memory_still_ages(pause: int) -> None:
    with Memory(":memory:", embedder=None, clock=(clock := Ticking()), ids=counted()) as memory:
        turn = memory.observe("I had soup today", session="s")
        memory.end("s")
        for _ in range(6):
            clock.advance(days=pause)
            memory.maintain()
        assert memory.get(turn.id).state in {"archived", "expired"}


def test_a_dry_run_remembers_nothing(tmp_path: Path) -> None:
    with Memory(tmp_path / "a.db", embedder=None, clock=lambda: START) as memory:
        memory.observe("a")
        assert not check_clock(memory._store, START + 99 * DAY, dry_run=True).ok
        assert memory._store.maintenance.get_cursor("clock_guard") is None
        assert not check_clock(memory._store, START + 99 * DAY).ok
        assert memory._store.maintenance.get_cursor("clock_guard") == [None, START + 99 * DAY]


def _life(nights: list[int]) -> tuple[dict[int, str], list[str]]:
    """A store lives through nights at which the clock is wrong by so much; what is left of it after two right ones."""
    with Memory(":memory:", embedder=None, clock=lambda: START, ids=counted()) as memory:
        turn = memory.observe("I had soup today", session="s")
        memory.observe("looked at a file", role="agent", task="t")
        memory.remember("Otto may own a boat", source_type="inferred", confidence=0.06)
        memory.remember("Otto may own a car", source_type="inferred")
        memory.remember("Otto owns a house")
        learn_all(memory, "s")
        compress(memory, [turn], now=START)
        for night, wrong in enumerate([*nights, 0, 0], start=1):
            now = START + night * DAY + wrong
            if check_clock(memory._store, now).ok:
                for job in JOBS:
                    run_job(job, memory, now)
        return states(memory), [node.text for node in memory.list(state="all", order="added")]


# Each wrong night is wrong in its own way: two that agree a day apart cannot be told from a long sleep.
_JUMPS = st.lists(
    st.sampled_from([0, 0, 0, HOUR, -HOUR, -DAY, -400 * DAY, 365 * DAY, 3_000 * DAY, -9_000 * DAY]), max_size=14
).filter(lambda nights: all(one != other or abs(one) <= HOUR for one, other in pairwise(nights)))


@settings(max_examples=25)
@given(_JUMPS)
def test_after_any_jumps_the_store_equals_one_with_a_steady_clock(nights: list[int]) -> None:
    assert _life(nights) == _life([0] * len(nights))


def test_a_year_ahead_and_back_archives_nothing() -> None:
    assert _life([365 * DAY, 0, 0]) == _life([0, 0, 0])
    assert list(_life([0, 0, 0])[0].values()).count("archived") == 1  # what had faded by then
