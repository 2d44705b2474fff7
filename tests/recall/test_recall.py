"""Recall end to end, on a real file."""

from __future__ import annotations

from datetime import timedelta

import pytest

from omoide import Memory
from omoide.errors import InvalidInput
from tests.conftest import NOW


def test_the_turn_beside_a_hit_is_found_too_and_says_so(memory: Memory) -> None:
    memory.observe("Which city did you move to?", session="s1")
    answer = memory.observe("Berlin, in spring.", role="agent", session="s1")
    hit = next(hit for hit in memory.recall("move city") if hit.id == answer.id)
    assert hit.why == "said beside [id:1]"


def test_every_hit_says_which_words_it_shares(memory: Memory) -> None:
    memory.remember("The app runs on Vercel's hobby plan", tags=["vercel"])
    (hit,) = memory.recall("what plan is vercel on?").hits
    assert hit.why == "words plan, vercel (1st)"
    assert hit.arms == ("keyword",)


def test_the_trace_names_skipped_arms(memory: Memory) -> None:
    memory.remember("The app runs on Vercel")
    trace = str(memory.recall("vercel").trace)
    assert "vector" in trace
    assert "skipped, no embedder was given" in trace


def test_an_empty_memory_gives_an_empty_answer(memory: Memory) -> None:
    assert memory.recall("anything at all").hits == ()
    assert memory.context("anything at all").markdown == ""


def test_a_question_for_a_day_is_answered_by_the_calendar(memory: Memory) -> None:
    memory.observe("We planned the garden", session="s1", at=NOW - timedelta(days=1))
    memory.observe("We talked about yesterday's match", session="s2", at=NOW - timedelta(days=6))
    found = memory.recall("What did we discuss yesterday?", at=NOW)
    assert found.texts == ["We planned the garden"]
    assert found.hits[0].why == "in the time asked for (yesterday)"


def test_a_question_for_a_past_session_is_answered_by_counting(memory: Memory) -> None:
    for number in range(4):
        memory.observe(f"Subject number {number}", session=f"s{number}", at=NOW - timedelta(days=10 - number))
    assert memory.recall("What did we talk about two sessions ago?", at=NOW).texts == ["Subject number 2"]


def test_a_time_beside_other_words_favours_but_does_not_filter(memory: Memory) -> None:
    memory.observe("The deploy failed", session="s1", at=NOW - timedelta(days=40))
    memory.observe("The deploy failed", session="s2", at=NOW - timedelta(days=1))
    hits = memory.recall("Which deploy failed yesterday?", at=NOW).hits
    assert [hit.node.session for hit in hits] == ["s2", "s1"]
    assert "in the time asked for" in hits[0].why


def test_filters_narrow_what_may_be_found(memory: Memory) -> None:
    old = memory.observe("Docker again", session="s1", at=NOW - timedelta(days=9), tags=["tools"])
    new = memory.observe("Docker once more", session="s2", at=NOW)
    fact = memory.remember("Otto dislikes Docker")
    assert {hit.id for hit in memory.recall("docker", kinds=["episode"])} == {old.id, new.id}
    assert {hit.id for hit in memory.recall("docker", kinds="fact")} == {fact.id}
    assert {hit.id for hit in memory.recall("docker", session="s1")} == {old.id}
    assert {hit.id for hit in memory.recall("docker", tags=["tools"])} == {old.id}
    assert {hit.id for hit in memory.recall("docker", until=NOW - timedelta(days=2))} == {old.id}
    assert old.id not in {hit.id for hit in memory.recall("docker", since=NOW - timedelta(days=2))}


def test_a_neighbour_outside_the_filter_stays_outside(memory: Memory) -> None:
    memory.observe("Docker again", session="s1", audience="shared")
    memory.observe("My salary is private", session="s1")
    assert memory.recall("docker", audience="shared").texts == ["Docker again"]


def test_what_an_entity_is_related_to_is_found_one_hop_away(memory: Memory) -> None:
    memory.graph.entity("Kira", type="project")
    memory.graph.entity("Vercel", type="tool")
    fact = memory.remember("Vercel bills by the month")
    memory.graph.relate("Kira", "deployed_on", "Vercel")
    hits = memory.recall("tell me about Kira").hits
    assert [hit.text for hit in hits] == ["Kira is deployed on Vercel", fact.text]
    assert (hits[1].arms, hits[1].why) == (("graph",), "by way of Kira → deployed_on → Vercel")


def test_scripts_without_spaces_are_found_by_their_characters(memory: Memory) -> None:
    memory.observe("我将要参加金融科技精英论坛。")
    memory.observe("今天天气很好")
    assert memory.recall("金融论坛").texts[0] == "我将要参加金融科技精英论坛。"


def test_accents_case_and_width_do_not_matter(memory: Memory) -> None:
    memory.observe("Café Ｗｉｆｉ in São Paulo")
    assert len(memory.recall("cafe WIFI sao").hits) == 1


def test_a_recall_counts_as_access_and_not_as_confidence(memory: Memory) -> None:
    node = memory.remember("Otto likes tea", confidence=0.7)
    memory.recall("tea")
    memory.flush()
    kept = memory.get(node.id)
    assert (kept.access_count, kept.confidence) == (1, 0.7)


def test_an_unknown_recipe_is_refused_with_the_nearest(memory: Memory) -> None:
    with pytest.raises(InvalidInput, match="did you mean 'everyday'"):
        memory.recall("tea", recipe="every")


def test_every_recipe_answers(memory: Memory) -> None:
    memory.observe("We deployed the app with edge functions", session="s1")
    for recipe in ("everyday", "deep", "reciprocal", "keyword", "kira", "koshi", "yodoca"):
        assert memory.recall("deploy the app", recipe=recipe).texts == ["We deployed the app with edge functions"]


def test_the_session_in_which_a_question_is_asked_is_not_a_past_one(memory: Memory) -> None:
    memory.observe("We planned the garden", session="s1", at=NOW - timedelta(days=1))
    memory.observe("Good morning", session="s2", at=NOW - timedelta(minutes=1))
    assert memory.recall("What did we talk about last session?", at=NOW).texts == ["We planned the garden"]


def test_private_neighbours_take_no_places_in_a_shared_answer(memory: Memory) -> None:
    for number in range(8):
        memory.observe(f"Docker talk {number}", session=f"s{number}", audience="shared")
        memory.observe("My salary is private", session=f"s{number}")
    found = memory.recall("docker", audience="shared", limit=8)
    assert len(found.hits) == 8
    assert all(hit.node.audience == "shared" for hit in found)


def test_as_many_are_returned_as_were_asked_for(memory: Memory) -> None:
    memory.observe_many([{"text": f"tea number {number}"} for number in range(300)])
    assert len(memory.recall("tea", limit=250).hits) == 250


def test_the_most_important_of_a_time_come_first(memory: Memory) -> None:
    for number in range(40):
        memory.observe(f"Long talk {number} " + "about nothing much " * 9, session="s1", at=NOW - timedelta(days=1))
    memory.observe("Never ship on Friday", session="s1", at=NOW - timedelta(days=1))
    assert memory.recall("what did we discuss yesterday?", at=NOW, limit=3).texts[0] == "Never ship on Friday"


def test_the_strongest_preferences_stand_first(memory: Memory) -> None:
    for number in range(30):
        strength = (30 - number) / 40
        memory.remember(
            f"Answer like {number}", kind="preference", category="communication", name=f"p{number}", strength=strength
        )
    assert memory.context("anything", budget=4000).ids[0] == 1
