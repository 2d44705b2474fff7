"""The common verbs, with the exact arithmetic of the source designs."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from omoide import Memory
from omoide.domain.kinds import Episode, Fact, Preference
from omoide.errors import InvalidInput, NotFound
from tests.conftest import NOW, Ticking


def test_a_corrected_fact_is_no_longer_recalled_but_can_still_be_explained(memory: Memory) -> None:
    old = memory.remember("Otto lives in São Paulo")
    new = memory.correct(old.id, "Otto lives in Berlin")
    assert memory.recall("Where does Otto live?").texts == ["Otto lives in Berlin"]
    assert [version.node.id for version in memory.history(new.id)] == [old.id, new.id]
    assert memory.get(old.id).state == "superseded"


def test_the_text_of_a_superseded_fact_leads_to_its_successor(memory: Memory) -> None:
    old = memory.remember("Otto lives in São Paulo")
    memory.correct(old.id, "Otto lives in Berlin")
    found = memory.recall("São Paulo")
    assert found.texts == ["Otto lives in Berlin"]
    assert "returned instead" in found.trace.dropped[old.id]


def test_a_correction_keeps_the_fields_that_its_text_supports(memory: Memory) -> None:
    old = memory.remember("Otto lives in São Paulo", subject="Otto", predicate="located_in", object="São Paulo")
    new = memory.correct(old.id, "Otto lives in Berlin")
    assert isinstance(new, Fact)
    assert (new.subject, new.predicate, new.object) == ("Otto", "located_in", None)
    assert new.source_type == "corrected"


def test_only_a_live_memory_can_be_corrected_and_the_error_names_its_successor(memory: Memory) -> None:
    old = memory.remember("Otto lives in São Paulo")
    new = memory.correct(old.id, "Otto lives in Berlin")
    with pytest.raises(InvalidInput, match=f"correct its successor {new.id}"):
        memory.correct(old.id, "Otto lives in Rome")


def test_reinforce_adds_three_and_demote_takes_one(memory: Memory) -> None:
    node = memory.remember("The payment API signs without the trailing empty string")
    assert memory.review.reinforce(node.id).score == 3
    assert [memory.review.demote(node.id).score for _ in range(3)] == [2, 1, 0]


def test_reinforcing_resets_the_recency_clock_and_demoting_does_not(memory: Memory) -> None:
    node = memory.remember("The payment API signs without the trailing empty string")
    hit = memory.review.reinforce(node.id).last_hit_at
    assert hit is not None
    assert memory.review.demote(node.id).last_hit_at == hit


def test_confirming_makes_certain_and_protects_from_decay(memory: Memory, clock: Ticking) -> None:
    node = memory.remember("Otto likes tea", confidence=0.6, source_type="inferred")
    confirmed = memory.review.confirm(node.id)
    assert (confirmed.confidence, confirmed.decay_rate) == (1.0, 0.0)
    assert confirmed.effective_confidence(NOW + timedelta(days=3650)) == 1.0


def test_an_inferred_memory_decays_by_the_closed_form(memory: Memory) -> None:
    node = memory.remember("It rained all day", confidence=1.0, source_type="inferred")
    after = node.effective_confidence(node.recorded_at + timedelta(days=10))
    assert after == pytest.approx(0.53208, abs=1e-5)  # exp(−0.1 · 10^0.8)


def test_an_update_keeps_the_score_and_the_earlier_text(memory: Memory) -> None:
    node = memory.remember("The build needs Node 18", tags=["build"])
    memory.review.reinforce(node.id)
    updated = memory.review.update(node.id, "The build needs Node 22", tags=["build", "node"])
    assert (updated.id, updated.score, updated.tags) == (node.id, 3, ("build", "node"))
    assert memory.recall("Node 22").texts == ["The build needs Node 22"]
    changes = memory.history(node.id)[0].changes
    assert changes[-1]["before"]["text"] == "The build needs Node 18"


def test_the_text_of_an_episode_cannot_change(memory: Memory) -> None:
    turn = memory.observe("I live in Rome")
    with pytest.raises(InvalidInput, match="what was said stays"):
        memory.review.update(turn.id, "I live in Paris")
    with pytest.raises(InvalidInput, match="what happened, happened"):
        memory.correct(turn.id, "I live in Paris")


def test_a_preference_stated_again_grows_stronger(memory: Memory) -> None:
    said: dict[str, Any] = {"kind": "preference", "category": "tools", "name": "package_manager", "value": "pnpm"}
    first = memory.remember("Use pnpm", strength=0.9, **said)
    again = memory.remember("Use pnpm", strength=0.9, **said)
    assert isinstance(again, Preference)
    assert (again.id, again.evidence_count) == (first.id, 2)
    assert again.strength == pytest.approx(0.92)  # s + (1 − s)·0.2


def test_a_preference_with_another_value_replaces_the_old_one(memory: Memory) -> None:
    said: dict[str, Any] = {"kind": "preference", "category": "tools", "name": "package_manager"}
    old = memory.remember("Use npm", value="npm", **said)
    new = memory.remember("Use pnpm", value="pnpm", **said)
    assert memory.get(old.id).state == "superseded"
    assert [version.node.id for version in memory.history(new.id)] == [old.id, new.id]


def test_a_link_can_be_made_from_either_end(memory: Memory) -> None:
    a, b = memory.remember("Tests run first"), memory.remember("Run the contract tests first")
    edge = memory.graph.link(a.id, b.id, "superseded_by")
    assert (edge.source_id, edge.target_id, edge.type) == (b.id, a.id, "supersedes")


def test_linking_again_renews_the_link(memory: Memory) -> None:
    a, b = memory.remember("one"), memory.remember("two")
    memory.graph.link(a.id, b.id, "related_to", weight=0.5)
    memory.graph.link(a.id, b.id, "related_to", weight=0.8)
    assert [edge.weight for edge in memory.graph.links(a.id)] == [0.8]


def test_an_unknown_link_type_is_refused_with_a_suggestion(memory: Memory) -> None:
    a, b = memory.remember("one"), memory.remember("two")
    with pytest.raises(InvalidInput, match="did you mean 'contradicts'"):
        memory.graph.link(a.id, b.id, "contradict")


def test_an_entity_is_found_by_any_of_its_names(memory: Memory) -> None:
    memory.graph.entity("Otto", type="person", aliases=["coringa_dfato", "@coringa"], timezone="America/Sao_Paulo")
    found = memory.graph.entity("CORINGA")
    assert (found.name, found.type, found.attributes["timezone"]) == ("Otto", "person", "America/Sao_Paulo")


def test_an_unknown_entity_is_not_found(memory: Memory) -> None:
    with pytest.raises(NotFound, match="Nobody"):
        memory.graph.entity("Nobody")


def test_a_turn_that_names_an_entity_counts_as_a_mention(memory: Memory) -> None:
    memory.graph.entity("Vercel", type="tool")
    memory.observe("Deploy it to Vercel, please")
    assert memory.graph.entity("Vercel").mention_count == 2


def test_a_new_entity_is_linked_to_earlier_turns_that_name_it(memory: Memory) -> None:
    turn = memory.observe("We moved everything to Vercel Edge last night")
    memory.graph.entity("Vercel Edge", type="tool")
    assert [hit.id for hit in memory.recall("anything", subject="vercel edge")] == []
    assert turn.id in [hit.id for hit in memory.recall("moved", subject="Vercel Edge")]


def test_relating_creates_unknown_entities_and_renews_a_known_relation(memory: Memory) -> None:
    memory.graph.relate("Otto", "works_at", "CompanyX", confidence=0.8)
    memory.graph.relate("Otto", "works_at", "CompanyX", confidence=0.9, since="2024")
    (relation,) = memory.graph.relations("otto")
    assert (relation.source, relation.type, relation.target) == ("Otto", "works_at", "CompanyX")
    assert (relation.confidence, relation.properties) == (0.9, {"since": "2024"})


def test_a_location_is_a_place(memory: Memory) -> None:
    assert memory.graph.entity("Berlin", type="location").type == "place"


def test_stats_count_everything(memory: Memory) -> None:
    memory.observe("Hello there", session="s1")
    memory.observe("Hello yourself", role="agent", session="s1")
    memory.remember("It rained all day")
    stats = memory.stats()
    assert stats.by_kind == {"episode": 2, "fact": 1}
    assert stats.by_layer == {"episodic": 2, "semantic": 1}
    assert stats.by_edge_type == {"temporal": 1}
    assert (stats.sessions, stats.open_sessions, stats.orphans) == (1, 1, 1)


def test_a_memory_without_a_file_works_and_leaves_none() -> None:
    with Memory(":memory:", embedder=None) as memory:
        memory.observe("Nothing is written to disk")
        assert memory.recall("disk").texts == ["Nothing is written to disk"]
        assert all(finding.ok for finding in memory.admin.doctor())


def test_recall_as_of_a_past_time_returns_what_was_believed_then(memory: Memory, clock: Ticking) -> None:
    old = memory.remember("Otto lives in São Paulo")
    then = old.recorded_at + timedelta(hours=1)
    clock.advance(days=30)
    memory.correct(old.id, "Otto lives in Berlin")
    assert memory.recall("Where does Otto live?", as_of=then).texts == ["Otto lives in São Paulo"]
    assert memory.recall("Where does Otto live?", as_of=old.recorded_at - timedelta(days=1)).texts == []


def test_an_episode_keeps_every_field_it_was_given(memory: Memory) -> None:
    parent = memory.observe("Deploy the app", session="s1")
    at = datetime(2026, 2, 10, 12, tzinfo=UTC)
    turn = memory.observe(
        "vercel --prod finished",
        role="tool:shell",
        session="s1",
        at=at,
        type="action",
        tags=["deployment", "vercel"],
        outcome="success",
        parent=parent.id,
        details={"exit": 0},
        task="task-042",
    )
    kept = memory.get(turn.id)
    assert isinstance(kept, Episode)
    assert (kept.type, kept.outcome, kept.role, kept.origin) == ("action", "success", "tool:shell", "tool:shell")
    assert (kept.event_at, kept.details, kept.task_id) == (at, {"exit": 0}, "task-042")
    assert [edge.target_id for edge in memory.graph.links(turn.id) if edge.type == "part_of"] == [parent.id]
    assert kept == turn


def test_a_correction_with_one_field_keeps_the_others(memory: Memory) -> None:
    old = memory.remember(
        "Use tabs", kind="preference", category="formatting", name="indent", value="tabs", strength=0.9
    )
    new = memory.correct(old.id, "Use spaces", value="spaces")
    assert isinstance(new, Preference)
    assert (new.category, new.name, new.value, new.strength) == ("formatting", "indent", "spaces", 0.9)


def test_a_field_that_the_new_text_contradicts_is_dropped(memory: Memory) -> None:
    old = memory.remember("Use tabs", kind="preference", category="formatting", name="indent", value="tabs")
    new = memory.correct(old.id, "Use spaces")
    assert isinstance(new, Preference)
    assert new.value is None


def test_a_correction_leaves_no_gap_in_time_and_keeps_details(memory: Memory) -> None:
    old = memory.remember("Otto lives in Rome", details={"said": "at lunch"}, origin="agent")
    new = memory.correct(old.id, "Otto lives in Berlin", at=NOW, origin="agent")
    assert memory.get(old.id).valid_until == NOW == new.valid_from
    assert (new.details, new.origin) == ({"said": "at lunch"}, "agent")


def test_a_preference_restated_as_sensitive_becomes_sensitive(memory: Memory) -> None:
    said: dict[str, Any] = {"kind": "preference", "name": "diet", "value": "no sugar"}
    memory.remember("No sugar", tags=["food"], **said)
    again = memory.remember("No sugar", sensitive=True, tags=["health"], **said)
    assert (again.sensitive, again.tags) == (True, ("food", "health"))
    assert memory.context("what may I eat?").markdown == ""


def test_an_update_changes_the_entities_of_a_memory(memory: Memory) -> None:
    memory.graph.entity("Otto", type="person")
    memory.graph.entity("Berta", type="person")
    node = memory.remember("Otto likes chess")
    memory.review.update(node.id, "Berta likes chess")
    assert [hit.id for hit in memory.recall("chess", subject="Berta")] == [node.id]
    assert memory.recall("chess", subject="Otto").hits == ()


def test_recall_as_of_a_past_time_returns_the_earlier_text(memory: Memory, clock: Ticking) -> None:
    node = memory.remember("The build needs Node 18", tags=["build"])
    then = node.recorded_at + timedelta(hours=1)
    clock.advance(days=1)
    memory.review.update(node.id, "The build needs Node 22")
    assert memory.recall("what does the build need?", as_of=then).texts == ["The build needs Node 18"]


def test_a_fact_that_has_ended_is_not_recalled(memory: Memory) -> None:
    memory.remember("Otto works at CompanyX", valid_until=datetime(2020, 1, 1, tzinfo=UTC))
    assert memory.recall("where does Otto work?").hits == ()


def test_a_supersedes_link_makes_the_old_memory_superseded(memory: Memory) -> None:
    old, new = memory.remember("Run npm test"), memory.remember("Run pnpm test")
    memory.graph.link(new.id, old.id, "supersedes")
    assert memory.get(old.id).state == "superseded"
    with pytest.raises(InvalidInput, match="are already versions of each other"):
        memory.graph.link(old.id, new.id, "supersedes")


def test_the_key_of_an_event_is_not_the_key_of_a_fact(memory: Memory) -> None:
    turn = memory.observe("I like tea", key="k1")
    fact = memory.remember("Otto likes tea", key="k1")
    assert turn.id != fact.id
    assert memory.remember("Otto likes tea", key="k1").id == fact.id


def test_records_print_on_one_short_line(memory: Memory) -> None:
    memory.graph.entity("Otto", type="person")
    records = [
        memory.observe("word " * 500, session="s1"),
        memory.remember("Otto lives in Berlin"),
        memory.graph.relate("Otto", "works_at", "CompanyX"),
        memory.graph.entity("Otto"),
        memory.session("s1"),
        memory.recall("Otto"),
        memory,
    ]
    assert all(len(repr(each).splitlines()) == 1 and len(repr(each)) <= 160 for each in records)
    assert repr(records[1]) == "Fact(2, 'Otto lives in Berlin')"
