"""Backups are verified, made during writes, and never overwrite something else."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import apsw
import pytest

from omoide import Memory
from omoide.errors import Busy, CannotWrite, InvalidInput, NotAMemory, NotFound
from omoide.transfer.sqlite_files import restore_backup
from tests.conftest import Open, contents, start, unsound


@pytest.fixture
def filled(memory: Memory) -> Memory:
    memory.observe_many([{"text": f"turn {number} about tea", "session": "s"} for number in range(30)])
    memory.remember("tea is green", sources=[1])
    return memory


def same(one: str, other: str) -> bool:
    left = {"write_mark", "lease", "known_copy"}  # that it was copied is known to the one
    return {k: v for k, v in contents(one).items() if k not in left} == {
        k: v for k, v in contents(other).items() if k not in left
    }


def files(folder: Path) -> set[str]:
    return {each.name for each in folder.iterdir()}


def test_a_backup_is_a_memory_with_everything_in_it(filled: Memory, path: str, tmp_path: Path) -> None:
    made = filled.admin.backup(tmp_path / "copy.db")
    assert (made.path, made.nodes) == (str(tmp_path / "copy.db"), 31)
    assert same(path, made.path)
    assert stat.S_IMODE(os.stat(made.path).st_mode) == 0o600
    with Memory(made.path, embedder=None) as copy:
        assert copy.recall("green tea").hits
        assert unsound(copy) == []


def test_nothing_is_left_beside_a_backup(filled: Memory, tmp_path: Path) -> None:
    (tmp_path / "copies").mkdir()
    filled.admin.backup(tmp_path / "copies" / "copy.db")
    assert files(tmp_path / "copies") == {"copy.db"}


def test_an_existing_file_is_replaced_only_with_overwrite(filled: Memory, tmp_path: Path) -> None:
    (tmp_path / "copy.db").write_text("precious")
    with pytest.raises(InvalidInput, match="allow overwriting"):
        filled.admin.backup(tmp_path / "copy.db")
    assert (tmp_path / "copy.db").read_text() == "precious"
    assert filled.admin.backup(tmp_path / "copy.db", overwrite=True).nodes == 31


def test_neither_the_memory_itself_nor_one_that_is_open_is_overwritten(
    filled: Memory, path: str, tmp_path: Path
) -> None:
    with pytest.raises(InvalidInput, match="the memory itself"):
        filled.admin.backup(path, overwrite=True)
    with Memory(tmp_path / "other.db", embedder=None) as other:
        other.observe("mine")
        with pytest.raises(InvalidInput, match="open as a memory"):
            filled.admin.backup(tmp_path / "other.db", overwrite=True)


def test_a_path_that_cannot_be_written_is_an_error(filled: Memory, tmp_path: Path) -> None:
    with pytest.raises(CannotWrite, match="does not exist"):
        filled.admin.backup(tmp_path / "nowhere" / "copy.db")
    with pytest.raises(InvalidInput, match="folder"):
        filled.admin.backup(tmp_path)


@pytest.mark.plain
def test_a_memory_without_a_file_can_be_backed_up_too(tmp_path: Path) -> None:
    with Memory(":memory:", embedder=None) as memory:
        memory.observe("hello")
        assert memory.admin.backup(tmp_path / "copy.db").nodes == 1
        memory.observe("and on")
    with Memory(tmp_path / "copy.db", embedder=None) as copy:
        assert copy.stats().nodes == 1


def test_writes_during_a_backup_are_not_in_it_and_do_not_delay_it(filled: Memory, opened: Open, tmp_path: Path) -> None:
    writer = opened()
    filled.observe_many([{"text": "long " * 2_000} for _ in range(300)])  # several megabytes: several steps
    steps: list[int] = []

    def write(done: int, of: int) -> None:
        steps.append(done)
        writer.observe(f"meanwhile {len(steps)}")

    before = filled.stats().nodes
    made = filled.admin.backup(tmp_path / "copy.db", progress=write)
    assert len(steps) > 1
    assert steps == sorted(steps)
    assert made.nodes == before
    assert filled.stats().nodes == before + len(steps)


def test_an_interrupted_backup_leaves_nothing_behind(filled: Memory, tmp_path: Path) -> None:
    def stop(done: int, of: int) -> None:
        raise KeyboardInterrupt

    (tmp_path / "copies").mkdir()
    with pytest.raises(KeyboardInterrupt):
        filled.admin.backup(tmp_path / "copies" / "copy.db", progress=stop)
    assert files(tmp_path / "copies") == set()


# ── restoring ─────────────────────────────────────────────────────────────────────────────────────────────────────


def backed_up(memory: Memory, folder: Path) -> Path:
    return Path(memory.admin.backup(folder / "copy.db").path)


def test_a_backup_is_restored_to_a_new_path(filled: Memory, path: str, tmp_path: Path) -> None:
    copy = backed_up(filled, tmp_path)
    done = restore_backup(copy, tmp_path / "new.db")
    assert (done.nodes, done.aside) == (31, None)
    assert same(path, done.path)
    with Memory(done.path, embedder=None) as memory:
        assert unsound(memory) == []


def test_the_replaced_file_is_kept_aside(filled: Memory, path: str, tmp_path: Path) -> None:
    copy = backed_up(filled, tmp_path)
    filled.close()
    done = restore_backup(copy, path)
    assert done.aside is not None
    assert same(done.aside, path)
    assert Memory(done.aside, embedder=None).get(1).text == "turn 0 about tea"


def test_a_file_that_was_written_since_the_backup_is_replaced_only_with_force(
    filled: Memory, path: str, tmp_path: Path
) -> None:
    copy = backed_up(filled, tmp_path)
    filled.observe("something new")
    filled.close()
    with pytest.raises(InvalidInput, match="after the backup was made"):
        restore_backup(copy, path)
    done = restore_backup(copy, path, force=True)
    assert done.aside is not None
    with Memory(path, embedder=None) as memory, Memory(done.aside, embedder=None) as aside:
        assert memory.stats().nodes == 31
        assert aside.get(32).text == "something new"


def test_an_open_file_is_replaced_only_with_force_and_its_user_gets_an_error(
    filled: Memory, path: str, tmp_path: Path
) -> None:
    copy = backed_up(filled, tmp_path)
    holder = start(
        """
        import sys
        from omoide import Memory
        from omoide.errors import CannotWrite
        memory = Memory(sys.argv[1], embedder=None)
        memory.review.reinforce(1)
        print("open", flush=True)
        sys.stdin.readline()
        try:
            memory.observe("lost?")
        except CannotWrite as error:
            print(error)
        """,
        path,
    )
    assert holder.stdout is not None
    filled.close()
    holder.stdout.readline()
    with pytest.raises((Busy, InvalidInput)):
        restore_backup(copy, path)
    done = restore_backup(copy, path, force=True)
    said, _ = holder.communicate("go\n")
    assert "moved or replaced" in said
    assert done.aside is not None
    for each in (path, done.aside):
        with Memory(each, embedder=None) as memory:
            assert memory.stats().nodes == 31
            assert unsound(memory) == []


def test_a_damaged_file_is_replaced(filled: Memory, path: str, tmp_path: Path) -> None:
    copy = backed_up(filled, tmp_path)
    filled.close()
    with open(path, "r+b") as file:
        file.seek(4096)
        file.write(b"\x00" * 40_960)
    assert restore_backup(copy, path).aside is not None
    with Memory(path, embedder=None) as memory:
        assert unsound(memory) == []


def test_a_damaged_backup_is_not_restored(filled: Memory, path: str, tmp_path: Path) -> None:
    copy = backed_up(filled, tmp_path)
    with pytest.raises(NotFound):
        restore_backup(tmp_path / "none.db", tmp_path / "new.db")
    (tmp_path / "text.db").write_text("hello " * 1_000)
    with pytest.raises(NotAMemory):
        restore_backup(tmp_path / "text.db", tmp_path / "new.db")
    other = apsw.Connection(str(tmp_path / "other.db"))
    other.execute("CREATE TABLE a (b)")
    other.close()
    with pytest.raises(NotAMemory):
        restore_backup(tmp_path / "other.db", tmp_path / "new.db")
    with open(copy, "r+b") as file:
        file.seek(4096 * 3)
        file.write(os.urandom(4096 * 10))
    with pytest.raises(Exception, match=r"not be sound|damaged"):
        restore_backup(copy, tmp_path / "new.db")
    assert not (tmp_path / "new.db").exists()


def test_another_programs_database_is_not_replaced(filled: Memory, tmp_path: Path) -> None:
    copy = backed_up(filled, tmp_path)
    (tmp_path / "notes.txt").write_text("precious")
    with pytest.raises(NotAMemory):
        restore_backup(copy, tmp_path / "notes.txt")
    assert (tmp_path / "notes.txt").read_text() == "precious"
