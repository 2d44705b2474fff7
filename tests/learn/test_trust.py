"""Learned memories are never more public than their sources, and older statements do not replace newer ones."""

from __future__ import annotations

from typing import Any

import pytest

from omoide import Memory
from omoide.errors import InvalidInput
from omoide.learn.learning_context import LearningReport
from tests.conftest import viewed_with_consent


def say(memory: Memory, session: str, text: str, day: str, **given: Any) -> LearningReport:
    memory.observe(text, session=session, at=f"{day}T10:00:00+00:00", **given)
    memory.end(session)
    return memory.learn()


def test_a_procedure_that_is_rewritten_stays_as_private_as_it_was(memory: Memory) -> None:
    taught = "To deploy: 1. run npm test 2. open vault seven 3. npm publish"
    say(memory, "a", taught, "2026-01-01", sensitive=True)
    say(memory, "b", "Always use pnpm, not npm.", "2026-02-01", audience="shared")
    [new] = viewed_with_consent(memory).recall("how to deploy", kinds=["procedure"]).hits
    assert "pnpm publish" in str(new.node.attributes["steps"])
    assert (new.node.audience, new.node.sensitive) == ("private", True)
    assert not [hit for hit in memory.recall("how to deploy vault", audience="shared") if "vault" in hit.text]


def test_a_yes_in_private_to_a_question_in_public_is_private(memory: Memory) -> None:
    at = "2026-01-01T10:00:00+00:00"
    memory.observe("Do you live in Rome?", role="agent", session="s", audience="shared", at=at)
    memory.observe("Yes.", session="s", sensitive=True, at="2026-01-01T10:00:05+00:00")
    memory.end("s")
    memory.learn()
    assert [hit.text for hit in memory.recall("Rome", kinds=["fact"], audience="shared")] == []


def test_one_may_move_back(memory: Memory) -> None:
    say(memory, "may", "I live in Berlin.", "2026-05-01")
    say(memory, "jan", "I live in Rome.", "2026-01-01")
    say(memory, "jun", "I moved back to Rome.", "2026-06-01")
    found = memory.recall("Where does the user live?", kinds=["fact"], at="2026-07-01T00:00:00+00:00")
    homes = [hit.node.attributes["object"] for hit in found if hit.node.attributes["predicate"] == "lives_in"]
    assert homes == ["Rome"]


def test_an_older_session_learned_later_overturns_nothing(memory: Memory) -> None:
    say(memory, "may", "Use spaces, not tabs.", "2026-05-01")
    report = say(memory, "jan", "Always use tabs.", "2026-01-01")
    assert report.count("superseded") == 0


def test_a_correction_is_heard_after_the_agent_spoke(memory: Memory) -> None:
    memory.observe("My brother Tom lives in Paris.", session="s", at="2026-01-01T10:00:00+00:00")
    memory.observe("Nice, say hi to Tom!", role="agent", session="s", at="2026-01-01T10:00:05+00:00")
    memory.observe("Not Tom, but Tim.", session="s", at="2026-01-01T10:00:10+00:00")
    memory.end("s")
    memory.learn()
    known = [hit.text for hit in memory.recall("brother Tim Tom Paris", kinds=["fact"])]
    assert any("Tim" in text for text in known)
    assert not any("Tom" in text for text in known)


def test_a_second_name_is_one_more_name_of_the_user(memory: Memory) -> None:
    say(memory, "a", "Hi, my name is Otto. I live in Rome.", "2026-01-01")
    say(memory, "b", "My name is Ottone, by the way. I live in Oslo.", "2026-02-01")
    assert memory.graph.entity("Ottone").id == memory.graph.entity("Otto").id
    lives = [hit.text for hit in memory.recall("Where does Otto live?", kinds=["fact"]) if "lives" in hit.text]
    assert lives == ["Otto lives in Oslo"]


def test_a_line_of_a_pasted_chat_is_not_learned(memory: Memory) -> None:
    assert say(memory, "a", "Bob: I live in Rome", "2026-01-01").count("learned") == 0


