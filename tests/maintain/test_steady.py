"""The clock may jump: nothing is taken away that a steady clock would have left."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from omoide import Memory
from omoide.clock import DAY
from omoide.maintain import expire, fade, traces
from omoide.maintain.steady import Seen, judged, steady
from tests.conftest import START, counted
from tests.maintain.parts import compress, learn_all, ran, states

HOUR = DAY // 24
JOBS = (fade.JOB, expire.JOB, traces.JOB)


def test_time_that_goes_on_is_believed() -> None:
    assert judged(Seen(START), START + DAY, None).ok
    assert judged(Seen(START), START + 7 * DAY, None).ok
    assert judged(Seen(), START, START - DAY).ok
    assert judged(Seen(), START, None).ok


def test_a_leap_is_believed_only_when_it_has_gone_on_for_a_day() -> None:
    leap = START + 365 * DAY
    first = judged(Seen(START), leap, None)
    assert not first.ok
    assert not judged(first.seen, leap + HOUR, None).ok
    assert judged(first.seen, leap + 23 * HOUR, None).ok


def test_a_clock_that_returns_discards_what_was_seen() -> None:
    first = judged(Seen(START), START + 365 * DAY, None)
    back = judged(first.seen, START + DAY, None)
    assert back.ok
    assert back.seen == Seen(START + DAY)
    assert not judged(back.seen, START + 366 * DAY, None).ok


def test_a_clock_that_stands_before_the_last_run_is_not_believed() -> None:
    assert not judged(Seen(START), START - HOUR, None).ok
    assert not judged(Seen(), START, START + DAY).ok


def test_looking_for_show_remembers_nothing(tmp_path: Path) -> None:
    with Memory(tmp_path / "a.db", embedder=None, clock=lambda: START) as memory:
        memory.observe("a")
        assert not steady(memory._store, START + 99 * DAY, dry_run=True).ok
        assert memory._store.bookmark("steady") is None
        assert not steady(memory._store, START + 99 * DAY).ok
        assert memory._store.bookmark("steady") == [None, START + 99 * DAY]


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
            if steady(memory._store, now).ok:
                for job in JOBS:
                    ran(job, memory, now)
        return states(memory), [node.text for node in memory._store.nodes(range(1, 20)).values()]


# Each wrong night is wrong in its own way: two that agree a day apart cannot be told from a long sleep.
_JUMPS = st.lists(
    st.sampled_from([0, 0, 0, HOUR, -HOUR, -DAY, -400 * DAY, 365 * DAY, 3_000 * DAY, -9_000 * DAY]), max_size=14
).filter(lambda nights: all(one != other or abs(one) <= HOUR for one, other in pairwise(nights)))


@settings(max_examples=25)
@given(_JUMPS)
def test_after_any_jumps_the_store_is_the_one_of_a_steady_clock(nights: list[int]) -> None:
    assert _life(nights) == _life([0] * len(nights))


def test_a_year_ahead_and_back_takes_nothing_away() -> None:
    assert _life([365 * DAY, 0, 0]) == _life([0, 0, 0])
    assert list(_life([0, 0, 0])[0].values()).count("archived") == 1  # what had faded by then
