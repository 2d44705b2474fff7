"""A summary loses what an erased turn said, and nothing else."""

from __future__ import annotations

import pytest

from omoide import Memory
from omoide.maintain import compress, summaries
from tests.conftest import unsound
from tests.maintain.job_runs import run_jobs, talk
from tests.store.erasure.planted_marker import marker_locations

TURNS = (
    ("user", "I decided to move the shop to Lisbon in the summer."),
    ("agent", "Noted. What about the wombat?"),
    ("user", "The wombat zarquon must never travel by train, I hate trains."),
    ("user", "I have to call the landlord of the zarquon flat."),
    ("user", "We agreed that Maria runs the bakery from now on."),
    ("user", "I prefer the oven with two doors."),
)


def condensed(memory: Memory) -> dict[str, str]:
    found = memory.list(state="all", order="added")
    return {(each.tags or ("compressed",))[0]: each.text for each in found if each.attributes.get("compression")}


def summed_up(memory: Memory, *, distilled: bool, archived: bool) -> list[int]:
    ids = talk(memory, TURNS)
    memory.end("s1")
    run_jobs(memory, summaries.SUMMARIES_JOB, compress.COMPRESS_JOB, days=8)
    if distilled:
        run_jobs(memory, compress.SHORTEN_JOB, days=4000)
    if archived:
        for id in ids:
            memory.admin.archive(id)
    return ids


@pytest.mark.parametrize("distilled", [False, True])
@pytest.mark.parametrize("archived", [False, True])
def test_summaries_are_written_again_from_the_remaining_turns(
    memory: Memory, path: str, distilled: bool, archived: bool
) -> None:
    ids = summed_up(memory, distilled=distilled, archived=archived)
    before = condensed(memory)
    assert {"auto-compression", "daily", "weekly"} <= set(before)
    assert "zarquon" in before["weekly"]
    receipt = memory.forget(ids[2:4])
    assert receipt.clean
    assert marker_locations(path, "zarquon") == []
    after = condensed(memory)
    assert after.keys() == before.keys()
    assert all(after.values())
    assert "Maria runs the bakery" in " ".join(after.values())
    assert all("wombat zarquon" not in text for text in after.values())
    for id in (ids[0], ids[4], ids[5]):
        assert memory.get(id).text == TURNS[ids.index(id)][1]
    assert unsound(memory) == []
    assert memory.admin.id_states().lost == 0


def test_a_daily_summary_goes_with_its_last_turn(memory: Memory, path: str) -> None:
    ids = summed_up(memory, distilled=False, archived=True)
    memory.forget(ids)
    assert condensed(memory) == {}
    assert marker_locations(path, "lisbon") == []


def test_the_next_run_compresses_nothing_twice(memory: Memory) -> None:
    ids = summed_up(memory, distilled=False, archived=False)
    memory.forget(ids[2])
    before = condensed(memory)
    run_jobs(memory, summaries.SUMMARIES_JOB, compress.COMPRESS_JOB, days=9)
    assert condensed(memory) == before


def test_a_weekly_summary_with_open_items_can_lose_another_turn(memory: Memory, path: str) -> None:
    ids = talk(memory, (("user", "I have to call the landlord."), ("user", "I decided to move the zarquon shop.")))
    memory.end("s1")
    run_jobs(memory, summaries.SUMMARIES_JOB, days=8)
    assert f"[id:{ids[0]}]" in condensed(memory)["weekly"]
    assert memory.forget(ids[1]).clean
    assert marker_locations(path, "zarquon") == []
    assert "landlord" in condensed(memory)["weekly"]


def test_a_session_counts_the_remaining_turns(memory: Memory) -> None:
    ids = summed_up(memory, distilled=True, archived=True)
    memory.forget(ids[2])
    assert memory.session("s1").episode_count == len(TURNS) - 1
    assert unsound(memory) == []
