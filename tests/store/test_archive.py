"""The archive: archived nodes are searched like others and restored exactly."""

from __future__ import annotations

from typing import Any

import apsw
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from omoide import Memory
from omoide.clock import to_datetime
from omoide.errors import InvalidInput
from omoide.interfaces.tools import chosen
from omoide.providers.hashing import HashingEmbedder
from omoide.recall.recipes import RECIPES
from omoide.store.ageing import archive, archive_blocks
from tests.conftest import Open, Ticking, contents, counted, unsound
from tests.open_file import open_file

WORDS = "Otto keeps the zebra ledger in the blue cabinet"


def test_an_archived_memory_is_found_like_others_and_its_hit_is_marked(memory: Memory) -> None:
    gone = memory.remember(WORDS)
    live = memory.remember("The green cabinet holds the maps")
    memory.admin.archive(gone.id)
    found = memory.recall("zebra ledger cabinet")
    assert [hit.id for hit in found.hits] == [gone.id, live.id]
    assert [hit.archived for hit in found.hits] == [True, False]
    assert found.hits[0].text == WORDS
    assert "archived" in found.hits[0].why
    assert WORDS in memory.context("zebra ledger cabinet").markdown


def test_the_archive_can_be_left_out_or_searched_alone(memory: Memory) -> None:
    gone = memory.remember(WORDS)
    live = memory.remember("The green cabinet holds the maps")
    memory.admin.archive(gone.id)
    without = memory.recall("zebra ledger cabinet", archive=False)
    assert [hit.id for hit in without.hits] == [live.id]
    assert "1 archived not searched" in str(without.trace)
    assert [hit.id for hit in memory.recall("zebra ledger cabinet", archive="only").hits] == [gone.id]
    assert "maps" not in memory.context("zebra ledger cabinet", archive="only").markdown
    assert "ledger" not in memory.context("zebra ledger cabinet", archive=False).markdown


@pytest.mark.parametrize("value", ["yes", "true", 1, None])
def test_other_values_for_the_archive_are_refused(memory: Memory, value: Any) -> None:
    for read in (memory.recall, memory.context):
        with pytest.raises(InvalidInput, match='archive: expected True, False or "only"'):
            read("anything", archive=value)


def test_a_withdrawn_memory_is_not_searched_until_it_is_unarchived(memory: Memory) -> None:
    node = memory.remember(WORDS)
    assert memory.admin.archive(node.id, withdraw=True).state == "withdrawn"
    for archive_scope in (True, False, "only"):
        assert memory.recall("zebra ledger", archive=archive_scope).hits == ()
    assert [each.id for each in memory.list(state="archived")] == [node.id]
    assert memory.admin.unarchive(node.id) == node
    assert [hit.id for hit in memory.recall("zebra ledger").hits] == [node.id]
    assert unsound(memory) == []


def test_a_merge_renames_the_subject_of_an_archived_fact(memory: Memory) -> None:
    for name in ("Anna", "Annie"):
        memory.graph.entity(name, type="person")
    fact = memory.remember("Annie likes chess", subject="Annie", predicate="likes", object="chess")
    memory.admin.archive(fact.id)
    memory.graph.merge("Annie", into="Anna")
    before = memory.get(fact.id)
    assert memory.admin.unarchive(fact.id).attributes == before.attributes


def test_a_name_in_an_archived_text_is_found_although_a_speaker_is_known(memory: Memory) -> None:
    said = memory.observe("Otto went to Rome", session="s", speaker="Mia")
    memory.admin.archive(said.id)
    memory.graph.entity("Otto", type="person")
    assert [node.text for node in memory.graph.timeline("Otto")] == ["Otto went to Rome"]


def test_archived_memories_are_found_by_tag_speaker_session_time_and_name(memory: Memory) -> None:
    memory.graph.entity("Otto", type="person")
    node = memory.observe("Otto: the fox sleeps", speaker="Otto", session="s", tags=["den"], at="2026-03-01T09:00Z")
    memory.admin.archive(node.id)
    for narrow in ({"tags": ["den"]}, {"session": "s"}, {"subject": "Otto"}, {"since": "2026-02-28T09:00Z"}):
        assert [hit.id for hit in memory.recall("Where does the fox sleep?", **narrow)] == [node.id]


def test_every_reader_gets_the_archived_text(memory: Memory) -> None:
    said = memory.observe("Müller: 東京に行く", speaker="Müller", session="s", tags=["trip"], details={"a": [1, 2]})
    fact = memory.remember(
        "Müller goes to Tokyo", sources=[said.id], subject="Müller", predicate="plans", object="Tokyo"
    )
    memory.graph.entity("Tokyo", type="place")
    for id in (said.id, fact.id):
        memory.admin.archive(id)
    assert memory.get(said.id).text == "Müller: 東京に行く"
    assert memory.get(said.id).details == {"a": [1, 2]}
    assert memory.explain(fact.id).evidence[0].episode.speaker == "Müller"
    assert memory.history(fact.id)[0].node.text == "Müller goes to Tokyo"