def test_a_name_that_changed_hands_means_the_other_at_once(memory: Memory) -> None:
    memory.graph.entity("Bob", type="person", description="b")
    memory.graph.entity("Otto", type="person", description="a man")
    memory.context("Bob")
    memory.graph.merge("Bob", "Otto")
    memory.remember("Bob bought a boat")
    assert [node.text for node in memory.graph.timeline("Otto")] == ["Bob bought a boat"]
    assert "a man" in memory.context("Bob").markdown


def test_a_shared_answer_does_not_tell_how_people_are_related(memory: Memory) -> None:
    memory.graph.relate("Otto", "has_affair_with", "Anna")
    memory.remember("Anna likes tulips", audience="shared")
    assert "affair" not in " ".join(hit.why for hit in memory.recall("What about Otto?", audience="shared"))


def test_a_hit_that_replaces_another_says_so(memory: Memory) -> None:
    old = memory.remember("Otto lives in Berlin")
    memory.correct(old.id, "Otto lives in Oslo")
    assert memory.recall("Berlin").hits[0].why.startswith(f"replaces [id:{old.id}]")


def test_never_ends_always_though_they_go_by_two_names(memory: Memory) -> None:
    say(memory, "a", "Always use pnpm.", "2026-01-01")
    say(memory, "b", "Never use pnpm.", "2026-02-01")
    assert [hit.text for hit in memory.recall("pnpm", kinds=["preference"])] == ["Never use pnpm"]
    say(memory, "c", "Always use pnpm.", "2026-03-01")
    assert [hit.text for hit in memory.recall("pnpm", kinds=["preference"])] == ["Always use pnpm"]


def test_a_relation_ends_with_its_fact(memory: Memory) -> None:
    say(memory, "a", "My name is Otto. I work at Acme. I live in Rome.", "2026-01-01")
    assert {each.target for each in memory.graph.relations("Otto")} == {"Acme", "Rome"}
    say(memory, "b", "I don't work at Acme anymore. I no longer live in Rome.", "2026-02-01")
    assert memory.graph.relations("Otto") == []


def test_a_home_of_the_past_does_not_move_the_relation(memory: Memory) -> None:
    say(memory, "a", "My name is Otto. I live in Berlin.", "2026-05-01")
    say(memory, "b", "I live in Rome.", "2026-01-01")
    assert [each.target for each in memory.graph.relations("Otto")] == ["Berlin"]


def test_what_others_no_longer_do_is_heard_too(memory: Memory) -> None:
    say(memory, "a", "My sister Ana works at Acme. Ana uses Docker.", "2026-01-01")
    say(memory, "b", "Ana no longer works at Acme.", "2026-02-01")
    say(memory, "c", "Ana doesn't use Docker anymore.", "2026-03-01")
    known = [hit.text for hit in memory.recall("Ana Acme Docker", kinds=["fact"])]
    assert not {"Ana works at Acme", "Ana uses Docker"} & set(known)


def test_an_outcome_is_counted_on_the_version_in_use(memory: Memory) -> None:
    old = memory.remember("Deploy by hand", kind="procedure", name="Deploy")
    new = memory.correct(old.id, "Deploy by script")
    with pytest.raises(InvalidInput, match=f"its successor {new.id}"):
        memory.tasks.outcome(old.id, "success")


def test_a_correction_in_public_keeps_private_what_it_corrects(memory: Memory) -> None:
    at = "2026-01-01T10:00:00+00:00"
    memory.observe("My sister Ana lives in Rome.", session="s", sensitive=True, at=at)
    memory.observe("Not Ana, but Eva.", session="s", audience="shared", at="2026-01-01T10:00:05+00:00")
    memory.end("s")
    memory.learn()
    assert any("Eva" in hit.text for hit in viewed_with_consent(memory).recall("Eva Rome", kinds=["fact"]))
    assert memory.recall("Eva Rome", kinds=["fact"], audience="shared").texts == []
