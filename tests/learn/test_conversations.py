"""Whole conversations: repetitions, corrections and endings."""

from __future__ import annotations

import pytest

from omoide import Memory
from omoide.history import Version
from omoide.learn.learning_context import LearningReport
from tests.conftest import Open

AT = "2026-05-{:02d}T10:{:02d}:00+00:00"


def talked(memory: Memory, *turns: str) -> LearningReport:
    """One session; a turn that begins with "A: " is the agent's."""
    for minute, turn in enumerate(turns):
        role = "agent" if turn.startswith("A: ") else "user"
        memory.observe(turn.removeprefix("A: "), role=role, session="s", at=AT.format(14, minute))
    memory.end("s")
    return memory.learn()


def live(memory: Memory, *kinds: str) -> list[str]:
    found = memory.list(state="all", order="added")
    return sorted(each.text for each in found if each.kind in kinds and each.state == "live" and not each.valid_until)


@pytest.mark.parametrize(
    ("turns", "left"),
    [
        (["always use pnpm, not npm", "no, use pnpm instead of npm"], "User prefers pnpm over npm"),
        (["always use pnpm, not npm", "A: ok", "No! Use pnpm, not npm!!"], "User prefers pnpm over npm"),
        (["use ruff, not flake8", "no, use ruff, not flake8!"], "User prefers ruff over flake8"),
        (["use tabs, not spaces", "no, use tabs instead of spaces"], "User prefers tabs over spaces"),
        (["Benutze pnpm statt npm", "use pnpm, not npm"], "User prefers pnpm over npm"),
    ],
)
def test_a_correction_that_is_said_again_confirms(opened: Open, turns: list[str], left: str) -> None:
    memory = opened()
    report = talked(memory, *turns)
    assert live(memory, "preference") == [left]
    assert [entry.verb for entry in report.entries if entry.kind == "preference"] == ["learned", "confirmed"]


@pytest.mark.parametrize(
    ("how", "wish", "steps"),
    [
        ("To build: 1. go to the docs 2. run make 3. go home", "use rust, not go", "go to the docs;run make;go home"),
        ("To ship: 1. make the box 2. label it 3. make tea", "use just, not make", "make the box;label it;make tea"),
        ("To test: 1. run pip 2. let it rest 3. run it", "use const, not let", "run pip;let it rest;run it"),
        ("To ship: 1. run make dist 2. make tea 3. test it", "use just, not make", "run just dist;make tea;test it"),
        ("To build: 1. go build 2. go home 3. test it", "use rust, not go", "rust build;go home;test it"),
        ("To build: 1. run `go vet` 2. go home 3. run it", "use rust, not go", "run `rust vet`;go home;run it"),
        ("To pack: 1. build it with Go 2. go home 3. rest", "use rust, not go", "build it with rust;go home;rest"),
        (
            "To ship: 1. open the main page 2. push to main",
            "use release, not main",
            "open the main page;push to release",
        ),
        ("To add it: 1. run npm add 2. open npmjs.com", "use pnpm, not npm", "run pnpm add;open npmjs.com"),
        ("To brew: 1. boil the coffee 2. pour coffee", "use tea, not coffee", "boil the tea;pour tea"),
    ],
)
def test_a_procedure_changes_where_the_word_is_the_tool_and_not_where_it_is_english(
    opened: Open, how: str, wish: str, steps: str
) -> None:
    memory = opened()
    talked(memory, how, wish)
    assert ";".join(memory.get(_procedure(memory)).attributes["steps"]) == steps


def test_a_procedure_that_is_left_as_it_is_is_named_in_the_report(opened: Open) -> None:
    memory = opened()
    report = talked(memory, "To build: 1. go to the docs 2. run make 3. go home", "use rust, not go")
    assert any("'build' says 'go'" in note for note in report.notes)


@pytest.mark.parametrize(
    ("turns", "left"),
    [
        (["I work at Adobe.", "no sorry, Autodesk, not Adobe"], ["User works at Autodesk"]),
        (["I work at Adobe.", "A: ok", "no sorry, Autodesk"], ["User works at Autodesk"]),
        (["I work at Adobe.", "no, Autodesk, not Adobe"], ["User works at Autodesk"]),
        (["I work at Adobe.", "Autodesk, not Adobe"], ["User works at Autodesk"]),
        (["I work at Adobe in the design team.", "no, Autodesk"], ["User works at Autodesk"]),
        (["I work at Adobe.", "A: Adobe, nice. I like Photoshop.", "no, Illustrator"], ["User works at Adobe"]),
        (["I work at Adobe.", "sorry, Claude"], ["User works at Adobe"]),
        (["I like tea.", "A: ok", "no, thanks"], ["User likes tea"]),
        (
            ["my sister Marta lives in Faro", "that's wrong, she lives in Lagos"],
            ["Marta is User's sister", "Marta lives in Lagos"],
        ),
        (
            ["my sister Marta lives in Faro", "A: ok", "no wait, she lives in Lagos"],
            ["Marta is User's sister", "Marta lives in Lagos"],
        ),
        (["my sister Marta lives in Faro", "no, Lagos"], ["Marta is User's sister", "Marta lives in Lagos"]),
        (["I have two dogs", "correction: three dogs"], ["User has pet: three dogs"]),
        (["I have two dogs", "I meant three dogs"], ["User has pet: three dogs"]),
        (["i have 3 kids", "*4 kids"], ["User has 4 kids"]),
        (["my name is Jon", "sorry, John"], ["User's name is John"]),
        (["my name is Jon", "it's John, with an h"], ["User's name is John"]),
        (["My sister is called Marta.", "actually it's Martha with an h"], ["Martha is User's sister"]),
        (["I am vegan", "A: ok", "sorry I meant vegetarian"], ["User is vegetarian"]),
        (["I live in Rome", "Oops, I meant Milan"], ["User lives in Milan"]),
        (["I prefer tea over coffee", "no, tea instead of coffee"], []),
    ],
)
def test_a_short_correction_sets_right_the_one_thing_it_fits(opened: Open, turns: list[str], left: list[str]) -> None:
    memory = opened()
    talked(memory, *turns)
    assert live(memory, "fact") == left