def test_a_restored_memory_is_exactly_the_one_that_was_archived(memory: Memory) -> None:
    node = memory.observe(
        "Ana: we ship on Friday", speaker="Ana", session="s", tags=["ship"], details={"long": "x" * 300}
    )
    memory.admin.archive(node.id)
    assert memory.admin.unarchive(node.id) == node
    assert [hit.id for hit in memory.recall("ship on friday")] == [node.id]
    assert [change["verb"] for change in memory.history(node.id)[0].changes] == ["archived", "restored"]
    assert unsound(memory) == []


@settings(max_examples=40)
@given(
    text=st.text(min_size=1, max_size=60).filter(lambda text: text.strip() and "\x00" not in text),
    tags=st.lists(st.sampled_from(["α", "b c", "東京"]), max_size=2),
)
def test_any_text_is_restored_exactly(text: str, tags: list[str]) -> None:
    with Memory(":memory:", embedder=None, ids=counted()) as memory:
        try:
            node = memory.observe(text, tags=tags, speaker="Ana", session="s")
        except InvalidInput:
            return
        memory.admin.archive(node.id)
        assert memory.get(node.id).text == node.text
        assert memory.admin.unarchive(node.id) == node
        assert unsound(memory) == []


def test_an_archived_memory_keeps_its_vector(opened: Open, path: str) -> None:
    memory = opened(embedder=HashingEmbedder())
    node = memory.remember(WORDS)
    memory.flush()
    memory.admin.archive(node.id)
    assert contents(path)["vector"] == 1
    memory.admin.unarchive(node.id)
    assert memory.admin.pending_embeddings() == 0
    assert unsound(memory) == []


def test_an_archived_memory_without_a_vector_gets_one(opened: Open, path: str) -> None:
    memory = opened(embedder=None)
    memory.admin.archive(memory.remember(WORDS).id)
    memory.close()
    memory = opened(embedder=HashingEmbedder())
    memory.flush()
    assert contents(path)["vector"] == 1
    (hit,) = memory.recall("zebra ledger").hits
    assert "vector" in hit.arms


def test_a_session_is_compressed_together_and_needs_less_space_than_its_text(memory: Memory, path: str) -> None:
    turns = [
        {"text": f"We talked about the deploy of the app, part {n}, and the tests that fail", "session": "s"}
        for n in range(100)
    ]
    for node in memory.observe_many(turns):
        memory.admin.archive(node.id)
    db = open_file(path, apsw.SQLITE_OPEN_READONLY)
    blocks, packed = next(db.execute("SELECT count(*), sum(length(data)) FROM archive_block"))
    assert blocks == 2
    assert packed < sum(len(turn["text"]) for turn in turns) / 5


def test_only_live_nodes_can_be_archived_and_only_archived_nodes_restored(memory: Memory) -> None:
    node = memory.remember(WORDS)
    with pytest.raises(InvalidInput, match="only archived and withdrawn"):
        memory.admin.unarchive(node.id)
    memory.admin.archive(node.id)
    with pytest.raises(InvalidInput, match="already archived"):
        memory.admin.archive(node.id)


def test_a_preference_whose_name_is_taken_meanwhile_is_not_restored_over_it(memory: Memory) -> None:
    old = memory.remember("Answer briefly", kind="preference", category="communication", name="length", value="brief")
    memory.admin.archive(old.id, withdraw=True)
    memory.remember("Answer at length", kind="preference", category="communication", name="length", value="long")
    with pytest.raises(InvalidInput, match="is the live preference"):
        memory.admin.unarchive(old.id)


def test_erasing_removes_every_word_from_blocks_and_full_text(memory: Memory, path: str) -> None:
    kept, gone = (memory.observe(text, session="s") for text in ("the quokka sleeps", "the wombatmarker wakes"))
    for node in (kept, gone):
        memory.admin.archive(node.id)
    assert memory._store._file.write(lambda db: archive.erase_from_archive(db, [gone.id])) == 1
    assert memory.get(kept.id).text == "the quokka sleeps"
    memory.close()
    db = open_file(path)
    db.execute("CREATE VIRTUAL TABLE temp.term USING fts5vocab('main', 'nodes_fts', 'row')")
    terms = {row[0] for row in db.execute("SELECT term FROM temp.term")}
    assert "quokka" in terms
    assert not [term for term in terms if term.startswith("wombat")]


def test_the_doctor_rebuilds_the_index_with_the_words_of_archived_nodes(memory: Memory, opened: Open) -> None:
    node = memory.remember(WORDS)
    memory.admin.archive(node.id)
    memory._store._file.write(lambda db: db.execute("DELETE FROM nodes_fts_data WHERE id > 10"))
    memory.close()
    memory = opened()
    assert "full text: rows and index differ" in unsound(memory)
    memory.admin.doctor(repair=True)
    assert unsound(memory) == []
    assert [hit.id for hit in memory.recall("zebra")] == [node.id]


