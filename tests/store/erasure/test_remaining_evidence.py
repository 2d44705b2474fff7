"""Memories with other evidence are derived again, superseded ones are reinstated, the rest is erased."""

from __future__ import annotations

from omoide import Memory
from tests.conftest import Open, unsound
from tests.store.erasure.planted_marker import marker_locations


def said(memory: Memory, text: str, session: str, day: int) -> int:
    node = memory.observe(text, session=session, at=f"2026-04-{day:02}T09:00:00+00:00")
    memory.end(session)
    return node.id


def only(memory: Memory, kind: str) -> list[str]:
    return [node.text for node in memory.recall("Anna Berlin tea pnpm nurse", limit=50, kinds=[kind])]


def test_a_fact_with_another_source_stays_without_the_erased_quote(memory: Memory) -> None:
    first = said(memory, "My sister Anna is a nurse, quoth the raven.", "s1", 1)
    second = said(memory, "As I said, my sister Anna is a nurse.", "s2", 2)
    memory.learn()
    fact = next(
        node for node in memory.recall("Anna nurse", limit=9) if "is a nurse" in node.text and node.kind == "fact"
    )
    assert len(memory.explain(fact.id).evidence) == 2
    receipt = memory.forget(first)
    assert fact.id in receipt.rederived
    kept = memory.explain(fact.id)
    assert [each.episode.id for each in kept.evidence] == [second]
    assert kept.node.session == "s2"
    assert kept.node.event_at == memory.get(second).event_at
    assert unsound(memory) == []


def test_a_preference_gets_the_strength_of_its_remaining_evidence(memory: Memory) -> None:
    said(memory, "Always use pnpm, not npm.", "s1", 1)
    memory.learn()
    (alone,) = memory.recall("pnpm", limit=9, kinds=["preference"])
    before = memory.get(alone.id)
    again = said(memory, "Use pnpm, not npm!", "s2", 2)
    memory.learn()
    stronger = memory.get(alone.id)
    assert stronger.attributes["evidence_count"] == 2
    memory.forget(again)
    after = memory.get(alone.id)
    assert after.attributes["evidence_count"] == 1
    assert after.attributes["strength"] == before.attributes["strength"] < stronger.attributes["strength"]


def test_an_entity_summary_goes_only_if_it_repeats_erased_facts(memory: Memory, path: str) -> None:
    secret = memory.observe("The zyxomat is in the cellar.", session="s").id
    plain = memory.observe("The garden is green in May.", session="s").id
    telling = memory.remember(
        "In May the garden is green and a zyxomat is in the cellar", kind="narrative", sources=[secret, plain]
    )
    silent = memory.remember("The garden is green", kind="narrative", sources=[secret, plain])
    receipt = memory.forget(secret)
    assert telling.id in receipt.ids
    assert receipt.rederived == (silent.id,)
    assert marker_locations(path, "zyxomat") == []


def test_the_predecessor_of_an_erased_fact_is_reinstated(memory: Memory) -> None:
    old = memory.remember("Otto lives in Rome", subject="Otto", predicate="lives_in", object="Rome")
    new = memory.correct(old.id, "Otto lives in Berlin")
    (again,) = memory.forget(new.id, preview=True).reinstated
    assert (again.id, again.state, again.valid_until) == (old.id, "live", None)  # as it would be
    assert memory.get(old.id).state == "superseded"
    assert memory.forget(new.id).reinstated == (old.id,)
    assert memory.get(old.id).state == "live"
    assert memory.get(old.id).valid_until is None
    assert memory.recall("Where does Otto live?").texts == ["Otto lives in Rome"]


def test_a_chain_of_versions_is_joined_across_an_erased_one(memory: Memory) -> None:
    first = memory.remember("Otto lives in Rome")
    middle = memory.correct(first.id, "Otto lives in Oslo")
    last = memory.correct(middle.id, "Otto lives in Berlin")
    assert memory.forget(middle.id).reinstated == ()
    assert [version.node.id for version in memory.history(last.id)] == [first.id, last.id]
    assert memory.get(first.id).state == "superseded"


def test_turns_are_linked_across_an_erased_turn(memory: Memory) -> None:
    before, gone, after = (memory.observe(text, session="s").id for text in ("one", "two", "three"))
    memory.forget(gone)
    assert [(edge.source_id, edge.target_id) for edge in memory.graph.links(after) if edge.type == "temporal"] == [
        (before, after)
    ]
    assert memory.session("s").episode_count == 2


def test_a_receipt_lists_what_still_states_the_fact_and_sources_erases_it(memory: Memory) -> None:
    episode = said(memory, "My sister Anna is a nurse.", "s1", 1)
    memory.learn()
    fact = next(
        node.id for node in memory.recall("Anna nurse", limit=9) if "is a nurse" in node.text and node.kind == "fact"
    )
    assert [node.id for node in memory.forget(fact, preview=True).still_stated] == [episode]
    receipt = memory.forget(fact, sources=True)
    assert episode in receipt.ids
    assert receipt.still_stated == ()


def test_equal_text_of_another_node_stays(memory: Memory) -> None:
    one, other = memory.observe("Tea at five."), memory.observe("Tea at five.")
    receipt = memory.forget(one.id)
    assert receipt.still_stated == (other.id,)
    assert memory.recall("tea").texts == ["Tea at five."]


def test_a_mentioned_entity_stays_without_erased_alias_and_summary(memory: Memory, path: str) -> None:
    memory.observe("Anna plays chess with Tom.", session="a")
    memory.graph.entity("Anna", type="person", aliases=["Zyxi"], description="A zyxomancer")
    gone = memory.observe("Zyxi is a zyxomancer.", session="b")
    memory.forget(gone.id)
    assert memory.graph.entity("Anna").aliases == ()
    assert memory.graph.entity("Anna").description is None
    assert marker_locations(path, "zyx") == []


def test_a_corrected_procedure_loses_erased_words(memory: Memory, path: str) -> None:
    taught = said(memory, "To deploy: 1. run the zyxotests 2. build it with npm 3. call Tom", "s1", 1)
    memory.learn()
    said(memory, "Always use pnpm, not npm.", "s2", 2)
    memory.learn()
    assert any("with pnpm" in node.text for node in memory.recall("deploy", limit=9, kinds=["procedure"]))
    memory.forget(taught)
    assert marker_locations(path, "zyxotest") == []
    assert only(memory, "preference")


def test_vectors_are_erased_too(opened: Open) -> None:
    from omoide.providers.hashing import HashingEmbedder

    memory, other = opened(embedder=HashingEmbedder()), opened(embedder=HashingEmbedder())
    gone = memory.observe("A zyxomat hums in the cellar.")
    memory.observe("The garden is green.")
    memory.flush()
    assert memory.recall("zyxomat hums").texts
    assert other.recall("zyxomat hums").texts
    receipt = memory.forget(gone.id)
    assert receipt.counts["vectors"] == 1
    assert (
        "A zyxomat hums in the cellar." not in memory.recall("zyxomat hums").texts + other.recall("zyxomat hums").texts
    )


def test_a_preview_shows_rederived_memories_as_they_will_read(memory: Memory) -> None:
    gone = memory.observe("I live in Berlin with my zyxomat.", session="a", at="2026-04-01T09:00:00+00:00")
    memory.observe("I live in Berlin.", session="b", at="2026-04-02T09:00:00+00:00")
    memory.learn()
    stays = memory.forget(gone.id, preview=True).rederived
    memory.forget(gone.id)
    assert [node.text for node in stays] == [memory.get(node.id).text for node in stays]
