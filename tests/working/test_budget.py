"""The slots of a context window."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omoide.errors import InvalidInput
from omoide.working.budget import KIRA_PLAN, PLANS, SMALLEST_WINDOW, YODOCA_PLAN, plan_by_name, window_budget


def test_a_window_of_128k_is_divided_into_the_documented_slots() -> None:
    slots = window_budget(128_000, 2_000)
    assert (slots.profile, slots.preferences, slots.response) == (500, 300, 8_000)
    assert slots.conversation == pytest.approx(80_000, rel=0.02)
    assert slots.retrieved == pytest.approx(30_000, rel=0.02)
    assert slots.margin == 6_400


@given(st.integers(SMALLEST_WINDOW, 3_000_000), st.floats(0, 0.2))
def test_the_slots_of_any_window_fit_into_it(window: int, share: float) -> None:
    slots = window_budget(window, int(share * window))
    parts = (slots.system, slots.profile, slots.preferences, slots.conversation, slots.retrieved, slots.response)
    assert sum(parts) + slots.margin <= window
    assert min(parts) >= 0
    assert slots.conversation > slots.retrieved


def test_slots_have_lower_and_upper_bounds() -> None:
    small, large = window_budget(40_000, 500), window_budget(1_000_000, 2_000)
    assert (small.profile, small.preferences, small.response) == (200, 100, 4_000)
    assert (large.profile, large.preferences, large.response) == (500, 300, 8_000)


def test_memories_get_what_is_left_minus_the_margin() -> None:
    slots = window_budget(128_000, 2_000)
    assert slots.left_for_memories(2_000 + 800 + 100_000) == 128_000 - 102_800 - 8_000 - 6_400
    assert slots.left_for_memories(2_000) == slots.retrieved
    assert slots.left_for_memories(200_000) == 0


def test_a_conversation_is_compacted_from_three_quarters_of_its_slot() -> None:
    slots = window_budget(128_000, 2_000)
    assert not slots.must_compact(int(0.75 * slots.conversation))
    assert slots.must_compact(int(0.76 * slots.conversation))


def test_a_system_prompt_that_leaves_no_room_is_refused_with_the_figures() -> None:
    with pytest.raises(InvalidInput, match="takes 3,000 tokens of a window of 4,000"):
        window_budget(4_000, 3_000)


def test_the_plans_have_the_documented_shares() -> None:
    assert {KIRA_PLAN.part_of(sort).share for sort in ("fact", "episode")} == {0.30}
    assert KIRA_PLAN.part_of("related").share == 0.15
    assert KIRA_PLAN.part_of("procedure").share == 0.10
    assert [YODOCA_PLAN.part_of(sort).share for sort in ("fact", "entity", "episode", "evidence")] == [
        0.4,
        0.25,
        0.25,
        0.1,
    ]
    assert list(PLANS) == ["kira", "yodoca"]
    with pytest.raises(InvalidInput, match="did you mean 'yodoca'"):
        plan_by_name("yodocca")
