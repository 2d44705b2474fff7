"""Any call of the disk may fail or be the last before the power goes: an operation happened once or not at all.

    python -m tests.torture.faults --faults 20000 --seconds 900

Each operation runs once to count its calls; then each call of each kind fails in each mode, on file after file.
"""

from __future__ import annotations

import argparse
import os
import random
import resource
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from omoide import Memory
from omoide.clock import system_clock
from omoide.errors import Busy, CannotWrite, OmoideError
from omoide.store.engine.connection import close, connect
from omoide.store.engine.gate import Gate
from omoide.store.engine.migrate import shipped_migrations, upgrade
from omoide.transfer.sqlite_files import restore_backup
from tests.conftest import START, Ticking, unsound
from tests.torture.disk import KINDS, MODES, Disk, failing_disk

SECRET = "zanzibarqux"
DAY = 86_400_000_000
BASE = (
    "Otto lives in Oslo",
    f"The {SECRET} is in the harbour",
    "The crane is green",
    "I live in Oslo and I hate Docker.",
)
PYTHON = {"rename": ("os.rename", "os.link"), "remove": ("os.remove",), "create": ("open",), "fsync": ()}
SIZES = 40  # of the largest file that the disk still takes, in steps of an eighth


@dataclass(frozen=True)
class Operation:
    run: Callable[[Memory, Path], object]
    stored: str = ""  # what one memory begins with afterwards
    opens: bool = False  # it opens or replaces the file itself
    copies: bool = False  # it writes files of its own with Python's means


def maintained(memory: Memory) -> None:
    """A night in which a job failed says so: for the caller it is an error."""
    if failed := memory.maintain(["learn", "summaries", "compress", "deduplicate"]).failed:
        raise CannotWrite(str(failed))


def is_live(memory: Memory, id: int) -> bool:
    return memory.get(id).state == "live"


def restored(folder: Path) -> None:
    restore_backup(folder / "old.backup.db", folder / "memory.db", force=True, clock=system_clock)


OPERATIONS = {
    "observe": Operation(
        lambda memory, folder: memory.observe("A new turn " + "about tea " * 300, key="new", session="talk"),
        "A new turn",
    ),
    "remember": Operation(lambda memory, folder: memory.remember("Otto drinks green tea", key="new"), "Otto drinks"),
    "correct": Operation(
        lambda memory, folder: memory.correct(1, "Otto lives in Bergen") if is_live(memory, 1) else None,
        "Otto lives in Bergen",
    ),
    "learn": Operation(lambda memory, folder: memory.learn()),
    "forget": Operation(lambda memory, folder: memory.forget(2)),
    "archive": Operation(lambda memory, folder: memory.admin.archive(3) if is_live(memory, 3) else None),
    "maintain": Operation(lambda memory, folder: maintained(memory)),
    "backup": Operation(lambda memory, folder: memory.admin.backup(folder / "backup.db", overwrite=True), copies=True),
    "export": Operation(
        lambda memory, folder: memory.admin.export(folder / "export.jsonl", overwrite=True), copies=True
    ),
    "import": Operation(lambda memory, folder: memory.admin.import_(folder / "other.jsonl"), "Imported words"),
    "open": Operation(lambda memory, folder: opened(folder / "memory.db").close(), opens=True),
    "migrate": Operation(lambda memory, folder: opened(folder / "memory.db").close(), opens=True, copies=True),
    "restore": Operation(lambda memory, folder: restored(folder), opens=True, copies=True),
}


def opened(path: Path) -> Memory:
    return Memory(path, embedder=None, clock=Ticking(START + 3 * DAY))


def make_base(folder: Path, seed: int = 0) -> Path:
    """What the operations begin with; other seeds add other turns."""
    luck = random.Random(seed)
    with Memory(folder / "other.db", embedder=None) as memory:
        memory.observe("Imported words", key="imported", session="other")
        memory.admin.export(folder / "other.jsonl")
    with Memory(folder / "base.db", embedder=None, clock=Ticking(START)) as memory:
        memory.remember(BASE[0])
        for text in BASE[1:]:
            memory.observe(text, session="talk")
        for number in range(luck.randrange(12) if seed else 0):
            memory.observe(f"The pier {number} " + "of tea " * luck.randrange(300), session=f"talk {number % 3}")
        memory.end("talk")
        memory.admin.backup(folder / "old.backup.db")
    db = connect_empty(folder / "migrate.db")
    upgrade(db, str(folder / "migrate.db"), Gate(str(folder / "migrate.db-gate"), 1.0), Ticking(START), _FIRST)
    close(db)
    return folder


