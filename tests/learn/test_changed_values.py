"""What ends, is left behind or goes on under other words: the question for it finds the current value."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from omoide import Memory

START = datetime(2030, 1, 1, 12, tzinfo=UTC)


def told(memory: Memory, *turns: str) -> list[str]:
    """Tells one turn a month, learns from each, and returns the live facts and preferences."""
    for month, text in enumerate(turns):
        at = START + timedelta(days=30 * month)
        memory.observe(text, role="user", speaker="Otto", session=f"{month}", at=at)
        memory.end(f"{month}")
        memory.learn()
    return [node.text for node in memory.list(kinds=["fact", "preference"])]


@pytest.mark.parametrize(
    ("turns", "question", "answer"),
    [
        (("My friend Malik lives in Rome.", "I moved to Oslo last week."), "Where do I live?", "Oslo"),
        (("I live in Rome.", "We moved to Oslo, the boxes are everywhere."), "Where do I live?", "Oslo"),
        (("I use Vim.", "I switched from Vim to Helix."), "Which editor do I use?", "Vim to Helix"),
        (("My friend Malik works at Ikea.", "I just started a new job at Bosch."), "Where do I work?", "Bosch"),
        (("Lantern is deployed on Render.", "Lantern is deployed on Fly.io."), "Where is Lantern deployed?", "Fly.io"),
    ],
)
def test_a_question_for_a_slot_finds_its_current_value(
    memory: Memory, turns: tuple[str, ...], question: str, answer: str
) -> None:
    told(memory, *turns)
    assert answer in memory.recall(question, kinds=["fact"]).texts[0]


@pytest.mark.parametrize(
    ("turns", "gone"),
    [
        (("I use Vim.", "I use Vim for everything.", "I switched from Vim to Helix."), "uses Vim"),
        (("I have a cat called Luna.", "My pet Luna slept well.", "My cat Luna died."), "cat called"),
        (("My pet Luna slept well.", "Luna died last night."), "is Otto's pet"),
        (("My girlfriend Nina says hello.", "Nina and I broke up."), "girlfriend"),
        (("I'm learning Polish.", "I stopped learning Polish."), "is learning"),
        (("I'm working on a project called Quill.", "I'm no longer working on Quill."), "called Quill"),
        (("Always use yarn.", "Always use npm, not yarn."), "use yarn"),
        (("Lantern is deployed on Render.", "Lantern is deployed on Fly.io."), "Render"),
    ],
)
def test_what_ended_or_was_left_is_no_longer_live(memory: Memory, turns: tuple[str, ...], gone: str) -> None:
    live = told(memory, "My name is Otto.", *turns)
    assert [text for text in live if gone in text] == []


def test_what_merely_adds_ends_nothing(memory: Memory) -> None:
    live = told(
        memory,
        "My name is Otto.",
        "I use Vim.",
        "I use Helix now.",
        "I'm married to Carla.",
        "My partner Carla is out.",
    )
    assert {"Otto uses Vim", "Otto uses Helix now", "Otto is married to Carla"} <= set(live)


def test_an_instruction_for_one_field_keeps_its_tool(memory: Memory) -> None:
    live = told(memory, "My name is Otto.", "Always use yarn for scripts.", "Always use npm, not yarn.")
    assert any("scripts" in text and "yarn" in text for text in live)
