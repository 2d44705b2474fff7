"""Many processes and threads on one file."""

from __future__ import annotations

import fcntl
import os
import struct
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import apsw
import pytest

from omoide import Memory
from omoide.errors import Busy, Closed, InvalidInput
from omoide.store.engine.gate import Gate
from omoide.store.engine.writer import Writer
from tests.conftest import Open, start, ticking, unsound
from tests.open_file import connect, open_file

PROCESSES = 8
TURNS = 25

# All of them stand at the line until the parent lets them go: then they open, which creates the file, and write.
WRITER = """
    import sys
    from omoide import Memory
    import omoide.store
    print("ready", flush=True)
    sys.stdin.readline()
    path, who, turns = sys.argv[1], sys.argv[2], int(sys.argv[3])
    with Memory(path, embedder=None) as memory:
        for number in range(turns):
            memory.observe(f"writer {who} says {number}", session=who)
            memory.observe("the same for all", key=f"shared {number}", session=who)
        print(memory.session(who).episode_count, flush=True)
"""


def together(code: str, arguments: list[tuple[object, ...]]) -> list[str]:
    """Runs processes that all start their work at the same moment; what each of them printed after that."""
    processes = [start(code, *each) for each in arguments]
    for process in processes:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    said = [process.communicate() for process in processes]
    assert [error for _, error in said if error] == []
    return [answer.strip() for answer, _ in said]


def test_eight_processes_create_and_write_one_file_and_none_is_turned_away(path: str, opened: Open) -> None:
    counts = together(WRITER, [(path, who, TURNS) for who in range(PROCESSES)])
    memory = opened()
    assert sum(map(int, counts)) == memory.stats().nodes == PROCESSES * TURNS + TURNS  # a shared key is stored once
    for who in range(PROCESSES):
        own = memory.recall(f"writer {who} says", session=str(who), limit=1000).hits
        assert sum(f"writer {who} " in hit.text for hit in own) == TURNS
    assert unsound(memory) == []


def test_the_same_key_from_two_processes_at_once_is_one_node_and_both_get_it(path: str, opened: Open) -> None:
    code = """
        import sys
        from omoide import Memory
        memory = Memory(sys.argv[1], embedder=None)
        print("ready", flush=True)
        sys.stdin.readline()
        print(*[memory.observe("hello", key=str(number)).ulid for number in range(50)])
    """
    opened().close()
    first, second = together(code, [(path,), (path,)])
    assert first == second
    assert opened().stats().nodes == 50


def test_a_reader_sees_every_transaction_whole_or_not_at_all(path: str, opened: Open) -> None:
    code = """
        import sys
        from omoide import Memory
        memory = Memory(sys.argv[1], embedder=None)
        print("ready", flush=True)
        sys.stdin.readline()
        for number in range(40):
            memory.observe_many([{"text": f"part {part} of {number}", "session": "s"} for part in range(5)])
    """
    reader = opened()
    writer = start(code, path)
    assert writer.stdout is not None
    assert writer.stdin is not None
    writer.stdout.readline()
    writer.stdin.write("go\n")
    writer.stdin.flush()
    while writer.poll() is None:
        seen = reader.stats()
        assert seen.nodes % 5 == 0
        assert seen.edges == max(0, seen.nodes - 1)
    assert writer.communicate()[1] == ""
    assert reader.stats().nodes == 200


