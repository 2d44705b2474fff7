"""Narratives: sentences that sum up sessions, chained in the order of time."""

from __future__ import annotations

import json

import apsw
import pytest
from hypothesis import given
from hypothesis import strategies as st

from omoide import Memory, settings
from omoide.errors import InvalidInput, NotFound
from omoide.maintain import learning_jobs
from omoide.maintain.job import JobContext
from omoide.providers.protocols import Completion, CompletionRequest, TokenPrice
from tests.conftest import Open, contents, counted, ticking, unsound
from tests.narrative.talks import BILLING, GARDEN, talk


def test_turns_since_the_last_narrative_become_one_sentence_with_a_topic(memory: Memory) -> None:
    turns = talk(memory, "monday")
    told = memory.narrative.write()
    assert told is not None
    assert told.kind == "narrative"
    assert told.text.startswith("User: I decided to move the billing database to Postgres.")
    assert told.attributes["topic"] == "billing database migration"
    assert told.event_at == turns[-1].event_at
    found = memory.narrative.get(turns[3].id)
    assert found is not None
    assert found.narrative.id == told.id
    assert found.nodes == tuple(turn.id for turn in turns)


def test_writing_a_narrative_twice_at_the_same_point_changes_nothing(memory: Memory, path: str) -> None:
    talk(memory, "monday")
    first = memory.narrative.write()
    before = contents(path)
    assert memory.narrative.write() == first
    assert contents(path) == before


def test_an_agent_can_write_a_narrative_once_in_its_own_words(memory: Memory) -> None:
    talk(memory, "monday")
    told = memory.narrative.write("Billing moves to Postgres; the deploy is planned.", topic="billing")
    again = memory.narrative.write("Billing moves to Postgres; the deploy is planned.", topic="billing")
    assert told is not None
    assert again is not None
    assert (told.id, told.origin, told.source_type) == (again.id, "agent", "narrative")
    assert [node.id for node in memory.narrative.list()] == [told.id]


def test_the_chain_is_walked_both_ways_across_sessions(memory: Memory) -> None:
    first, second, third = (talk(memory, name, BILLING)[0].id for name in ("one", "two", "three"))
    told = {name: memory.narrative.write(session=name) for name in ("one", "two", "three")}
    middle = memory.narrative.get(second)
    assert middle is not None
    assert middle.previous == told["one"]
    assert middle.next == told["three"]
    beginning, end = memory.narrative.get(first), memory.narrative.get(third)
    assert beginning is not None
    assert beginning.previous is None
    assert beginning.next == told["two"]
    assert end is not None
    assert end.next is None


def test_each_channel_has_a_chain_of_its_own(memory: Memory) -> None:
    talk(memory, "cli one", channel="cli")
    talk(memory, "phone one", GARDEN, channel="phone")
    talk(memory, "cli two", channel="cli")
    one, phone, two = (memory.narrative.write(session=name) for name in ("cli one", "phone one", "cli two"))
    assert one is not None
    assert phone is not None
    assert two is not None
    found, other = memory.narrative.get(two.id), memory.narrative.get(phone.id)
    assert found is not None
    assert found.previous == one
    assert other is not None
    assert other.previous is None
    assert other.next is None


def test_a_late_narrative_is_inserted_between_its_neighbours(memory: Memory) -> None:
    for name in ("one", "two", "three"):
        talk(memory, name)
    one, three = memory.narrative.write(session="one"), memory.narrative.write(session="three")
    two = memory.narrative.write(session="two")
    assert one is not None
    assert two is not None
    assert three is not None
    found = memory.narrative.get(two.id)
    assert found is not None
    assert found.previous == one
    assert found.next == three
    assert [node.id for node in memory.narrative.list()] == [three.id, two.id, one.id]


def test_a_given_narrative_may_be_followed_instead(memory: Memory) -> None:
    first = memory.narrative.write("The move was planned.")
    memory.narrative.write("Lunch was eaten.")
    assert first is not None
    third = memory.narrative.write("The move was made.", previous=first.id)
    assert third is not None
    found = memory.narrative.get(third.id)
    assert found is not None
    assert found.previous == first
    with pytest.raises(InvalidInput, match="is not a narrative"):
        memory.narrative.write("x", previous=memory.remember("Otto lives in Berlin").id)


