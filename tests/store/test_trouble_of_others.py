"""Threads that forget at once, processes that forget at once, and checks and copies on a disk that fails."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from omoide import Memory
from omoide.store.erasure.receipts import ErasureReceipt
from tests.conftest import start
from tests.torture.disk import failing_disk
from tests.torture.faults import make_base, trial


def at_once(*works: Callable[[], object]) -> list[BaseException]:
    """What the works raised, each in a thread."""
    raised: list[BaseException] = []

    def attempt(work: Callable[[], object]) -> None:
        try:
            work()
        except BaseException as error:
            raised.append(error)

    threads = [threading.Thread(target=attempt, args=(work,)) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return raised


def test_threads_forget_and_recall_at_once(memory: Memory) -> None:
    ids = [node.id for node in memory.observe_many({"text": f"turn {number} of tea"} for number in range(12))]
    memory.recall("tea")
    receipts: list[ErasureReceipt] = []

    def forget(part: list[int]) -> None:
        receipts.extend(memory.forget(id) for id in part)

    def ask() -> None:
        for _ in range(6):
            memory.recall("turn of tea", limit=12)

    assert at_once(lambda: forget(ids[:6]), lambda: forget(ids[6:]), ask, ask) == []
    assert [receipt.clean for receipt in receipts] == [True] * 12


def test_processes_forget_at_once_and_every_receipt_is_clean(path: str, memory: Memory) -> None:
    ids = [node.id for node in memory.observe_many({"text": f"turn {number} of tea"} for number in range(6))]
    code = """
        import sys
        from omoide import Memory
        with Memory(sys.argv[1], embedder=None) as memory:
            print([memory.forget(int(id)).clean for id in sys.argv[2:]])
    """
    running = [start(code, path, *part) for part in (ids[:3], ids[3:])]
    assert [process.communicate()[0].strip() for process in running] == ["[True, True, True]"] * 2


@pytest.mark.plain  # the disk that fails cannot encrypt
def test_the_doctor_of_a_file_on_a_full_disk_says_so(tmp_path: Path) -> None:
    with failing_disk() as disk:
        memory = Memory(tmp_path / "memory.db", embedder=None)
        memory.observe("hello")
        disk.fail("write", "error", 1)
        found = {finding.check: finding for finding in memory.admin.doctor()}
        memory.close()
    assert disk.happened()
    assert not found["disk"].ok
    assert "full" in found["disk"].detail


@pytest.mark.plain  # what it does includes exports
@pytest.mark.parametrize("at", [3, 60, 120])
def test_a_read_that_fails_during_a_backup_is_an_error_of_ours(tmp_path: Path, at: int) -> None:
    base = tmp_path / "base"
    base.mkdir()
    assert trial(make_base(base), tmp_path / "trial", "backup", "read", "error", at).happened()