_FIRST = shipped_migrations()[:1]


def connect_empty(path: Path):  # type: ignore[no-untyped-def]
    path.touch()
    return connect(str(path), 1.0)


class FailingPython:
    """Fails the n-th call of a kind that Python makes itself; SQLite's calls pass by here."""

    def __init__(self) -> None:
        self.kind, self.at, self.calls, self.died = "", 0, Counter[str](), False
        sys.addaudithook(self.heard)  # cannot be removed, so there is one for all trials
        self._fsync = os.fsync

    def heard(self, event: str, given: tuple[object, ...]) -> None:
        if not self.kind:
            return
        for kind, events in PYTHON.items():
            if event in events and (kind != "create" or self._writes(given)):
                self.step(kind)

    @staticmethod
    def _writes(given: tuple[object, ...]) -> bool:
        return isinstance(given[2], int) and bool(given[2] & (os.O_WRONLY | os.O_RDWR))

    def step(self, kind: str) -> None:
        self.calls[kind] += 1
        if kind == self.kind and self.calls[kind] == self.at:
            raise OSError(5, "the disk says no")

    def fsync(self, file: int) -> None:
        self.step("fsync")
        self._fsync(file)

    @contextmanager
    def failing(self, kind: str, at: int) -> Iterator[None]:
        self.kind, self.at, self.calls = kind, at, Counter()
        os.fsync = self.fsync  # type: ignore[assignment]
        try:
            yield
        finally:
            self.kind, os.fsync = "", self._fsync


@contextmanager
def largest_file(size: int) -> Iterator[None]:
    """While inside, no file grows beyond so many bytes, as on a disk that is full."""
    before = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    _, most = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, most))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
        signal.signal(signal.SIGXFSZ, before)


def set_up(base: Path, folder: Path, name: str) -> Path:
    folder.mkdir()
    shutil.copy(base / ("migrate.db" if name == "migrate" else "base.db"), folder / "memory.db")
    shutil.copy(base / "other.jsonl", folder)
    if name == "restore":
        shutil.copy(base / "old.backup.db", folder)
    return folder / "memory.db"


def attempt(operation: Operation, path: Path, begin: Callable[[], object]) -> bool:
    """Runs the operation on a disk that begins to fail then; whether it was acknowledged."""
    memory = None
    try:
        if operation.opens:
            begin()
        else:
            memory = opened(path)
            begin()
        operation.run(memory, path.parent)  # type: ignore[arg-type]
        return True
    except (CannotWrite, Busy):
        return False
    finally:
        if memory is not None:
            with suppress(OmoideError):
                memory.close()


def trial(base: Path, folder: Path, name: str, kind: str, mode: str, at: int) -> Disk:
    """Fails one call and checks the file afterwards; returns the disk, which counted the calls."""
    path, operation = set_up(base, folder, name), OPERATIONS[name]
    with failing_disk() as disk:
        acknowledged = attempt(operation, path, lambda: disk.fail(kind, mode, at)) and not disk.is_off
        if disk.happened() and mode == "cut":
            path = after_the_cut(disk.after_power_cut(at), folder / "after")
            shutil.copy(base / "other.jsonl", path.parent)
            if name == "restore":
                shutil.copy(base / "old.backup.db", path.parent)
    settle(operation, path, name, acknowledged)
    shutil.rmtree(folder)
    return disk


def python_trial(base: Path, folder: Path, name: str, python: FailingPython, kind: str, at: int) -> Counter[str]:
    """The same for a call that Python makes itself."""
    path, operation = set_up(base, folder, name), OPERATIONS[name]
    with python.failing(kind, at):
        acknowledged = attempt(operation, path, lambda: python.calls.clear())
    settle(operation, path, name, acknowledged)
    shutil.rmtree(folder)
    return python.calls


