"""Merging entities loses nothing, and splitting undoes it."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from omoide import Memory
from omoide.history import EntityChange, Version
from tests.conftest import unsound
from tests.learn.whole import Fuse, PowerCut, dump, opened


def talk(memory: Memory, session: str, text: str, day: str, **given: Any) -> None:
    memory.observe(text, session=session, at=f"{day}T10:00:00+00:00", **given)
    memory.end(session)
    memory.learn()


def acquainted(memory: Memory) -> None:
    """Bob and Otto, each with a life of his own and one turn about both."""
    talk(memory, "a", "My friend Otto works at Acme. Otto likes chess.", "2026-01-01")
    talk(memory, "b", "My friend Bob lives in Rome. Bob uses Docker.", "2026-01-02")
    talk(memory, "c", "Bob met Otto yesterday.", "2026-01-03")
    memory.graph.relate("Otto", "uses", "Docker", confidence=0.5)
    memory.graph.relate("Bob", "knows", "Otto")
    memory.graph.entity("Bob", description="a tall man", aliases=["Bobby"])


def worlds(path: str) -> dict[str, Any]:
    """All that says who is who, without what tells that something happened."""
    held = dump(path)
    told: dict[str, Any] = {name: held[name] for name in ("node_entity", "entity_name", "relation", "edge", "session")}
    with opened(path) as memory:
        people = [memory.graph.entity(name) for name in ("Bob", "Otto")]
        told["people"] = [
            (
                each.id,
                each.name,
                each.description,
                each.mention_count,
                each.importance,
                each.first_seen_at,
                each.aliases,
            )
            for each in people
        ]
        told["facts"] = [[e.node for e in memory.history(name) if isinstance(e, Version)] for name in ("Bob", "Otto")]
    return told


def test_a_split_undoes_what_the_merge_moved_and_nothing_else(path: str) -> None:
    with opened(path) as memory:
        acquainted(memory)
    before = worlds(path)
    with opened(path) as memory:
        memory.graph.merge("Bob", "Otto")
        assert memory.graph.entity("Bobby").name == "Otto"
        assert {each.type for each in memory.graph.relations("Otto")} >= {"works_at", "uses", "located_in"}
        memory.graph.split("Otto", "Bob")
        assert unsound(memory) == []
    after = worlds(path)
    for what in before:
        assert after[what] == before[what], what


def test_a_turn_about_both_is_one_mention_of_the_one_they_are(memory: Memory) -> None:
    acquainted(memory)
    assert (memory.graph.entity("Bob").mention_count, memory.graph.entity("Otto").mention_count) == (2, 2)
    assert memory.graph.merge("Bob", "Otto").mention_count == 3


def test_what_was_said_after_the_merge_goes_where_its_words_point(memory: Memory) -> None:
    acquainted(memory)
    memory.graph.merge("Bob", "Otto")
    talk(memory, "d", "Bob works at Siemens.", "2026-02-01")
    talk(memory, "e", "Otto likes tea.", "2026-02-02")
    memory.graph.split("Otto", "Bob")
    texts = {name: [each.text for each in memory.graph.timeline(name)] for name in ("Bob", "Otto")}
    assert "Bob works at Siemens." in texts["Bob"]
    assert "Bob works at Siemens." not in texts["Otto"]
    assert "Otto likes tea." in texts["Otto"]
    assert "Otto likes tea." not in texts["Bob"]
    assert "Siemens" in {each.target for each in memory.graph.relations("Bob")}
    assert "Siemens" not in {each.target for each in memory.graph.relations("Otto")}
    told = {name: [e.node.text for e in memory.history(name) if isinstance(e, Version)] for name in ("Bob", "Otto")}
    assert any("Siemens" in text for text in told["Bob"])
    assert not any("Siemens" in text for text in told["Otto"])


def test_a_memory_edited_after_the_merge_keeps_its_new_text_after_a_split(memory: Memory) -> None:
    acquainted(memory)
    note = memory.remember("Bob bought a boat")
    memory.graph.merge("Bob", "Otto")
    memory.review.update(note.id, "Otto bought a boat")
    memory.graph.split("Otto", "Bob")
    assert note.id in [each.id for each in memory.graph.timeline("Otto")]
    assert note.id not in [each.id for each in memory.graph.timeline("Bob")]


def test_merges_in_a_row_are_taken_back_in_any_order(path: str) -> None:
    with opened(path) as memory:
        acquainted(memory)
        memory.graph.entity("Tom", type="person")
        memory.graph.relate("Tom", "uses", "Docker")
        memory.observe("Tom and Bob left.", session="t", at="2026-01-04T10:00:00+00:00")
    before = worlds(path)
    for order in (["Bob", "Otto"], ["Otto", "Bob"]):
        with opened(path) as memory:
            memory.graph.merge("Bob", "Otto")
            memory.graph.merge("Otto", "Tom")
            whole = "Tom"
            for name in order:
                memory.graph.split(whole, name)
                whole = "Tom" if order[0] == "Bob" else "Otto"
            assert unsound(memory) == []
        after = worlds(path)
        for what in before:
            assert after[what] == before[what], (what, order)


def test_an_alias_that_was_never_merged_is_split_off_by_words(memory: Memory) -> None:
    memory.graph.entity("Otto", type="person", aliases=["Ottone"])
    mine = memory.remember("Ottone sings")
    memory.graph.split("Otto", "Ottone")
    assert [each.id for each in memory.graph.timeline("Ottone")] == [mine.id]
    assert memory.graph.timeline("Otto") == []


# What they say against each other


def fact(memory: Memory, subject: str, predicate: str, object: str, day: str, **given: Any) -> int:
    at = f"{day}T10:00:00+00:00"
    text = f"{subject} {predicate.replace('_', ' ')} {object}"
    memory.graph.entity(subject, type="person")
    return memory.remember(text, subject=subject, predicate=predicate, object=object, at=at, **given).id


def test_the_later_word_holds_of_what_can_change(memory: Memory) -> None:
    rome = fact(memory, "Bob", "lives_in", "Rome", "2026-01-01")
    oslo = fact(memory, "Otto", "lives_in", "Oslo", "2026-02-01")
    memory.graph.merge("Bob", "Otto")
    assert memory.get(rome).state == "superseded"
    assert memory.explain(oslo).supersedes == [rome]
    memory.graph.split("Otto", "Bob")
    assert memory.get(rome).state == "live"
    assert memory.get(rome).valid_until is None
    assert memory.explain(oslo).supersedes == []


def test_what_never_changes_is_a_contradiction_and_weak_shows_it(memory: Memory) -> None:
    rome = fact(memory, "Bob", "born_in", "Rome", "2026-01-01")
    oslo = fact(memory, "Otto", "born_in", "Oslo", "2026-02-01")
    memory.graph.merge("Bob", "Otto")
    assert {each.id for each in memory.review.uncertain()} == {rome, oslo}
    assert memory.explain(rome).contradicts == [oslo]
    memory.graph.split("Otto", "Bob")
    assert memory.review.uncertain() == []


def test_less_authority_is_a_contradiction(memory: Memory) -> None:
    rome = fact(memory, "Bob", "lives_in", "Rome", "2026-01-01", source_type="corrected")
    oslo = fact(memory, "Otto", "lives_in", "Oslo", "2026-02-01", source_type="inferred")
    memory.graph.merge("Bob", "Otto")
    assert {each.id for each in memory.review.uncertain()} == {rome, oslo}


def test_equal_facts_and_multi_valued_facts_are_left_unchanged_by_a_merge(memory: Memory) -> None:
    ids = [
        fact(memory, "Bob", "lives_in", "Rome", "2026-01-01"),
        fact(memory, "Otto", "lives_in", "Rome", "2026-02-01"),
        fact(memory, "Bob", "likes", "tea", "2026-01-01"),
        fact(memory, "Otto", "likes", "chess", "2026-02-01"),
    ]
    memory.graph.merge("Bob", "Otto")
    assert {memory.get(id).state for id in ids} == {"live"}
    assert memory.review.uncertain() == []


def test_a_relation_ends_with_the_fact_that_gave_way_and_comes_back_with_it(memory: Memory) -> None:
    talk(memory, "a", "My friend Bob lives in Rome.", "2026-01-01")
    talk(memory, "b", "My friend Otto lives in Oslo.", "2026-02-01")
    memory.graph.merge("Bob", "Otto")
    assert {each.target for each in memory.graph.relations("Otto") if each.type in ("lives_in", "located_in")} == {
        "Oslo"
    }
    memory.graph.split("Otto", "Bob")
    assert "Rome" in {each.target for each in memory.graph.relations("Bob")}


# Told


def test_the_history_of_a_name_tells_when_it_was_merged_and_split(memory: Memory) -> None:
    acquainted(memory)
    memory.graph.merge("Bob", "Otto")
    lives = [each.node.id for each in memory.history("Otto") if isinstance(each, Version)]
    assert [str(each) for each in memory.explain(lives[0]).entity_changes] == ["Bob was merged into Otto"]
    memory.graph.split("Otto", "Bob")
    told = {name: [str(e) for e in memory.history(name) if isinstance(e, EntityChange)] for name in ("Bob", "Otto")}
    assert told == {
        "Otto": ["Bob was merged into Otto", "Bob was split off Otto"],
        "Bob": ["Bob was split off Otto"],
    }


# Crashes


@pytest.mark.parametrize("verb", ["merge", "split"])
def test_an_interruption_at_any_write_of_a_merge_leaves_it_done_or_undone(
    tmp_path: Path, fuse: Fuse, verb: str
) -> None:
    def act(memory: Memory) -> None:
        memory.graph.merge("Bob", "Otto") if verb == "merge" else memory.graph.split("Otto", "Bob")

    path = str(tmp_path / "whole.db")
    with opened(path) as memory:
        acquainted(memory)
        memory.graph.relate("Otto", "knows", "Anna")
        fact(memory, "Bob", "born_in", "Rome", "2026-01-01")
        fact(memory, "Otto", "born_in", "Oslo", "2026-02-01")
        if verb == "split":
            memory.graph.merge("Bob", "Otto")
    untouched = dump(path)
    done = str(shutil.copy(path, tmp_path / "done.db"))
    with opened(done, first_id=1000) as memory:
        fuse.burnt = 0
        act(memory)
        writes = fuse.burnt
    expected = dump(done)
    for cut in range(1, writes + 1):
        torn = str(shutil.copy(path, tmp_path / "torn.db"))
        memory = opened(torn, first_id=1000)
        fuse.burnt, fuse.at = 0, cut
        with pytest.raises(PowerCut):
            act(memory)
        fuse.at = None
        memory.close()
        assert dump(torn) in (untouched, expected), cut


# Any order

PEOPLE = ("Anna", "Bob", "Clara", "David")


def company(memory: Memory) -> None:
    """Everybody knows somebody, two use the same tool, some turns speak of several."""
    for place, name in enumerate(PEOPLE):
        memory.graph.entity(name, type="person", aliases=[f"{name} X"])
        memory.graph.relate(name, "knows", PEOPLE[(place + 1) % len(PEOPLE)])
        memory.graph.relate(name, "uses", "Docker" if place % 2 else "Vercel", confidence=0.5 + place / 10)
        memory.observe(f"{name} came.", session="s", at=f"2026-01-0{place + 1}T10:00:00+00:00")
        memory.observe(f"{name} saw {PEOPLE[place - 1]}.", session="s", at=f"2026-01-0{place + 1}T11:00:00+00:00")


def standing(path: str) -> dict[str, Any]:
    held = dump(path)
    told = {name: held[name] for name in ("node_entity", "entity_name", "relation", "edge", "session")}
    with opened(path) as memory:
        people = [memory.graph.entity(name) for name in PEOPLE]
    told["people"] = [(each.id, each.name, each.mention_count, each.importance, each.first_seen_at) for each in people]
    return told


@settings(max_examples=12)
@given(st.data())
def test_any_merges_taken_back_in_any_order_leave_everybody_as_they_were(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    path = str(tmp_path_factory.mktemp("company") / "memory.db")
    with opened(path) as memory:
        company(memory)
    before = standing(path)
    with opened(path) as memory:
        left, gone = list(PEOPLE), []
        for _ in range(data.draw(st.integers(1, 3))):
            name, into = data.draw(st.permutations(left))[:2]
            memory.graph.merge(name, into)
            left.remove(name)
            gone.append(name)
        for name in data.draw(st.permutations(gone)):
            memory.graph.split(memory.graph.entity(name).name, name)
        assert unsound(memory) == []
    assert standing(path) == before


def test_a_brother_of_the_users_own_name_does_not_become_the_user() -> None:
    with Memory(":memory:", embedder=None) as memory:
        for text in ("My name is Tom.", "My brother Tom lives in Rome.", "Tom works at Acme.", "I live in Oslo."):
            memory.observe(text, session="s", at="2026-05-14T12:00:00+00:00")
        memory.end("s")
        report = memory.learn()
        assert not [entry for entry in report.entries if entry.verb == "superseded"]
        homes = [each for each in memory.list(kinds=["fact"]) if each.attributes["predicate"] == "lives_in"]
        assert sorted(each.attributes["object"] for each in homes) == ["Oslo", "Rome"]
        memory.observe("My brother Tom lives in Paris.", session="later")
        memory.end("later")
        memory.learn()
        texts = memory.recall("Where does Tom live and work?", kinds=["fact"]).texts
        assert "Tom lives in Oslo" in texts