def in_threads(count: int, work: Callable[[int], object]) -> None:
    line = threading.Barrier(count)

    def run(number: int) -> None:
        line.wait()
        work(number)

    threads = [threading.Thread(target=run, args=(number,)) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def test_threads_that_share_a_commit_each_get_their_own_answer(memory: Memory) -> None:
    answers: dict[str, str] = {}

    def write(number: int) -> None:
        for turn in range(20):
            text = f"thread {number} says {turn}"
            answers[text] = memory.observe(text).text

    in_threads(16, write)
    assert len(answers) == 320
    assert all(said == text for text, said in answers.items())
    assert memory.stats().nodes == 320
    assert unsound(memory) == []


def test_an_error_in_one_thread_does_not_affect_the_others(memory: Memory) -> None:
    told: list[str] = []

    def write(number: int) -> None:
        for turn in range(10):
            if number % 2:
                memory.observe(f"thread {number} says {turn}")
            else:
                with pytest.raises(LookupError) as error:
                    memory.observe("an orphan", parent=10_000 + number)
                told.append(str(error.value))

    in_threads(8, write)
    assert sorted(told) == sorted(
        f"there is no memory {10_000 + number}" for number in range(0, 8, 2) for _ in range(10)
    )
    assert memory.stats().nodes == 40
    assert unsound(memory) == []


def count(name: str) -> Callable[[apsw.Connection], str]:
    """A small piece of work: one row under this name."""

    def work(db: apsw.Connection) -> str:
        db.execute("INSERT INTO counter VALUES (?, 1)", (name,))
        return name

    return work


def kept(writer: Writer) -> set[str]:
    return writer.run(lambda db: {row[0] for row in db.execute("SELECT name FROM counter")})


@pytest.fixture
def writer(memory: Memory, path: str) -> Writer:
    return Writer(path, Gate(f"{path}-gate", 5.0), "test", ticking(), lambda: connect(path, 5.0))


def all_waiting(writer: Writer, work: list[Callable[[apsw.Connection], str]]) -> list[object]:
    """What each piece of work gave or raised when all of them waited behind one that was under way."""
    begun, go_on = threading.Event(), threading.Event()
    answers: list[object] = [None] * len(work)

    def hold(db: apsw.Connection) -> None:
        begun.set()
        go_on.wait()

    def run(number: int) -> None:
        try:
            answers[number] = writer.run(work[number])
        except BaseException as error:
            answers[number] = error

    threads = [threading.Thread(target=writer.run, args=(hold,))]
    threads[0].start()
    begun.wait()
    for number in range(len(work)):
        threads.append(threading.Thread(target=run, args=(number,)))
        threads[-1].start()
        while len(writer._waiting) <= number:  # until it has taken its place
            threading.Event().wait(0.001)
    go_on.set()
    for thread in threads:
        thread.join()
    return answers


def test_a_group_is_one_transaction_and_a_failure_affects_one_caller(writer: Writer) -> None:
    def fails(db: apsw.Connection) -> str:
        db.execute("INSERT INTO counter VALUES ('half', 1)")
        raise InvalidInput("not this one")

    first, wrong, last = all_waiting(writer, [count("first"), fails, count("last")])
    assert (first, last) == ("first", "last")
    assert isinstance(wrong, InvalidInput)
    names = kept(writer)
    assert names >= {"first", "last"}
    assert "half" not in names
    stamp = writer.run(lambda db: db.execute("SELECT stamp FROM write_mark WHERE writer = 'test'").get)
    assert stamp == 3  # the one under way, the group, the question before


def test_more_callers_than_one_group_takes_are_all_served(writer: Writer) -> None:
    names = [f"caller {number}" for number in range(300)]
    assert all_waiting(writer, [count(name) for name in names]) == names


def test_an_interrupt_affects_one_thread_and_the_others_are_served(writer: Writer) -> None:
    """It meets the thread that commits for all, whichever that is."""
    interrupts: list[KeyboardInterrupt] = []

    def interrupted(db: apsw.Connection) -> str:
        db.execute("INSERT INTO counter VALUES ('first', 1)")
        if not interrupts:
            interrupts.append(KeyboardInterrupt())
            raise interrupts[0]
        return "first"

    before = kept(writer)
    answers = all_waiting(writer, [interrupted, count("second"), count("third")])
    assert [each for each in answers if isinstance(each, BaseException)] == interrupts
    assert kept(writer) - before == {each for each in answers if isinstance(each, str)}


def test_a_write_while_the_file_is_being_closed_raises_closed(writer: Writer) -> None:
    writer.close()
    with pytest.raises(Closed, match="open it again"):
        writer.run(count("late"))


def test_threads_may_read_while_another_closes(memory: Memory) -> None:
    memory.observe_many([{"text": f"turn {number}"} for number in range(200)])
    told: list[BaseException] = []

    def read(number: int) -> None:
        if number == 0:
            memory.close()
            return
        try:
            while True:
                memory.recall("turn", limit=100)
        except BaseException as error:
            told.append(error)

    in_threads(5, read)
    assert [type(error) for error in told] == [Closed] * 4


def test_a_writer_that_waits_too_long_raises_busy(path: str, memory: Memory) -> None:
    gate = Gate(f"{path}-gate", 0.05)
    other = Gate(f"{path}-gate", 0.05)
    with other.held(), pytest.raises(Busy, match="try again"):
        Writer(path, gate, "impatient", ticking(), lambda: connect(path, 0.05)).run(count("x"))


def test_another_programs_lock_is_busy_and_not_damage(path: str, memory: Memory) -> None:
    """It knows nothing of our gate; SQLite's own lock holds it off."""
    other = open_file(path)
    other.execute("BEGIN IMMEDIATE")
    writer = Writer(path, Gate(f"{path}-gate", 0.05), "impatient", ticking(), lambda: connect(path, 0.05))
    with pytest.raises(Busy, match="another process"):
        writer.run(count("x"))
    other.execute("ROLLBACK")
    assert writer.run(count("x")) == "x"


def test_a_memory_without_a_file_serves_threads_too(tmp_path: Path) -> None:
    with Memory(":memory:", embedder=None) as memory:
        in_threads(20, lambda number: memory.observe(f"{number} says hello"))
        assert memory.stats().nodes == 20
        assert unsound(memory) == []
    assert list(tmp_path.iterdir()) == []


def stands_in_line(file: int, place: int) -> bool:
    """Whether somebody holds the place in the line of a gate file."""
    asked = struct.pack("hhxxxxqqixxxx", fcntl.F_WRLCK, os.SEEK_SET, 2**40 + place, 1, 0)
    return bool(struct.unpack_from("h", fcntl.fcntl(file, fcntl.F_OFD_GETLK, asked))[0] != fcntl.F_UNLCK)


@pytest.mark.skipif(sys.platform != "linux", reason="asks Linux who holds a lock")
def test_writers_pass_in_the_order_in_which_they_came(tmp_path: Path) -> None:
    path = str(tmp_path / "gate")
    passed: list[int] = []

    def write(number: int) -> None:
        with Gate(path, 30.0).held():
            passed.append(number)

    threads = [threading.Thread(target=write, args=(number,)) for number in range(8)]
    with Gate(path, 30.0).held():
        file = os.open(path, os.O_RDWR)
        for number, thread in enumerate(threads):
            thread.start()
            while not stands_in_line(file, number):
                pass
    for thread in threads:
        thread.join()
    os.close(file)
    assert passed == list(range(8))
