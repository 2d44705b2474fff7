"""Preferences and facts that are taken back, reversed or corrected."""

from __future__ import annotations

import pytest

from omoide import Memory
from omoide.learn.learning_context import LearningReport
from tests.conftest import Open

AT = "2026-05-14T12:00:00+00:00"


def told(memory: Memory, *turns: str) -> LearningReport:
    for turn in turns:
        memory.observe(turn, session="s", at=AT)
    memory.end("s")
    return memory.learn()


def live(memory: Memory, kind: str) -> list[str]:
    found = memory.list(state="all", order="added")
    return sorted(each.text for each in found if each.kind == kind and each.state == "live" and not each.valid_until)


@pytest.mark.parametrize(
    ("turns", "left"),
    [
        (["Always use tabs.", "Never use tabs."], ["Never use tabs"]),
        (["Never use tabs.", "Always use tabs."], ["Always use tabs"]),
        (["Never use emojis.", "Use emojis."], ["Use emojis"]),
        (["Never use emojis.", "Emojis are fine now."], ["Emojis are fine now"]),
        (["Never use npm.", "You can use npm again."], ["You can use npm again"]),
        (
            ["Use pnpm instead of npm.", "Sorry, I was wrong about pnpm, go back to npm."],
            ["User was wrong about pnpm, go back to npm"],
        ),
    ],
)
def test_a_preference_that_is_taken_back_ends(opened: Open, turns: list[str], left: list[str]) -> None:
    memory = opened()
    told(memory, *turns)
    assert live(memory, "preference") == left


@pytest.mark.parametrize(
    ("turns", "left"),
    [
        (["I live in Rome.", "No wait, Lyon."], ["User lives in Lyon"]),
        (["I live in Rome.", "Actually it's Lyon."], ["User lives in Lyon"]),
        (["I live in Rome.", "Correction: Oslo."], ["User lives in Oslo"]),
        (["I live in Rome.", "*Oslo"], ["User lives in Oslo"]),
        (["I live in Rome.", "I mean Oslo."], ["User lives in Oslo"]),
        (["My birthday is March 3.", "Not March 3, March 4."], ["User's birthday is March 4"]),
        (["I live in Paris -- I mean Lyon."], ["User lives in Lyon"]),
        (["I said I live in Rome, that was wrong, I live in Oslo."], ["User lives in Oslo"]),
        (["I live in Paris, not."], []),
    ],
)
def test_what_was_said_by_error_is_set_right(opened: Open, turns: list[str], left: list[str]) -> None:
    memory = opened()
    told(memory, *turns)
    assert live(memory, "fact") == left


@pytest.mark.parametrize(
    ("said", "denied"), [("I live in Rome.", "That's wrong."), ("I work at Acme.", "No, I don't.")]
)
def test_a_correction_that_cannot_be_decided_is_told(opened: Open, said: str, denied: str) -> None:
    report = told(opened(), said, denied)
    words = [*report.notes, *(entry.text + entry.why for entry in report.entries if entry.verb == "refused")]
    assert any(denied.rstrip(".") in each for each in words)


@pytest.mark.parametrize("end", ["Elsa is no longer allergic to sesame.", "Elsa isn't allergic to sesame any more."])
def test_a_part_that_ended_marks_the_whole_and_drops_nothing(opened: Open, end: str) -> None:
    memory = opened()
    told(memory, "Elsa is allergic to peanuts and sesame.")
    memory.observe(end, session="later", at="2026-06-14T12:00:00+00:00")
    memory.end("later")
    assert memory.learn().count("contradicted") == 1
    assert "Elsa is allergic to peanuts and sesame" in live(memory, "fact")
    [pair] = memory.review.contradictions()
    assert pair.other.text == "Elsa is allergic to peanuts and sesame"
