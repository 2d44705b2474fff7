"""The search arms: what each finds, and the reason it gives."""

from __future__ import annotations

import pytest

from omoide import Memory
from omoide.providers.hashing import HashingEmbedder
from omoide.recall.candidates import ArmCandidate, ArmResult
from omoide.recall.question_cues import seeks_advice
from omoide.recall.recipes import EVERYDAY
from omoide.recall.search.arms import freshness, hop_weight, hub_damping
from tests.conftest import NOW, Open


def arms(memory: Memory, question: str, recipe: str = "everyday") -> dict[str, tuple[str, ...]]:
    return {hit.text: hit.arms for hit in memory.recall(question, recipe=recipe, at=NOW)}


def test_graph_arm_follows_two_hops_and_names_the_path(memory: Memory) -> None:
    for source, type, target in (
        ("Kira", "uses", "Vercel"),
        ("Vercel", "runs", "Lambda"),
        ("Lambda", "made_by", "Amazon"),
    ):
        memory.graph.relate(source, type, target)
    memory.remember("Lambda sleeps when nobody calls")
    memory.remember("Amazon is in Seattle")
    hits = {hit.text: hit.why for hit in memory.recall("tell me of Kira").hits}
    assert hits.keys() == {"Lambda sleeps when nobody calls", "Kira uses Vercel"}
    assert hits["Lambda sleeps when nobody calls"] == "by way of Kira → uses → Vercel → runs → Lambda"
    assert "Amazon is in Seattle" in memory.recall("tell me of Kira", recipe="deep").texts


def test_a_relation_is_followed_from_either_end(memory: Memory) -> None:
    memory.graph.relate("Otto", "works_on", "Kira")
    memory.remember("Otto dislikes Docker")
    hits = {hit.text: hit.why for hit in memory.recall("tell me of Kira").hits}
    assert hits.keys() == {"Otto works on Kira", "Otto dislikes Docker"}
    assert hits["Otto dislikes Docker"] == "by way of Kira ← works_on ← Otto"


def test_ended_facts_of_an_entity_are_not_found_through_the_graph(memory: Memory) -> None:
    memory.graph.entity("Otto", type="person")
    old = memory.remember("Otto lives in Rome")
    memory.correct(old.id, "Otto lives in Berlin")
    assert memory.recall("tell me of Otto").texts == ["Otto lives in Berlin"]


def test_hop_weight_and_hub_damping() -> None:
    assert [hop_weight(depth) for depth in (0, 1, 2)] == pytest.approx([1.0, 1 / 1.5, 0.5])
    assert [hub_damping(mentions) for mentions in (0, 1, 2, 1024)] == pytest.approx([1.0, 1.0, 0.5, 1 / 11])


def test_mentions_of_an_entity_that_is_named_everywhere_hardly_count() -> None:
    arm = next(each for each in EVERYDAY.arms if each.arm == "entity")

    def gain(mentions: int) -> float:
        found = (ArmCandidate(id, hub_damping(mentions), "") for id in range(1, mentions + 1))
        return arm.weight * float(arm.normalise(ArmResult.ranked("entity", found)).max())

    assert gain(100) < gain(1) / 5


def test_nothing_private_is_reached_through_the_graph(memory: Memory) -> None:
    memory.graph.relate("Kira", "uses", "Vercel")
    memory.remember("Vercel bills by the month")
    assert memory.recall("tell me of Kira", audience="shared").hits == ()


def test_turns_of_a_conversation_on_the_subject_are_favoured(memory: Memory) -> None:
    for text in ("The garden needs water", "Roses in the garden", "The garden fence"):
        memory.observe(text, session="garden")
    memory.observe("The garden chair broke", session="other")
    hits = memory.recall("garden").hits
    assert [hit.node.session for hit in hits] == ["garden", "garden", "garden", "other"]


def test_a_preference_is_found_for_a_question_that_seeks_advice(opened: Open) -> None:
    memory = opened(embedder=HashingEmbedder())
    for number in range(20):
        memory.observe(f"The dinner number {number} was long", session="s1")
    wish = memory.observe("I never eat meat at dinner", session="s2")
    memory.flush()
    hit = memory.recall("What should I cook for dinner?").hits[0]
    assert hit.id == wish.id
    assert "a standing preference" in hit.why


def test_without_an_embedder_preferences_are_found_by_their_words(memory: Memory) -> None:
    memory.observe("I never eat meat", session="s1")
    assert "profile" in arms(memory, "What meat should I cook?")["I never eat meat"]


def test_preferences_are_left_out_when_only_facts_are_asked_for(memory: Memory) -> None:
    memory.observe("I never eat meat", session="s1")
    memory.remember("Meat is dear")
    assert memory.recall("which meat should I buy?", kinds=["fact"]).texts == ["Meat is dear"]


@pytest.mark.parametrize(
    "text", ["Can you recommend a hotel?", "What should I cook?", "Help me plan a trip", "any ideas for a gift?"]
)
def test_a_question_for_advice_is_recognised(text: str) -> None:
    assert seeks_advice(text)


@pytest.mark.parametrize("text", ["Where does Otto live?", "When did Anna move?", "What did you say about tea?", ""])
def test_a_question_for_a_fact_is_not_one_for_advice(text: str) -> None:
    assert not seeks_advice(text)


def test_freshness_halves_in_a_day() -> None:
    assert [freshness(days) for days in (0, 1, 3)] == pytest.approx([1.0, 0.5, 0.25])


def test_causes_are_only_followed_as_far_as_links_still_hold(memory: Memory) -> None:
    deploy = memory.remember("The deploy failed")
    disk = memory.remember("No room was left")
    memory.graph.link(disk.id, deploy.id, "causal")
    hits = {hit.text: hit.why for hit in memory.recall("deploy failed", recipe="deep")}
    assert f"a cause of [id:{deploy.id}]" in hits["No room was left"]
