"""Packs for one reader: nothing is given twice, and what was said in the reader's own session is left out."""

from __future__ import annotations

from omoide import Memory


def test_a_reader_is_given_nothing_twice(memory: Memory) -> None:
    memory.remember("The shop is deployed with vercel --prod")
    question = "how is the shop deployed?"
    assert "vercel" in memory.context(question, reader="s1").markdown
    assert memory.context(question, reader="s1").markdown == ""
    assert "vercel" in memory.context(question, reader="s2").markdown
    assert "vercel" in memory.context(question).markdown


def test_what_was_said_in_the_reader_s_session_is_left_out(memory: Memory) -> None:
    memory.observe("My dog is called Kira.", session="s1")
    assert memory.context("what is my dog called?", reader="s1").ids == []
    assert memory.context("what is my dog called?", reader="s2").ids == [1]


def test_a_fact_learned_from_the_reader_s_session_alone_is_left_out(memory: Memory) -> None:
    turn = memory.observe("My dog is called Kira.", session="s1")
    fact = memory.remember("Otto's dog is called Kira", sources=[turn.id])
    assert memory.context("what is the dog called?", reader="s1").ids == []
    assert fact.id in memory.context("what is the dog called?", reader="s2").ids


def test_a_new_start_of_the_session_gives_everything_again(memory: Memory) -> None:
    memory.remember("Answer in short sentences", kind="preference", category="communication")
    memory.remember("The shop is deployed with vercel --prod")
    assert "short sentences" in memory.context("how is the shop deployed?", reader="s1").markdown
    assert "short sentences" not in memory.context("deploy the shop", reader="s1").markdown
    assert "short sentences" in memory.context("work on shop", reader="s1", recipe="session_start").markdown


def test_a_described_entity_is_given_once(memory: Memory) -> None:
    memory.graph.entity("Ada", type="person", description="Otto's sister, a poet")
    assert "poet" in memory.context("who is Ada?", reader="s1").markdown
    assert "poet" not in memory.context("who is Ada?", reader="s1").markdown
