"""The archive: archived nodes are searchable on request and restored exactly."""

from __future__ import annotations

import apsw
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from omoide import Memory
from omoide.clock import to_datetime
from omoide.errors import InvalidInput
from omoide.providers.hashing import HashingEmbedder
from omoide.store.ageing import archive, archive_blocks
from tests.conftest import Open, Ticking, contents, counted, unsound

WORDS = "Otto keeps the zebra ledger in the blue cabinet"


def test_an_archived_memory_is_not_recalled_and_the_trace_says_how_many_were_not_searched(memory: Memory) -> None:
    gone = memory.remember(WORDS)
    memory.remember("Otto likes tea")
    memory.admin.archive(gone.id)
    found = memory.recall("zebra ledger")
    assert gone.id not in [hit.id for hit in found.hits]
    assert "1 archived not searched" in str(found.trace)


def test_the_archive_is_searched_when_asked_and_its_hits_are_marked(memory: Memory) -> None:
    gone = memory.remember(WORDS)
    live = memory.remember("The green cabinet holds the maps")
    memory.admin.archive(gone.id)
    found = memory.recall("zebra ledger cabinet", archive=True)
    assert [hit.id for hit in found.hits] == [gone.id, live.id]
    assert [hit.archived for hit in found.hits] == [True, False]
    assert found.hits[0].text == WORDS
    assert "archived" in found.hits[0].why
    assert "not searched" not in str(found.trace)


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


def test_archiving_deletes_vectors_and_restoring_makes_new_ones(opened: Open, path: str) -> None:
    memory = opened(embedder=HashingEmbedder())
    node = memory.remember(WORDS)
    memory.flush()
    memory.admin.archive(node.id)
    assert contents(path)["vector"] == 0
    assert unsound(memory) == []
    memory.admin.unarchive(node.id)
    memory.flush()
    assert contents(path)["vector"] == 1


def test_a_session_is_compressed_together_and_needs_less_space_than_its_text(memory: Memory, path: str) -> None:
    turns = [
        {"text": f"We talked about the deploy of the app, part {n}, and the tests that fail", "session": "s"}
        for n in range(100)
    ]
    for node in memory.observe_many(turns):
        memory.admin.archive(node.id)
    db = apsw.Connection(path, apsw.SQLITE_OPEN_READONLY)
    blocks, packed = next(db.execute("SELECT count(*), sum(length(data)) FROM archive_block"))
    assert blocks == 1
    assert packed < sum(len(turn["text"]) for turn in turns) / 5


def test_only_live_nodes_can_be_archived_and_only_archived_nodes_restored(memory: Memory) -> None:
    node = memory.remember(WORDS)
    with pytest.raises(InvalidInput, match="only archived and expired"):
        memory.admin.unarchive(node.id)
    memory.admin.archive(node.id)
    with pytest.raises(InvalidInput, match="already archived"):
        memory.admin.archive(node.id)
    with pytest.raises(InvalidInput, match="unarchive it before"):
        memory.review.update(node.id, "other words")


def test_a_preference_whose_name_is_taken_meanwhile_is_not_restored_over_it(memory: Memory) -> None:
    old = memory.remember("Answer briefly", kind="preference", category="communication", name="length", value="brief")
    memory.admin.archive(old.id)
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
    db = apsw.Connection(path)
    db.execute("CREATE VIRTUAL TABLE temp.term USING fts5vocab('main', 'archive_fts', 'row')")
    terms = {row[0] for row in db.execute("SELECT term FROM temp.term")}
    assert "quokka" in terms
    assert not [term for term in terms if term.startswith("wombat")]


def test_the_doctor_repairs_an_index_that_has_lost_a_node(memory: Memory, path: str) -> None:
    node = memory.remember(WORDS)
    memory.admin.archive(node.id)
    db = apsw.Connection(path)
    db.execute("INSERT INTO archive_fts (archive_fts) VALUES ('delete-all')")
    db.close()
    assert unsound(memory) == ["archive: blocks and index differ"]
    memory.admin.doctor(repair=True)
    assert unsound(memory) == []
    assert [hit.id for hit in memory.recall("zebra", archive=True)] == [node.id]


def test_the_doctor_removes_archived_text_of_deleted_nodes(memory: Memory, path: str) -> None:
    kept, gone = (memory.observe(text, session="s") for text in ("the quokka sleeps", "the wombat wakes"))
    for node in (kept, gone):
        memory.admin.archive(node.id)
    memory._store._file.write(lambda db: db.execute("DELETE FROM node WHERE id = ?", (gone.id,)))
    memory.admin.doctor(repair=True)
    assert memory._store._file.read(lambda db: list(archive_blocks.read_block(db, 1))) == [kept.id]
    assert [hit.id for hit in memory.recall("quokka wombat", archive=True)] == [kept.id]


def test_a_timeline_includes_archived_nodes(memory: Memory) -> None:
    memory.graph.entity("Otto", type="person")
    said = memory.observe("Otto went to Rome", session="s")
    memory.admin.archive(said.id)
    assert [node.text for node in memory.graph.timeline("Otto")] == ["Otto went to Rome"]


def test_the_doctor_reports_archived_text_that_changed(memory: Memory, path: str) -> None:
    memory.admin.archive(memory.remember(WORDS).id)
    db = apsw.Connection(path)
    db.execute("UPDATE archive_block SET data = x'00'")
    db.close()
    (found,) = unsound(memory)
    assert found.startswith("words: 1 texts differ from their hash, first node 1")


def test_the_neighbours_of_an_archived_turn_are_found_as_before(memory: Memory, clock: Ticking) -> None:
    turns = [memory.observe(f"turn {n} about apples", session="s") for n in range(5)]
    memory.admin.archive(turns[2].id)
    assert turns[2].id not in [hit.id for hit in memory.recall("apples")]
    assert len(memory.recall("apples").hits) == 4
    assert len(memory.recall("apples", archive=True).hits) == 5


def test_an_archived_node_must_be_unarchived_before_it_is_corrected(memory: Memory) -> None:
    node = memory.remember("Otto lives in Berlin")
    memory.admin.archive(node.id)
    for change in (memory.correct, memory.review.update):
        with pytest.raises(InvalidInput, match="unarchive it before"):
            change(node.id, "Otto lives in Rome")
    assert memory.get(node.id).text == "Otto lives in Berlin"
    memory.admin.unarchive(node.id)
    assert memory.correct(node.id, "Otto lives in Rome").state == "live"
    assert unsound(memory) == []


def test_as_of_includes_archived_nodes(memory: Memory, clock: Ticking) -> None:
    node = memory.remember("Otto lives in Berlin")
    clock.advance(days=2)
    then = to_datetime(clock())
    clock.advance(days=2)
    memory.admin.archive(node.id)
    assert memory.recall("Where does Otto live?", as_of=then, archive=True).texts == [node.text]
    assert memory.recall("Where does Otto live?", as_of=then.replace(year=2020), archive=True).texts == []


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
