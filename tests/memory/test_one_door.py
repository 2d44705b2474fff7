"""Everything that states a fact goes through one comparison: remember, tools, the graph, imports and learning."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from omoide import Memory
from omoide.domain import Node
from omoide.interfaces.tools.yodoca import remember_fact
from tests.conftest import inserted


def live(memory: Memory) -> list[str]:
    return sorted(node.text for node in memory.list(kinds=["fact"]))


def verb(node: Node) -> str:
    assert node.written is not None
    return node.written.verb


def test_another_value_replaces_the_old_one(memory: Memory) -> None:
    porto = memory.remember("Mara lives in Porto")
    faro = memory.remember("Mara lives in Faro")
    assert live(memory) == ["Mara lives in Faro"]
    assert (verb(porto), verb(faro)) == ("stored", "superseded")
    assert faro.written is not None
    assert faro.written.others == (porto.id,)
    assert [version.node.id for version in memory.history(faro.id)] == [porto.id, faro.id]


def test_the_same_sentence_twice_is_one_memory(memory: Memory) -> None:
    first = memory.remember("The app runs on Vercel")
    again = memory.remember("the app runs on Vercel.")
    assert again.id == first.id
    assert verb(again) == "confirmed"
    assert memory.get(first.id).confirmed_at is not None


def test_other_words_for_the_same_value_confirm(memory: Memory) -> None:
    memory.remember("Mara lives in Porto")
    assert verb(memory.remember("Mara is living in Porto", predicate="lives_in", object="Porto", subject="Mara")) == (
        "confirmed"
    )


def test_a_subject_becomes_an_entity(memory: Memory) -> None:
    memory.remember("The billing service needs Node 22", subject="billing service")
    assert memory.graph.entity("billing service").name == "billing service"
    assert [node.text for node in memory.list(subject="billing service")] == ["The billing service needs Node 22"]
    assert len(memory.history("billing service")) == 1
    memory.forget(entity="billing service")
    assert live(memory) == []


def test_a_remembered_slot_becomes_a_relation(memory: Memory) -> None:
    memory.remember("Mara lives in Porto")
    memory.remember("Mara lives in Faro")
    assert [(each.type, each.target) for each in memory.graph.relations("Mara")] == [("located_in", "Faro")]


def test_the_key_of_a_confirmed_memory_is_known_the_second_time(memory: Memory) -> None:
    first = memory.remember("The app runs on Vercel")
    assert verb(memory.remember("The app runs on Vercel", key="a")) == "confirmed"
    again = memory.remember("The app runs on Vercel", key="a")
    assert (again.id, verb(again)) == (first.id, "known")


def test_remembered_and_learned_are_one(memory: Memory) -> None:
    memory.observe("Hi, I'm Otto. I live in Lisbon.", session="march", at="2026-03-02T12:00:00+00:00")
    memory.end("march")
    memory.learn()
    memory.remember("Otto lives in Porto", at="2026-05-02T12:00:00+00:00")
    homes = [node.text for node in memory.list(kinds=["fact"]) if "lives in" in node.text]
    assert homes == ["Otto lives in Porto"]


def test_what_was_remembered_is_replaced_by_what_is_learned(memory: Memory) -> None:
    memory.remember(
        "User lives in Lisbon", subject="user", predicate="lives_in", object="Lisbon", at="2026-03-02T12:00:00+00:00"
    )
    memory.observe("I moved to Porto.", session="may", at="2026-05-02T12:00:00+00:00")
    memory.end("may")
    memory.learn()
    assert [node.attributes["object"] for node in memory.list(kinds=["fact"])] == ["Porto"]


def test_a_guess_contradicts_what_was_stated(memory: Memory) -> None:
    stated = memory.remember("Mara lives in Porto")
    guess = memory.remember("Mara lives in Faro", source_type="inferred", origin="agent", confidence=0.6)
    assert verb(guess) == "contradicted"
    [found] = memory.review.contradictions()
    assert {found.one.id, found.other.id} == {stated.id, guess.id}


def test_data_does_not_end_what_somebody_said(memory: Memory) -> None:
    memory.remember("Mara lives in Porto")
    assert verb(memory.remember("Mara lives in Faro", origin="tool:crm")) == "contradicted"


def test_somebodys_word_takes_the_place_of_the_same_in_data(memory: Memory) -> None:
    data = memory.remember("Mara lives in Porto", origin="tool:crm")
    said = memory.remember("Mara lives in Porto")
    assert (verb(said), said.origin) == ("superseded", "user")
    assert memory.get(data.id).state == "superseded"


def test_a_preference_with_another_value_replaces_the_old_one(memory: Memory) -> None:
    memory.remember("Use npm", kind="preference", category="tools", name="package_manager", value="npm")
    new = memory.remember("Use pnpm", kind="preference", category="tools", name="package_manager", value="pnpm")
    assert verb(new) == "superseded"
    assert [node.text for node in memory.list(kinds=["preference"])] == ["Use pnpm"]


def test_two_things_of_one_subject_stand_side_by_side(memory: Memory) -> None:
    memory.remember("Mara has a dog")
    memory.remember("Mara has a cat")
    memory.remember("Mara plays the cello")
    assert len(live(memory)) == 3


def test_observations_of_the_graph_replace_each_other(memory: Memory) -> None:
    memory.graph.add([{"name": "Otto", "type": "person", "observations": ["lives in Porto", "speaks Spanish"]}])
    memory.graph.add([{"name": "Otto", "observations": ["lives in Faro", "speaks Spanish"]}])
    assert live(memory) == ["lives in Faro", "speaks Spanish"]


def test_the_tool_of_an_agent_replaces_and_says_so(memory: Memory) -> None:
    old = memory.remember("Mara lives in Porto", origin="agent")
    answer = remember_fact(memory, {"fact": "Mara lives in Faro"})
    assert f"it replaces [id:{old.id}]" in answer.text
    assert "already known" in remember_fact(memory, {"fact": "Mara lives in Faro"}).text
    assert live(memory) == ["Mara lives in Faro"]


def test_an_import_confirms_and_contradicts_but_does_not_replace(memory: Memory, tmp_path: Path) -> None:
    memory.remember("Mara lives in Porto")
    memory.remember("Mara plays the cello")
    export = {"results": [{"id": "1", "memory": "Mara lives in Faro"}, {"id": "2", "memory": "Mara plays the cello"}]}
    (tmp_path / "mem0.json").write_text(json.dumps(export))
    memory.admin.import_from(tmp_path / "mem0.json", format="mem0")
    assert live(memory) == ["Mara lives in Faro", "Mara lives in Porto", "Mara plays the cello"]
    assert len(memory.review.contradictions()) == 1


def test_the_doctor_finds_one_text_under_two_memories(memory: Memory) -> None:
    memory.remember("Mara lives in Porto")
    inserted(memory, "Mara lives in Porto", confidence=0.5)
    [found] = [each for each in memory.admin.doctor() if each.check == "duplicates"]
    assert "1 memories repeat another" in found.detail


def test_a_correction_brings_its_relation_along(memory: Memory) -> None:
    wrong = memory.remember("Mara lives in Porto")
    right = memory.correct(wrong.id, "Mara lives in Faro")
    assert right.attributes["object"] == "Faro"
    assert right.written is not None
    assert right.written.others == (wrong.id,)
    assert [relation.target for relation in memory.graph.relations("Mara")] == ["Faro"]


@pytest.mark.parametrize(
    "text", ["note {}", "Meeting note {}", "Room {} is free", "The user owns boat number {} in the harbour"]
)
def test_a_number_that_tells_things_apart_replaces_nothing(memory: Memory, text: str) -> None:
    first, second = memory.remember(text.format(1)), memory.remember(text.format(2))
    assert second.written is not None
    assert second.written.verb == "stored"
    assert memory.get(first.id).state == "live"


def test_another_amount_of_the_same_matter_replaces_the_old_one(memory: Memory) -> None:
    first = memory.remember("My rent is 900 euros")
    memory.remember("My rent is 950 euros")
    assert memory.get(first.id).state == "superseded"
