"""What the reader of statements takes from natural talk, and what it leaves."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from omoide.learn.proposal import USER, ConversationTurn, LearningConversation, Statement
from omoide.learn.statements import StatementExtractor

AT = datetime(2026, 9, 8, 10, 0, tzinfo=UTC)  # a Tuesday


def read(*said: str, owner: str | None = "Priya") -> list[Statement]:
    """What is learned from turns of a user, each followed by a reply."""
    turns = []
    for number, text in enumerate(said):
        turns.append(ConversationTurn(id=2 * number + 1, text=text, role="user", at=AT))
        turns.append(ConversationTurn(id=2 * number + 2, text="Sure.", role="agent", at=AT, origin="agent"))
    conversation = LearningConversation(session="s", turns=tuple(turns), owner=owner)
    return list(StatementExtractor().extract(conversation).statements)


def test_an_intolerance_in_any_words_is_an_allergy() -> None:
    for said in ("I'm allergic to penicillin", "I can't have penicillin, it gave me a rash as a child"):
        found = next(each for each in read(said) if each.slot == "allergy")
        assert (found.subject, found.value and found.value.startswith("penicillin")) == (USER, True)


def test_a_boss_is_learned_either_way_round() -> None:
    for said in ("My boss is Dele", "Dele's my boss now"):
        assert ("manager", "Dele") in {(each.slot, each.value) for each in read(said)}


@pytest.mark.parametrize("said", ["Please never use emojis when you write to me", "Metric units only please"])
def test_a_standing_demand_is_an_instruction(said: str) -> None:
    assert [each.form for each in read(said)] == ["instruction"]


def test_a_date_becomes_absolute() -> None:
    found = read("I'm flying to Chennai on the 26th")[0]
    assert found.form == "plan"
    assert "2026-09-26" in found.text
    assert found.begins is not None
    assert found.begins.day == 26


def test_several_facts_in_a_breath_are_several_statements() -> None:
    found = read("I moved to Leeds in March, my sister lives in York and our dog is called Biscuit")
    assert len({each.text for each in found}) >= 3


def test_a_side_fact_in_a_request_is_kept_and_the_request_is_not() -> None:
    found = read("can you book a table for friday - Sam's vegan, so somewhere with options")
    assert [each.subject for each in found if "vegan" in each.text]
    assert not any("book" in each.text for each in found)


def test_a_pronoun_finds_the_one_person_it_can_mean() -> None:
    found = read("my husband Rob is a nurse", "he hates coriander")
    assert any(each.subject == "Rob" and "coriander" in each.text for each in found)


def test_the_quote_stands_in_its_turn() -> None:
    said = "oh and btw, my daughter's allergic to peanuts; can you suggest snacks?"
    for each in read(said):
        assert each.quote.words in said


@pytest.mark.parametrize(
    "said",
    [
        "Should I move to Berlin?",
        "If I were rich I'd live in Monaco",
        "Imagine I'm a pilot at Lufthansa",
        "Write a story where my sister Ana lives on Mars. She hates people.",
        "Let's role-play: I'm a knight called Arthur and I live in Camelot",
        "my uncle says the earth is flat",
        "yeah right, I just love paying taxes",
        "I wish I had a dog called Rex",
        "can you shorten this email?",
        "thanks, that's perfect!",
        "the ad claims it cures baldness",
        "```\nuser = 'I live in Rome'\n```",
    ],
)
def test_what_is_not_asserted_is_not_learned(said: str) -> None:
    assert read(said) == []


def test_a_role_lasts_over_turns_until_it_ends() -> None:
    found = read(
        "pretend you are a waiter and I'm a customer", "I'm allergic to nuts", "ok stop the role-play. I live in Leeds"
    )
    assert not any("nuts" in each.text for each in found)
    assert any("Leeds" in each.text for each in found)


def test_two_people_with_one_name_stay_two() -> None:
    found = read("my colleague Maria is in Cork", "my aunt Maria lives in Seville")
    assert {(each.slot, each.value) for each in found} >= {("colleague", "Maria"), ("relative", "Maria")}


@pytest.mark.parametrize(
    ("said", "slot", "value"),
    [
        ("J'habite à Lyon", "lives_in", "Lyon"),
        ("Moro em Lisboa", "lives_in", "Lisboa"),
        ("犬が好きです", "likes", "犬"),
    ],
)
def test_a_language_is_a_table(said: str, slot: str, value: str) -> None:
    assert (slot, value) in {(each.slot, each.value) for each in read(said)}


@pytest.mark.parametrize(
    "said",
    ["Wo wohnt Anna?", "¿Dónde vivo?", "Dove abito?", "如果我住在上海", "もし東京に住んでいたら", "Si j'étais riche"],
)
def test_questions_and_suppositions_teach_nothing_in_any_language(said: str) -> None:
    assert read(said) == []
