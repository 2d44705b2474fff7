"""Recalled memories that come back in a turn are not learned again."""

from __future__ import annotations

import pytest

from omoide import Memory


def learned_from(memory: Memory, text: str, session: str) -> list[str]:
    memory.observe(text, session=session)
    memory.end(session)
    return [entry.verb for entry in memory.learn().entries if entry.kind == "fact" and entry.verb != "refused"]


@pytest.mark.parametrize(
    "back",
    [
        "{bullets}",
        "- [2026-05-14] user: I live in Rome.",
        "- User lives in Rome [id:2]",
        "Here is what you know:\n{recalled}",
        "Here's what you know about me: I live in Rome.",
        "Earlier I said: I live in Rome. I like tea.",
        "As I told you before: I live in Rome.",
    ],
)
def test_a_line_of_a_context_pack_does_not_restore_a_superseded_fact(memory: Memory, back: str) -> None:
    learned_from(memory, "I live in Rome.", "one")
    pack = memory.context("Where do I live?").markdown
    recalled = memory.recall("Rome").texts[0]
    learned_from(memory, "I live in Oslo.", "two")
    bullets = "\n".join(line for line in pack.splitlines() if line.startswith("-"))
    assert learned_from(memory, back.format(bullets=bullets, recalled=recalled), "three") == []
    assert "User lives in Oslo" in memory.recall("Where do I live?", kinds=["fact"]).texts


@pytest.mark.parametrize(
    "said",
    [
        "I live in Rome.",
        "Here is what you should know about me: I live in Rome.",
        "Earlier I said: I live in Oslo. But now I live in Rome.",
        "- User lives in Oslo [id:2]\nI live in Rome.",
    ],
)
def test_what_is_said_of_today_is_heard(memory: Memory, said: str) -> None:
    learned_from(memory, "I live in Oslo.", "one")
    assert learned_from(memory, said, "two") == ["superseded"]


SUMMARY = "A quick summary of our chat: User: I live in Rome. Assistant: nice. User: I work at Aldi."


@pytest.mark.parametrize(
    "back",
    [
        "Your last answer was this:\n\nUser's sister is Ida.\nIda works at Aldi.\n\nThat's outdated, isn't it?",
        "You told me: User lives in Bonn. Ida works at Aldi.",
        "You wrote:\n- Ida works at Aldi\n- User lives in Bonn",
        "copy of your notes: Ida works at Aldi. I work at Aldi.",
        SUMMARY.replace("I work", "Ida works"),
        "User: Ida works at Aldi.\nAssistant: noted.",
    ],
)
def test_what_we_said_ourselves_does_not_bring_back_what_gave_way(memory: Memory, back: str) -> None:
    learned_from(memory, "I live in Bonn. My sister Ida works at Aldi.", "one")
    learned_from(memory, "Ida works at Rewe now.", "two")
    assert learned_from(memory, back, "three") == []
    assert "Ida works at Rewe now" in memory.recall("Where does Ida work?", kinds=["fact"]).texts


def test_a_pasted_chat_is_not_learned_as_the_users_statement(memory: Memory) -> None:
    assert learned_from(memory, SUMMARY, "one") == []


def test_a_named_user_does_not_speak_of_themselves_by_name(memory: Memory) -> None:
    learned_from(memory, "Hi, I'm Otto. I live in Rome.", "one")
    learned_from(memory, "I moved to Oslo.", "two")
    learned_from(memory, "I moved to Bari.", "three")
    assert learned_from(memory, "Otto lives in Oslo", "four") == []


@pytest.mark.parametrize(
    "said",
    [
        "Ida works at Aldi",
        "Ida works at Aldi again.\nUser lives in Rome?",
        "Your answers should be: short. Ida works at Aldi.",
    ],
)
def test_what_the_user_says_of_others_in_the_same_words_counts(memory: Memory, said: str) -> None:
    learned_from(memory, "My sister Ida works at Aldi.", "one")
    learned_from(memory, "Ida works at Rewe now.", "two")
    assert learned_from(memory, said, "three") == ["superseded"]
