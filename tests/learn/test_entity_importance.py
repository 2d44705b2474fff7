"""Mentions and importance of entities come from the events, not from when they were learned."""

from __future__ import annotations

from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from omoide import Memory
from omoide.domain.importance import entity_importance

MARCH, APRIL, MAY = (datetime(2024, month, 2, 12, tzinfo=UTC) for month in (3, 4, 5))


def talk(memory: Memory, *turns: tuple[str, datetime], **given: object) -> None:
    for text, at in turns:
        memory.observe(text, session="s", at=at, **given)  # type: ignore[arg-type]
    memory.end("s")


def test_an_entity_was_seen_when_it_was_spoken_of_not_when_that_was_learned(memory: Memory) -> None:
    talk(memory, ("My sister Anna is a nurse.", MARCH), ("Anna called.", MAY))
    memory.learn()
    anna = memory.graph.entity("Anna")
    assert (anna.first_seen_at, anna.last_referenced_at) == (MARCH, MAY)


def test_an_earlier_talk_learned_later_moves_the_beginning_back(memory: Memory) -> None:
    memory.observe("My sister Anna is a nurse.", session="a", at=MAY)
    memory.end("a")
    memory.learn()
    memory.observe("Anna called.", session="b", at=MARCH)
    anna = memory.graph.entity("Anna")
    assert (anna.first_seen_at, anna.last_referenced_at) == (MARCH, MAY)


def test_a_turn_is_one_mention_however_often_it_is_learned_from(memory: Memory) -> None:
    talk(memory, ("My sister Anna is a nurse. Anna lives in Denver. Anna is 30.", MARCH), ("I saw Anna.", APRIL))
    memory.learn()
    assert memory.graph.entity("Anna").mention_count == 2
    memory.learn("s")
    assert memory.graph.entity("Anna").mention_count == 2


def test_what_is_learned_from_a_turn_is_no_other_mention(memory: Memory) -> None:
    memory.graph.entity("Anna", type="person")
    memory.remember("Anna likes tulips")
    assert memory.graph.entity("Anna").mention_count == 1


def test_what_is_spoken_of_often_matters_more(memory: Memory) -> None:
    memory.graph.entity("Anna", type="person")
    memory.graph.entity("Bob", type="person")
    for number in range(20):
        memory.observe(f"Anna came, day {number}.")
    memory.observe("Bob came.")
    assert (memory.graph.entity("Anna").importance, memory.graph.entity("Bob").importance) == (7, 6)


def test_what_is_spoken_of_in_weighty_turns_matters_more(memory: Memory) -> None:
    memory.graph.entity("Anna", type="person")
    memory.graph.entity("Tom", type="person")
    memory.observe("Anna came.")
    memory.observe("Remember that Tom is allergic to nuts, it is important.")
    assert memory.graph.entity("Tom").importance == memory.graph.entity("Anna").importance + 1


def test_what_somebody_said_it_matters_stays(memory: Memory) -> None:
    memory.graph.entity("Anna", type="person", importance=2)
    for number in range(20):
        memory.observe(f"Anna came, day {number}.")
    assert memory.graph.entity("Anna").importance == 2


@given(st.integers(0, 10**9), st.floats(1, 10))
def test_entity_importance_is_within_its_scale_and_grows_with_mentions_and_context(
    mentions: int, context: float
) -> None:
    worth = entity_importance(mentions, context)
    assert 1 <= worth <= 10
    assert entity_importance(mentions * 2, context) >= worth
    assert entity_importance(mentions, min(10.0, context + 1)) >= worth


def test_one_ordinary_mention_has_importance_five() -> None:
    assert [entity_importance(mentions) for mentions in (1, 4, 16, 64, 256, 1024, 10**6)] == [5, 6, 7, 8, 9, 10, 10]
