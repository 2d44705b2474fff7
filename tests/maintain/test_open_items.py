"""Open items of a day, by rules."""

from __future__ import annotations

import pytest

from omoide import Memory
from omoide.maintain.summaries import find_open_items
from tests.maintain.job_runs import talk


def left_open(memory: Memory, *turns: tuple[str, str]) -> list[str]:
    ids = talk(memory, turns)
    return [each.text for each in find_open_items([memory.get(id) for id in ids]).open]


@pytest.mark.parametrize(
    "said",
    [
        "I'll call the dentist tomorrow.",
        "I need to renew my visa.",
        "We have to fix the login.",
        "Remind me to buy milk.",
    ],
)
def test_a_plan_stays_open(memory: Memory, said: str) -> None:
    assert left_open(memory, ("user", said), ("agent", "Noted.")) == [said]


@pytest.mark.parametrize(
    ("said", "reported"),
    [
        ("I'll call the dentist tomorrow.", "I called the dentist."),
        ("We have to fix the login.", "The login is fixed."),
        ("I need to send the invoice.", "Done, the invoice is sent."),
    ],
)
def test_a_plan_that_was_reported_done_is_closed(memory: Memory, said: str, reported: str) -> None:
    assert left_open(memory, ("user", said), ("agent", "Noted."), ("user", reported)) == []


def test_a_report_of_something_else_closes_nothing(memory: Memory) -> None:
    said = "I'll call the dentist tomorrow."
    assert left_open(memory, ("user", said), ("user", "The login is fixed.")) == [said]


def test_a_report_before_the_plan_closes_nothing(memory: Memory) -> None:
    said = "I'll call the dentist again."
    assert left_open(memory, ("user", "I called the dentist."), ("user", said)) == [said]


def test_a_question_is_open_until_someone_else_speaks(memory: Memory) -> None:
    assert left_open(memory, ("agent", "Which airport do you prefer?")) == ["Which airport do you prefer?"]


def test_a_question_that_was_answered_is_closed(memory: Memory) -> None:
    assert left_open(memory, ("agent", "Which airport do you prefer?"), ("user", "Lisbon.")) == []


def test_a_reply_of_not_knowing_is_no_answer(memory: Memory) -> None:
    turns = (("user", "When does the museum open?"), ("agent", "I don't know, sorry."))
    assert left_open(memory, *turns) == ["When does the museum open?"]


def test_a_greeting_leaves_nothing_open(memory: Memory) -> None:
    assert left_open(memory, ("user", "Hi, how are you?")) == []