def test_a_narrative_connects_the_given_memories(memory: Memory) -> None:
    fact = memory.remember("The staging server is down")
    told = memory.narrative.write("The deploy waits for the staging server.", nodes=[fact.id])
    assert told is not None
    assert [(edge.target_id, edge.type) for edge in memory.graph.links(told.id)] == [(fact.id, "derived_from")]
    found = memory.narrative.get(fact.id)
    assert found is not None
    assert found.narrative.id == told.id
    with pytest.raises(NotFound):
        memory.narrative.write("x", nodes=[999])


def test_what_was_learned_belongs_to_the_narrative_of_its_turn(memory: Memory) -> None:
    memory.observe("My name is Otto and I live in Berlin.", session="monday")
    memory.end("monday")
    memory.learn()
    memory.narrative.write()
    fact = next(hit.node for hit in memory.recall("Where does Otto live?", kinds=["fact"]))
    found = memory.narrative.get(fact.id)
    assert found is not None
    assert found.narrative.session == "monday"


def test_a_memory_stored_outside_of_any_session_belongs_to_the_one_that_was_active(memory: Memory) -> None:
    told = memory.narrative.write("The move is being planned.")
    fact = memory.remember("The new flat has three rooms")
    found = memory.narrative.get(fact.id)
    assert found is not None
    assert found.narrative == told
    assert memory.narrative.get(memory.remember("Otto likes tea", session="other").id) is None


def test_a_live_session_writes_a_narrative_when_the_topic_changes_and_when_it_ends(memory: Memory) -> None:
    with memory.live("monday") as live:
        for said, reply in zip(BILLING[::2], BILLING[1::2], strict=True):
            live.before(said)
            live.after(reply)
        assert memory.narrative.list() == []
        prompt = live.before("By the way, which tomato plants want little sun?")
        assert "topic" in prompt.triggers
        assert [node.attributes["topic"] for node in memory.narrative.list()] == ["billing database migration"]
        live.after("I recommend two cherry tomato plants.")
    told = memory.narrative.list()
    assert [node.attributes["topic"] for node in told] == ["tomato plants", "billing database migration"]
    assert memory.narrative.write() == told[0]


def test_a_brief_remark_does_not_become_a_narrative(memory: Memory) -> None:
    live = memory.live("monday")
    live.before("I decided to move the billing database to Postgres.")
    live.after("I will prepare the migration of the billing database.")
    assert "topic" in live.before("By the way, which tomato plants want little sun?").triggers
    assert memory.narrative.list() == []


def test_the_maintenance_job_writes_missing_narratives_once(memory: Memory, path: str) -> None:
    talk(memory, "monday", channel="cli")
    talk(memory, "tuesday", GARDEN, channel="cli")  # closes the one before

    def nightly(dry_run: bool = False) -> list[str]:
        upkeep = JobContext(
            store=memory._store, settings=settings.make_settings(), now=memory._core.clock(), dry_run=dry_run
        )
        return [step.why for step in learning_jobs.NARRATIVES_JOB.run(upkeep)]

    before = contents(path)
    assert nightly(dry_run=True) == ["monday"]
    assert contents(path) == before
    assert (nightly(), nightly()) == (["monday"], [])


def test_recall_finds_narratives_only_by_kind_while_their_turns_are_live(memory: Memory) -> None:
    talk(memory, "monday")
    told = memory.narrative.write()
    assert told is not None
    assert [hit.id for hit in memory.recall("billing database", kinds=["narrative"])] == [told.id]
    assert {hit.node.kind for hit in memory.recall("billing database")} == {"episode"}
    memory.narrative.write("The billing database was a headache.")
    assert {hit.node.kind for hit in memory.recall("billing headache")} == {"episode", "narrative"}


def test_erasing_a_turn_erases_the_narrative_that_tells_about_it(memory: Memory, path: str) -> None:
    turns = talk(memory, "monday")
    first = memory.narrative.write()
    memory.narrative.write("Billing goes to Postgres.")
    memory.forget(turns[0].id)
    (told,) = memory.narrative.list()
    assert first is not None
    assert told.id == first.id  # told again from the other turns
    assert "Postgres" not in told.text
    assert unsound(memory) == []
    memory.close()
    with open(path, "rb") as file:
        assert b"decided to move" not in file.read()


