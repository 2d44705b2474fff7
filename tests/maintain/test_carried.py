"""Turns are archived only when live memories state their content, when they have none, or by another policy."""

from __future__ import annotations

import pytest

from omoide import Memory
from omoide.clock import DAY
from omoide.errors import InvalidInput
from omoide.language.sentences import asks_to_keep
from omoide.maintain import retention_jobs
from omoide.settings import make_settings
from tests.conftest import START, Ticking, unsound
from tests.maintain.store_dumps import compress, learn_all, run_job, states

LATER = START + 40 * DAY


def said(memory: Memory, *texts: str) -> list[int]:
    """Learned from, but nothing was learned."""
    ids = [memory.observe(text, session="s").id for text in texts]
    learn_all(memory, "s")
    if learned := [node.id for node in memory.list() if node.kind != "episode"]:
        memory.forget(learned)
    return ids


def pass_days(memory: Memory, clock: Ticking, days: int) -> None:
    """With a run now and then: after a jump of the clock nothing ages."""
    for _ in range(days // 4):
        clock.advance(days=4)
        memory.maintain(["traces"])


def decided(memory: Memory, now: int = LATER) -> dict[int | None, tuple[str, str]]:
    return {step.id: (step.verb, step.why) for step in run_job(retention_jobs.EXPIRE_JOB, memory, now)}


def test_a_turn_that_no_live_memory_states_stays(memory: Memory) -> None:
    (id,) = said(memory, "The kiln at Brennhof runs at 1240 degrees")
    assert decided(memory) == {id: ("stays", "no live memory was made from it")}
    assert states(memory)[id] == "live"


def test_a_turn_stays_while_a_name_or_number_of_it_is_stated_nowhere(memory: Memory) -> None:
    (id,) = said(memory, "The kiln at Brennhof runs at 1240 degrees")
    memory.remember("The kiln at Brennhof is hot", sources=[id])
    assert decided(memory) == {id: ("stays", "no live memory made from it states: 1240")}


def test_a_turn_whose_content_a_live_memory_states_is_archived_and_found(memory: Memory) -> None:
    (id,) = said(memory, "So the kiln at Brennhof, it runs at 1240 degrees, you know")
    fact = memory.remember("Brennhof's kiln runs at 1240 degrees", sources=[id])
    assert decided(memory) == {id: ("archived", f"its content is stated by [id:{fact.id}]")}
    assert {id, fact.id} & {hit.id for hit in memory.recall("How hot is the kiln?")}  # told once: by either
    assert id in [hit.id for hit in memory.recall("at Brennhof, you know", kinds=["episode"])]
    assert unsound(memory) == []


def test_a_turn_is_archived_when_a_statement_learned_from_it_says_the_same(memory: Memory) -> None:
    id = memory.observe("The kiln at Brennhof runs at 1240 degrees", session="s").id
    learn_all(memory, "s")
    (fact,) = memory.list(kinds=["fact"])
    assert decided(memory) == {id: ("archived", f"its content is stated by [id:{fact.id}]")}


def test_an_archived_memory_carries_nothing(memory: Memory) -> None:
    (id,) = said(memory, "The kiln at Brennhof runs at 1240 degrees")
    fact = memory.remember("The kiln at Brennhof runs at 1240 degrees", sources=[id])
    memory.admin.archive(fact.id)
    assert decided(memory)[id][0] == "stays"


@pytest.mark.parametrize("text", ["Thanks!", "Good morning", "谢谢", "Danke"])
def test_a_turn_without_content_is_archived(memory: Memory, text: str) -> None:
    (id,) = said(memory, text)
    assert decided(memory) == {id: ("archived", "it holds no content: a greeting, thanks or an acknowledgement")}


def test_a_turn_is_decided_once_and_again_when_a_memory_is_made_from_it(memory: Memory) -> None:
    (id,) = said(memory, "The kiln at Brennhof runs at 1240 degrees")
    assert list(decided(memory)) == [id]
    assert decided(memory, LATER + DAY) == {}
    memory.remember("The kiln at Brennhof runs at 1240 degrees", sources=[id])
    assert decided(memory, LATER + 2 * DAY)[id][0] == "archived"


def test_what_a_person_asked_to_keep_never_ages(memory: Memory, clock: Ticking) -> None:
    first, second, third = said(memory, "The safe opens with 77", "Put that somewhere safe, please", "Thanks!")
    memory.remember("The safe opens with 77", sources=[first])
    found = decided(memory)
    assert found[first] == found[second] == ("stays", "a person asked to keep it")
    assert found[third][0] == "archived"
    compress(memory, [memory.get(first)], now=START + DAY)
    pass_days(memory, clock, 12)
    memory.maintain(["expire"], policy="kira")
    assert memory.get(first).state == "live"


@pytest.mark.parametrize(
    "text",
    [
        "I can't have penicillin, put it somewhere safe",
        "Remember that I hate mushrooms",
        "Could you remember this for me?",
        "Write that down.",
        "Don't forget my appointment",
        "Merk dir das bitte",
        "Retiens que je suis végétarien",
        "Apunta esto",
        "Ricordati che parto domani",
        "Anote isso",
        "Запомни это",
        "记住我不吃辣",
        "覚えておいてね",
        "기억해 줘",
    ],
)
def test_requests_to_keep_are_recognised(text: str) -> None:
    assert asks_to_keep(text)


@pytest.mark.parametrize("text", ["Do you remember my dog?", "I remember that day", "I'll remember that", "Danke"])
def test_other_sentences_are_no_request_to_keep(text: str) -> None:
    assert not asks_to_keep(text)


def test_a_dry_run_decides_the_same_and_changes_nothing(memory: Memory) -> None:
    said(memory, "The kiln at Brennhof runs at 1240 degrees", "Thanks!")
    first = run_job(retention_jobs.EXPIRE_JOB, memory, LATER, dry_run=True)
    assert set(states(memory).values()) == {"live"}
    assert run_job(retention_jobs.EXPIRE_JOB, memory, LATER) == first


def test_the_policy_kira_archives_by_age(memory: Memory, clock: Ticking) -> None:
    (id,) = said(memory, "The kiln at Brennhof runs at 1240 degrees")
    compress(memory, [memory.get(id)], now=START + DAY)
    pass_days(memory, clock, 12)
    memory.maintain(["expire"])
    assert memory.get(id).state == "live"
    memory.maintain(["expire"], policy="kira")
    assert memory.get(id).state == "archived"


def test_a_policy_that_deletes_must_be_confirmed(memory: Memory, clock: Ticking) -> None:
    (id,) = said(memory, "The kiln at Brennhof runs at 1240 degrees")
    compress(memory, [memory.get(id)], now=START + DAY)
    pass_days(memory, clock, 12)
    with pytest.raises(InvalidInput, match="pass confirm=True"):
        memory.maintain(["expire"], policy="kira_delete")
    assert [step.id for step in memory.maintain(["expire"], policy="kira_delete", dry_run=True).jobs[0].steps] == [id]
    memory.maintain(["expire"], policy="kira_delete", confirm=True)
    assert (memory.get(id).state, memory.get(id).text) == ("withdrawn", "")
    assert unsound(memory) == []
    with pytest.raises(InvalidInput, match="deleted by a retention policy"):
        memory.admin.unarchive(id)


def test_other_policies_are_refused(memory: Memory) -> None:
    with pytest.raises(InvalidInput, match="expected carried, kira or kira_delete"):
        memory.maintain(policy="all")  # type: ignore[arg-type]
    with pytest.raises(InvalidInput, match="a policy that deletes is given to `maintain`"):
        make_settings(retention_policy="kira_delete")
