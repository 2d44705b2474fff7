"""Statements that an extractor proposes: stored, confirmed, replaced, ended, contradicted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from omoide import Memory
from omoide.domain import Node
from omoide.history import Version
from omoide.learn.across_sessions import EntitySummarizer
from omoide.learn.learner import Learner
from omoide.learn.learning_context import LearningReport
from omoide.learn.proposal import USER, LearningConversation, Proposal, Quote, Statement

MAY = "2026-05-04T10:00:00+00:00"
JUNE = "2026-06-04T10:00:00+00:00"


class Scripted:
    """An extractor that proposes given statements for the turns that contain their quotes."""

    name = "scripted"

    def __init__(self, statements: Sequence[Statement]) -> None:
        self._statements = statements

    def extract(self, conversation: LearningConversation) -> Proposal:
        found = [
            replace(each, quote=Quote(turn.id, each.quote.words))
            for turn in conversation.turns[conversation.fresh :]
            for each in self._statements
            if each.quote.words in turn.text
        ]
        return Proposal(statements=tuple(found))


def said(words: str, text: str, **given: Any) -> Statement:
    plain = Statement(form="fact", subject=USER, text=text, quote=Quote(0, words), confidence=0.9)
    return replace(plain, **given)


def learn(memory: Memory, *statements: Statement, segment: int = 200) -> LearningReport:
    store = memory._core.store
    learner = Learner(store, Scripted(statements), 0.0, EntitySummarizer(99, 10), segment)
    return learner.learn(store.learning.pending_sessions())


def talk(memory: Memory, at: str, *texts: str, session: str = "", speaker: str | None = None) -> None:
    for number, text in enumerate(texts):
        moment = datetime.fromisoformat(at).replace(minute=number, tzinfo=UTC)
        memory.observe(text, session=session or at, at=moment, speaker=speaker)
    memory.end(session or at)


def live(memory: Memory, kind: str = "fact") -> list[str]:
    return sorted(node.text for node in memory.list(kinds=[kind]))


def past(memory: Memory, text: str) -> Node:
    return next(node for node in memory.list(kinds=["fact"], state="superseded") if node.text == text)


INGRID = said("Ingrid is my manager", "User's manager is Ingrid", slot="manager", value="Ingrid", form="relation")
DELE = said(
    "Dele's my boss now", "User's manager is Dele", slot="manager", value="Dele", form="relation", change="replaces"
)


def test_a_new_manager_ends_the_old_one(memory: Memory) -> None:
    talk(memory, MAY, "Ingrid is my manager, she is strict")
    talk(memory, JUNE, "oh and Dele's my boss now")
    learn(memory, INGRID, DELE)
    assert live(memory) == ["User's manager is Dele"]
    old = past(memory, "User's manager is Ingrid")
    assert old.valid_until == datetime.fromisoformat(JUNE)
    assert memory.explain(old.id).superseded_by == [node.id for node in memory.list(kinds=["fact"])]


def test_learning_again_changes_nothing(memory: Memory) -> None:
    talk(memory, MAY, "Ingrid is my manager, she is strict", "Dele's my boss now")
    learn(memory, INGRID, DELE)
    before = [(node.id, node.updated_at) for node in memory.list()]
    assert learn(memory, INGRID, DELE).entries == []
    assert [(node.id, node.updated_at) for node in memory.list()] == before


@pytest.mark.parametrize("size", [1, 2, 200])
def test_the_size_of_the_segments_does_not_matter(memory: Memory, size: int) -> None:
    talk(memory, MAY, "Ingrid is my manager, she is strict", "hm", "Dele's my boss now")
    learn(memory, INGRID, DELE, segment=size)
    assert live(memory) == ["User's manager is Dele"]


def test_a_move_ends_the_old_home_and_its_relation(memory: Memory) -> None:
    lisbon = said("lives in Lisbon", "Mara lives in Lisbon", subject="Mara", slot="lives_in", value="Lisbon")
    porto = said("moved to Porto", "Mara lives in Porto", subject="Mara", slot="lives_in", value="Porto")
    talk(memory, MAY, "Mara lives in Lisbon")
    talk(memory, JUNE, "Mara moved to Porto")
    learn(memory, lisbon, porto)
    assert live(memory) == ["Mara lives in Porto"]
    assert [relation.target for relation in memory.graph.relations("Mara")] == ["Porto"]
    assert [version.node.text for version in memory.history("Mara") if isinstance(version, Version)] == [
        "Mara lives in Lisbon",
        "Mara lives in Porto",
    ]


def test_an_appointment_that_moves_ends_the_old_date_without_a_slot(memory: Memory) -> None:
    ninth = said(
        "dentist on the 9th",
        "User has a dentist appointment on 2026-06-09",
        form="plan",
        matter="dentist appointment",
        value="2026-06-09",
    )
    twelfth = said(
        "moved to the 12th",
        "User's dentist appointment is on 2026-06-12",
        form="plan",
        matter="appointment dentist",
        value="2026-06-12",
        change="replaces",
    )
    talk(memory, MAY, "dentist on the 9th, ugh", "they moved to the 12th")
    learn(memory, ninth, twelfth)
    assert live(memory) == ["User's dentist appointment is on 2026-06-12"]


def test_the_same_matter_with_another_number_needs_no_word_of_change(memory: Memory) -> None:
    old = said("rent is 900", "User's rent is 900 euros", matter="rent", value="900 euros")
    new = said("rent is 950", "User's rent is 950 euros", matter="rent", value="950 euros")
    talk(memory, MAY, "my rent is 900")
    talk(memory, JUNE, "my rent is 950")
    learn(memory, old, new)
    assert live(memory) == ["User's rent is 950 euros"]


def test_a_cancelled_plan_is_over_and_the_words_that_ended_it_are_kept(memory: Memory) -> None:
    trip = said("flying to Chennai", "User flies to Chennai on 2026-09-26", form="plan", matter="chennai")
    other = said("to Oslo", "User flies to Oslo on 2026-08-01", form="plan", matter="oslo")
    scrap = said(
        "scrap the Chennai trip", "User cancelled the Chennai trip", form="plan", matter="chennai", change="ends"
    )
    talk(memory, MAY, "I'm flying to Chennai on the 26th of September", "and in August to Oslo")
    talk(memory, JUNE, "scrap the Chennai trip, too expensive")
    report = learn(memory, trip, other, scrap)
    assert [entry.text for entry in report.entries if entry.verb == "ended"] == ["User flies to Chennai on 2026-09-26"]
    assert live(memory) == ["User cancelled the Chennai trip", "User flies to Oslo on 2026-08-01"]
    old = past(memory, "User flies to Chennai on 2026-09-26")
    assert memory.history(old.id)[0].ended_by == "scrap the Chennai trip"


def test_a_slip_of_the_tongue_was_never_true(memory: Memory) -> None:
    ninth = said("party on the 9th", "User's party is on 2026-06-09", form="plan", matter="party", value="2026-06-09")
    right = said(
        "not the 9th, the 12th",
        "User's party is on 2026-06-12",
        form="plan",
        matter="party",
        value="2026-06-12",
        change="corrects",
    )
    talk(memory, MAY, "the party on the 9th is at my place", "not the 9th, the 12th")
    learn(memory, ninth, right)
    [node] = memory.list(kinds=["fact"])
    assert (node.text, node.source_type) == ("User's party is on 2026-06-12", "corrected")
    assert node.valid_from == datetime.fromisoformat(MAY)


def test_no_longer_ends_what_was_said_and_fills_no_slot(memory: Memory) -> None:
    job = said("work at Acme", "User works at Acme", slot="works_at", value="Acme")
    left = said("no longer work at Acme", "User no longer works at Acme", slot="works_at", value="Acme", change="ends")
    talk(memory, MAY, "I work at Acme")
    talk(memory, JUNE, "I no longer work at Acme")
    learn(memory, job, left)
    [node] = memory.list(kinds=["fact"])
    assert node.text == "User no longer works at Acme"
    assert node.attributes["predicate"] is None


def test_an_unsure_change_is_a_contradiction(memory: Memory) -> None:
    old = said("I buy bread at the market", "User buys bread at the market on Fridays", matter="bread market")
    new = said("bread is from Ruben now", "User's bread is from Ruben now", matter="ruben bread", change="replaces")
    talk(memory, MAY, "I buy bread at the market on Fridays", "the bread is from Ruben now")
    assert learn(memory, old, new).count("contradicted") == 1
    assert len(memory.review.contradictions()) == 1


def test_the_same_slot_and_value_in_other_words_confirms(memory: Memory) -> None:
    one = said("my boss is Dele", "User's boss is Dele", slot="manager", value="Dele")
    talk(memory, MAY, "my boss is Dele")
    talk(memory, JUNE, "Dele's my boss now")
    learn(memory, one, DELE)
    [node] = memory.list(kinds=["fact"])
    assert node.confirmed_at is not None
    assert len(memory.explain(node.id).evidence) == 2


def test_several_values_stand_where_a_slot_has_several(memory: Memory) -> None:
    mia = said("Mia", "Mia is User's child", slot="child", value="Mia", matter="child", form="relation")
    leo = said("Leo", "Leo is User's child", slot="child", value="Leo", matter="child", form="relation")
    talk(memory, MAY, "our kids Mia and Leo")
    learn(memory, mia, leo)
    assert live(memory) == ["Leo is User's child", "Mia is User's child"]


def test_what_others_say_does_not_end_somebodys_own_word(memory: Memory) -> None:
    own = said("I live in Leeds", "Ben lives in Leeds", subject="Ben", slot="lives_in", value="Leeds")
    hearsay = said("Ben lives in York", "Ben lives in York", subject="Ben", slot="lives_in", value="York")
    talk(memory, MAY, "I live in Leeds", session="a", speaker="Ben")
    talk(memory, JUNE, "my brother Ben lives in York", session="b", speaker="Anna")
    report = learn(memory, own, hearsay)
    assert report.count("contradicted") == 1
    assert live(memory) == ["Ben lives in Leeds", "Ben lives in York"]


def test_somebodys_own_word_ends_what_others_said(memory: Memory) -> None:
    own = said("I live in Leeds", "Ben lives in Leeds", subject="Ben", slot="lives_in", value="Leeds")
    hearsay = said("Ben lives in York", "Ben lives in York", subject="Ben", slot="lives_in", value="York")
    talk(memory, MAY, "my brother Ben lives in York", session="a", speaker="Anna")
    talk(memory, JUNE, "I live in Leeds", session="b", speaker="Ben")
    learn(memory, own, hearsay)
    assert live(memory) == ["Ben lives in Leeds"]


def test_a_preference_is_strengthened_when_it_is_said_again(memory: Memory) -> None:
    short = said("short answers", "User likes short answers", form="preference", matter="answer length", value="short")
    talk(memory, MAY, "I like short answers")
    talk(memory, JUNE, "as I said, short answers")
    learn(memory, short)
    [node] = memory.list(kinds=["preference"])
    assert node.attributes["evidence_count"] == 2


def test_an_instruction_keeps_its_scope_and_exceptions(memory: Memory) -> None:
    rule = said(
        "type hints everywhere",
        "User wants type hints everywhere, not for throwaway scripts",
        form="instruction",
        matter="type hints",
        scope="python",
        exceptions=("throwaway scripts",),
    )
    talk(memory, MAY, "type hints everywhere, not for throwaway scripts")
    learn(memory, rule)
    [node] = memory.list(kinds=["preference"])
    assert (node.attributes["form"], node.attributes["scope"]) == ("instruction", "python")
    assert node.attributes["exceptions"] == ("throwaway scripts",)


def test_new_steps_replace_a_procedure(memory: Memory) -> None:
    old = said("make ship", "To deploy, run make ship", form="procedure", matter="deploy", steps=("make ship",))
    new = said(
        "make ship and wait",
        "To deploy, run make ship and wait",
        form="procedure",
        matter="deploy",
        steps=("make ship", "wait"),
        change="replaces",
    )
    talk(memory, MAY, "deploys go out with make ship.")
    talk(memory, JUNE, "now it's make ship and wait")
    learn(memory, old, new)
    assert live(memory, "procedure") == ["To deploy, run make ship and wait"]


def test_subjects_and_people_become_entities(memory: Memory) -> None:
    name = said("I'm Priya", "User's name is Priya", slot="name", value="Priya")
    talk(memory, MAY, "I'm Priya", "Ingrid is my manager, she is strict")
    learn(memory, name, INGRID)
    [fact] = [node for node in memory.list(kinds=["fact"]) if "manager" in node.text]
    assert fact.text == "Priya's manager is Ingrid"
    assert [version.node.id for version in memory.history("Ingrid") if isinstance(version, Version)] == [fact.id]
    assert [(each.source, each.type, each.target) for each in memory.graph.relations("Priya")] == [
        ("Ingrid", "manages", "Priya")
    ]
    assert fact in memory.list(kinds=["fact"], subject="Ingrid").items


def test_what_was_learned_before_the_name_was_known_gets_the_name(memory: Memory) -> None:
    nina = said("my partner Nina", "Nina is User's partner", slot="partner", value="Nina", form="relation")
    name = said("I'm Otto", "User's name is Otto", slot="name", value="Otto")
    talk(memory, MAY, "my partner Nina", "by the way, I'm Otto")
    learn(memory, nina, name)
    assert "Nina is Otto's partner" in live(memory)


def test_two_people_of_one_name_stay_two(memory: Memory) -> None:
    colleague = said(
        "my colleague Maria", "Maria is User's colleague", slot="colleague", value="Maria", form="relation"
    )
    cork = said("in Cork", "Maria lives in Cork", subject="Maria", slot="lives_in", value="Cork")
    aunt = said("my aunt Maria", "Maria is User's aunt", slot="relative", value="Maria", form="relation")
    seville = said("in Seville", "Maria lives in Seville", subject="Maria", slot="lives_in", value="Seville")
    talk(memory, MAY, "my colleague Maria is in Cork", session="a")
    talk(memory, JUNE, "my aunt Maria is in Seville", session="b")
    learn(memory, colleague, cork, aunt, seville)
    assert live(memory) == [
        "Maria is User's aunt", "Maria is User's colleague", "Maria lives in Cork", "Maria lives in Seville",
    ]  # fmt: skip
    homes = {node.attributes["subject"]: node.attributes["object"] for node in memory.list(kinds=["fact"])}
    assert (homes["Maria"], homes["Maria (aunt)"]) == ("Cork", "Seville")
    assert [relation.target for relation in memory.graph.relations("aunt Maria")] == ["Seville"]


def test_a_friend_who_becomes_a_partner_is_one_person(memory: Memory) -> None:
    friend = said("my friend Ana", "Ana is User's friend", slot="friend", value="Ana", form="relation")
    partner = said("Ana and I are together", "Ana is User's partner", slot="partner", value="Ana", form="relation")
    talk(memory, MAY, "my friend Ana", "Ana and I are together")
    learn(memory, friend, partner)
    assert [entity.name for entity in memory.graph.entities()] == ["Ana"]


def test_an_archived_statement_is_replaced_too(memory: Memory) -> None:
    talk(memory, MAY, "Ingrid is my manager, she is strict", session="a")
    learn(memory, INGRID, DELE)
    [old] = memory.list(kinds=["fact"])
    memory.admin.archive(old.id)
    talk(memory, JUNE, "Dele's my boss now", session="b")
    learn(memory, INGRID, DELE)
    assert memory.get(old.id).state == "superseded"
    assert live(memory) == ["User's manager is Dele"]
