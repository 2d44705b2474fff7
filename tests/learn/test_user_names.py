"""Corrected names, and facts learned before the name was known."""

from __future__ import annotations

import pytest

from omoide import Memory
from omoide.domain import Fact
from omoide.errors import NotFound
from omoide.history import EntityChange, Version
from tests.learn.test_merge_and_split import talk
from tests.learn.test_statement_reading import read


def told(memory: Memory, name: str) -> list[tuple[str, str]]:
    return [(each.node.text, each.node.state) for each in memory.history(name) if isinstance(each, Version)]


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ("hey, I'm Lena, product designer at a startup in Hamburg", "Lena"),
        ("quick intro since we'll be working together: I'm Marta Lindqvist, I run the finance team", "Marta Lindqvist"),
        ("quick intro: I'm Marta.", "Marta"),
        ("my name's Marta and I'm the CTO", "Marta"),
        ("Marta here, I run finance", "Marta"),
        ("I'm Brian.", "Brian"),
    ],
)
def test_a_name_is_heard_in_natural_introductions(said: str, name: str) -> None:
    assert [each.value for each in read(said, owner=None) if each.slot == "name"] == [name]


@pytest.mark.parametrize(
    "what", ["Swedish", "Ukrainian", "Vegan", "London based", "London-based", "Tired", "Catholic", "CEO"]
)
@pytest.mark.parametrize("after", [".", ", living in Rome", ", so no meetings at noon"])
def test_what_somebody_is_is_no_name(what: str, after: str) -> None:
    assert not [each for each in read(f"I'm {what}{after}", owner=None) if each.slot == "name"]


@pytest.mark.parametrize("correction", ["My name is Tim, not Tom.", "Actually, my name is Tim, not Tom."])
def test_a_corrected_name_finds_the_person_and_the_wrong_one_no_longer(memory: Memory, correction: str) -> None:
    talk(memory, "a", "My name is Tom. I live in Rome.", "2026-01-01")
    tom = memory.graph.entity("Tom")
    talk(memory, "b", correction, "2026-01-02")
    tim = memory.graph.entity("Tim")
    assert (tim.id, tim.name, tim.aliases) == (tom.id, "Tim", ())
    with pytest.raises(NotFound):
        memory.graph.entity("Tom")
    assert ("Tim lives in Rome", "live") in told(memory, "Tim")
    assert [state for text, state in told(memory, "Tim") if "name is Tom" in text] == ["superseded"]
    assert [str(each) for each in memory.history("Tim") if isinstance(each, EntityChange)] == ["Tom was renamed Tim"]


def test_a_name_corrected_in_the_next_turn_is_heard(memory: Memory) -> None:
    memory.observe("My name is Tom.", session="a", at="2026-01-01T10:00:00+00:00")
    memory.observe("Nice to meet you!", role="agent", session="a", at="2026-01-01T10:00:05+00:00")
    talk(memory, "a", "Actually, it's Tim, not Tom.", "2026-01-02")
    assert memory.graph.entity("Tim").type == "person"
    with pytest.raises(NotFound):
        memory.graph.entity("Tom")


def test_another_of_the_wrong_name_is_another(memory: Memory) -> None:
    talk(memory, "a", "My name is Tom.", "2026-01-01")
    talk(memory, "b", "My name is Tim, not Tom.", "2026-01-02")
    talk(memory, "c", "My brother Tom lives in Oslo.", "2026-01-03")
    assert memory.graph.entity("Tom").id != memory.graph.entity("Tim").id
    assert not any("Oslo" in text for text, _ in told(memory, "Tim"))


@pytest.mark.parametrize("words", ["User's name is Tim", "My name is Tim.", "His name is Tim, of course"])
def test_a_name_corrected_by_hand_is_followed_too(memory: Memory, words: str) -> None:
    talk(memory, "a", "My name is Tom. I live in Rome.", "2026-01-01")
    talk(memory, "b", "I work at Acme.", "2026-01-02")
    [name] = [e.node for e in memory.history("Tom") if isinstance(e, Version) and "name" in e.node.text]
    memory.correct(name.id, words)
    assert memory.graph.entity("Tim").name == "Tim"
    assert ("Tim works at Acme", "live") in told(memory, "Tim")
    assert memory.get(name.id).state == "superseded"


def test_words_and_subject_of_a_fact_agree_after_a_rename(memory: Memory) -> None:
    talk(memory, "a", "My name is Tom.", "2026-01-01")
    talk(memory, "b", "I work at Acme.", "2026-01-02")
    talk(memory, "c", "My name is Tim, not Tom.", "2026-01-03")
    facts = [e.node for e in memory.history("Tim") if isinstance(e, Version) and e.node.state == "live"]
    assert {each.subject for each in facts if isinstance(each, Fact)} == {"Tim"}
    assert not any("Tom" in each.text for each in facts if isinstance(each, Fact) and each.predicate != "name")
    again = memory.recall("Tim works at Acme", kinds=["fact"])
    assert again.texts[0] == "Tim works at Acme"
    talk(memory, "d", "I work at Acme.", "2026-01-04")
    assert [text for text, state in told(memory, "Tim") if "Acme" in text and state == "live"] == ["Tim works at Acme"]


def test_what_was_learned_before_the_name_is_found_under_it(memory: Memory) -> None:
    talk(memory, "a", "I live in Rome. I think Kotlin is overrated.", "2026-01-01")
    talk(memory, "b", "My name is Otto.", "2026-01-02")
    assert ("Otto lives in Rome", "live") in told(memory, "Otto")
    assert "Otto thinks Kotlin is overrated" in [each.text for each in memory.graph.timeline("Otto")]
    assert "Otto lives in Rome" in memory.recall("Rome", subject="Otto", kinds=["fact"]).texts


def test_what_is_said_again_after_the_name_is_known_confirms(memory: Memory) -> None:
    talk(memory, "a", "I live in Rome. I think Kotlin is overrated.", "2026-01-01")
    talk(memory, "b", "My name is Otto.", "2026-01-02")
    memory.observe("I live in Rome. I think Kotlin is overrated.", session="c", at="2026-01-03T10:00:00+00:00")
    memory.end("c")
    report = memory.learn()
    assert report.count("superseded") == 0
    assert report.count("confirmed") == 2
    assert [each.kind for each in report.entries if each.verb == "learned"] == []
