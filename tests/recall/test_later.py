"""What was said later on the matter of the best candidates is found, though it shares no word with the question."""

from __future__ import annotations

import pytest

from omoide import Memory
from omoide.recall.question import Query
from tests.conftest import Open

TALK = (
    ("2026-03-02", "our prices: a tuning is 90, regulating the action is 240, and at weekends it's time and a half"),
    ("2026-03-04", "the van needs new tyres before the summer"),
    ("2026-03-09", "Marek plays the cello in the town orchestra"),
    ("2026-04-07", "i'm done with time and a half, it's a flat 130 from may"),
    ("2026-04-20", "the workshop gets a second window"),
    ("2026-04-22", "mum's birthday is at the lake this year"),
)


@pytest.fixture
def shop(opened: Open) -> Memory:
    from omoide.providers.minilm import MiniLM

    memory = opened(embedder=MiniLM())
    for day, text in TALK:
        memory.observe(text, session=day, at=f"{day}T09:00:00+00:00")
    memory.flush()
    return memory


@pytest.mark.minilm
def test_what_was_said_later_on_the_matter_is_found(shop: Memory) -> None:
    found = shop.recall("what do I ask for tuning a piano at weekends?", limit=3)
    later = next(hit for hit in found if "flat 130" in hit.text)
    assert "said later on the matter of [id:1]" in later.why


@pytest.mark.minilm
def test_a_correction_said_next_is_found_with_what_it_corrects(shop: Memory) -> None:
    for second, text in enumerate(
        ("Ida drives mum to the clinic on monday", "Good.", "Scratch that, it's Max, from work")
    ):
        role = "agent" if second == 1 else "user"
        shop.observe(text, role=role, session="clinic", at=f"2026-04-25T09:00:0{second}+00:00")
    shop.flush()
    assert "Max" in shop.recall("who takes mum to the clinic?").texts[1]


@pytest.mark.minilm
def test_a_question_about_the_past_is_not_led_to_later_news(shop: Memory) -> None:
    found = shop.recall("what was the price for a tuning at weekends before?")
    assert all("said later" not in hit.why for hit in found)


def about_now(memory: Memory, text: str) -> Query:
    return memory.recall(text).query


def test_words_of_now_name_no_subject(memory: Memory) -> None:
    query = about_now(memory, "what do I drive these days?")
    assert (query.terms, query.about_now) == (("drive",), True)
    assert about_now(memory, "and right now?").terms
