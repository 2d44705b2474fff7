"""Erased content does not come back by import or learning; what is said again is new."""

from __future__ import annotations

import pytest

from omoide import Memory
from omoide.errors import InvalidInput, NotFound
from tests.conftest import Ticking
from tests.store.erasure.planted_marker import marker_locations

AT = "2026-04-01T09:00:00+00:00"


def jobs_of_anna(memory: Memory) -> list[int]:
    """The facts that recall finds about Anna's work."""
    found = memory.recall("Anna nurse", limit=9)
    return [node.id for node in found if node.kind == "fact" and "nurse" in node.text]


def test_an_erased_fact_is_not_learned_again_from_a_kept_turn(memory: Memory, clock: Ticking) -> None:
    memory.observe("My sister Anna is a nurse.", session="s1", at=AT)
    memory.learn("s1")
    [fact] = jobs_of_anna(memory)
    memory.forget(fact)
    memory.observe("And I like tea.", session="s1", at="2026-04-01T09:05:00+00:00")
    memory.observe("Well, my sister Anna is a nurse.", session="old", at="2026-04-02T09:00:00+00:00")
    memory.observe("Once more: my sister Anna is a nurse.", session="old", at="2026-04-02T09:05:00+00:00")
    report = memory.learn("s1")
    report = memory.learn("old")
    refused = [entry for entry in report.entries if entry.verb == "refused"]
    assert [entry.why for entry in refused] == ["forgotten on request"]
    assert jobs_of_anna(memory) == []


def test_what_is_said_again_is_stored_and_learned(memory: Memory, clock: Ticking) -> None:
    turn = memory.observe("My sister Anna is a nurse.", session="s1")
    memory.learn("s1")
    [fact] = jobs_of_anna(memory)
    memory.forget([fact, turn.id])
    clock.advance(days=1)
    assert memory.observe("My sister Anna is a nurse.", session="s2").state == "live"
    memory.learn("s2")
    assert len(jobs_of_anna(memory)) == 1
    assert memory.remember("Anna works as a nurse").state == "live"


def test_an_import_continues_and_reports_refused_items(memory: Memory) -> None:
    turns = [{"text": f"turn {n} of many", "at": f"2026-04-01T09:{n // 60:02}:{n % 60:02}+00:00"} for n in range(1_000)]
    ids = [node.id for node in memory.observe_many(turns)]
    memory.forget(ids[10:20])
    again = memory.observe_many(turns)
    assert [node.id for node in again] == ids
    assert [node.state for node in again].count("erased") == 10
    assert memory.admin.id_states().erased == 10
    assert memory.stats().nodes == 990


def test_a_turn_with_an_erased_parent_is_stored_without_it(memory: Memory) -> None:
    parent = memory.observe("The plan")
    memory.forget(parent.id)
    assert memory.graph.links(memory.observe("A step", parent=parent.id).id) == []


def test_an_erased_key_is_refused(memory: Memory) -> None:
    stated = memory.remember("Otto is 40", key="k1")
    memory.forget(stated.id)
    again = memory.remember("Otto is 40", key="k1")
    assert (again.id, again.state) == (stated.id, "erased")
    assert memory.recall("Otto").texts == []


def test_an_old_statement_stays_erased_and_a_correction_raises(memory: Memory) -> None:
    old = memory.remember("Otto is 39", at=AT)
    stated = memory.remember("Otto is 40", at=AT)
    memory.forget(stated.id)
    assert memory.remember("otto is 40!", at=AT).state == "erased"
    assert memory.correct(old.id, "Otto is 40").state == "live"


def test_an_erased_id_is_reported_as_erased(memory: Memory) -> None:
    node = memory.observe("Tea at five.")
    memory.forget(node.id)
    with pytest.raises(NotFound, match="erased on request"):
        memory.get(node.id)
    with pytest.raises(NotFound, match="there is no memory"):
        memory.forget(999)


def test_forgetting_twice_gives_the_same_receipt(memory: Memory) -> None:
    node = memory.observe("Tea at five.")
    assert memory.forget(node.id) == memory.forget(node.id) == memory.admin.receipts()[0]
    assert len(memory.admin.receipts()) == 1


@pytest.mark.parametrize(
    "way", [{"session": "s"}, {"entity": "Zyxobon"}, {"origin": "user"}, {"before": "2027-01-01T00:00:00Z"}]
)
def test_forgetting_twice_by_a_name_gives_the_same_receipt(memory: Memory, way: dict[str, str], path: str) -> None:
    memory.graph.entity("Zyxobon", type="place")
    memory.observe("I was in Zyxobon.", session="s", at=AT)
    first = memory.forget(**way)  # type: ignore[call-overload]
    assert memory.forget(**way) == first == memory.admin.receipts()[0]  # type: ignore[call-overload]
    assert len(memory.admin.receipts()) == 1
    memory.graph.entity("Zyxobon", type="place")
    memory.observe("I was in Zyxobon, again.", session="s")
    assert memory.forget(**way).id != first.id  # type: ignore[call-overload]


