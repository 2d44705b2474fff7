"""The index of entity names: exact and misspelled names, and its incremental update."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from omoide import Memory
from omoide.domain.entity import EntityNames, entities_named_in
from omoide.recall.question_cues import find_typos

Open = Callable[..., Memory]
KNOWN = EntityNames.from_mapping(
    {
        "Vercel": (1,),
        "Berlin": (2,),
        "Merlin": (3,),
        "Anna": (4,),
        "Hanna": (5,),
        "Anna Schmidt": (6,),
        "Kubernetes": (7,),
        "Paris": (8,),
        "Marie": (9,),
        "Maria": (10,),
        "東京タワー": (11,),
        "Joanna": (12,),
        "postgres": (13,),
    }
)


def taken(question: str, spelled: tuple[str, ...] = ()) -> list[str]:
    return [str(slip) for slip in find_typos(question, KNOWN, lambda words: set(words) & set(spelled))]


@pytest.mark.parametrize(
    ("question", "meant"),
    [
        ("What plan is Vercell on?", "read 'Vercell' as Vercel"),
        ("what plan is vecrel on?", "read 'vecrel' as Vercel"),
        ("Who lives in Ebrlin?", "read 'Ebrlin' as Berlin"),
        ("How do I restart kuberntes?", "read 'kuberntes' as Kubernetes"),
        ("How do I restart Kubernete's pods?", "read 'Kubernete' as Kubernetes"),
        ("What did Anna Schmitd say?", "read 'Schmitd' as Anna Schmidt"),
        ("Is Postgress running?", "read 'Postgress' as postgres"),
    ],
)
def test_a_misspelled_name_is_read_as_the_nearest_name(question: str, meant: str) -> None:
    assert taken(question) == [meant]


@pytest.mark.parametrize(
    ("question", "because"),
    [
        ("Where does Anna live?", "a short name is taken at its word"),
        ("Is Berlin nice?", "an exact name wins over Merlin"),
        ("Is Nerlin nice?", "the first letter is another one"),
        ("Which parts did I buy?", "parts is an everyday word, not Paris"),
        ("What marine animals did I see?", "who writes capitals writes them on names"),
        ("Where is Marix?", "Maria and Marie are equally near"),
        ("Where is Verccell?", "two letters are wrong in a name of six"),
        ("Where is Kubarnatas?", "three letters are wrong"),
        ("Who is Peter Schmitd?", "the rest of the name does not stand beside it"),
        ("Where is Anna Schmidt?", "it is right as it is"),
    ],
)
def test_a_word_that_may_be_correct_is_left_alone(question: str, because: str) -> None:
    assert taken(question) == [], because


def test_a_word_that_occurs_in_a_text_is_no_typo() -> None:
    assert taken("Where is Johanna?") == ["read 'Johanna' as Joanna"]
    assert taken("Where is Johanna?", spelled=("johanna",)) == []


def test_names_of_an_unspaced_script_are_found_inside_a_run() -> None:
    assert entities_named_in("昨日東京タワーに行った", KNOWN) == (11,)


def test_a_misspelled_name_finds_its_memories_and_the_hit_says_so(memory: Memory) -> None:
    memory.graph.entity("Vercel", type="tool")
    fact = memory.remember("The app runs on Vercel's hobby plan")
    found = memory.recall("is Vecrel expensive?")
    assert [hit.id for hit in found] == [fact.id]
    assert "read 'Vecrel' as Vercel" in found.hits[0].why
    assert "read 'Vecrel' as Vercel" in str(found.trace)


def test_a_word_of_the_stored_texts_is_not_read_as_a_name(memory: Memory) -> None:
    memory.graph.entity("Christina", type="person")
    memory.remember("Christine repaired the boiler")
    assert "took" not in str(memory.recall("Who is Christine?").trace)


def test_a_stem_in_the_texts_does_not_hide_a_typo(memory: Memory) -> None:
    memory.graph.entity("Vercel", type="tool")
    memory.remember("The app runs on Vercel")  # to the full-text index `vercell` is the same word
    assert "read 'Vercell' as Vercel" in str(memory.recall("Is Vercell cheap?").trace)


def test_names_that_another_process_writes_are_known_at_once(opened: Open) -> None:
    here, there = opened(), opened()
    here.graph.entity("Vercel", type="tool")
    assert len(here._store.entities.name_index()) == 1
    there.graph.entity("Berlin", type="place")
    assert set(here._store.entities.name_index()) == {"vercel", "berlin"}


def test_what_is_new_is_added_to_the_index_that_is_held(opened: Open) -> None:
    here, there = opened(), opened()
    here.graph.entity("Vercel", type="tool")
    held = here._store.entities.name_index()
    there.graph.entity("Berlin", type="place", aliases=["The Capital"])
    assert here._store.entities.name_index() is held
    assert set(held) == {"vercel", "berlin", "the capital"}


def test_an_alias_of_an_entity_known_before_is_read_too(opened: Open) -> None:
    here, there = opened(), opened()
    here.graph.entity("Vercel", type="tool")
    here._store.entities.name_index()
    there.graph.entity("Vercel", aliases=["Zeit"])
    assert set(here._store.entities.name_index()) == {"vercel", "zeit"}


def test_learning_a_name_twice_changes_nothing() -> None:
    names = EntityNames([("anna", 1, "Anna"), ("anna", 2, "Anna")])
    names.add([("anna", 1, "Anna")])
    assert names["anna"] == (1, 2)


def test_names_learned_later_are_found_when_misspelled_too() -> None:
    names = EntityNames.from_mapping({"Berlin": (1,)})
    assert find_typos("Where is Hamburgg?", names, list) == ()
    names.add([("hamburg", 2, "Hamburg")])
    assert [slip.name for slip in find_typos("Where is Hamburgg?", names, lambda _: ())] == ["Hamburg"]