def test_the_doctor_removes_archived_text_of_deleted_nodes(memory: Memory, path: str) -> None:
    kept, gone = (memory.observe(text, session="s") for text in ("the quokka sleeps", "the wombat wakes"))
    for node in (kept, gone):
        memory.admin.archive(node.id)
    memory._store._file.write(lambda db: db.execute("DELETE FROM node WHERE id = ?", (gone.id,)))
    memory.admin.doctor(repair=True)
    assert memory._store._file.read(lambda db: list(archive_blocks.read_block(db, 1))) == [kept.id]
    assert [hit.id for hit in memory.recall("quokka wombat")] == [kept.id]


def test_a_timeline_includes_archived_nodes(memory: Memory) -> None:
    memory.graph.entity("Otto", type="person")
    said = memory.observe("Otto went to Rome", session="s")
    memory.admin.archive(said.id)
    assert [node.text for node in memory.graph.timeline("Otto")] == ["Otto went to Rome"]


def test_the_doctor_reports_archived_text_that_changed(memory: Memory, path: str) -> None:
    memory.admin.archive(memory.remember(WORDS).id)
    db = open_file(path)
    db.execute("UPDATE archive_block SET data = x'00'")
    db.close()
    assert any(found.startswith("words: 1 texts differ from their hash, first node 1") for found in unsound(memory))


def test_the_neighbours_of_an_archived_turn_are_found_as_before(memory: Memory, clock: Ticking) -> None:
    turns = [memory.observe(f"turn {n} about apples", session="s") for n in range(5)]
    memory.admin.archive(turns[2].id)
    assert len(memory.recall("apples", archive=False).hits) == 4
    assert len(memory.recall("apples").hits) == 5


def test_an_archived_node_can_be_corrected_and_updated(memory: Memory) -> None:
    corrected, updated = memory.remember("Otto lives in Berlin"), memory.remember("Mia plays chess")
    for node in (corrected, updated):
        memory.admin.archive(node.id)
    memory.correct(corrected.id, "Otto lives in Rome")
    memory.review.update(updated.id, "Mia plays draughts")
    assert memory.get(corrected.id).state == "superseded"
    assert memory.get(corrected.id).text == "Otto lives in Berlin"
    assert memory.get(updated.id).text == "Mia plays draughts"
    assert unsound(memory) == []


def test_as_of_includes_archived_nodes(memory: Memory, clock: Ticking) -> None:
    node = memory.remember("Otto lives in Berlin")
    clock.advance(days=2)
    then = to_datetime(clock())
    clock.advance(days=2)
    memory.admin.archive(node.id)
    assert memory.recall("Where does Otto live?", as_of=then).texts == [node.text]
    assert memory.recall("Where does Otto live?", as_of=then.replace(year=2020)).texts == []


def test_a_merge_moves_archived_nodes_and_a_split_moves_them_back(memory: Memory) -> None:
    for name in ("Anna", "Annie"):
        memory.graph.entity(name, type="person")
    node = memory.observe("Annie likes chess", session="s")
    memory.admin.archive(node.id)
    memory.graph.merge("Annie", into="Anna")
    assert [each.text for each in memory.graph.timeline("Anna")] == ["Annie likes chess"]
    memory.graph.split("Anna", "Annie")
    assert [each.text for each in memory.graph.timeline("Annie")] == ["Annie likes chess"]
    assert memory.graph.timeline("Anna") == []
    assert unsound(memory) == []


@pytest.mark.parametrize("recipe", RECIPES)
def test_every_recipe_finds_what_is_archived(memory: Memory, recipe: str) -> None:
    nodes = [
        memory.observe(WORDS, session="s"),
        memory.remember(f"{WORDS} now"),
        memory.remember(WORDS, kind="pattern"),
    ]
    before = memory.recall("Where is the zebra ledger?", recipe=recipe).texts
    for node in nodes:
        memory.admin.archive(node.id)
    assert memory.recall("Where is the zebra ledger?", recipe=recipe).texts == before != []
    assert WORDS in memory.context("Where is the zebra ledger?", recipe=recipe).markdown


def test_live_sessions_and_tools_find_what_is_archived(memory: Memory) -> None:
    node = memory.remember(WORDS)
    memory.admin.archive(node.id)
    with memory.live("s1", window=8_000) as live:
        assert WORDS in live.before("Where is the zebra ledger?").markdown
    for name, parameter in (("search_memory", "query"), ("get_context", "message"), ("memory_query", "query")):
        (tool,) = chosen(name)
        assert WORDS in tool(memory, {parameter: "zebra ledger"}).text
