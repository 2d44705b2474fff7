"""Receipts list the copies Omoide has written, and whether erased words were found in them."""

from __future__ import annotations

from pathlib import Path

import pytest

from omoide import Memory
from omoide.transfer.sqlite_files import restore_backup
from tests.conftest import Open, Ticking, start, unsound
from tests.store.erasure.planted_marker import marker_locations

AT = "2026-04-01T09:00:00+00:00"


def test_receipts_list_exported_folders_and_files(memory: Memory, tmp_path: Path) -> None:
    memory.observe("The zyxomat hums.", session="s", at=AT)
    memory.tasks.record("mend the zyxomat", "success", session="s")
    memory.graph.entity("Zyxomat", description="a zyxomat that hums")
    memory.learn()
    memory.admin.export_markdown(tmp_path / "pages", unencrypted=True)
    memory.admin.export_loki(tmp_path / "loki", unencrypted=True)
    memory.admin.export_sqlite(tmp_path / "plain.db", unencrypted=True)
    memory.admin.export(tmp_path / "all.jsonl", unencrypted=True)
    told = {Path(copy.path).name: copy.holds for copy in memory.forget(session="s", preview=True).copies}
    assert told == {"pages": True, "loki": True, "plain.db": True, "all.jsonl": True}
    held = {Path(copy.path).name: copy.holds for copy in memory.forget(session="s").copies}
    assert held == told


def test_receipts_list_the_replaced_file_and_the_restored_backup(
    opened: Open, path: str, tmp_path: Path, clock: Ticking
) -> None:
    memory = opened()
    node = memory.observe("The zyxomat hums.", session="s", at=AT)
    backup = memory.admin.backup(tmp_path / "elsewhere.copy").path
    memory.close()
    done = restore_backup(backup, path, clock=clock)
    copies = opened().forget(node.id).copies
    assert {(copy.path, copy.holds) for copy in copies} == {(backup, True), (done.aside, True)}


def test_restoring_an_older_backup_does_not_bring_back_erased_memories(
    opened: Open, path: str, tmp_path: Path, clock: Ticking
) -> None:
    memory = opened()
    memory.observe("My sister Anna is a nurse.", session="hush", at=AT)
    memory.observe("I live in Berlin.", session="hush", at=AT)
    memory.observe("I live in Berlin, as you know.", session="keep", at="2026-04-02T09:00:00+00:00")
    memory.learn()
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    backup = memory.admin.backup(folder / "copy.db").path
    receipt = memory.forget(session="hush")
    kept = sorted(memory.recall("Berlin", limit=9).texts)
    before = memory.admin.id_states()
    memory.close()
    done = restore_backup(backup, path, clock=clock, force=True)
    assert done.aside is not None
    memory = opened()
    assert sorted(memory.recall("Berlin", limit=9).texts) == kept
    assert memory.recall("Anna nurse").texts == []
    assert (memory.admin.id_states(), memory.admin.id_states().lost) == (before, 0)
    again, first = memory.admin.receipts()
    assert (first.id, first.ids) == (receipt.id, receipt.ids)
    assert (again.ids, again.clean) == (receipt.ids, True)
    assert [(copy.path, copy.holds) for copy in again.copies] == [(backup, True)]
    assert memory.observe("My sister Anna is a nurse", session="hush", at=AT).state == "erased"
    assert marker_locations(path, "anna") == []
    assert unsound(memory) == []


_KILLED = """
import os, signal, sys
from omoide import Memory
memory = Memory(sys.argv[1], embedder=None)
getattr(memory.admin, sys.argv[2])(sys.argv[3], progress=lambda *_: os.kill(os.getpid(), signal.SIGKILL))
"""


@pytest.mark.parametrize("verb", ["backup", pytest.param("export", marks=pytest.mark.plain)])
def test_an_unfinished_copy_is_listed_and_removed_by_the_next_copy(
    opened: Open, path: str, tmp_path: Path, verb: str
) -> None:
    memory = opened()
    said = [{"text": f"The zyxomat hums {number}.", "at": AT} for number in range(600)]
    every = [node.id for node in memory.observe_many(said)]
    with start(_KILLED, path, verb, tmp_path / "copy") as process:
        assert process.wait() < 0
    (part,) = (str(each) for each in tmp_path.glob("copy.*.part"))
    copies = {(copy.path, copy.kind, copy.holds) for copy in memory.forget(every, preview=True).copies}
    assert copies == {(part, verb, True)}
    receipt = memory.forget(every)
    assert [(copy.path, copy.holds) for copy in receipt.copies] == [(part, True)]
    getattr(memory.admin, verb)(tmp_path / "copy")
    assert list(tmp_path.glob("copy.*")) == []
    assert [copy.path for copy in memory._store.copies.known()] == [str(tmp_path / "copy")]


def test_the_doctor_removes_only_unfinished_copies_of_ended_processes(opened: Open, path: str, tmp_path: Path) -> None:
    memory = opened()
    memory.observe("The zyxomat hums.")
    with start(_KILLED, path, "backup", tmp_path / "copy") as process:
        assert process.wait() < 0
    (tmp_path / "copy.1-2.part").write_text("somebody else's")
    seen: list[int] = []
    with Memory(path, embedder=None) as other:  # its own, under way, stays
        other.admin.backup(tmp_path / "mine", progress=lambda *_: seen.append(len(memory.admin.doctor())))
    assert seen
    assert (tmp_path / "mine").is_file()
    assert [each.name for each in tmp_path.glob("*.part")] == ["copy.1-2.part"]
    assert unsound(memory) == []
