"""Relations answer questions: as sentences, along roles, and over two steps."""

from __future__ import annotations

from datetime import timedelta

import pytest

from omoide import Memory
from tests.conftest import Ticking, inserted


@pytest.fixture
def family(memory: Memory) -> Memory:
    inserted(memory, "Ana is User's sister", subject="user", predicate="sibling", object="Ana")
    inserted(memory, "Leo is User's brother", subject="user", predicate="sibling", object="Leo")
    memory.graph.relate("Tom", "husband_of", "Ana")
    memory.graph.relate("Tom", "works_at", "Siemens", since="March 2025")
    inserted(memory, "Dele is User's manager", subject="user", predicate="manager", object="Dele")
    inserted(memory, "Dele leads Payments", subject="Dele", predicate="team", object="Payments")
    memory.observe("Marisol plays the cello on Sundays", session="s1")
    memory.graph.relate("Marisol", "works_at", "Acme")
    return memory


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Where does Marisol work?", "Marisol works at Acme"),
        ("who works at Acme?", "Marisol works at Acme"),
        ("who is my manager?", "Dele is User's manager"),
        ("what is my sister called?", "Ana is User's sister"),
        ("where does my sister's husband work?", "Tom works at Siemens (since March 2025)"),
        ("what is my manager's team?", "Dele leads Payments"),
    ],
)
def test_a_question_along_relations_finds_the_statement(family: Memory, question: str, answer: str) -> None:
    assert family.recall(question).hits[0].text == answer


def test_the_statements_on_the_way_are_found_too(family: Memory) -> None:
    found = [hit.text for hit in family.recall("where does my sister's husband work?").hits]
    assert {"Tom is husband of Ana", "Ana is User's sister"} <= set(found[:4])


def test_an_ended_relation_no_longer_answers(family: Memory) -> None:
    family.graph.unrelate("Marisol", "works_at", "Acme")
    assert "Marisol works at Acme" not in [hit.text for hit in family.recall("Where does Marisol work?").hits]


def test_a_relation_that_is_made_again_answers_again(family: Memory) -> None:
    family.graph.unrelate("Marisol", "works_at", "Acme")
    family.graph.relate("Marisol", "works_at", "Acme")
    assert family.recall("Where does Marisol work?").hits[0].text == "Marisol works at Acme"


def test_a_relation_from_elsewhere_is_not_one_to_oneself(memory: Memory) -> None:
    memory.graph.relate("Tom", "admires", "Ana")
    assert len(memory.graph.add(relations=[("Ana", "admires", "Ana")]).relations) == 1


def test_a_relation_that_a_memory_states_needs_no_fact_of_its_own(memory: Memory) -> None:
    turn = memory.observe("Otto works at Acme", session="s1")
    memory.graph.relate("Otto", "works_at", "Acme", source_node=turn.id)
    assert not memory.list(["fact"])


def test_what_was_so_once_answers_as_of_that_time_however_much_replaced_it(memory: Memory, clock: Ticking) -> None:
    for name, city in (("Ana", "Zagreb"), ("Tom", "Basel"), ("Ruth", "Porto")):
        inserted(memory, f"{name} lives in {city}", subject=name, predicate="lives_in", object=city)
    for city in ("Bristol", "Lisbon", "Dresden", "Malmo", "Turin", "Bergen"):
        memory.observe(f"I moved to {city} today", session=city)
        memory.end(city)
        memory.learn()
        clock.advance(days=100)
    then = memory.session("Bristol").started_at + timedelta(days=50)
    hits = memory.recall("Where do I live?", kinds=["fact"], as_of=then).hits
    assert "Bristol" in hits[0].text


def test_relations_are_no_observations(memory: Memory) -> None:
    memory.graph.relate("Otto", "works_at", "Acme")
    assert [each.observations for each in memory.graph.read().entities] == [(), ()]


def test_relations_stay_private(family: Memory) -> None:
    assert not family.recall("where does my sister's husband work?", audience="shared").hits


def test_deep_follows_what_was_recalled_together(memory: Memory) -> None:
    one = memory.observe("The invoice tool is called Ledgerly", session="s1")
    memory.observe("Nothing of note", session="s2")
    other = memory.observe("Costs are approved by Ines", session="s3")
    memory._core.store.nodes.record_accesses({}, {}, {(one.id, other.id): 3})
    assert other.id in [hit.id for hit in memory.recall("Ledgerly", recipe="deep").hits]
    assert other.id not in [hit.id for hit in memory.recall("Ledgerly").hits]
