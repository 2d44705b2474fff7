"""Questions for sessions by number and for the first or latest of a sequence."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from omoide import Memory
from omoide.recall.ranking import sequence_factors
from tests.conftest import NOW


def visits(memory: Memory) -> None:
    for days, city in ((300, "Porto"), (200, "Ghent"), (100, "Turin"), (5, "Malmö")):
        memory.observe(f"We made a trip to {city}", session=f"s{days}", at=NOW - timedelta(days=days))
        memory.observe("It rained", session=f"s{days}", at=NOW - timedelta(days=days))


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Where did my last trip go?", "We made a trip to Malmö"),
        ("Where did the first trip go?", "We made a trip to Porto"),
        ("When did we last make a trip?", "We made a trip to Malmö"),
    ],
)
def test_the_first_and_the_latest_are_favoured_among_what_is_relevant(memory: Memory, question: str, text: str) -> None:
    visits(memory)
    found = memory.recall(question, at=NOW)
    assert found.texts[0] == text
    assert "among the" in found.hits[0].why


def test_being_the_latest_does_not_bury_relevance(memory: Memory) -> None:
    visits(memory)
    memory.observe("The trip is over", session="later", at=NOW - timedelta(hours=3))
    best = memory.recall("What was the last trip to Turin like?", at=NOW).texts[0]
    assert best == "We made a trip to Turin"


def test_a_statement_asks_for_no_end_of_a_sequence(memory: Memory) -> None:
    visits(memory)
    told = memory.recall("My last trip was fine. Did we make a trip to Turin?", at=NOW)
    assert not any("among the" in hit.why for hit in told)


def test_a_place_in_a_sequence_moves_a_score_by_at_most_its_share() -> None:
    times = [datetime(2026, month, 1, tzinfo=UTC) for month in (1, 2, 3)]
    found = sequence_factors([(1.0, times[0]), (0.9, times[1]), (0.8, times[2]), (0.1, times[2])], "latest", 0.2)
    assert [factor.value for factor in found] == pytest.approx([1.0, 1.1, 1.2, 1.0])
    assert [factor.value for factor in sequence_factors([(1.0, times[0]), (0.9, times[1])], "first", 0.2)] == [1.2, 1.0]


def test_a_single_node_is_no_sequence() -> None:
    assert sequence_factors([(1.0, NOW)], "latest", 0.2)[0].value == 1.0
    assert sequence_factors([], "first", 0.2) == []


@pytest.mark.parametrize(
    ("words", "days"),
    [("in our last session", [5]), ("two sessions ago", [100]), ("in session 1", [300]), ("since session 3", [5, 100])],
)
def test_sessions_are_found_by_their_place(memory: Memory, words: str, days: list[int]) -> None:
    visits(memory)
    found = memory.recall(f"What did we discuss {words}?", at=NOW)
    assert {hit.node.session for hit in found} == {f"s{each}" for each in days}


def test_a_question_for_the_end_of_an_empty_sequence_is_answered_by_its_words(memory: Memory) -> None:
    memory.observe("We talked about the garden", session="s1", at=NOW - timedelta(days=1))
    assert memory.recall("What did we talk about last?", at=NOW).texts == ["We talked about the garden"]


def test_a_day_is_resolved_from_a_remembered_event(memory: Memory) -> None:
    memory.observe("Today was the move to the new flat", session="s1", at=NOW - timedelta(days=60))
    memory.observe("We cooked lentils", session="s2", at=NOW - timedelta(days=74))
    memory.observe("We cooked beans", session="s3", at=NOW - timedelta(days=20))
    found = memory.recall("What did we cook two weeks before the move?", at=NOW)
    assert found.texts.index("We cooked lentils") < found.texts.index("We cooked beans")
    assert ["in the time asked for" in hit.why for hit in found if "lentils" in hit.text] == [True]


def test_a_question_that_names_a_time_gets_hits_of_that_time_and_others(memory: Memory) -> None:
    for number in range(20):
        memory.observe(f"The ferry was late, part {number}", session=f"may {number}", at="2026-05-02T10:00:00+00:00")
    for number in range(4):
        text = f"The ferry to Naxos was late, note {number}"
        memory.observe(text, session=f"june {number}", at="2026-06-02T10:00:00+00:00")
    for month, others in (("May", 3), ("June", 6)):
        hits = memory.recall(
            f"What did we hear of the ferry to Naxos in {month} 2026?", at="2026-07-01T10:00:00+00:00"
        ).hits
        inside = [hit for hit in hits if "in the time asked for" in hit.why]
        assert len(hits) == 10
        assert len(hits) - len(inside) >= others
        assert len(inside) >= 3
        assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
