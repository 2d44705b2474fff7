"""Other programs that open, replace or extend the file: nothing is acknowledged and lost, and the doctor names it."""

from __future__ import annotations

import os
import shutil
import sqlite3
from pathlib import Path

import pytest

from omoide import Memory
from omoide.errors import CannotWrite, InvalidInput
from tests.conftest import Open, unsound
from tests.open_file import open_file


def test_a_write_to_a_log_that_was_removed_is_not_acknowledged(path: str, opened: Open) -> None:
    memory = opened()
    memory.observe("kept")
    os.rename(f"{path}-wal", f"{path}-elsewhere")  # as a foreign library does that believes itself alone
    with pytest.raises(CannotWrite, match="-wal was removed by another program"):
        memory.observe("lost")


def test_the_log_of_a_replaced_file_is_not_read_into_the_new_one(path: str, tmp_path: Path, opened: Open) -> None:
    other = str(tmp_path / "other.db")
    with Memory(other, embedder=None) as another:
        another.observe("of another memory")
    memory = opened()
    memory.observe("of the replaced file")
    os.replace(other, path)
    with pytest.raises(CannotWrite, match="moved or replaced"):
        memory.observe("too late")
    with Memory(path, embedder=None) as new:
        assert [node.text for node in new.list().items] == ["of another memory"]
        assert unsound(new) == []


def test_a_file_that_was_copied_with_its_log_has_both(path: str, tmp_path: Path, opened: Open) -> None:
    memory = opened()
    memory.observe("in the log")
    for ending in ("", "-wal", "-gate"):
        shutil.copy(f"{path}{ending}", tmp_path / f"copy.db{ending}")
    with Memory(tmp_path / "copy.db", embedder=None) as copy:
        assert copy.stats().nodes == 1


@pytest.mark.plain
def test_the_standard_library_reads_a_closed_file_and_leaves_it_sound(path: str, opened: Open) -> None:
    opened().observe("tea")
    opened().close()
    for held in [opened()]:
        held.close()
    db = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    assert db.execute("SELECT count(*) FROM node").fetchone() == (1,)
    db.close()


def test_the_doctor_names_a_foreign_trigger_and_drops_it_on_request(path: str, memory: Memory) -> None:
    db = open_file(path)
    db.execute("CREATE TRIGGER strange AFTER INSERT ON node BEGIN SELECT nosuch(1); END")
    db.close()
    with pytest.raises(Exception, match="no such function"):
        memory.observe("hello")
    assert [line.partition(":")[0] for line in unsound(memory)] == ["schema"]
    memory.admin.doctor(repair=True)
    assert memory.observe("hello").id
    assert unsound(memory) == []


def test_kinds_that_are_no_list_are_refused_by_name(memory: Memory) -> None:
    with pytest.raises(InvalidInput, match="kinds: expected a list"):
        memory.recall("tea", kinds=1)  # type: ignore[arg-type]
