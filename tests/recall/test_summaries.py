"""In an aged store, without its archived turns: repeated summaries are one hit, and outdated summaries rank behind
current facts."""

from __future__ import annotations

from datetime import timedelta

from omoide import Memory
from omoide.maintain import compress, learning_jobs, summaries
from tests.maintain.job_runs import FILLER, MONDAY, run_jobs, talk


def aged(memory: Memory, *talks: str) -> list[int]:
    """Each said on a day of its own, learned from, condensed and archived."""
    ids: list[int] = []
    for number, text in enumerate(talks):
        begun = MONDAY + timedelta(days=number)
        ids += talk(memory, [("user", text), FILLER], session=f"s{number}", begun=begun)
        memory.end(f"s{number}")
    days = len(talks) + 8
    run_jobs(memory, learning_jobs.LEARN_JOB, summaries.SUMMARIES_JOB, compress.COMPRESS_JOB, days=days)
    run_jobs(memory, compress.SHORTEN_JOB, days=4000)
    for id in ids:
        memory.admin.archive(id)
    return ids


def test_summaries_that_repeat_each_other_are_one_hit(memory: Memory) -> None:
    aged(memory, "The red kettle stands in the cellar.", "The green bicycle was sold to Maria.")
    found = memory.recall("the red kettle", archive=False)
    assert sum("red kettle" in text for text in found.texts) == 1
    first = next(hit.id for hit in found if "red kettle" in hit.text)
    assert any(why == f"says the same as [id:{first}]" for why in found.trace.dropped.values())


def test_a_filter_by_tag_keeps_repeated_summaries(memory: Memory) -> None:
    aged(memory, "The red kettle stands in the cellar.")
    assert [hit.node.tags for hit in memory.recall("the red kettle", tags=["daily"])] == [("daily",)]


def test_live_turns_with_the_same_text_stay_two_hits(memory: Memory) -> None:
    for day in range(2):
        memory.observe("The red kettle stands in the cellar.", session=f"s{day}", at=MONDAY + timedelta(days=day))
    assert len(memory.recall("the red kettle").hits) == 2


def test_a_current_fact_ranks_before_an_outdated_summary(memory: Memory) -> None:
    aged(memory, "I live in Berlin, so the sea is far.", "I moved to Lisbon.")
    found = memory.recall("In which city do I live, so far from the sea?", archive=False)
    assert "Lisbon" in next(text for text in found.texts if "Berlin" in text or "Lisbon" in text)
    told = next(hit for hit in found if "Berlin" in hit.text and "Lisbon" not in hit.text)
    assert "outdated summary" in told.why


def test_a_summary_of_something_else_is_not_moved(memory: Memory) -> None:
    aged(memory, "I live in Berlin. The red kettle stands in the cellar.", "I moved to Lisbon.")
    hit = next(hit for hit in memory.recall("Where does the red kettle stand?") if "kettle" in hit.text)
    assert "over" not in hit.why


def first(memory: Memory, question: str, *values: str) -> str:
    """The first hit that names one of the values."""
    return next(text for text in memory.recall(question, archive=False).texts if any(value in text for value in values))


def test_a_relation_is_outdated_when_its_target_changed(memory: Memory) -> None:
    aged(
        memory,
        "My partner Nina is at her parents' house.",
        "Nina and I broke up.",
        "My partner Julia stayed for dinner.",
    )
    assert "Julia" in first(memory, "Who is my partner, and is my partner at her parents' house?", "Nina", "Julia")


def test_an_ended_fact_gives_way_to_the_only_later_one_of_its_kind(memory: Memory) -> None:
    aged(memory, "I'm working on a project called Quill.", "I'm no longer working on Quill.")
    memory.remember("Busy with Nimbus", subject="user", predicate="works_on", object="Nimbus")
    assert first(memory, "Which project am I working on?", "Quill", "Nimbus") == "Busy with Nimbus"
    memory.remember("Busy with Tundra", subject="user", predicate="works_on", object="Tundra")
    assert "Quill" in first(memory, "Which project am I working on?", "Quill", "Nimbus", "Tundra")


def test_a_summary_that_repeats_an_ended_fact_is_outdated_even_if_nothing_was_learned_from_it(memory: Memory) -> None:
    aged(memory, "I work at Siemens.", "Slow: me and work at Siemens, chapter nine.", "I no longer work at Siemens.")
    moved = {hit.text: "outdated summary" in hit.why for hit in memory.recall("Where do I work?", archive=False)}
    assert [over for text, over in moved.items() if "chapter" in text] == [True]
    assert [over for text, over in moved.items() if text == "User: I no longer work at Siemens."] == [False]


def test_the_same_value_of_another_subject_is_not_outdated(memory: Memory) -> None:
    aged(memory, "I work at Siemens, and today was long.", "Malik works at Siemens.", "Malik works at Bosch now.")
    hit = next(hit for hit in memory.recall("Where do I work all day long?") if "today was long" in hit.text)
    assert "over" not in hit.why


def test_without_a_current_fact_what_ended_ranks_first(memory: Memory) -> None:
    aged(
        memory,
        "I work at Siemens.",
        "I no longer work at Siemens.",
        "I work at Bosch.",
        "I no longer work at Bosch.",
    )
    best = memory.recall("Where do I work?", archive=False).texts[:3]
    assert all("no longer work" in text for text in best)
    assert any("no longer works at Bosch" in text for text in best)
