"""Paths that hold something else or cannot be written: a typed error, and nothing is changed."""

from __future__ import annotations

import os
import random
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path

import apsw
import pytest

from omoide import Memory
from omoide.errors import CannotWrite, Closed, Damaged, InvalidInput, NewerFile, NotAMemory
from omoide.store.engine.connection import Connection
from omoide.store.engine.gate import Gate
from omoide.store.engine.writer import Writer
from tests.conftest import Open, contents, run, ticking, unsound
from tests.open_file import connect, open_file

# Rights mean nothing to root: these give them up once everything is imported.
AS_NOBODY = """
    import os, sys
    from omoide import Memory, OmoideError
    import omoide.recall.pipeline
    from omoide.language.registry import languages
    languages()
    if os.getuid() == 0:
        os.setuid(65534)
    try:
        memory = Memory(sys.argv[1], embedder=None)
        print(len(memory.recall("tea").hits))
        memory.observe("coffee")
    except OmoideError as error:
        print(type(error).__name__, error)
"""


@pytest.fixture
def folder() -> Iterator[Path]:
    """One that other users may enter, which pytest's own may not be."""
    with tempfile.TemporaryDirectory() as name:
        os.chmod(name, 0o755)
        yield Path(name)
        os.chmod(name, 0o755)


def left_of(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir() if file.is_file()}


def foreign(path: Path, *, wal: bool = False, mark: int = 0) -> None:
    db = apsw.Connection(str(path))
    if wal:
        db.pragma("journal_mode", "wal")
    db.pragma("application_id", mark)
    db.execute("CREATE TABLE recipe (name TEXT)")
    db.close()


def truncated(path: Path) -> None:
    with Memory(path, embedder=None) as memory:
        memory.observe_many([{"text": f"a turn that fills the file, number {i}"} for i in range(50)])
    path.write_bytes(path.read_bytes()[:50_000])


def scribbled(path: Path, table: str) -> None:
    """Noise where a table begins."""
    db = open_file(str(path))
    page, size = db.execute("SELECT rootpage FROM sqlite_schema WHERE name = ?", (table,)).get, db.pragma("page_size")
    db.close()
    content = bytearray(path.read_bytes())
    content[(page - 1) * size : page * size] = random.Random(1).randbytes(size)
    path.write_bytes(content)


@pytest.mark.parametrize(
    "make",
    [
        lambda path: path.write_text("Dear diary,\n"),
        lambda path: path.write_bytes(random.Random(1).randbytes(10_000)),
        lambda path: path.write_bytes(b"SQLite format 3\0" + random.Random(1).randbytes(10_000)),
        foreign,
        lambda path: foreign(path, wal=True),
        lambda path: foreign(path, wal=True, mark=0x12345678),
    ],
    ids=["text", "noise", "noise after a header", "sqlite", "sqlite with a log", "sqlite with a mark"],
)
@pytest.mark.plain
def test_a_file_that_is_not_a_memory_is_refused_and_unchanged(tmp_path: Path, make: object) -> None:
    path = tmp_path / "something"
    make(path)  # type: ignore[operator]
    before = left_of(tmp_path)
    with pytest.raises(NotAMemory, match="left untouched"):
        Memory(path, embedder=None)
    assert left_of(tmp_path) == before


def test_a_newer_file_is_refused_byte_for_byte_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    Memory(path, embedder=None).close()
    db = open_file(str(path))
    db.pragma("user_version", 999)
    db.close()
    before = path.read_bytes()
    with pytest.raises(NewerFile, match="has format 999"):
        Memory(path, embedder=None)
    assert path.read_bytes() == before


