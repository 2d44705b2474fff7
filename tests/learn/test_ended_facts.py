"""Which statements end which facts, also without naming them."""

from __future__ import annotations

import pytest

from tests.conftest import Open
from tests.learn.test_reversals import live, told


@pytest.mark.parametrize(
    ("turns", "left"),
    [
        (["My wife Ana works at Acme.", "My wife doesn't work at Acme anymore."], ["Ana is User's wife"]),
        (["My wife Ana works at Acme.", "My wife left Acme."], ["Ana is User's wife"]),
        (
            ["My wife Ana works at Acme.", "Ana got a new job at Globex."],
            ["Ana is User's wife", "Ana works at Globex"],
        ),
        (["Our API is deployed on Vercel.", "We moved the API from Vercel to Fly.io."], ["API is deployed on Fly.io"]),
        (["Apollo uses Redis.", "Apollo switched from Redis to Valkey."], ["Apollo uses Valkey"]),
        (["I speak German.", "I don't speak German."], []),
        (["I don't eat meat.", "I eat meat again."], []),
        (["My email is a@b.com", "My email is now c@d.org"], ["User's email is c@d.org"]),
        (["Tom works at Acme.", "Tom quit."], []),
        (["I work at Acme.", "I quit my job last week."], []),
        (["I plan to visit Rome in June.", "I cancelled the trip to Rome."], []),
        (["I use vim.", "I switched to Emacs."], ["User uses Emacs"]),
        (["I own a Tesla.", "I sold my Tesla and bought a BMW."], ["User owns a BMW"]),
        (["I love Python.", "I'm not a fan of Python anymore."], []),
        (["My favourite colour is blue.", "My favorite color is red."], ["User's favorite color is red"]),
        (["I work at Acme.", "I also work at Globex."], ["User also works at Globex", "User works at Acme"]),
        (["I live in Oslo.", "I'm living in Rome for the summer."], ["User is staying in Rome", "User lives in Oslo"]),
        (
            ["Remember that the deploy key is in the vault.", "Remember that the deploy key is in 1Password."],
            ["The deploy key is in 1Password"],
        ),
        (["I live in Berlin.", "I live in Berlin, Germany."], ["User lives in Berlin"]),
        (["I live in NYC.", "I live in New York City."], ["User lives in NYC"]),
        (["I live in Munich.", "Ich wohne in München."], ["User lives in Munich"]),
    ],
)
def test_what_was_so_is_so_no_longer_and_nothing_else_is_touched(
    opened: Open, turns: list[str], left: list[str]
) -> None:
    memory = opened()
    told(memory, *turns)
    assert live(memory, "fact") == left


def test_an_opinion_is_given_up_by_its_denial(opened: Open) -> None:
    memory = opened()
    told(memory, "I think Rust is overrated.", "I don't think Rust is overrated.")
    assert live(memory, "opinion") == ["User does not think Rust is overrated"]


def test_a_town_with_its_country_is_the_town_that_is_known(opened: Open) -> None:
    memory = opened()
    told(memory, "I live in Berlin.", "I live in Berlin, Germany.")
    names = [name for name in ("Berlin", "Berlin, Germany") if memory.graph.entity(name).name == "Berlin"]
    assert names == ["Berlin", "Berlin, Germany"]


def test_what_nobody_knew_of_is_not_ended_in_silence(opened: Open) -> None:
    report = told(opened(), "I cancelled the trip to Rome.", "Tom quit.")
    assert [entry.text for entry in report.entries if entry.verb == "refused"] == [
        "I cancelled the trip to Rome",
        "Tom quit",
    ]


@pytest.mark.parametrize("wish", ["Don't use emojis in answers to my mother.", "Always use tabs (just for this file)."])
def test_a_preference_for_one_case_is_told_and_not_learned(opened: Open, wish: str) -> None:
    memory = opened()
    report = told(memory, wish)
    assert live(memory, "preference") == []
    assert any(wish.rstrip(".") in note for note in report.notes)


def test_what_is_said_in_a_role_is_noted_and_not_learned(opened: Open) -> None:
    memory = opened()
    report = told(memory, "Let's play a game: I'm King Arthur.", "I live in Camelot.", "End of game. I live in Oslo.")
    assert live(memory, "fact") == ["User lives in Oslo"]
    assert any("in a role" in note for note in report.notes)
