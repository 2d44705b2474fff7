"""In an aged store: what summaries tell several times stands once, and what is over stands behind what holds now."""

from __future__ import annotations

from datetime import timedelta

from omoide import Memory
from omoide.maintain import compress, distil, learn, summaries
from tests.maintain.nights import MONDAY, night, talk


def aged(memory: Memory, *talks: str) -> list[int]:
    """Each said on a day of its own, learned from, condensed and archived."""
    ids: list[int] = []
    for number, text in enumerate(talks):
        begun = MONDAY + timedelta(days=number)
        ids += talk(memory, [("user", text)], session=f"s{number}", begun=begun)
        memory.end(f"s{number}")
    days = len(talks) + 8
    night(memory, learn.JOB, summaries.JOB, compress.JOB, days=days)
    night(memory, distil.JOB, days=4000)
    for id in ids:
        memory.archive(id)
    return ids


def test_what_summaries_say_several_times_is_one_hit(memory: Memory) -> None:
    aged(memory, "The red kettle stands in the cellar.", "The green bicycle was sold to Maria.")
    found = memory.recall("the red kettle")
    assert sum("red kettle" in text for text in found.texts) == 1
    first = next(hit.id for hit in found if "red kettle" in hit.text)
    assert any(why == f"says the same as [id:{first}]" for why in found.trace.dropped.values())


def test_who_asks_for_a_tag_gets_what_has_it(memory: Memory) -> None:
    aged(memory, "The red kettle stands in the cellar.")
    assert [hit.node.tags for hit in memory.recall("the red kettle", tags=["daily"])] == [("daily",)]


def test_what_was_said_twice_stays_two_hits_while_the_turns_are_live(memory: Memory) -> None:
    for day in range(2):
        memory.observe("The red kettle stands in the cellar.", session=f"s{day}", at=MONDAY + timedelta(days=day))
    assert len(memory.recall("the red kettle").hits) == 2


def test_what_holds_now_stands_before_a_summary_that_tells_what_was(memory: Memory) -> None:
    aged(memory, "I live in Berlin, so the sea is far.", "I moved to Lisbon.")
    found = memory.recall("In which city do I live, so far from the sea?")
    assert "Lisbon" in next(text for text in found.texts if "Berlin" in text or "Lisbon" in text)
    told = next(hit for hit in found if "Berlin" in hit.text and "Lisbon" not in hit.text)
    assert "tells what is over" in told.why


def test_a_summary_that_tells_of_something_else_is_not_moved(memory: Memory) -> None:
    aged(memory, "I live in Berlin. The red kettle stands in the cellar.", "I moved to Lisbon.")
    hit = next(hit for hit in memory.recall("Where does the red kettle stand?") if "kettle" in hit.text)
    assert "over" not in hit.why
