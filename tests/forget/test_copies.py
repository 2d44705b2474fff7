"""Whatever Omoide itself has written elsewhere is named in the receipt, with whether the words were seen in it."""

from __future__ import annotations

from pathlib import Path

from omoide import Memory
from omoide.transfer.restore import restore
from tests.conftest import Open, Ticking, unsound
from tests.forget.planted import places

AT = "2026-04-01T09:00:00+00:00"


def test_folders_and_files_that_were_exported_are_named(memory: Memory, tmp_path: Path) -> None:
    memory.observe("The zyxomat hums.", session="s", at=AT)
    memory.record_task("mend the zyxomat", "success", session="s")
    memory.entity("Zyxomat", description="a zyxomat that hums")
    memory.learn()
    memory.export_markdown(tmp_path / "pages")
    memory.export_loki(tmp_path / "loki")
    memory.export_sqlite(tmp_path / "plain.db")
    memory.export(tmp_path / "all.jsonl")
    told = {Path(copy.path).name: copy.holds for copy in memory.forget(session="s", preview=True).copies}
    assert told == {"pages": True, "loki": True, "plain.db": True, "all.jsonl": True}
    held = {Path(copy.path).name: copy.holds for copy in memory.forget(session="s").copies}
    assert held == told


def test_what_restoring_put_aside_and_what_it_restored_from_are_named(
    opened: Open, path: str, tmp_path: Path, clock: Ticking
) -> None:
    memory = opened()
    node = memory.observe("The zyxomat hums.", session="s", at=AT)
    backup = memory.backup(tmp_path / "elsewhere.copy").path
    memory.close()
    done = restore(backup, path, clock=clock)
    copies = opened().forget(node.id).copies
    assert {(copy.path, copy.holds) for copy in copies} == {(backup, True), (done.aside, True)}


def test_restoring_a_backup_from_before_does_not_bring_back_what_was_forgotten(
    opened: Open, path: str, tmp_path: Path, clock: Ticking
) -> None:
    memory = opened()
    memory.observe("My sister Anna is a nurse.", session="hush", at=AT)
    memory.observe("I live in Berlin.", session="hush", at=AT)
    memory.observe("I live in Berlin, as you know.", session="keep", at="2026-04-02T09:00:00+00:00")
    memory.learn()
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    backup = memory.backup(folder / "copy.db").path
    receipt = memory.forget(session="hush")
    kept = sorted(memory.recall("Berlin", limit=9).texts)
    before = memory.account()
    memory.close()
    done = restore(backup, path, clock=clock, force=True)
    assert done.aside is not None
    memory = opened()
    assert sorted(memory.recall("Berlin", limit=9).texts) == kept
    assert memory.recall("Anna nurse").texts == []
    assert (memory.account(), memory.account().lost) == (before, 0)
    again, first = memory.receipts()
    assert (first.id, first.ids) == (receipt.id, receipt.ids)
    assert (again.ids, again.clean) == (receipt.ids, True)
    assert [(copy.path, copy.holds) for copy in again.copies] == [(backup, True)]
    assert memory.observe("My sister Anna is a nurse", session="hush", at=AT).state == "erased"
    assert places(path, "anna") == []
    assert unsound(memory) == []
