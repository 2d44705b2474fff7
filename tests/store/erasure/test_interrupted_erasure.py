"""An erasure that is interrupted anywhere and repeated ends like an uninterrupted one."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import apsw
import pytest

from omoide import Memory
from omoide.maintain.erase import ERASURE_JOB
from omoide.maintain.job import JobContext
from omoide.settings import Settings
from tests.conftest import START, Ticking, start, unsound
from tests.learn.whole import PowerCut
from tests.store.erasure.planted_marker import MARK, OTTO, TURNS, marker_locations

STEPS = ("BEGIN IMMEDIATE", "INSERT", "UPDATE", "DELETE", "RELEASE", "COMMIT", "VACUUM", "PRAGMA wal_checkpoint")


class Fuse:
    """Blows at the n-th statement that changes anything."""

    def __init__(self) -> None:
        self.burnt = 0
        self.at: int | None = None

    def __call__(self, cursor: Any, sql: str, bindings: Any) -> bool:
        if sql.lstrip().startswith(STEPS):
            self.burnt += 1
            if self.burnt == self.at:
                raise PowerCut(sql)
        return True

    def install(self, db: apsw.Connection) -> None:
        db.exec_trace = self


@pytest.fixture
def fuse() -> Iterator[Fuse]:
    fuse = Fuse()
    apsw.connection_hooks.append(fuse.install)
    yield fuse
    apsw.connection_hooks.remove(fuse.install)


def opened(path: str) -> Memory:
    return Memory(path, embedder=None, clock=Ticking(START, 0))


def prepared(folder: Path) -> str:
    path = str(folder / "whole.db")
    with opened(path) as memory:
        for number, text in enumerate(TURNS[:2]):
            memory.observe(text, session="s1", at=f"2026-04-01T09:{number:02}:00+00:00")
        memory.observe(f"{OTTO} has a garden.", session="s1")
        memory.observe("The garden is green.", session="s2")
        memory.end("s1", summary=f"Of {OTTO}")
        memory.learn()
    return path


def left(memory: Memory) -> list[str]:
    return sorted(memory.get(id).text for id in range(1, memory.admin.id_states().highest + 1) if _is_there(memory, id))


def _is_there(memory: Memory, id: int) -> bool:
    return memory._store.erasure.receipt_of_nodes((id,)) is None


@pytest.mark.parametrize("every", [8, pytest.param(1, marks=pytest.mark.long)])
def test_an_erasure_interrupted_at_any_step_and_repeated_leaves_no_bytes(
    tmp_path: Path, fuse: Fuse, every: int
) -> None:
    path = prepared(tmp_path)
    clean = str(shutil.copy(path, tmp_path / "clean.db"))
    with opened(clean) as memory:
        fuse.burnt = 0
        memory.forget([1, 2, 3])
        steps = fuse.burnt
        expected = left(memory)
    assert steps > 40
    assert expected == ["The garden is green."]
    for cut in sorted({*range(1, steps + 1, every), steps}):
        folder = tmp_path / "torn"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        torn = str(shutil.copy(path, folder / "memory.db"))
        memory = opened(torn)
        fuse.burnt, fuse.at = 0, cut
        try:
            memory.forget([1, 2, 3])
        except PowerCut:
            pass
        finally:
            fuse.at = None
            memory.close()
        with opened(torn) as memory:
            receipt = memory.forget([1, 2, 3])
            assert receipt.pending == (), f"cut at step {cut} of {steps}"
            assert left(memory) == expected
            assert unsound(memory) == []
            assert memory.admin.id_states().lost == 0
            assert marker_locations(torn) == [], f"cut at step {cut} of {steps}"


KILLED = """
import os, sys
import apsw
from tests.store.erasure.test_interrupted_erasure import STEPS, opened
memory = opened(sys.argv[1])
seen = 0
def trace(cursor, sql, bindings):
    global seen
    if sql.lstrip().startswith(STEPS):
        seen += 1
        if seen == int(sys.argv[2]):
            os._exit(9)
    return True
apsw.connection_hooks.append(lambda db: setattr(db, "exec_trace", trace))
memory.forget([1, 2, 3])
os._exit(0)
"""


@pytest.mark.parametrize("from_the_end", [1, 3, 30, *(pytest.param(n, marks=pytest.mark.long) for n in (2, 4, 5))])
def test_the_next_process_finishes_an_erasure_of_a_killed_one(tmp_path: Path, fuse: Fuse, from_the_end: int) -> None:
    path = prepared(tmp_path)
    clean = str(shutil.copy(path, tmp_path / "clean.db"))
    with opened(clean) as memory:
        fuse.burnt = 0
        memory.forget([1, 2, 3])
    for each in tmp_path.glob("clean.db*"):
        each.unlink()
    with start(KILLED, path, fuse.burnt - from_the_end) as killed:
        assert killed.wait() == 9
    with opened(path) as memory:
        assert memory.forget([1, 2, 3]).pending == ()
        assert unsound(memory) == []
        assert marker_locations(path) == []


READER = """
import sys
from tests.open_file import open_file
db = open_file(sys.argv[1])
db.execute("BEGIN")
print(db.execute("SELECT count(*) FROM node").get, flush=True)
sys.stdin.readline()
"""


def test_an_erasure_pending_because_of_a_reader_is_finished_by_the_job(path: str, clock: Ticking) -> None:
    with Memory(path, embedder=None, clock=clock, settings=Settings(busy_timeout=0.05)) as memory:
        node = memory.observe(f"A secret {MARK}.")
        with start(READER, path) as reader:
            assert reader.stdout is not None
            assert reader.stdin is not None
            assert reader.stdout.readline() == "1\n"
            receipt = memory.forget(node.id)
            assert receipt.pending
            assert not receipt.clean
            assert memory.admin.receipts()[0].pending
            reader.stdin.write("\n")
            reader.stdin.flush()
            assert reader.wait() == 0
        upkeep = JobContext(store=memory._store, settings=Settings(), now=clock())
        assert [step.verb for step in ERASURE_JOB.run(upkeep)] == ["finished"]
        assert list(ERASURE_JOB.run(upkeep)) == []
        assert memory.admin.receipts()[0].pending == ()
        assert memory.admin.receipts()[0].clean
        assert marker_locations(path) == []
