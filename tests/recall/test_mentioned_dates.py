"""Questions about a day are answered by what speaks of that day, whenever it was said."""

from __future__ import annotations

import pytest

from omoide import Memory
from tests.conftest import inserted

SAID = "2026-09-14T10:00:00+00:00"  # a Monday
ASKED = "2026-09-15T10:00:00+00:00"
TURNS = (
    "The dentist is on the 26th at 9:40.",
    "We fly to Chennai 24 to 31 October.",
    "I met Sara on the 9th, we had ramen.",
    "My favourite food is ramen.",
    "School is closed in the first week of October.",
)


@pytest.fixture
def told(memory: Memory) -> Memory:
    for turn in TURNS:
        memory.observe(turn, session="s1", at=SAID)
    return memory


def found(memory: Memory, question: str) -> list[str]:
    return [hit.text for hit in memory.recall(question, at=ASKED).hits]


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("what's on next week?", [TURNS[0]]),
        ("what is happening on the 26th?", [TURNS[0]]),
        ("what do I have in October?", [TURNS[1], TURNS[4]]),
        ("what happened on the 9th?", [TURNS[2]]),
        ("what is happening on the 25th?", []),
    ],
)
def test_a_question_about_a_day_finds_what_speaks_of_it(told: Memory, question: str, answers: list[str]) -> None:
    assert found(told, question) == answers


def test_what_was_discussed_on_a_day_is_what_was_said_then(told: Memory) -> None:
    assert set(found(told, "what did we discuss yesterday?")) == set(TURNS)
    assert not found(told, "what did we discuss on the 9th?")


def test_a_question_with_a_subject_prefers_what_speaks_of_the_time(told: Memory) -> None:
    told.observe("We always fly to Chennai with Air India.", session="s1", at=SAID)
    assert found(told, "do we fly anywhere in October?")[0] == TURNS[1]


def test_when_prefers_what_names_a_time(memory: Memory) -> None:
    memory.observe("The dentist is nice, the dentist said.", session="s1", at=SAID)
    memory.observe("My dentist appointment is on the 26th.", session="s1", at=SAID)
    hits = memory.recall("when is the dentist?", at=ASKED).hits
    assert hits[0].text == "My dentist appointment is on the 26th."
    assert "names a time (on the 26th)" in hits[0].why


def test_what_is_coming_up_needs_no_time(told: Memory) -> None:
    assert found(told, "what's coming up?") == [TURNS[0], TURNS[4]]
    assert found(told, "any upcoming trips to Chennai?")[0] == TURNS[1]


def test_a_moved_date_stands_below_the_new_one(memory: Memory) -> None:
    turn = memory.observe("The review is on 24 September.", session="s1", at=SAID)
    old = inserted(memory, "The review is on 24 September", [turn.id], at=SAID)
    memory.correct(old.id, "The review is on 25 September")
    memory.observe("The picnic is on 24 September.", session="s1", at=SAID)
    assert found(memory, "what's on on the 24th?") == [
        "The picnic is on 24 September.",
        "The review is on 24 September.",
    ]
