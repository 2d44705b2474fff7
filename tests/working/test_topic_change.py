"""Whether a message changes the topic."""

from __future__ import annotations

import pytest

from omoide.working.session_view import topic_changed

DEPLOY = ["Can you deploy the app to Vercel?", "The app is deployed to Vercel."]


def test_continuing_a_topic_is_no_change_by_words_or_vectors() -> None:
    assert not topic_changed("Is the deployed app on Vercel fast", DEPLOY, None)
    assert not topic_changed("Is it fast there", DEPLOY, (0.6, 0.7))


def test_a_question_about_something_else_changes_the_topic() -> None:
    assert topic_changed("Which bread recipe do you like best in winter?", DEPLOY, None)
    assert topic_changed("Which bread recipe do you like best in winter?", DEPLOY, (0.02, 0.01))


WEDDING = ["We rent the old boathouse for the wedding in June.", "The boathouse is free on the 14th and the 21st."]


@pytest.mark.parametrize(
    "follow_up",
    [
        "How many guests can it take?",
        "How many guests are coming?",
        "Can it hold the band too?",
        "What does it cost?",
        "Is that with catering?",
        "Really?",
    ],
)
def test_a_follow_up_question_does_not_change_the_topic(follow_up: str) -> None:
    assert not topic_changed(follow_up, WEDDING, None)
    assert not topic_changed(follow_up, WEDDING, (0.35, 0.35))


@pytest.mark.parametrize(
    "said", ["By the way, my sister visits Vercel in May.", "ok, different topic: bread for Sunday"]
)
def test_an_announced_change_changes_the_topic(said: str) -> None:
    assert topic_changed(said, DEPLOY, None)
    assert topic_changed(said, DEPLOY, (0.6, 0.7))


def test_anyway_leaves_a_topic_or_returns_to_it() -> None:
    boiler = ["The boiler is cold again.", "Shall I call the plumber for the boiler?"]
    assert topic_changed("Anyway, my daughter wants to learn the cello.", boiler, None)
    assert not topic_changed("Anyway, the boiler needs a new pump and the plumber knows.", boiler, None)


def test_an_answer_stays_with_its_question() -> None:
    assert not topic_changed("rye", ["I bake a lot.", "Which bread do you like best?"], None)
    assert not topic_changed("rye", ["I bake a lot.", "Which bread do you like best?"], (0.1, 0.2))


def test_before_anything_was_said_there_is_no_topic_to_change() -> None:
    assert not topic_changed("hello there", [], None)
