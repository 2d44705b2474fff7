"""A megabyte of anything costs a bounded amount of work, whatever is done with it."""

from __future__ import annotations

import pytest

from omoide import Memory
from tests.torture.operations import calls_of

MEGABYTE = 1_000_000
PIECES = {
    "one letter": "a ",
    "no width": "a\u200b ",
    "questions": "When did Otto last visit Oslo in March 2025? ",
    "names": "Otto, Anna and ",
    "labels": "user: hi\n",
    "mails": "a@b.co ",
    "brackets": "([",
    "months": "9000 weekends ago ",
}
NAMED = {
    "moves": "I moved to Oslo{0} in March {1}. ",
    "sisters": "My sister Anna{0} lives in Oslo{0} and her husband Tim{0} works at Aldi{0}. ",
    "people": "Mr Kim{0} met Mrs Pam{0}. ",
}
MOST_CALLS = 2_000_000  # about a third of a second on an ordinary core


def megabyte(name: str) -> str:
    if name in PIECES:
        return PIECES[name] * (MEGABYTE // len(PIECES[name].encode()))
    parts = (NAMED[name].format(number, 1000 + number % 900) for number in range(MEGABYTE // 20))
    return "".join(parts)[: MEGABYTE - 100]


@pytest.mark.parametrize("name", PIECES | NAMED)
def test_a_megabyte_is_stored_and_asked_with_bounded_work(memory: Memory, name: str) -> None:
    text = megabyte(name)
    assert calls_of(lambda: memory.observe(text, session="long")) < MOST_CALLS
    assert calls_of(lambda: memory.recall(text)) < MOST_CALLS
    assert calls_of(lambda: memory.context(text, budget=500)) < MOST_CALLS


@pytest.mark.parametrize("name", ["labels", "questions", *NAMED])
def test_a_megabyte_is_learned_from_with_bounded_work(memory: Memory, name: str) -> None:
    memory.observe(megabyte(name), session="long")
    memory.end("long")
    assert calls_of(lambda: memory.learn()) < 4 * MOST_CALLS


def test_of_a_long_turn_the_beginning_is_learned_from_and_the_report_says_so(memory: Memory) -> None:
    turn = memory.observe("I live in Oslo. " + megabyte("people"), session="long")
    memory.end("long")
    report = memory.learn()
    assert "User lives in Oslo" in [node.text for node in memory.list(["fact"], limit=500).items]
    assert any("of a long turn" in note and f"[id:{turn.id}]" in note for note in report.notes)
