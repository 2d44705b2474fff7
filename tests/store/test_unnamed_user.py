"""A user without a known name has a profile."""

from __future__ import annotations

import pytest

from omoide import Memory
from omoide.errors import NotFound


def told(memory: Memory, *turns: str) -> list[tuple[str, str]]:
    for turn in turns:
        memory.observe(turn, session="s")
    memory.end("s")
    return [(entry.text, entry.why) for entry in memory.learn().entries if entry.verb == "refused"]


def test_user_answers_with_what_is_known_of_the_user(memory: Memory) -> None:
    told(memory, "I live in Rome.", "I work at Acme.", "I think Rust is overrated.")
    assert memory.graph.entity("User").name == "User"
    texts = [node.text for node in memory.graph.timeline("User")]
    assert texts[:2] == ["User lives in Rome", "User works at Acme"]
    assert memory.recall("Where do I live?", subject="user", kinds=["fact"]).texts[0] == "User lives in Rome"


def test_user_is_the_one_who_has_a_name(memory: Memory) -> None:
    told(memory, "My name is Otto.", "I live in Rome.")
    assert memory.graph.entity("User").name == "Otto"
    assert "Otto lives in Rome" in [node.text for node in memory.graph.timeline("user")]


def test_an_empty_memory_has_no_user(memory: Memory) -> None:
    with pytest.raises(NotFound):
        memory.graph.entity("User")


def test_a_denial_of_an_unknown_fact_fills_no_slot(memory: Memory) -> None:
    told(memory, "I don't live in Berlin.")
    assert not [node for node in memory.list(kinds=["fact"]) if node.attributes["predicate"] == "lives_in"]
