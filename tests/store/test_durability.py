"""Committed writes survive kill -9 and failing disks; a write with a key that was sent twice is stored once."""

from __future__ import annotations

import os
import random
import time
from contextlib import suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path

import pytest

from omoide import Memory
from tests.conftest import Open, run, start, unsound

ROUNDS = 25


def write(path: str, first: int, acknowledged: Connection) -> None:
    """Sends turn after turn, by key, and reports each once it is acknowledged."""
    acknowledged.send("begun")
    memory = Memory(path, embedder=None)
    for number in range(first, 10**9):
        node = memory.observe(f"turn {number} about tea", key=f"turn {number}", session=f"session {number // 50}")
        acknowledged.send((number, node.id))


def killed_after(path: str, first: int, answers: int, pause: float = 0.0) -> list[tuple[int, int]]:
    """What a writer had acknowledged when it was killed at some moment after its n-th answer."""
    processes = get_context("forkserver")  # real processes; it only saves them the imports
    processes.set_forkserver_preload([__name__])
    heard, told = processes.Pipe(duplex=False)
    writer = processes.Process(target=write, args=(path, first, told))
    writer.start()
    told.close()
    heard.recv()
    acknowledged = [heard.recv() for _ in range(answers)]
    time.sleep(pause)
    writer.kill()  # somewhere inside the next write
    writer.join()
    with suppress(EOFError):
        while True:
            acknowledged.append(heard.recv())
    heard.close()
    return acknowledged


def test_no_committed_write_is_lost_when_writers_are_killed(path: str, opened: Open) -> None:
    moments = random.Random(4)
    acknowledged: dict[int, int] = {}
    for _ in range(ROUNDS):
        acknowledged |= dict(killed_after(path, len(acknowledged), moments.randint(1, 30)))
    memory = opened()
    for number, id in acknowledged.items():
        assert memory.get(id).text == f"turn {number} about tea"
    assert unsound(memory) == []
    again = memory.observe_many(
        {"text": f"turn {number} about tea", "key": f"turn {number}", "session": f"session {number // 50}"}
        for number in range(len(acknowledged))
    )
    assert [node.id for node in again] == [acknowledged[number] for number in range(len(acknowledged))]
    assert memory.stats().nodes - len(acknowledged) <= 1  # the one that was under way when the last kill came
    assert unsound(memory) == []


def test_a_file_whose_creator_was_killed_at_any_moment_can_be_opened(tmp_path: Path) -> None:
    moments = random.Random(4)
    for number in range(20):
        path = tmp_path / f"{number}.db"
        acknowledged = killed_after(str(path), 0, 0, moments.uniform(0.0, 0.05))
        with Memory(path, embedder=None) as memory:
            assert len(acknowledged) <= memory.stats().nodes <= len(acknowledged) + 1
            assert memory.observe("and on").text == "and on"
            assert unsound(memory) == []


def test_a_gate_opens_when_its_holder_is_killed(path: str, memory: Memory) -> None:
    holder = start(
        """
        import sys, time
        from omoide.store.engine.gate import Gate
        with Gate(sys.argv[1], 1.0).held():
            print("inside", flush=True)
            time.sleep(600)
        """,
        f"{path}-gate",
    )
    assert holder.stdout is not None
    holder.stdout.readline()
    holder.kill()
    holder.communicate()
    assert memory.observe("hello").id == 1


def test_a_gate_opens_when_its_holder_is_killed_and_leaves_a_forked_child_behind(path: str, memory: Memory) -> None:
    holder = start(
        """
        import os, sys, time
        from omoide.store.engine.gate import Gate
        with Gate(sys.argv[1], 1.0).held():
            child = os.fork()
            if child:
                print(child, flush=True)
            time.sleep(600)
        """,
        f"{path}-gate",
    )
    assert holder.stdout is not None
    child = int(holder.stdout.readline())
    holder.kill()
    holder.wait()
    try:
        assert memory.observe("hello").id == 1
    finally:
        os.kill(child, 9)
        holder.communicate()


def test_a_program_that_is_interrupted_at_any_moment_can_continue_writing(path: str, opened: Open) -> None:
    interrupts = run(
        """
        import random, signal, sys
        from omoide import Memory

        def interrupt(*_):
            raise KeyboardInterrupt

        moments = random.Random(4)
        memory = Memory(sys.argv[1], embedder=None)
        import numpy  # imports first: CPython exits with 130 for ever once one was interrupted, and numpy stays broken
        memory.recall("turn")
        signal.signal(signal.SIGALRM, interrupt)
        interrupts = number = 0
        while number < 200:
            try:
                signal.setitimer(signal.ITIMER_REAL, moments.uniform(0.0001, 0.003))
                memory.observe(f"turn {number}", key=str(number))
                memory.recall("turn")
                signal.setitimer(signal.ITIMER_REAL, 0)
                number += 1
            except KeyboardInterrupt:
                interrupts += 1
                if interrupts % 5 == 0:  # let it through now and then
                    memory.observe(f"turn {number}", key=str(number))
                    number += 1
        signal.signal(signal.SIGALRM, signal.SIG_IGN)
        memory.close()
        print(interrupts)
        """,
        path,
    )
    memory = opened()
    assert int(interrupts) > 20
    assert memory.stats().nodes == 200
    assert unsound(memory) == []