def test_a_truncated_file_is_damaged_and_not_written_to(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    truncated(path)
    before = path.read_bytes()
    with pytest.raises(Damaged, match="restore a backup"), Memory(path, embedder=None) as memory:
        memory.observe("one more")
    assert path.read_bytes() == before


def test_the_doctor_says_that_a_file_is_damaged_and_does_not_write_to_it(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    Memory(path, embedder=None).close()
    scribbled(path, "write_mark")
    before = path.read_bytes()
    with Memory(path, embedder=None) as memory:
        (finding,) = memory.admin.doctor(repair=True)
    assert finding.check == "file structure"
    assert not finding.ok
    assert "restore a backup" in finding.detail
    assert path.read_bytes() == before


def test_a_folder_is_not_a_file(tmp_path: Path) -> None:
    with pytest.raises(NotAMemory, match="is a folder; name a file in it"):
        Memory(tmp_path, embedder=None)


def test_a_pipe_is_refused_without_waiting_for_it(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(NotAMemory, match="not a regular file"):
        Memory(tmp_path / "pipe", embedder=None)


@pytest.mark.parametrize("path", ["", "\0", "a\0b", 7, b"memory.db", "~nobody-of-that-name/memory.db"])
def test_a_path_must_be_a_file_name(path: object, tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="path: expected a file name"):
        Memory(path, embedder=None)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["missing/memory.db", "file/memory.db", "x" * 300])
def test_a_path_where_no_file_can_be_created_is_named(tmp_path: Path, name: str) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(CannotWrite):
        Memory(tmp_path / name, embedder=None)
    assert list(left_of(tmp_path)) == ["file"]


@pytest.mark.plain
def test_a_new_memory_in_a_read_only_folder_cannot_be_written(folder: Path) -> None:
    folder.chmod(0o555)
    assert run(AS_NOBODY, folder / "memory.db").startswith("CannotWrite")
    assert left_of(folder) == {}


@pytest.mark.plain
def test_a_read_only_file_can_be_read_and_says_that_it_cannot_be_written(folder: Path) -> None:
    with Memory(folder / "memory.db", embedder=None) as memory:
        memory.observe("tea")
    before = (folder / "memory.db").read_bytes()
    (folder / "memory.db").chmod(0o444)
    folder.chmod(0o777)
    found, error = run(AS_NOBODY, folder / "memory.db").splitlines()
    assert found == "1"
    assert error.startswith("CannotWrite")
    assert (folder / "memory.db").read_bytes() == before


@pytest.mark.plain
def test_a_memory_in_a_read_only_folder_is_left_alone(folder: Path) -> None:
    Memory(folder / "memory.db", embedder=None).close()
    (folder / "memory.db-gate").unlink()
    before = left_of(folder)
    folder.chmod(0o555)
    assert run(AS_NOBODY, folder / "memory.db").startswith("CannotWrite")
    assert left_of(folder) == before


@pytest.mark.plain
def test_a_file_that_may_not_be_read_says_so(folder: Path) -> None:
    Memory(folder / "memory.db", embedder=None).close()
    (folder / "memory.db").chmod(0o000)
    assert run(AS_NOBODY, folder / "memory.db").startswith("CannotWrite")


def test_a_full_disk_keeps_committed_writes_and_writing_continues_with_space(tmp_path: Path) -> None:
    """A limit on the size of files stands in for the disk: the system refuses to write, as a full one does."""
    acknowledged, error, later = run(
        """
        import resource, sys
        from omoide import Memory, OmoideError
        memory = Memory(sys.argv[1], embedder=None)
        resource.setrlimit(resource.RLIMIT_FSIZE, (600_000, resource.RLIM_INFINITY))
        count = 0
        try:
            while True:
                memory.observe("a turn of some length " * 100)
                count += 1
        except OmoideError as error:
            print(count)
            print(type(error).__name__, error)
        resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        print(memory.observe("there is room again").id)
        """,
        tmp_path / "memory.db",
    ).splitlines()
    assert error.startswith("CannotWrite")
    with Memory(tmp_path / "memory.db", embedder=None) as memory:
        assert memory.stats().nodes == int(acknowledged) + 1
        assert memory.get(int(later)).text == "there is room again"
        assert unsound(memory) == []


def test_a_disk_that_fills_in_a_transaction_loses_only_that_transaction(memory: Memory, path: str) -> None:
    """SQLite ends the transaction by itself then. Its own limit on the size of a file gives the same error."""

    def cramped() -> Connection:
        db = connect(path, 1.0)
        db.pragma("max_page_count", int(db.pragma("page_count")) + 5)
        return db

    before = contents(path)["counter"]
    writer = Writer(path, Gate(f"{path}-gate", 1.0), "cramped", ticking(), cramped)
    with pytest.raises(CannotWrite, match="is full; this write was not kept"):
        writer.run(lambda db: db.execute("INSERT INTO counter VALUES (?, 1)", ("x" * 100_000,)) and None)
    writer.run(lambda db: db.execute("INSERT INTO counter VALUES ('a little fits', 1)") and None)
    writer.close()
    assert contents(path)["counter"] == before + 1
    assert unsound(memory) == []


def test_after_close_every_method_raises_closed(memory: Memory) -> None:
    node = memory.observe("hello")
    memory.close()
    memory.close()
    for verb in (
        lambda: memory.observe("more"),
        lambda: memory.remember("more"),
        lambda: memory.recall("hello"),
        lambda: memory.context("hello"),
        lambda: memory.get(node.id),
        memory.stats,
        memory.admin.doctor,
        memory.flush,
    ):
        with pytest.raises(Closed, match="open it again"):
            verb()


def test_a_forked_child_must_open_its_own_memory_and_does_not_affect_the_parent(tmp_path: Path) -> None:
    child, parent = run(
        """
        import os, sys
        from omoide import Memory
        from omoide.errors import Closed
        memory = Memory(sys.argv[1], embedder=None)
        memory.observe("before the fork")
        if os.fork() == 0:
            try:
                memory.observe("in the child")
            except Closed as error:
                print(error, flush=True)
            memory.close()
            sys.exit()
        os.wait()
        memory.observe("after the fork")
        print(memory.stats().nodes)
        """,
        tmp_path / "memory.db",
    ).splitlines()
    assert "after a fork, open it again in the child" in child
    assert parent == "2"


def test_a_memory_stays_with_its_file_when_the_program_changes_its_folder(tmp_path: Path) -> None:
    nodes = run(
        """
        import os, sys, threading
        from omoide import Memory
        os.chdir(sys.argv[1])
        os.mkdir("elsewhere")
        memory = Memory("memory.db", embedder=None)
        os.chdir("elsewhere")
        memory.observe("written after the move")
        reader = threading.Thread(target=lambda: print(memory.stats().nodes))
        reader.start()
        reader.join()
        """,
        tmp_path,
    )
    assert nodes == "1"
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_a_file_that_was_moved_away_refuses_writes(memory: Memory, path: str) -> None:
    memory.observe("before")
    os.rename(path, f"{path}.moved")
    with pytest.raises(CannotWrite, match="moved or replaced while it was open"):
        memory.observe("lost, if it were acknowledged")


def test_a_file_and_a_link_to_it_share_one_gate(tmp_path: Path) -> None:
    (tmp_path / "link.db").symlink_to("memory.db")
    with Memory(tmp_path / "link.db", embedder=None) as memory:
        memory.observe("hello")
    assert (tmp_path / "memory.db-gate").exists()
    assert not (tmp_path / "link.db-gate").exists()


def test_the_connection_of_a_thread_ends_with_it(memory: Memory) -> None:
    memory.observe("hello")
    before = len(os.listdir("/proc/self/fd")) if os.path.isdir("/proc/self/fd") else 0
    for _ in range(20):
        reader = threading.Thread(target=memory.stats)
        reader.start()
        reader.join()
    assert len(memory._store._file._readers) == 1
    if before:
        # SQLite keeps one handle of the file itself until the last of its locks is gone, and uses it again.
        assert len(os.listdir("/proc/self/fd")) <= before + 3


def test_opening_and_closing_leaves_no_file_handles(opened: Open) -> None:
    opened().close()
    before = sorted(os.listdir("/proc/self/fd")) if os.path.isdir("/proc/self/fd") else []
    for _ in range(5):
        memory = opened()
        memory.observe("hello")
        memory.close()
    after = sorted(os.listdir("/proc/self/fd")) if before else []
    assert after == before


@pytest.mark.skipif(os.name == "nt", reason="rights are kept in another way there")
def test_only_the_owner_can_read_a_new_memory(path: str, opened: Open) -> None:
    opened().observe("private")
    rights = {name: os.stat(path + name).st_mode & 0o777 for name in ("", "-wal", "-shm", "-gate")}
    assert set(rights.values()) == {0o600}
