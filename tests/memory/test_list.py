"""memory.list: everything that is known, page by page."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from omoide import Memory
from omoide.errors import InvalidInput, NotFound
from tests.conftest import viewed_with_consent

START = datetime(2026, 1, 1, tzinfo=UTC)


def facts(memory: Memory, count: int) -> list[int]:
    return [memory.remember(f"Fact {n}", at=START + timedelta(days=n)).id for n in range(count)]


def test_the_newest_are_listed_first_and_the_oldest_on_request(memory: Memory) -> None:
    ids = facts(memory, 3)
    assert [node.id for node in memory.list().items] == ids[::-1]
    assert [node.id for node in memory.list(order="oldest").items] == ids


def test_pages_follow_each_other_without_gaps_or_repetition(memory: Memory) -> None:
    ids = facts(memory, 7)
    seen, cursor = [], None
    while True:
        page = memory.list(limit=3, cursor=cursor)
        assert len(page) <= 3
        seen += [node.id for node in page.items]
        if (cursor := page.next_cursor) is None:
            break
    assert seen == ids[::-1]


def test_iterating_goes_through_all_pages(memory: Memory) -> None:
    ids = facts(memory, 7)
    assert [node.id for node in memory.list(limit=2, order="oldest")] == ids


@pytest.mark.parametrize("order", ["newest", "oldest", "added", "updated", "important"])
def test_every_order_pages_through_equal_values(memory: Memory, order: str) -> None:
    ids = {memory.remember(f"Fact {n}", at=START, importance=1 + n % 2).id for n in range(9)}
    found = [node.id for node in memory.list(limit=2, order=order)]  # type: ignore[arg-type]
    assert (len(found), set(found)) == (9, ids)


def test_what_is_added_meanwhile_does_not_shift_the_pages(memory: Memory) -> None:
    ids = facts(memory, 4)
    first = memory.list(limit=2)
    memory.remember("A newer fact", at=START + timedelta(days=50))
    second = memory.list(limit=2, cursor=first.next_cursor)
    assert [node.id for node in (*first.items, *second.items)] == ids[::-1]
    assert second.next_cursor is None


def test_only_the_kinds_asked_for(memory: Memory) -> None:
    memory.observe("Hello there", session="s1")
    fact = memory.remember("Otto lives in Berlin")
    note = memory.remember("Call Anna", kind="note")
    assert {node.id for node in memory.list(["fact", "note"])} == {fact.id, note.id}
    with pytest.raises(InvalidInput):
        memory.list(["facts"])


def test_the_turns_of_a_session_in_the_order_they_were_stored(memory: Memory) -> None:
    for text in ("one", "two", "three"):
        memory.observe(text, session="s1")
    memory.observe("elsewhere", session="s2")
    assert [node.text for node in memory.list(["episode"], session="s1", order="added")] == ["one", "two", "three"]
    assert memory.list(session="unknown").items == ()


def test_only_what_mentions_a_subject(memory: Memory) -> None:
    memory.graph.entity("Otto", type="person")
    about = memory.remember("Otto likes chess")
    memory.remember("Berlin is large")
    assert [node.id for node in memory.list(subject="otto")] == [about.id]
    with pytest.raises(NotFound):
        memory.list(subject="Nobody")


def test_only_what_happened_in_a_period(memory: Memory) -> None:
    ids = facts(memory, 5)
    since, until = START + timedelta(days=1), START + timedelta(days=3)
    assert [node.id for node in memory.list(since=since, until=until, order="oldest")] == ids[1:3]


def test_each_state_is_listed_by_itself_and_all_together(memory: Memory) -> None:
    old = memory.remember("Otto lives in Rome")
    new = memory.correct(old.id, "Otto lives in Berlin")
    packed = memory.remember("Otto has a bicycle")
    memory.admin.archive(packed.id)
    assert [node.id for node in memory.list()] == [new.id]
    assert [node.id for node in memory.list(state="superseded")] == [old.id]
    assert [(node.id, node.text) for node in memory.list(state="archived")] == [(packed.id, "Otto has a bicycle")]
    assert {node.id for node in memory.list(state="all")} == {old.id, new.id, packed.id}


def test_a_cursor_of_another_list_and_an_unknown_value_are_refused(memory: Memory) -> None:
    facts(memory, 3)
    cursor = memory.list(limit=1).next_cursor
    with pytest.raises(InvalidInput, match="order='newest'"):
        memory.list(order="oldest", cursor=cursor)
    with pytest.raises(InvalidInput, match="not a cursor"):
        memory.list(cursor="hello")
    with pytest.raises(InvalidInput, match="expected one of live"):
        memory.list(state="dead")  # type: ignore[arg-type]
    with pytest.raises(InvalidInput, match="expected one of newest"):
        memory.list(order="best")  # type: ignore[arg-type]


def test_a_page_prints_on_one_screen(memory: Memory) -> None:
    facts(memory, 40)
    memory.remember("long " * 500, at=START + timedelta(days=99))
    printed = str(memory.list())
    assert printed.startswith("<41 memories>")
    assert len(printed.splitlines()) <= 12
    assert max(map(len, printed.splitlines())) <= 120


def test_a_list_is_narrowed_by_words_origin_confidence_and_sensitivity(memory: Memory) -> None:
    tea = memory.remember("Ana drinks green tea", sensitive=True).id
    coffee = memory.remember("Otto drinks coffee", origin="agent", source_type="inferred", confidence=0.4).id
    assert [node.id for node in memory.list(text="drink")] == [coffee]
    memory = viewed_with_consent(memory)
    assert [node.id for node in memory.list(text="drinks gre")] == [tea]
    assert [node.id for node in memory.list(text="drink")] == [coffee, tea]
    assert [node.id for node in memory.list(text='"(* OR')] == []
    assert [node.id for node in memory.list(origin="agent")] == [coffee]
    assert [node.id for node in memory.list(below=0.9)] == [coffee]
    assert [node.id for node in memory.list(sensitive=True)] == [tea]


def test_words_that_are_no_words_are_refused_or_match_nothing(memory: Memory) -> None:
    facts(memory, 2)
    assert len(memory.list(text="   ")) == 2
    assert len(memory.list(text="???")) == 0
    with pytest.raises(InvalidInput, match="text"):
        memory.list(text="x" * 1000)


def test_a_memory_is_marked_as_sensitive_and_shared_in_place(memory: Memory) -> None:
    fact = memory.remember("The alarm code is 12")
    assert memory.review.update(fact.id, sensitive=True).sensitive
    assert "12" not in memory.context("What is the alarm code?").markdown
    assert viewed_with_consent(memory).review.update(fact.id, sensitive=False, audience="shared").audience == "shared"
    assert memory.get(fact.id).text == fact.text