def test_a_narrative_is_as_private_as_its_sources(memory: Memory) -> None:
    talk(memory, "shared", audience="shared")
    shared = memory.narrative.write(session="shared")
    talk(memory, "mixed", audience="shared")
    memory.observe("My salary is 5,000 and that stays between us.", session="mixed")
    mixed = memory.narrative.write(session="mixed")
    talk(memory, "sensitive", GARDEN)
    memory.observe("I decided to see a doctor about my heart.", session="sensitive", sensitive=True)
    made = memory.narrative.write(session="sensitive")
    own = memory.narrative.write("They talked of plants and of the heart.", session="sensitive")
    assert shared is not None
    assert mixed is not None
    assert made is not None
    assert own is not None
    assert (shared.audience, mixed.audience) == ("shared", "private")
    assert not made.sensitive
    assert "heart" not in made.text
    assert [node.id for node in memory.narrative.list(audience="shared")] == [shared.id]


def test_secrets_are_redacted_and_our_own_packs_are_not_fed_back(memory: Memory) -> None:
    memory.remember("Otto lives in Berlin")
    pack = memory.context("Where does Otto live?").markdown
    told = memory.narrative.write(f"Token ghp_{'a1B2' * 9} was used. {pack}")
    assert told is not None
    assert "ghp_" not in told.text
    assert "lives in Berlin" not in told.text


class Worded:
    """A model that says one thing."""

    name = "worded"

    def __init__(self, text: str) -> None:
        self.text = text
        self.operations: list[str] = []

    def price(self, operation: str) -> TokenPrice:
        return TokenPrice(0, 0)

    def complete(self, request: CompletionRequest) -> Completion:
        self.operations.append(request.operation)
        return Completion(text=json.dumps({"summaries": [{"summary": self.text, "quotes": []}]}), model="worded")


def test_a_language_model_writes_the_narrative_if_there_is_one(opened: Open) -> None:
    model = Worded("The billing database was to move to Postgres, with a deploy on Friday.")
    memory = opened(language_model=model)
    talk(memory, "monday")
    told = memory.narrative.write()
    assert told is not None
    assert (told.text, told.details) == (model.text, {"worded": "by worded"})
    assert model.operations == ["summarise"]


def test_an_invented_narrative_is_refused_and_rules_write_it(opened: Open) -> None:
    memory = opened(language_model=Worded("Zaphod moved the database to Magrathea in 1979."))
    talk(memory, "monday")
    told = memory.narrative.write()
    assert told is not None
    assert told.text.startswith("User: I decided to move")


def test_without_turns_there_is_no_narrative(memory: Memory) -> None:
    assert memory.narrative.write() is None
    memory.observe("ok", session="monday")
    assert memory.narrative.write() is None
    with pytest.raises(NotFound):
        memory.narrative.write(session="nowhere")


def test_the_view_contains_the_chain_of_narratives(memory: Memory, path: str) -> None:
    one, two = memory.narrative.write("One.", topic="a"), memory.narrative.write("Two.")
    assert one is not None
    assert two is not None
    db = apsw.Connection(path, apsw.SQLITE_OPEN_READONLY)
    assert list(db.execute("SELECT content, topic, previous_id FROM narratives ORDER BY id")) == [
        ("One.", "a", None),
        ("Two.", None, one.id),
    ]


@given(st.lists(st.tuples(st.sampled_from("abc"), st.integers(1, 3), st.booleans()), max_size=8))
def test_any_order_of_turns_and_narratives_makes_one_chain_with_every_turn(
    said: list[tuple[str, int, bool]],
) -> None:
    with Memory(":memory:", embedder=None, clock=ticking(), ids=counted()) as memory:
        for session, count, tells in said:
            for _ in range(count):
                memory.observe("We decided to paint the fence green and to buy two brushes.", session=session)
            if tells:
                memory.narrative.write(session=session)
        for session in {session for session, _, _ in said}:
            memory.narrative.write(session=session)
        told = memory.narrative.list(100)
        passages = [found for node in told if (found := memory.narrative.get(node.id)) is not None]
        assert [found.previous for found in passages[:-1]] == told[1:]
        assert [found.next for found in passages[1:]] == told[:-1]
        turns = [id for found in passages for id in found.nodes]
        assert sorted(turns) == sorted(set(turns))
        assert len(turns) == sum(count for _, count, _ in said)
