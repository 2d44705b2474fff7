"""Statements of a lasting preference or instruction are recognised and marked."""

from __future__ import annotations

import pytest

from omoide.language.sentences import states_preference
from tests.conftest import Open


@pytest.mark.parametrize(
    "text",
    [
        "I prefer aisle seats on long flights.",
        "I can't stand loud restaurants",
        "I’m allergic to peanuts, by the way.",
        "I'm a strict vegetarian.",
        "I really love hiking in the Alps.",
        "I don't eat pork.",
        "I never check in luggage.",
        "I'd rather walk than drive.",
        "I have a strong aversion to spicy food.",
        "My favorite color is teal.",
        "Horror films are not my thing.",
        "Crowds make me anxious? No: crowds drain me.",
        "Never suggest Docker again!",
        "Can you deploy this? And please never suggest Docker, I hate it.",
        "Please don't call me Bob.",
        "From now on, answer in German.",
        "Always run the tests before you push.",
        "Don't recommend chain restaurants.",
        "Ich mag keine Oliven.",
        "Je suis allergique aux noix.",
        "Prefiero el té.",
        "Non sopporto il rumore.",
        "Я не люблю грибы.",
        "我不喜欢香菜。",
        "我对花生过敏",
        "甘いものが苦手です",
    ],
)
def test_a_lasting_preference_is_recognised(text: str) -> None:
    assert states_preference(text)


@pytest.mark.parametrize(
    "text",
    [
        "I love it!",
        "I like your idea.",
        "Do you prefer tea or coffee?",
        "What if I were allergic to peanuts?",
        "I never knew that.",
        "I've always been here.",
        "Never mind, I found it.",
        "Don't worry about it.",
        "I used to love skiing.",
        "We deployed the app with edge functions.",
        "She prefers window seats.",
        "Call me when you are done.",
        "Which hotel should I book?",
        "我昨天去了北京。",
        "",
    ],
)
def test_what_is_asked_supposed_over_or_said_in_passing_is_not(text: str) -> None:
    assert not states_preference(text)


def test_only_the_users_own_word_is_marked(opened: Open) -> None:
    memory = opened()
    text = "I prefer tea."
    assert memory.observe(text).attributes["states_preference"]
    assert not memory.observe(text, role="agent").attributes["states_preference"]
    assert not memory.observe(text, role="tool:web").attributes["states_preference"]
    assert not memory.observe(text, origin="document").attributes["states_preference"]
