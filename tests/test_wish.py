"""Lasting wishes are told from what is said in passing."""

from __future__ import annotations

import pytest

from omoide.language.preference_statements import states_preference
from omoide.store.engine.connection import apply_pragmas
from omoide.store.engine.connection import open_bare as connection
from omoide.store.engine.gate import Gate
from omoide.store.engine.migrate import shipped_migrations, upgrade
from tests.conftest import Open, ticking


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
def test_a_lasting_wish_is_recognised(text: str) -> None:
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
    wish = "I prefer tea."
    assert memory.observe(wish).attributes["wish"]
    assert not memory.observe(wish, role="agent").attributes["wish"]
    assert not memory.observe(wish, role="tool:web").attributes["wish"]
    assert not memory.observe(wish, origin="document").attributes["wish"]


def test_what_was_observed_before_there_was_a_mark_is_marked_by_the_migration(path: str, opened: Open) -> None:
    db = apply_pragmas(connection(path, 5.0, create=True))
    number = next(step.number for step in shipped_migrations() if step.name == "wish")
    upgrade(
        db, path, Gate(f"{path}-gate", 5.0), ticking(), [step for step in shipped_migrations() if step.number < number]
    )
    for id, text in enumerate(("I prefer tea.", "I like your idea."), start=1):
        db.execute(
            """
            INSERT INTO node (
                id, ulid, kind, text, event_at, recorded_at, updated_at, importance, confidence, decay_rate, origin,
                role, source_type, state_at, content_hash
            )
            VALUES (:id, :id, 'episode', :text, 0, 0, 0, 5, 1.0, 0.0, 'user', 'user', 'conversation', 0, x'00')
            """,
            {"id": id, "text": text},
        )
    db.close()
    memory = opened()
    assert [memory.get(id).attributes["wish"] for id in (1, 2)] == [True, False]
