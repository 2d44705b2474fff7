"""A megabyte of anything costs a bounded amount of work, whatever is done with it."""

from __future__ import annotations

import pytest

from omoide import Memory
from omoide.recall.currency import told_by_others
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
    "facts": "I live in Oslo{0}, I work at Aldi{0}, I like tea{0}, my wife is Ann{0} and my dog is Rex{0}. ",
    "rules": "Always call me Otto{0}, never suggest Docker{0}, and use pnpm{0} instead of npm{0}. ",
    "one sentence": "I live in Oslo{0} and I work at Aldi{0} and my sister is Anna{0} and ",
}
MOST_CALLS = 1_500_000  # less than a second on an ordinary core


@pytest.fixture(scope="module", autouse=True)
def warm() -> None:
    """What is imported and compiled at first use is not counted."""
    with Memory(":memory:", embedder=None) as memory:
        memory.observe("I live in Oslo. My sister Anna works at Aldi since March 2025.", session="short")
        memory.end("short")
        memory.learn()
        memory.context("Where does Anna work?", budget=500)


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


LONG = [pytest.param(name, marks=pytest.mark.long) for name in ("questions", "moves", "sisters", "people")]


@pytest.mark.parametrize("name", ["labels", "facts", "rules", "one sentence", *LONG])
def test_a_megabyte_is_learned_from_with_bounded_work(memory: Memory, name: str) -> None:
    text = megabyte(name)
    memory.observe(text, session="long")
    memory.end("long")
    assert calls_of(lambda: memory.learn()) < MOST_CALLS
    assert calls_of(lambda: memory.recall(text)) < MOST_CALLS
    assert calls_of(lambda: memory.context("Where does Anna live?", budget=500)) < MOST_CALLS


def test_a_long_turn_beside_what_was_learned_from_it_is_ranked_without_reading_it_for_each(memory: Memory) -> None:
    """Work that grows with the square of a text need not show in calls: here 200,000 names once took minutes."""
    long = "Otto " * 40_000
    found: dict[int, str] = {}

    def rank() -> None:
        found.update(told_by_others({1: long, 2: "Otto lives in Oslo"}, [(2, 1)], ["Otto"]))

    assert calls_of(rank) < 100_000
    assert 1 not in found


def test_of_a_long_turn_the_beginning_is_learned_from_and_the_report_says_so(memory: Memory) -> None:
    turn = memory.observe("I live in Oslo. " + megabyte("people"), session="long")
    memory.end("long")
    report = memory.learn()
    assert "User lives in Oslo" in [node.text for node in memory.list(["fact"], limit=500).items]
    assert any("of a long turn" in note and f"[id:{turn.id}]" in note for note in report.notes)
