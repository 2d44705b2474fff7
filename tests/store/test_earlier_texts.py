"""A node that was updated in place is found by its earlier text with as_of."""

from __future__ import annotations

from datetime import datetime

from omoide import Memory
from omoide.domain import Node
from tests.conftest import Ticking, viewed_with_consent


def updated(memory: Memory, clock: Ticking, *texts: str) -> tuple[Node, list[datetime]]:
    """A memory under each text for a day; and a moment in each of those days."""
    node = memory.remember(texts[0])
    moments = [node.recorded_at]
    for text in texts[1:]:
        clock.advance(days=1)
        moments.append(memory.review.update(node.id, text).updated_at)
    return node, moments


def test_as_of_finds_a_memory_by_the_words_it_had_then(memory: Memory, clock: Ticking) -> None:
    for number in range(20):
        memory.remember(f"Filler number {number} about gardening")
    node, (first, second, third) = updated(memory, clock, "The parrot eats walnuts", "It eats seeds", "It eats plums")
    assert memory.recall("walnuts", as_of=first).texts == ["The parrot eats walnuts"]
    assert memory.recall("seeds", as_of=second).texts == ["It eats seeds"]
    assert [hit.id for hit in memory.recall("plums", as_of=third)] == [node.id]


def test_words_of_another_time_do_not_match(memory: Memory, clock: Ticking) -> None:
    _, (_, second, third) = updated(memory, clock, "The parrot eats walnuts", "It eats seeds", "It eats plums")
    assert memory.recall("walnuts", as_of=second).texts == []
    assert memory.recall("walnuts", as_of=third).texts == []
    assert memory.recall("walnuts").texts == []


def test_filtered_nodes_are_not_found_by_earlier_words(memory: Memory, clock: Ticking) -> None:
    node = memory.remember("The parrot eats walnuts", sensitive=True)
    clock.advance(days=1)
    viewed_with_consent(memory).review.update(node.id, "It eats seeds")
    assert memory.recall("walnuts", as_of=node.recorded_at, audience="shared").texts == []


def test_other_scripts_and_other_forms_of_a_word_are_found_too(memory: Memory, clock: Ticking) -> None:
    _, (first, _) = updated(memory, clock, "鸚鵡吃核桃 and café walnuts", "something else")
    for word in ("核桃", "walnut", "cafe"):
        assert len(memory.recall(word, as_of=first).hits) == 1, word
