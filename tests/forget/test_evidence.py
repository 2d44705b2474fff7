"""What has other evidence stays, derived from that; what was replaced holds again; the rest goes."""

from __future__ import annotations

from omoide import Memory
from tests.conftest import Open, unsound
from tests.forget.planted import places


def said(memory: Memory, text: str, session: str, day: int) -> int:
    node = memory.observe(text, session=session, at=f"2026-04-{day:02}T09:00:00+00:00")
    memory.end(session)
    return node.id


def only(memory: Memory, kind: str) -> list[str]:
    return [node.text for node in memory.recall("Anna Berlin tea pnpm nurse", limit=50, kinds=[kind])]


def test_a_fact_that_another_turn_says_too_stays_without_the_quote_that_went(memory: Memory) -> None:
    first = said(memory, "My sister Anna is a nurse, quoth the raven.", "s1", 1)
    second = said(memory, "As I said, my sister Anna is a nurse.", "s2", 2)
    memory.learn()
    fact = next(node for node in memory.recall("Anna nurse", limit=9) if "works as" in node.text)
    assert len(memory.explain(fact.id).evidence) == 2
    receipt = memory.forget(first)
    assert fact.id in receipt.rederived
    kept = memory.explain(fact.id)
    assert [each.episode.id for each in kept.evidence] == [second]
    assert kept.node.session == "s2"
    assert kept.node.event_at == memory.get(second).event_at
    assert unsound(memory) == []


def test_a_preference_is_as_strong_as_what_is_left_makes_it(memory: Memory) -> None:
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


def test_a_summary_that_tells_what_went_goes_too_and_one_that_does_not_stays(memory: Memory, path: str) -> None:
    secret = memory.observe("The zyxomat is in the cellar.", session="s").id
    plain = memory.observe("The garden is green in May.", session="s").id
    telling = memory.remember(
        "In May the garden is green and a zyxomat is in the cellar", kind="narrative", sources=[secret, plain]
    )
    silent = memory.remember("The garden is green", kind="narrative", sources=[secret, plain])
    receipt = memory.forget(secret)
    assert telling.id in receipt.ids
    assert receipt.rederived == (silent.id,)
    assert places(path, "zyxomat") == []


def test_what_an_erased_fact_had_replaced_holds_again(memory: Memory) -> None:
    old = memory.remember("Otto lives in Rome", subject="Otto", predicate="lives_in", object="Rome")
    new = memory.correct(old.id, "Otto lives in Berlin")
    (again,) = memory.forget(new.id, preview=True).reinstated
    assert (again.id, again.state, again.valid_until) == (old.id, "live", None)  # as it would be
    assert memory.get(old.id).state == "superseded"
    assert memory.forget(new.id).reinstated == (old.id,)
    assert memory.get(old.id).state == "live"
    assert memory.get(old.id).valid_until is None
    assert memory.recall("Where does Otto live?").texts == ["Otto lives in Rome"]


def test_a_chain_that_loses_its_middle_is_joined(memory: Memory) -> None:
    first = memory.remember("Otto lives in Rome")
    middle = memory.correct(first.id, "Otto lives in Oslo")
    last = memory.correct(middle.id, "Otto lives in Berlin")
    assert memory.forget(middle.id).reinstated == ()
    assert [version.node.id for version in memory.history(last.id)] == [first.id, last.id]
    assert memory.get(first.id).state == "superseded"


def test_a_talk_that_loses_a_turn_goes_on_across_the_gap(memory: Memory) -> None:
    before, gone, after = (memory.observe(text, session="s").id for text in ("one", "two", "three"))
    memory.forget(gone)
    assert [(edge.source_id, edge.target_id) for edge in memory.graph.links(after) if edge.type == "temporal"] == [
        (before, after)
    ]
    assert memory.session("s").episode_count == 2


def test_an_erased_fact_names_what_still_says_it_and_sources_takes_that_along(memory: Memory) -> None:
    episode = said(memory, "My sister Anna is a nurse.", "s1", 1)
    memory.learn()
    fact = next(node.id for node in memory.recall("Anna nurse", limit=9) if "works as" in node.text)
    assert [node.id for node in memory.forget(fact, preview=True).still_stated] == [episode]
    receipt = memory.forget(fact, sources=True)
    assert episode in receipt.ids
    assert receipt.still_stated == ()


def test_a_text_that_two_nodes_say_is_erased_only_where_asked(memory: Memory) -> None:
    one, other = memory.observe("Tea at five."), memory.observe("Tea at five.")
    receipt = memory.forget(one.id)
    assert receipt.still_stated == (other.id,)
    assert memory.recall("tea").texts == ["Tea at five."]


def test_an_entity_that_others_speak_of_stays_without_the_alias_and_the_summary_that_went(
    memory: Memory, path: str
) -> None:
    memory.observe("Anna plays chess with Tom.", session="a")
    memory.graph.entity("Anna", type="person", aliases=["Zyxi"], description="A zyxomancer")
    gone = memory.observe("Zyxi is a zyxomancer.", session="b")
    memory.forget(gone.id)
    assert memory.graph.entity("Anna").aliases == ()
    assert memory.graph.entity("Anna").description is None
    assert places(path, "zyx") == []


def test_a_corrected_procedure_does_not_keep_the_words_of_what_went(memory: Memory, path: str) -> None:
    taught = said(memory, "To deploy: 1. run the zyxotests 2. build it with npm 3. call Tom", "s1", 1)
    memory.learn()
    said(memory, "Always use pnpm, not npm.", "s2", 2)
    memory.learn()
    assert any("with pnpm" in node.text for node in memory.recall("deploy", limit=9, kinds=["procedure"]))
    memory.forget(taught)
    assert places(path, "zyxotest") == []
    assert only(memory, "preference")


def test_vectors_go_too_and_searching_by_meaning_does_not_find_them(opened: Open) -> None:
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


def test_a_preview_shows_what_stays_as_it_will_read(memory: Memory) -> None:
    gone = memory.observe("I live in Berlin with my zyxomat.", session="a", at="2026-04-01T09:00:00+00:00")
    memory.observe("I live in Berlin.", session="b", at="2026-04-02T09:00:00+00:00")
    memory.learn()
    stays = memory.forget(gone.id, preview=True).rederived
    memory.forget(gone.id)
    assert [node.text for node in stays] == [memory.get(node.id).text for node in stays]
