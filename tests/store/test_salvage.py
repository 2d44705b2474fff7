"""A damaged file: every readable row is brought into a new one, and what is gone is named."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from omoide import Memory
from omoide.errors import CannotWrite
from omoide.transfer.sqlite_files import salvage
from tests.conftest import unsound
from tests.interfaces.terminal import Terminal

PAGE = 4096


def filled(path: Path) -> list[str]:
    with Memory(path, embedder=None) as memory:
        for number in range(300):
            memory.observe(f"This is turn {number} about topic {number * 7919 % 1000}.", session=f"s{number % 5}")
        memory.remember("Otto lives in Berlin")
        return [each.text for each in memory.list()]


@pytest.mark.plain
def test_a_damaged_file_is_told_what_brings_it_over(tmp_path: Path) -> None:
    filled(tmp_path / "memory.db")
    data = bytearray((tmp_path / "memory.db").read_bytes())
    data[PAGE * 20 : PAGE * 24] = b"\xff" * (PAGE * 4)
    (tmp_path / "memory.db").write_bytes(data)
    ran = Terminal(tmp_path).run("admin", "doctor")
    assert "omoide admin salvage FILE" in ran.out + ran.err


def test_an_undamaged_file_is_brought_over_whole(tmp_path: Path) -> None:
    texts = filled(tmp_path / "a.db")
    report, findings = salvage(tmp_path / "a.db")
    assert report.lost == {}
    assert all(each.ok for each in findings)
    with Memory(tmp_path / "a.salvaged.db", embedder=None) as memory:
        assert sorted(each.text for each in memory.list()) == sorted(texts)
        assert memory.recall("where does Otto live?").texts[0] == "Otto lives in Berlin"
        assert memory.observe("next").id == 302
        assert unsound(memory) == []


def test_rows_beside_the_damage_are_kept(tmp_path: Path) -> None:
    texts = filled(tmp_path / "a.db")
    whole = bytearray((tmp_path / "a.db").read_bytes())
    for page in random.Random(7).sample(range(80, len(whole) // PAGE), 6):
        whole[page * PAGE : page * PAGE + PAGE] = bytes(PAGE)
    (tmp_path / "b.db").write_bytes(whole)
    report, findings = salvage(tmp_path / "b.db", tmp_path / "new.db")
    assert all(each.ok for each in findings)
    with Memory(tmp_path / "new.db", embedder=None) as memory:
        kept = {each.text for each in memory.list()}
    assert kept <= set(texts)
    assert len(kept) + report.lost.get("node", 0) >= len(texts)
    assert len(kept) > 200


def test_a_file_that_exists_is_not_overwritten(tmp_path: Path) -> None:
    filled(tmp_path / "a.db")
    (tmp_path / "new.db").write_text("mine")
    with pytest.raises(CannotWrite):
        salvage(tmp_path / "a.db", tmp_path / "new.db")


def test_a_damaged_file_is_not_sent_to_the_doctor_again(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path)
    terminal.run("observe", "hello")
    whole = bytearray(terminal.path.read_bytes())
    whole[PAGE : 20 * PAGE] = b"\xff" * (19 * PAGE)
    terminal.path.write_bytes(whole)
    for suffix in ("-wal", "-shm"):
        Path(f"{terminal.path}{suffix}").unlink(missing_ok=True)
    said = terminal.run("admin", "doctor")
    assert said.code != 0
    assert "run `omoide admin doctor`" not in said.err + said.out
    assert "Traceback" not in said.err
    assert terminal.run("admin", "salvage", str(terminal.path), "--to", "new.db").code in (0, 5)