def full_trial(base: Path, folder: Path, name: str, eighths: int) -> None:
    """The same on a disk that takes no larger file."""
    path, operation = set_up(base, folder, name), OPERATIONS[name]
    with largest_file(path.stat().st_size * eighths // 8):
        acknowledged = attempt(operation, path, lambda: None)
    settle(operation, path, name, acknowledged)
    shutil.rmtree(folder)


def settle(operation: Operation, path: Path, name: str, acknowledged: bool) -> None:
    """Checks what is there; whoever got an error sends it again, with the same key, on a disk that works."""
    if not acknowledged:
        if name == "restore":
            check_whole(path)
        attempt_again(operation, path)
    check(path, name)


def attempt_again(operation: Operation, path: Path) -> None:
    if operation.opens:
        operation.run(None, path.parent)  # type: ignore[arg-type]
        return
    with opened(path) as memory:
        operation.run(memory, path.parent)


def after_the_cut(images: dict[str, bytes], folder: Path) -> Path:
    folder.mkdir()
    for name, content in images.items():
        if Path(name).name in ("memory.db", "memory.db-wal"):
            (folder / Path(name).name).write_bytes(content)
    return folder / "memory.db"


def check_whole(path: Path) -> list[str]:
    assert path.exists()
    with opened(path) as memory:
        assert not (found := unsound(memory)), found
        texts = [node.text for node in memory.list(state="all", limit=100).items]
        assert sum(text == BASE[2] for text in texts) == 1
    return texts


def check(path: Path, name: str) -> None:
    if name == "migrate":
        with opened(path) as memory:
            assert not (found := unsound(memory)), found
        return
    texts = check_whole(path)
    stored = OPERATIONS[name].stored
    assert not stored or sum(text.startswith(stored) for text in texts) == 1
    assert sum(SECRET in text for text in texts) == (0 if name == "forget" else 1) or name == "maintain"
    if name == "correct":
        assert BASE[0] not in [node.text for node in opened(path).list(["fact"]).items]
    if name == "forget":
        for file in path.parent.glob("memory.db*"):
            assert SECRET.encode() not in file.read_bytes().lower(), file.name


def campaign(folder: Path, faults: int, until: Callable[[], bool], seed: int, names: list[str]) -> Counter[str]:
    """Fails every call of every operation, file after file."""
    totals, python, place = Counter[str](), FailingPython(), folder / "trial"
    while totals.total() < faults and not until():
        base = folder / f"base-{seed}"
        base.mkdir()
        make_base(base, seed)
        plan = [each for name in names for each in planned(base, place, name, python)]
        random.Random(seed).shuffle(plan)
        for name, kind, mode, at in plan[: faults - totals.total()]:
            if until():
                break
            try:
                if mode == "python":
                    python_trial(base, place, name, python, kind, at)
                elif mode == "full":
                    full_trial(base, place, name, at)
                else:
                    trial(base, place, name, kind, mode, at)
            except BaseException:
                sys.stderr.write(f"after {totals.total()} faults, seed {seed}: {name}, {kind} {at}, {mode}\n")
                raise
            totals[name] += 1
        seed += 1
    return totals


def planned(base: Path, place: Path, name: str, python: FailingPython) -> list[tuple[str, str, str, int]]:
    """All the faults that an operation may meet: it is run once for each kind of call, and counted."""
    calls = trial(base, place, name, "none", "", 0).calls
    plan = [
        (name, kind, mode, at)
        for kind in KINDS
        for mode in MODES
        for at in range(1, calls[kind] + 1)
        if (mode != "short" or kind == "write") and (mode != "late" or kind not in ("open", "read"))
        if mode != "cut" or not OPERATIONS[name].opens
    ]
    if OPERATIONS[name].copies:
        made = python_trial(base, place, name, python, "none", 0)
        plan += [(name, kind, "python", at) for kind in PYTHON for at in range(1, made[kind] + 1)]
        plan += [(name, "full", "full", eighths) for eighths in range(9, SIZES)]
    return plan


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--faults", type=int, default=20_000)
    parser.add_argument("--seconds", type=float, default=3_600)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", nargs="*", default=list(OPERATIONS))
    parser.add_argument("--folder", type=Path, help="where the files are; those that fail stay there")
    given = parser.parse_args()
    folder = Path(tempfile.mkdtemp(dir=given.folder))
    over = time.monotonic() + given.seconds
    found = campaign(folder, given.faults, lambda: time.monotonic() > over, given.seed, given.only)
    print(f"{found.total()} faults: " + ", ".join(f"{count} {name}" for name, count in found.items()))
    shutil.rmtree(folder)


if __name__ == "__main__":
    main()
