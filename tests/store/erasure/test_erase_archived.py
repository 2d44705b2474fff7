"""Archived memories are erased too: their text is removed from its block."""

from __future__ import annotations

import apsw
import pytest

from omoide import Memory
from omoide.store.ageing import archive_blocks
from tests.conftest import Open, Ticking, unsound
from tests.open_file import open_file
from tests.store.erasure.planted_marker import MARK, OTTO, TURNS, marker_locations, plant, word
from tests.store.erasure.test_no_bytes_left import WAYS


def packed(path: str) -> str:
    """All words of the archive."""
    db = open_file(path, apsw.SQLITE_OPEN_READONLY)
    found = [str(words.columns) for block in archive_blocks.all_blocks(db) for words in block.values()]
    db.close()
    return " ".join(found)


def archive_all(memory: Memory) -> None:
    for node in memory.list(state="all", order="added"):
        if node.state == "live" and "kangaroo" not in node.text:
            memory._store.archive.archive_node(node.id, f"a trace of {word('task')}", False)


@pytest.mark.parametrize("way", [way for way in WAYS if way != "query"])
def test_no_bytes_of_archived_memories_are_left(memory: Memory, path: str, way: str) -> None:
    plant(memory)
    kept = memory.observe("The platypus is kept in the archive.", role="agent", session="zoo")
    archive_all(memory)
    assert MARK in packed(path)
    receipt = memory.forget(**WAYS[way])
    assert receipt.clean
    assert marker_locations(path) == []
    assert MARK not in packed(path)
    assert memory.get(kept.id).text == "The platypus is kept in the archive."
    assert memory.recall("platypus", archive=True).texts[:1] == ["The platypus is kept in the archive."]
    assert unsound(memory) == []
    assert memory.admin.id_states().lost == 0


def test_bytes_of_the_old_archive_block_are_searched_for_and_not_found(memory: Memory, path: str) -> None:
    gone, kept = (memory.observe(f"{text} in the same block", session="s").id for text in ("Quokkas", "Numbats"))
    for id in (gone, kept):
        memory.admin.archive(id)
    db = open_file(path, apsw.SQLITE_OPEN_READONLY)
    before = bytes(db.execute("SELECT data FROM archive_block").get)
    db.close()
    receipt = memory.forget(gone)
    assert receipt.clean
    assert receipt.scan.searched > 1
    memory.close()
    with open(path, "rb") as file:
        assert before not in file.read()


def test_a_copy_is_found_to_hold_text_in_its_archive(memory: Memory, path: str) -> None:
    gone, other = (memory.observe(f"{text} in the same block", session="s").id for text in ("Quokkas", "Numbats"))
    memory.admin.archive(gone)
    copy = f"{path}.copy"
    memory.admin.backup(copy)
    memory.admin.archive(other)  # the block is packed otherwise now
    receipt = memory.forget(gone)
    assert [(each.kind, each.holds) for each in receipt.copies] == [("backup", True)]


def test_words_still_in_the_archive_are_not_cleared(memory: Memory) -> None:
    memory.graph.entity("Otto", description="fond of aardvarks")
    kept = memory.observe("Otto has aardvarks at home", session="a")
    memory.admin.archive(kept.id)
    gone = memory.observe("Otto spoke of aardvarks", session="b")
    memory.forget(gone.id)
    assert memory.graph.entity("Otto").description == "fond of aardvarks"
    assert memory.get(kept.id).text == "Otto has aardvarks at home"


def test_an_erased_archived_memory_does_not_come_back(opened: Open, clock: Ticking) -> None:
    memory = opened()
    at = "2026-04-01T09:00:00+00:00"
    node = memory.observe(TURNS[0], session="s", at=at)
    memory.admin.archive(node.id)
    clock.advance(days=1)
    memory.forget(node.id)
    assert memory.observe(TURNS[0], session="t", at=at).state == "erased"
    assert not memory.recall(OTTO, archive=True)


def test_erasing_by_query_includes_archived_memories(memory: Memory, path: str) -> None:
    archived, live = memory.observe("The wall is zorbex green."), memory.observe("A zorbex wall dries slowly.")
    memory.admin.archive(archived.id)
    both = {archived.id, live.id}
    assert {node.id for node in memory.forget(query="zorbex", preview=True).nodes} == both
    receipt = memory.forget(query="zorbex")
    assert set(receipt.ids) == both
    assert receipt.clean
    assert not memory.recall("zorbex", archive=True)
    assert "zorbex" not in packed(path)


def test_equal_text_in_another_block_is_not_reported_as_left_over(memory: Memory) -> None:
    said = "I watched a chess match last night, and it was a long one."
    gone, kept = (memory.observe(said, session=session).id for session in ("monday", "friday"))
    for id in (gone, kept):
        memory.admin.archive(id)
    receipt = memory.forget(gone)
    assert receipt.clean
    assert memory.get(kept).text == said