@pytest.mark.parametrize(
    "turns", [["I work at Adobe.", "A: ok", "I meant the other one"], ["The sky is blue.", "sorry, John"]]
)
def test_a_correction_that_nothing_can_be_made_of_is_noted(opened: Open, turns: list[str]) -> None:
    assert any(turns[-1] in note for note in talked(opened(), *turns).notes)


@pytest.mark.parametrize(
    ("turns", "left"),
    [
        (["I live in Berlin", "we moved to Potsdam two weeks ago"], ["User lives in Potsdam"]),
        (["I live in Berlin", "we moved to Basecamp two weeks ago"], ["User lives in Berlin"]),
        (["I live in Berlin", "our team grew, we moved to Linear last month"], ["User lives in Berlin"]),
        (["My friend Ann works at Lidl", "Ann quit her job at Lidl"], ["Ann is a friend of User"]),
        (["My friend Ann works at Lidl", "Ann was laid off by Lidl"], ["Ann is a friend of User"]),
        (["I work at Lidl", "I got laid off last week"], []),
        (["I work at Lidl", "I was fired"], []),
        (["I work at Lidl", "I was fired up"], ["User works at Lidl"]),
        (["I work at Lidl", "I retired last year"], []),
        (["I work at Lidl", "I'm between jobs right now"], []),
        (["I work at Lidl", "I'm unemployed now"], ["User is unemployed"]),
        (["I'm married to Carla", "Carla and I split up in February"], []),
        (["My dog Rex is old", "Rex died yesterday"], []),
        (["My dog Rex is old", "we had to put Rex down last week"], []),
        (["My dog Rex is old", "Max died yesterday"], ["User has a dog named Rex"]),
        (["I use vim", "I use emacs now"], ["User uses Emacs"]),
        (["I use vim", "I also use emacs now"], ["User uses Emacs", "User uses Vim"]),
        (["I use vim", "I use Docker now"], ["User uses Docker", "User uses Vim"]),
    ],
)
def test_what_is_over_is_not_told_beside_what_came_after(opened: Open, turns: list[str], left: list[str]) -> None:
    memory = opened()
    talked(memory, *turns)
    assert [text for text in live(memory, "fact") if "Linear" not in text and "Basecamp" not in text] == left


DEPLOY = "To deploy: 1. run the tests 2. build 3. push to main"
NPM = "To deploy: 1. run npm ci 2. npm run build 3. upload to S3"


@pytest.mark.parametrize(
    ("turns", "steps"),
    [
        ([DEPLOY, "no, first build, then run the tests, then push to release"], "build;run the tests;push to release"),
        ([DEPLOY, "A: ok", "Wait, first run the tests, then build"], "run the tests;build"),
        ([DEPLOY, "don't push to main, push to release"], "run the tests;build;push to release"),
        ([DEPLOY, "when deploying, don't push to main, push to dev"], "run the tests;build;push to dev"),
        ([NPM, "use pnpm, not npm", "actually go back to npm"], "run npm ci;npm run build;upload to S3"),
        ([NPM, "use pnpm, not npm", "use yarn instead of pnpm"], "run yarn ci;yarn run build;upload to S3"),
    ],
)
def test_a_procedure_that_is_set_right_has_a_new_version(opened: Open, turns: list[str], steps: str) -> None:
    memory = opened()
    talked(memory, *turns)
    procedure = memory.get(_procedure(memory))
    assert ";".join(procedure.attributes["steps"]) == steps
    assert steps.partition(";")[0] in procedure.text


def test_a_step_is_set_right_in_another_session_too(opened: Open) -> None:
    memory = opened()
    talked(memory, DEPLOY)
    memory.observe("don't push to main, push to release", session="later", at=AT.format(20, 0))
    memory.end("later")
    memory.learn()
    assert "push to release" in memory.get(_procedure(memory)).text


def test_a_rewritten_procedure_rests_on_the_turn_that_taught_it_and_on_the_one_that_changed_it(opened: Open) -> None:
    memory = opened()
    talked(memory, NPM, "use pnpm, not npm", "actually go back to npm")
    said = {each.episode.text for each in memory.explain(_procedure(memory)).evidence}
    assert said == {NPM, "use pnpm, not npm", "actually go back to npm"}


def test_the_history_of_a_name_tells_what_gave_way_before_what_came(opened: Open) -> None:
    memory = opened()
    for day, text in ((3, "My sister Anna lives in Bonn."), (12, "Anna moved to Cologne last month")):
        memory.observe(text, session=text, at=AT.format(day, 0))
        memory.end(text)
        memory.learn()
    homes = [
        each.node.text for each in memory.history("Anna") if isinstance(each, Version) and "lives" in each.node.text
    ]
    assert homes == ["Anna lives in Bonn", "Anna lives in Cologne"]


def _procedure(memory: Memory) -> int:
    found = memory.list(state="all", order="added")
    return next(each.id for each in found if each.kind == "procedure" and each.state == "live")
