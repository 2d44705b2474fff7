"""A pack shows a learned memory or the turn that it was made from, not both."""

from __future__ import annotations

from omoide import Memory
from omoide.recall.currency import told_by_others


def told(memory: Memory, turn: str, fact: str, question: str) -> str:
    said = memory.observe(turn, session="s")
    memory.remember(fact, kind="note", sources=[said.id])
    return memory.context(question, budget=800).markdown


def test_the_shorter_form_is_shown_where_it_carries_the_answer(memory: Memory) -> None:
    shown = told(
        memory,
        "So, funny story, after all the back and forth the kiln now stands in the cellar, who would have thought",
        "The kiln stands in the cellar",
        "Where does the kiln stand?",
    )
    assert "The kiln stands in the cellar" in shown
    assert "funny story" not in shown


def test_the_turn_is_shown_where_it_has_a_number_that_the_shorter_form_lacks(memory: Memory) -> None:
    shown = told(
        memory,
        "Well, the kiln in the cellar runs at 1240 degrees on Brennhof clay",
        "The kiln in the cellar runs hot",
        "How hot does the kiln run?",
    )
    assert "1240" in shown
    assert "runs hot" not in shown


def test_the_turn_is_shown_where_the_question_uses_its_words(memory: Memory) -> None:
    shown = told(
        memory,
        "The kiln hums whenever somebody opens the cellar door",
        "The kiln makes a noise in the cellar",
        "When does the kiln hum?",
    )
    assert "hums whenever" in shown
    assert "makes a noise" not in shown


def test_both_are_shown_if_each_says_what_the_other_does_not(memory: Memory) -> None:
    shown = told(
        memory,
        "The kiln in the cellar runs at 1240 degrees since next Tuesday's repair",
        "The kiln was repaired on 2026-03-17",
        "When was the kiln repaired?",
    )
    assert "1240" in shown
    assert "2026-03-17" in shown


def test_a_memory_that_was_left_out_has_its_reason_in_the_trace(memory: Memory) -> None:
    said = memory.observe("Well you know the kiln stands in the cellar now", session="s")
    note = memory.remember("The kiln stands in the cellar", kind="note", sources=[said.id])
    pack = memory.context("Where does the kiln stand?")
    assert pack.trace.dropped[said.id] == f"told shorter by [id:{note.id}]"


def test_a_current_statement_is_shown_instead_of_the_turn_that_said_what_it_replaced(memory: Memory) -> None:
    said = memory.observe("I'm told the kiln stands in the cellar", session="s")
    note = memory.remember("The kiln stands in the cellar", kind="note", sources=[said.id])
    now = memory.correct(note.id, "The kiln stands in the garage")
    pack = memory.context("Where does the kiln stand?")
    assert now.id in pack.ids
    assert said.id not in pack.ids


def test_the_turn_that_said_what_was_replaced_is_found_by_the_name_that_only_it_has(memory: Memory) -> None:
    for session, said in (("one", "I live in Lyon."), ("two", "I live in Ghent now.")):
        memory.observe(said, session=session)
        memory.end(session)
        memory.learn()
    assert "I live in Lyon." in memory.recall("I live in Lyon").texts
    assert "I live in Lyon." not in memory.recall("Where do I live?").texts


def test_a_memory_that_stands_for_one_turn_is_not_left_out_for_another() -> None:
    texts = {1: "So well, the Kiln is here", 2: "the Kiln is here, with Ana, and it hums", 3: "The Kiln is here"}
    left_out = told_by_others(texts, [(3, 1), (3, 2)], ())
    assert 1 in left_out
    assert 3 not in left_out