# Fails one call after the other, of one kind, until a whole run goes through. The shim is the default VFS of its own
# process. A failed write may leave half of its bytes behind, as disks do.
FAULTS = """
    import sys
    from pathlib import Path
    import apsw
    from omoide import Memory, OmoideError

    class Disk(apsw.VFS):
        fails, at, calls = "", 0, 0

        def __init__(self):
            super().__init__("failing", "unix", makedefault=True)

        def xOpen(self, name, flags):
            return File(name, flags)

        def due(self, call):
            if call != self.fails:
                return False
            self.calls += 1
            return self.calls == self.at

    class File(apsw.VFSFile):
        def __init__(self, name, flags):
            super().__init__("unix", name, flags)

        def xSync(self, flags):
            late = disk.due("sync after")  # it did reach the disk, but we are told that it did not
            if late or disk.due("sync"):
                if late:
                    super().xSync(flags)
                raise apsw.IOError("the disk says no")
            super().xSync(flags)

        def xWrite(self, data, offset):
            if disk.due("write"):
                super().xWrite(data[: len(data) // 2], offset)
                raise apsw.IOError("the disk says no")
            if disk.due("full"):
                raise apsw.FullError("the disk is full")
            super().xWrite(data, offset)

    disk = Disk()

    def story(path):
        '''A few verbs, each sent until it is acknowledged; what each raised is kept.'''
        refused = []
        def insist(name, verb):
            while True:
                try:
                    return verb()
                except OmoideError as error:
                    refused.append(name)
                    assert type(error).__name__ in ("CannotWrite", "Busy"), repr(error)
        memory = insist("open", lambda: Memory(path, embedder=None))
        for number in range(4):
            held = memory.stats().nodes
            text = f"turn {number} " + "about tea " * 400
            try:
                memory.observe(text)
                assert memory.stats().nodes == held + 1, f"{number} was acknowledged and is not there"
            except OmoideError as error:
                refused.append(number)
                assert type(error).__name__ == "CannotWrite", repr(error)
                assert memory.stats().nodes == held, f"{number} was refused and is there"
                insist(number, lambda: memory.observe(text))
        fact = insist("fact", lambda: memory.remember("tea is green", key="fact"))
        insist("correct", lambda: memory.correct(fact.id, "tea is black"))
        try:
            memory.close()
        except OmoideError:
            refused.append("close")
        return refused

    fails, step, folder = sys.argv[1], int(sys.argv[2]), Path(sys.argv[3])
    tried = noticed = 0
    for at in range(1, 10_000, step):
        path = folder / f"{fails}-{at}.db"
        disk.fails, disk.at, disk.calls = fails, at, 0
        refused = story(path)
        whole_run = disk.calls < at
        disk.fails = ""
        with Memory(path, embedder=None) as memory:
            texts = [memory.get(id).text.split(" about")[0] for id in range(1, memory.stats().nodes + 1)]
            assert texts == ["turn 0", "turn 1", "turn 2", "turn 3", "tea is green", "tea is black"], (at, texts)
            wrong = [finding for finding in memory.admin.doctor() if not finding.ok]
            assert not wrong, (at, wrong)
        for file in folder.glob(path.name + "*"):
            file.unlink()
        if whole_run:
            break
        tried += 1
        noticed += bool(refused)
    print(tried, noticed)
"""


@pytest.mark.parametrize(("fails", "step"), [("sync", 1), ("sync after", 1), ("write", 9), ("full", 13)])
@pytest.mark.plain
def test_after_any_failing_system_call_an_operation_happened_once_or_not_at_all(
    tmp_path: Path, fails: str, step: int
) -> None:
    tried, noticed = map(int, run(FAULTS, fails, step, tmp_path).split())
    assert noticed > tried / 2


def test_reading_goes_on_after_an_interrupt_left_a_transaction_open(memory: Memory) -> None:
    memory.observe("Otto lives in Oslo")
    memory.recall("Oslo")
    memory._store._file._reader().db.execute("BEGIN")  # as if Ctrl-C came right before its end
    assert memory.recall("Oslo").texts == ["Otto lives in Oslo"]
    assert memory.get(1).text == "Otto lives in Oslo"
