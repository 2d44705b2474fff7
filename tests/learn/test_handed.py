"""What was handed out teaches nothing when it comes back, in whatever form."""

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
def test_a_part_of_a_pack_does_not_bring_back_what_gave_way(memory: Memory, back: str) -> None:
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
