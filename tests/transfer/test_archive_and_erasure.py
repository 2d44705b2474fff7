"""Archived memories are exported with their text; forgotten ones do not return by import."""

from __future__ import annotations

from pathlib import Path

from omoide import Memory
from omoide.clock import DAY
from omoide.maintain import nightly
from tests.conftest import START, Open, unsound
from tests.learn.whole import opened
from tests.maintain.store_dumps import run_job
from tests.store.erasure.planted_marker import marker_locations, plant, word
from tests.transfer.test_jsonl import LATER

TEXTS = ("The first kangaroo hops.", "A second kangaroo sleeps.", "The third one eats.")


def said(memory: Memory, session: str = "zoo") -> list[int]:
    return [memory.observe(text, session=session, tags=["animals"], speaker="Ann").id for text in TEXTS]


def test_archived_memories_are_exported_with_their_text_and_stay_archived(tmp_path: Path) -> None:
    with opened(str(tmp_path / "a.db")) as memory:
        first, second, _ = said(memory)
        memory.admin.archive(first)
        memory.admin.archive(second)
        memory.admin.export(tmp_path / "a.jsonl")
        before = [memory.get(id) for id in (first, second)]
    with opened(str(tmp_path / "b.db"), first_id=LATER) as memory:
        memory.admin.import_(tmp_path / "a.jsonl")
        assert [memory.get(id) for id in (first, second)] == before
        assert not set(memory.recall("kangaroo", archive=False).texts) & set(TEXTS[:2])
        assert set(memory.recall("kangaroo").texts) >= set(TEXTS[:2])
        assert unsound(memory) == []
        memory.admin.export(tmp_path / "b.jsonl")
        assert memory.admin.unarchive(first).text == TEXTS[0]
        assert memory.recall("kangaroo", archive=False).texts[0] == TEXTS[0]
        assert unsound(memory) == []
    assert (tmp_path / "b.jsonl").read_bytes() == (tmp_path / "a.jsonl").read_bytes()


def test_an_archived_memory_is_merged_and_a_later_version_has_its_own_text(tmp_path: Path) -> None:
    with opened(str(tmp_path / "a.db")) as one:
        ids = [one.remember(text).id for text in TEXTS]
        one.admin.export(tmp_path / "a.jsonl")
    with opened(str(tmp_path / "b.db"), first_id=LATER) as two:
        two.observe("Something else was first.", session="other")
        two.admin.import_(tmp_path / "a.jsonl")
        here = [node.id for text in TEXTS for node in two.list(state="all", order="added") if node.text == text]
        two.admin.archive(here[0])
    with Memory(tmp_path / "a.db", embedder=None, clock=lambda: 2_000_000_000_000_000) as one:
        one.review.update(ids[0], "The first wombat digs.")
        one.admin.archive(ids[1])
        one.admin.export(tmp_path / "a.jsonl", overwrite=True)
    with opened(str(tmp_path / "b.db"), first_id=2 * LATER) as two:
        two.admin.import_(tmp_path / "a.jsonl")
        assert (two.get(here[0]).text, two.get(here[0]).state) == ("The first wombat digs.", "live")
        assert two.get(here[1]).text == TEXTS[1]
        assert unsound(two) == []
        assert two.admin.id_states().lost == 0


def test_forgotten_memories_do_not_return_with_an_older_export(memory: Memory, path: str) -> None:
    plant(memory)
    export = Path(path).parent.parent / "old.jsonl"
    memory.admin.export(export)
    receipt = memory.forget(session=word("session"))
    assert [(each.kind, each.holds) for each in receipt.copies] == [("export", True)]
    report = memory.admin.import_(export)
    assert report.forgotten == len(receipt.ids)
    assert [place for place in marker_locations(path) if "." in place and ":" in place] == []  # no row says it
    assert not memory.recall("wombat", archive=True)
    assert word("session") not in {each.name for each in memory.sessions()}
    assert unsound(memory) == []
    assert memory.admin.id_states().lost == 0
    export.unlink()


def test_importing_forgotten_memories_leaves_no_byte_and_counts_the_rest(memory: Memory, path: str) -> None:
    memory.observe("My friend Quorvana works at Plimskcorp as a baker.", session="hush")
    memory.observe("I like tea.", session="keep")
    memory.learn()
    export = Path(path).parent.parent / "old.jsonl"
    memory.admin.export(export)
    memory.forget(session="hush")
    sessions, entities = memory.stats().sessions, memory.stats().entities
    counts = memory.admin.import_(export).counts
    export.unlink()
    assert [marker_locations(path, mark) for mark in ("quorvana", "plimskcorp", "hush")] == [[], [], []]
    assert (memory.stats().sessions, memory.stats().entities) == (sessions, entities)
    assert "added" not in counts["session"]
    assert "added" not in counts["entity"]


def test_tombstones_are_imported(opened: Open, path: str, tmp_path: Path) -> None:
    memory = opened()
    at = "2026-04-01T09:00:00+00:00"
    node = memory.observe("Nobody should know of the numbat.", session="s", at=at)
    memory.observe("This is kept.", session="s", at=at)
    memory.forget(node.id)
    memory.admin.export(tmp_path / "a.jsonl")
    with Memory(tmp_path / "b.db", embedder=None) as other:
        other.admin.import_(tmp_path / "a.jsonl")
        assert other.observe("Nobody should know of the numbat.", session="s", at=at).state == "erased"


def test_an_imported_merge_can_be_undone(tmp_path: Path) -> None:
    with opened(str(tmp_path / "a.db")) as memory:
        memory.graph.entity("Anna", type="person")
        memory.graph.entity("Annie", type="person")
        memory.observe("Annie plays chess.", session="s")
        memory.observe("Anna is a nurse.", session="s")
        memory.graph.merge("Annie", into="Anna")
        memory.admin.export(tmp_path / "a.jsonl")
    with opened(str(tmp_path / "b.db"), first_id=LATER) as memory:
        memory.admin.import_(tmp_path / "a.jsonl")
        memory.admin.import_(tmp_path / "a.jsonl")
        memory.graph.split("Anna", "Annie")
        assert [node.text for node in memory.graph.timeline("Annie")] == ["Annie plays chess."]
    with opened(str(tmp_path / "c.db"), first_id=LATER) as memory:
        memory.graph.entity("Zoe", type="person")
        memory.observe("Zoe was here before.", session="z")
        memory.admin.import_(tmp_path / "a.jsonl")
        memory.graph.split("Anna", "Annie")
        assert [node.text for node in memory.graph.timeline("Annie")] == ["Annie plays chess."]
        assert [node.text for node in memory.graph.timeline("Zoe")] == ["Zoe was here before."]
        assert unsound(memory) == []


def test_a_deleted_backup_is_no_longer_listed(tmp_path: Path) -> None:
    with opened(str(tmp_path / "a.db")) as memory:
        said(memory)
        for day in range(4):
            run_job(
                nightly.BACKUP_JOB, memory, START + day * DAY, backup_folder=str(tmp_path / "copies"), backup_keep=2
            )
        held = {str(each) for each in (tmp_path / "copies").iterdir()}
        assert len(held) == 2
        assert {each.path for each in memory._store.copies.known()} == held