def test_receipts_and_tombstones_contain_no_text(memory: Memory, path: str) -> None:
    node = memory.observe("A zyxomat hums.", session="zyxosession", key="zyxokey")
    memory.forget(session="zyxosession")
    assert memory.admin.receipts()[0].ids == (node.id,)
    assert marker_locations(path, "zyx") == []


def test_an_import_knows_erased_ulids(memory: Memory) -> None:
    gone, kept = memory.observe("one"), memory.observe("two")
    memory.forget(gone.id)
    assert memory._store.erasure.erased_ulids([gone.ulid, kept.ulid]) == {gone.ulid}


@pytest.mark.parametrize("given", [{}, {"id": 1, "session": "s"}, {"id": []}, {"id": "7"}, {"origin": "nobody"}])
def test_exactly_one_target_is_accepted(memory: Memory, given: dict[str, object]) -> None:
    memory.observe("Tea at five.", session="s")
    with pytest.raises(InvalidInput):
        memory.forget(**given)  # type: ignore[call-overload]
    assert memory.stats().nodes == 1


def test_a_query_erases_only_clear_matches(memory: Memory) -> None:
    memory.observe("The blue kangaroo hops.")
    memory.observe("A kangaroo sleeps.")
    gone = memory.forget(query="blue kangaroo", preview=True)
    assert [node.text for node in gone.nodes] == ["The blue kangaroo hops."]
    assert memory.forget(query="kangaroo", limit=1).ids != ()
    assert memory.stats().nodes == 1


def test_a_query_without_matches_erases_nothing(memory: Memory) -> None:
    memory.observe("Tea at five.")
    for way in ({"query": "kangaroo"}, {"origin": "import"}, {"before": AT}, {"session": "s"}, {"entity": "Otto"}):
        with pytest.raises(NotFound):
            memory.forget(**way)  # type: ignore[call-overload]
    assert memory.admin.receipts() == []


def test_an_erasure_with_a_clock_a_year_ahead_refuses_nothing_new(memory: Memory, clock: Ticking) -> None:
    memory.observe("My sister Anna is a nurse.", session="s1")
    memory.learn("s1")
    [fact] = jobs_of_anna(memory)
    clock.advance(days=365)
    memory.forget(fact, sources=True)
    clock.advance(days=-365)
    memory.observe("My sister Anna is a nurse.", session="s2")
    memory.learn("s2")
    assert len(jobs_of_anna(memory)) == 1
    assert memory.remember("Anna works as a nurse").state == "live"


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("My sister Anna is a nurse.", "2026-04-01T09:00:00+00:00"),
        ("my sister  ANNA is a nurse", "2026-04-01T09:00:00.250000+00:00"),
    ],
)
@pytest.mark.parametrize("session", ["s1", "s2", None])
def test_an_erased_turn_is_refused_with_rounded_time_or_other_punctuation(
    memory: Memory, text: str, at: str, session: str | None
) -> None:
    node = memory.observe("My sister Anna is a nurse.", session="s1", at="2026-04-01T09:00:00.250000+00:00")
    memory.forget(node.id)
    assert memory.observe(text, session=session, at=at).state == "erased"


def test_a_turn_of_an_erased_session_is_refused_at_any_older_time(memory: Memory, clock: Ticking) -> None:
    memory.observe("My sister Anna is a nurse.", session="s1", at=AT)
    memory.forget(session="s1")
    assert memory.observe("my sister anna is a nurse", session="s1", at="2026-04-01T11:00:00+00:00").state == "erased"
    assert memory.observe("My sister Anna is a nurse.", session="s2", at="2026-04-01T11:00:00+00:00").state == "live"
    assert memory.observe("My sister Anna is a nurse.", session="s1").state == "live"


def test_a_fact_of_an_erased_session_is_learned_only_from_newer_turns(memory: Memory, clock: Ticking) -> None:
    memory.observe("My sister Anna is a nurse.", session="s1", at=AT)
    memory.learn("s1")
    memory.forget(session="s1")
    memory.observe("Well, my sister Anna is a nurse.", session="old", at="2026-04-02T09:00:00+00:00")
    memory.learn("old")
    assert jobs_of_anna(memory) == []
    clock.advance(days=1)
    memory.observe("My sister Anna is a nurse.", session="new")
    memory.learn("new")
    assert len(jobs_of_anna(memory)) == 1
