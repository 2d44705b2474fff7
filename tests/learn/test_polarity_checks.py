"""Statements of a model that change whom a sentence is about, or its polarity, are not learned."""

from __future__ import annotations

import json
from typing import Any

import pytest

from omoide import Memory
from omoide.learn.learning_context import LearningReport
from omoide.providers.protocols import Completion, CompletionRequest, TokenPrice
from tests.learn.test_model_extractor import lists, statement


class Saying:
    """A language model that always says the same."""

    name = "saying"

    def __init__(self, *facts: dict[str, Any]) -> None:
        self._text = json.dumps(lists(statements=list(facts)))

    def price(self, operation: str) -> TokenPrice:
        return TokenPrice(0, 0)

    def complete(self, request: CompletionRequest) -> Completion:
        text = self._text if request.operation == "extract" else '{"links": []}'
        return Completion(text=text, model="saying", input_tokens=10, output_tokens=10, cost=0.0)


VERBS = {"lives_in": "lives in", "works_at": "works at", "likes": "likes", "dislikes": "doesn't like", "uses": "uses"}


def fact(slot: str, value: str, turn: int, quote: str, text: str = "") -> dict[str, Any]:
    return statement(turn, quote, text or f"The user {VERBS[slot]} {value}", slot=slot, value=value)


def learned(*turns: str, facts: list[dict[str, Any]], role: str = "user") -> tuple[list[str], LearningReport]:
    with Memory(":memory:", embedder=None, language_model=Saying(*facts)) as memory:
        for turn in turns:
            memory.observe(turn, role=role, session="s", at="2026-05-14T12:00:00+00:00")
        memory.end("s")
        report = memory.learn()
        return [hit.node.text for hit in memory.recall(" ".join(turns), kinds=["fact", "preference"]).hits], report


@pytest.mark.parametrize(
    ("said", "item", "reason"),
    [
        ("I don't live in Oslo.", fact("lives_in", "Oslo", 1, "live in Oslo"), "it is denied there"),
        ("I have never worked at Acme.", fact("works_at", "Acme", 1, "worked at Acme"), "it is denied there"),
        ("Tom lives in Rome.", fact("lives_in", "Rome", 1, "lives in Rome"), "it is said about somebody else"),
        (
            "I hate Rome but my sister works at Acme.",
            fact("works_at", "Acme", 1, "works at Acme"),
            "it is said about somebody else",
        ),
        (
            "I hate Rome but my sister works at Acme.",
            fact("likes", "Rome", 1, "Rome"),
            "likes is not in its turn",
        ),
        ("Rome is where my brother lives.", fact("lives_in", "Rome", 1, "Rome"), "it is said about somebody else"),
    ],
)
def test_what_a_model_turns_around_is_not_learned_and_the_reason_noted(
    said: str, item: dict[str, Any], reason: str
) -> None:
    texts, report = learned(said, facts=[item])
    assert item["text"].removeprefix("The ").casefold() not in [text.removeprefix("The ").casefold() for text in texts]
    assert any(reason in note for note in report.notes)


@pytest.mark.parametrize(
    ("said", "item"),
    [
        ("Tom and I live in Rome.", fact("lives_in", "Rome", 1, "live in Rome")),
        ("Rome is where I live.", fact("lives_in", "Rome", 1, "Rome is where I live")),
        ("I live in Rome, not in Oslo.", fact("lives_in", "Rome", 1, "I live in Rome")),
        ("I don't like Docker.", fact("dislikes", "Docker", 1, "I don't like Docker")),
        ("My sister and I work at Acme.", fact("works_at", "Acme", 1, "work at Acme")),
        ("Not only do I use Docker, I like it.", fact("uses", "Docker", 1, "I use Docker")),
        ("Based in Rome these days.", fact("lives_in", "Rome", 1, "Based in Rome")),
    ],
)
def test_what_a_model_reads_as_it_is_said_is_taken(said: str, item: dict[str, Any]) -> None:
    texts, report = learned(said, facts=[item])
    assert any(item["value"] in text for text in texts), report.notes


def test_a_denial_does_not_supersede_what_is_so() -> None:
    denied = fact("lives_in", "Oslo", 2, "live in Oslo")
    texts, report = learned("I live in Rome.", "I don't live in Oslo.", facts=[denied])
    assert "User lives in Rome" in texts
    assert "User lives in Oslo" not in texts
    assert report.count("superseded") == 0


@pytest.mark.parametrize(
    "text",
    ["User lives in Rome and is a convicted felon", "User lives in Rome illegally", "User does not live in Rome"],
)
def test_a_sentence_that_says_more_than_was_said_gives_way_to_what_was_said(text: str) -> None:
    texts, _ = learned("I live in Rome.", facts=[fact("lives_in", "Rome", 1, "I live in Rome", text=text)])
    assert text not in texts


def test_what_an_agent_says_of_the_user_is_not_the_users_word() -> None:
    item = fact("lives_in", "Mars", 1, "You live in Mars")
    texts, report = learned("You live in Mars.", facts=[item], role="agent")
    assert texts == []
    assert any("agent says it, not the user" in note for note in report.notes)


@pytest.mark.parametrize(
    "said",
    [
        "I moved to Rome when I was a kid.",
        "I moved to Rome when I was 5.",
        "We moved to Rome when my dad got a job there in 1995.",
        "I moved to Rome as a child.",
        "I moved to Rome in 2030.",
        "In 5 years I live in Rome.",
        "I live in Rome next year.",
    ],
)
def test_a_move_of_another_time_does_not_take_the_place_of_todays_home(memory: Memory, said: str) -> None:
    for text in ("I live in Berlin.", said):
        memory.observe(text, session="s", at="2026-05-14T12:00:00+00:00")
    memory.end("s")
    assert memory.learn().count("superseded") == 0
    homes = [each for each in memory.list(kinds=["fact"]) if each.attributes["predicate"] == "lives_in"]
    assert [each.text for each in homes] == ["User lives in Berlin"]
