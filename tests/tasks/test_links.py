"""Links between memories: relations, contradictions and suggestions."""

from __future__ import annotations

import pytest

from omoide import Memory
from omoide.domain.edge import NOTE_RELATIONS
from omoide.errors import InvalidInput, NotFound
from tests.conftest import Open
from tests.reading import Plain


def note(memory: Memory, text: str) -> int:
    return memory.remember(text, kind="note").id


@pytest.mark.parametrize(
    ("relation", "inverse"),
    [
        ("derived_from", "source_of"),
        ("related_to", "related_to"),
        ("contradicts", "contradicts"),
        ("elaborates", "elaborated_by"),
        ("example_of", "has_example"),
        ("supersedes", "superseded_by"),
        ("superseded_by", "supersedes"),
    ],
)
def test_each_relation_reads_from_both_ends_and_can_be_removed(memory: Memory, relation: str, inverse: str) -> None:
    assert relation in NOTE_RELATIONS
    one, other = note(memory, "Routes need return types"), note(memory, "Handlers are void")
    memory.graph.link(one, other, relation)
    assert [(each.node.id, each.relation) for each in memory.graph.neighbours(one)] == [(other, relation)]
    assert [(each.node.id, each.relation) for each in memory.graph.neighbours(other)] == [(one, inverse)]
    assert len(memory.graph.backlinks(one)) + len(memory.graph.backlinks(other)) == 1
    assert len(memory.graph.unlink(one, other, relation)) == 1
    assert memory.graph.neighbours(one) == []
    assert {memory.get(one).state, memory.get(other).state} == {"live"}


def test_removing_a_missing_link_is_an_error(memory: Memory) -> None:
    one, other = note(memory, "a note"), note(memory, "another")
    with pytest.raises(NotFound):
        memory.graph.unlink(one, other)


def test_a_contradiction_is_listed_until_one_of_the_two_is_kept(memory: Memory) -> None:
    one, other = note(memory, "Deploy on Fridays"), note(memory, "Never deploy on Fridays")
    memory.graph.link(one, other, "contradicts")
    memory.graph.link(other, one, "contradicts")
    (found,) = memory.review.contradictions()
    assert {found.one.id, found.other.id} == {one, other}
    memory.review.resolve(keep=other, over=one)
    assert memory.review.contradictions() == []
    assert memory.get(one).state == "superseded"
    assert memory.explain(other).supersedes == [one]
    with pytest.raises(InvalidInput):
        memory.review.resolve(other, other)


def test_links_to_similar_notes_are_suggested(memory: Memory) -> None:
    for text in ("The cat sleeps on the sofa", "Invoices are sent on Mondays", "Otto likes espresso"):
        note(memory, text)
    plain = note(memory, "Express route handlers need explicit return types")
    longer = note(memory, "Express route handlers need explicit return types in strict mode, or tsc refuses the build")
    denied = note(memory, "Express route handlers do not need explicit return types")
    (first, second) = memory.graph.suggest_links(longer)
    assert {first.target, second.target} == {plain, denied}
    relations = {each.target: each.relation for each in (first, second)}
    assert relations == {plain: "elaborates", denied: "contradicts"}
    assert "say" in first.why + second.why
    accepted = next(each for each in (first, second) if each.target == plain)
    memory.graph.link(accepted.source, accepted.target, accepted.relation)
    assert [each.target for each in memory.graph.suggest_links(longer)] == [denied]


def test_nothing_is_suggested_without_similar_notes(memory: Memory) -> None:
    note(memory, "The cat sleeps on the sofa")
    assert memory.graph.suggest_links(note(memory, "Deploy with vercel")) == []


def test_similar_meaning_without_common_words_is_suggested(opened: Open) -> None:
    memory = opened(embedder=Plain())
    note(memory, "physician automobile")
    for text in ("cat sofa sleep", "invoice monday", "espresso"):
        note(memory, text)
    new = note(memory, "doctor car")
    memory.flush()
    (found,) = memory.graph.suggest_links(new)
    assert found.target == 1
    assert "meaning" in found.why


def test_an_unknown_relation_is_refused_with_all_known_ones(memory: Memory) -> None:
    one, other = memory.remember("a first fact"), memory.remember("another one")
    with pytest.raises(InvalidInput) as refused:
        memory.graph.link(one.id, other.id, "bogus")
    assert all(
        relation in str(refused.value) for relation in (*NOTE_RELATIONS, "source_of", "has_example", "elaborated_by")
    )
    assert "recalled_with" not in str(refused.value)
