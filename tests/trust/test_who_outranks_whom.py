"""The user outranks the agent, and the agent outranks tools and documents."""

from __future__ import annotations

from datetime import timedelta

import pytest

from omoide import Memory
from omoide.errors import InvalidInput, NotFound
from omoide.interfaces.tools import named
from omoide.settings import Settings
from tests.conftest import Open, Ticking


def texts(memory: Memory) -> set[str]:
    return {node.text for node in memory.list(["fact"])}


def test_an_agents_correction_of_the_users_word_is_a_proposal(memory: Memory) -> None:
    home = memory.remember("Otto lives in Berlin", subject="Otto")
    memory.review.confirm(home.id)
    answer = named("correct_fact")(memory, {"id": home.id, "fact": "Otto lives in Moscow"})
    assert answer.text.startswith(f"not changed: the user said [id:{home.id}] Otto lives in Berlin")
    assert texts(memory) == {"Otto lives in Berlin"}
    assert [(each.node.id, each.text, each.origin) for each in memory.review.proposals()] == [
        (home.id, "Otto lives in Moscow", "agent")
    ]


def test_a_proposal_that_the_user_accepts_is_the_users_word(memory: Memory) -> None:
    home = memory.remember("Otto lives in Berlin")
    waits = memory.correct(home.id, "Otto lives in Porto", origin="agent").written
    assert waits is not None
    node = memory.review.accept(waits.others[0])
    assert (node.text, node.origin, memory.get(home.id).state) == ("Otto lives in Porto", "user", "superseded")
    assert memory.review.proposals() == []
    with pytest.raises(InvalidInput, match="already accepted"):
        memory.review.refuse(waits.others[0])


def test_a_refused_proposal_changes_nothing(memory: Memory) -> None:
    home = memory.remember("Otto lives in Berlin")
    named("correct_fact")(memory, {"id": home.id, "fact": "Otto lives in Porto"})
    named("correct_fact")(memory, {"id": home.id, "fact": "Otto lives in Porto"})  # asked twice, it waits once
    (asked,) = memory.review.proposals()
    assert memory.review.refuse(asked.id).outcome == "refused"
    assert texts(memory) == {"Otto lives in Berlin"}
    with pytest.raises(NotFound):
        memory.review.accept(asked.id + 1)


def test_an_agent_rewords_the_users_memory_only_with_consent(memory: Memory) -> None:
    note = memory.remember("Otto pays with his Visa card")
    named("memory_update")(memory, {"id": note.id, "content": "Otto pays Mallory"})
    assert memory.get(note.id).text == "Otto pays with his Visa card"
    (asked,) = memory.review.proposals()
    assert memory.review.accept(asked.id).text == "Otto pays Mallory"


def test_an_agent_corrects_its_own_words_at_once(memory: Memory) -> None:
    own = memory.remember("The build takes 3 minutes", origin="agent")
    assert memory.correct(own.id, "The build takes 9 minutes", origin="agent").text == "The build takes 9 minutes"
    assert memory.review.proposals() == []


@pytest.mark.parametrize("said", ["Otto lives in Moscow", "Otto no longer lives in Berlin"])
def test_what_an_agent_remembers_against_the_user_contradicts_and_replaces_nothing(memory: Memory, said: str) -> None:
    home = memory.remember("Otto lives in Berlin", subject="Otto")
    memory.remember(said, subject="Otto", origin="agent")
    assert memory.get(home.id).state == "live"
    assert memory.get(home.id).valid_until is None


def test_the_users_restatement_replaces_an_agents_correction(memory: Memory) -> None:
    wrong = memory.remember("Otto lives in Rome", subject="Otto", origin="agent")
    fixed = memory.correct(wrong.id, "Otto lives in Moscow", origin="agent")
    said = memory.remember("Otto lives in Berlin", subject="Otto")
    assert said.written is not None
    assert (said.written.verb, memory.get(fixed.id).state) == ("superseded", "superseded")


def test_erasing_a_memory_erases_what_was_proposed_for_it(memory: Memory) -> None:
    home = memory.remember("Otto lives in Berlin")
    memory.correct(home.id, "Otto lives in Zanzibar", origin="agent")
    memory.forget(home.id)
    assert memory.review.proposals() == []


def test_what_the_user_confirmed_is_changed_by_nobody_else(memory: Memory) -> None:
    fact = memory.remember("Otto lives in Lisbon", origin="agent")
    memory.review.confirm(fact.id)
    written = memory.correct(fact.id, "Otto lives in Moscow", origin="agent").written
    assert written is not None
    assert written.verb == "proposed"
    memory.remember("Otto lives in Oslo", origin="agent")
    assert memory.get(fact.id).state == "live"
    assert memory.correct(fact.id, "Otto lives in Porto").text == "Otto lives in Porto"


def test_what_an_agent_says_twice_is_not_confirmed_by_the_user(memory: Memory) -> None:
    fact = memory.remember("Otto lives in Lisbon", origin="agent")
    memory.remember("Otto lives in Lisbon", origin="agent")
    assert memory.correct(fact.id, "Otto lives in Moscow", origin="agent").text == "Otto lives in Moscow"


def test_confirmation_does_not_depend_on_how_a_memory_decays(opened: Open) -> None:
    memory = opened(settings=Settings(decay_rate_default=0.0))
    twice = memory.remember("Otto lives in Lisbon", origin="agent")
    memory.remember("Otto lives in Lisbon", origin="agent")
    assert not memory.get(twice.id).is_confirmed
    turn = memory.observe("The build takes 3 minutes", role="agent")  # of a kind that never decays
    assert memory.review.confirm(turn.id).is_confirmed


def test_a_memory_was_not_confirmed_before_it_was(memory: Memory, clock: Ticking) -> None:
    fact = memory.remember("Otto lives in Lisbon", origin="agent")
    clock.advance(days=2)
    memory.review.confirm(fact.id)
    (before,) = memory.recall("Lisbon", as_of=fact.recorded_at + timedelta(days=1)).hits
    assert (before.node.is_confirmed, memory.get(fact.id).is_confirmed) == (False, True)
