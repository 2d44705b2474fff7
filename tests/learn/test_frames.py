"""Frames that last over clauses and turns: stories, roles, suppositions, reports."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from omoide.learn.proposal import ConversationTurn, LearningConversation, Statement
from omoide.learn.statements import StatementExtractor
from omoide.learn.statements.statement_extractor import ConversationReader

AT = datetime(2026, 9, 8, 10, 0, tzinfo=UTC)


def read(*said: str) -> list[Statement]:
    """What is learned from turns of a user; one that begins with "Agent: " is the agent's."""
    turns = []
    for number, text in enumerate(said, 1):
        role = "agent" if text.startswith("Agent: ") else "user"
        text = text.removeprefix("Agent: ")
        turns.append(ConversationTurn(id=number, text=text, role=role, at=AT, origin=role))
    conversation = LearningConversation(session="s", turns=tuple(turns), owner="Priya")
    return list(StatementExtractor().extract(conversation).statements)


@pytest.mark.parametrize(
    "said",
    [
        "Imagine I won a million. I live in Monaco. I own two yachts.",
        "what if I went abroad. Lisbon, 80k, free lunches",
        "a horse called Otto, he runs a bakery in Rome. no wait that's for a comedy sketch",
        "you be the recruiter. I led a team of forty at Siemens",
        "yes yes I'm buying the whole castle",
        "we live in a mill and my aunt owns a bear, kidding",
        "Add: I own four fishing rods and my cat is called Mog",
        "SELECT name FROM users WHERE city = 'Bergen'",
    ],
)
def test_a_frame_lasts_over_what_follows_it(said: str) -> None:
    assert read(said) == []


def test_a_pronoun_that_means_somebody_in_a_story_is_part_of_it() -> None:
    found = read("write a story about a pirate called Gerard", "Agent: Gerard sailed at dawn.", "he hates cushions")
    assert found == []


def test_what_is_real_is_learned_again_after_a_supposition() -> None:
    found = read("Imagine I won a million. Anyway, my sister Ana lives in Oslo")
    assert any("Oslo" in each.text for each in found)


@pytest.mark.parametrize(
    ("asked", "answer", "stated"),
    [
        ("Where do you live?", "Bari", "Priya lives in Bari"),
        ("Are you vegetarian?", "yes", "Priya is vegetarian"),
        ("When is the exam?", "the 12th of October", "The exam is the 12th of October (2026-10-12)"),
        ("Nice. What's your dog called?", "Biscuit", "Priya's dog is Biscuit"),
    ],
)
def test_a_brief_answer_states_what_was_asked(asked: str, answer: str, stated: str) -> None:
    found = read(f"Agent: {asked}", answer)
    assert (found[0].text, found[0].quote.words) == (stated, answer)


@pytest.mark.parametrize("answer", ["no idea", "whatever", "why?", "not telling you lol"])
def test_what_is_no_answer_states_nothing(answer: str) -> None:
    assert read("Agent: Where do you live?", answer) == []


def test_the_answer_to_an_offer_states_nothing() -> None:
    assert read("Agent: Do you want me to book it?", "yes") == []


def test_who_was_just_named_is_whom_she_means() -> None:
    found = read("Beryl gave up the plot in May. She still pays half of the rent every month")
    assert any("Beryl still pays half" in each.text for each in found)


def test_what_says_nothing_alone_is_told_with_the_clause_before() -> None:
    reader = ConversationReader("Priya")
    turn = ConversationTurn(id=1, text="Dele met Tom. He pays half of the rent", role="user", at=AT)
    led = [each.lead for each in reader.candidates(turn)]
    assert any("Dele" in each for each in led)


def test_a_name_just_before_a_pronoun_is_whom_it_means() -> None:
    found = read("my cousin Zdenek lives in Brno", "the hip first, because Mr Fairweather, he's the surgeon at Nelson")
    assert not any(each.text.startswith("Zdenek is the surgeon") for each in found)


def test_a_coming_day_in_a_past_sentence_is_the_coming_one() -> None:
    found = read("the clinic booked us for the 3rd of October")
    assert any("2026-10-03" in each.text for each in found)


@pytest.mark.parametrize(
    "said",
    [
        "Can you make your replies brief?",
        "Please reply in plain sentences.",
        "No exclamation marks please.",
        "avoid jargon please",
        "headings are okay in reports",
    ],
)
def test_how_the_agent_is_to_write_is_an_instruction(said: str) -> None:
    assert [each.form for each in read(said)] == ["instruction"]


@pytest.mark.parametrize(
    "said",
    [
        "Can you make this reply brief?",
        "Please reply in plain sentences to the landlord.",
        "No headings in that one.",
        "Write a card for Jo. No emojis.",
        "no emojis today please",
    ],
)
def test_how_one_text_is_to_be_written_is_no_instruction(said: str) -> None:
    assert read(said) == []


def test_how_the_agent_is_to_write_may_mean_the_text_that_it_just_wrote() -> None:
    assert read("write a note for the cleaner", "Agent: Written.", "no exclamation marks man") == []
