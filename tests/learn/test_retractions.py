"""Retracted statements and statements that must not be kept leave no facts."""

from __future__ import annotations

import pytest

from omoide import Memory
from omoide.learn.learning_context import LearningReport
from tests.conftest import Open

AT = "2026-05-14T12:{:02}:00+00:00"


def told(memory: Memory, *turns: str, session: str = "s") -> LearningReport:
    for number, turn in enumerate(turns):
        role = "agent" if turn.startswith("Agent: ") else "user"
        memory.observe(turn.removeprefix("Agent: "), session=session, role=role, at=AT.format(number))
    memory.end(session)
    return memory.learn()


def live(memory: Memory) -> list[str]:
    kinds = ("fact", "preference", "opinion", "procedure")
    found = memory.list(state="all", order="added")
    return sorted(each.text for each in found if each.kind in kinds and each.state == "live" and not each.valid_until)


@pytest.mark.parametrize(
    "words",
    [
        "ignore that",
        "just kidding",
        "lol no I don't",
        "forget what I just said",
        "forget I said that",
        "Please forget that I live in Rome",
        "remember that I'm only joking",
        "Sorry, scratch that.",
        "actually, don't save that",
    ],
)
def test_what_was_just_said_ends_when_it_is_taken_back(opened: Open, words: str) -> None:
    memory = opened()
    report = told(memory, "I live in Rome.", words)
    assert live(memory) == []
    assert [entry.text for entry in report.entries if entry.verb == "ended"] == ["User lives in Rome"]


def test_only_the_last_turn_is_taken_back(opened: Open) -> None:
    memory = opened()
    told(memory, "I work at Acme.", "I live in Rome.", "ignore that")
    assert live(memory) == ["User works at Acme"]


def test_what_was_known_before_is_not_taken_back_with_its_repetition(opened: Open) -> None:
    memory = opened()
    told(memory, "I live in Rome.", session="before")
    told(memory, "I live in Rome.", "ignore that")
    assert live(memory) == ["User lives in Rome"]


def test_a_yes_is_taken_back_with_what_it_was_said_to(opened: Open) -> None:
    memory = opened()
    told(memory, "Agent: Do you live in Porto?", "yes", "actually no, forget that")
    assert live(memory) == []


def test_what_is_said_instead_is_learned(opened: Open) -> None:
    memory = opened()
    told(memory, "I live in Rome.", "Agent: Rome, nice!", "That was a joke, I live in Bari.")
    assert live(memory) == ["User lives in Bari"]


def test_it_is_told_when_there_is_nothing_to_take_back(opened: Open) -> None:
    report = told(opened(), "Nice weather.", "ignore that")
    assert any("ignore that" in note for note in report.notes)


@pytest.mark.parametrize(
    "words",
    [
        "Don't remember this: I live in Oslo",
        "Do not store this. I live in Oslo.",
        "don't save this but I work at Acme",
        "don't write this down: my name is Carl",
        "Off the record: I work at Acme",
        "this stays between us: I'm allergic to latex",
        "I live in Oslo, but please don't remember that",
    ],
)
def test_nothing_is_learned_of_what_is_not_to_be_kept(opened: Open, words: str) -> None:
    memory = opened()
    report = told(memory, words)
    assert live(memory) == []
    assert memory.graph.entities() == []
    assert any("asked not to be kept" in note for note in report.notes)


@pytest.mark.parametrize(
    "answer",
    ["Yes. Wait, no, Bari.", "yes... I mean no", "yeah, I wish", "right, until last year", "Yes, my brother does"],
)
def test_a_qualified_yes_confirms_nothing(opened: Open, answer: str) -> None:
    memory = opened()
    told(memory, "Agent: You live in Rome, right?", answer)
    assert live(memory) == []
