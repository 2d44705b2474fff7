"""Any call of the disk may fail or be the last before the power goes: an operation happened once or not at all."""

from __future__ import annotations

import os
import random
import shutil
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from omoide import Memory
from omoide.errors import Busy, CannotWrite, OmoideError
from omoide.store.engine.connection import close, connect
from omoide.store.engine.gate import Gate
from omoide.store.engine.migrate import shipped_migrations, upgrade
from tests.conftest import START, Ticking, ticking, unsound
from tests.torture.disk import KINDS, MODES, failing_disk

SECRET = "zanzibarqux"
SECONDS = float(os.environ.get("TORTURE_SECONDS", "60"))
Operation = Callable[[Memory, Path], object]
OPERATIONS: dict[str, Operation] = {
    "observe": lambda memory, folder: memory.observe("A new turn " + "about tea " * 300, key="new", session="talk"),
    "remember": lambda memory, folder: memory.remember("Otto drinks green tea", key="new"),
    "correct": lambda memory, folder: memory.correct(1, "Otto lives in Bergen") if is_live(memory, 1) else None,
    "learn": lambda memory, folder: memory.learn(),
    "forget": lambda memory, folder: memory.forget(2),
    "archive": lambda memory, folder: memory.admin.archive(3) if is_live(memory, 3) else None,
    "maintain": lambda memory, folder: maintained(memory),
    "backup": lambda memory, folder: memory.admin.backup(folder / "backup.db", overwrite=True),
    "export": lambda memory, folder: memory.admin.export(folder / "export.jsonl", overwrite=True),
    "import": lambda memory, folder: memory.admin.import_(folder / "other.jsonl"),
    "open": lambda memory, folder: memory.stats(),
}
BASE = (
    "Otto lives in Oslo",
    f"The {SECRET} is in the harbour",
    "The crane is green",
    "I live in Oslo and I hate Docker.",
)


def maintained(memory: Memory) -> None:
    """A night in which a job failed says so: for the caller it is an error."""
    if failed := memory.maintain(["learn", "summaries", "compress", "deduplicate"]).failed:
        raise CannotWrite(str(failed))


def is_live(memory: Memory, id: int) -> bool:
    return memory.get(id).state == "live"


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("faults")
    with Memory(folder / "other.db", embedder=None) as memory:
        memory.observe("Imported words", key="imported", session="other")
        memory.admin.export(folder / "other.jsonl")
    with Memory(folder / "base.db", embedder=None, clock=Ticking(START)) as memory:
        memory.remember(BASE[0])
        for text in BASE[1:]:
            memory.observe(text, session="talk")
        memory.end("talk")
    return folder


def opened(path: Path) -> Memory:
    return Memory(path, embedder=None, clock=Ticking(START + 3 * 86_400_000_000))


def insist(path: Path, operation: Operation) -> None:
    """As a caller does who got an error: again, with the same key, on a disk that works."""
    with opened(path) as memory:
        operation(memory, path.parent)


def trial(base: Path, folder: Path, name: str, kind: str, mode: str, at: int) -> bool:
    """Whether the operation had so many calls of that kind. Checks the file afterwards."""
    folder.mkdir()
    path, operation = folder / "memory.db", OPERATIONS[name]
    shutil.copy(base / "base.db", path)
    shutil.copy(base / "other.jsonl", folder)
    acknowledged = False
    with failing_disk() as disk:
        memory = opened(path)
        disk.fail(kind, mode, at)
        try:
            operation(memory, folder)
            acknowledged = not disk.is_off
        except (CannotWrite, Busy):
            pass
        with suppress(OmoideError):
            memory.close()
        happened = disk.happened()
        if happened and mode == "cut":
            path = after_the_cut(disk.after_power_cut(at), folder / "after")
            shutil.copy(base / "other.jsonl", path.parent)
    if not acknowledged:
        insist(path, operation)
    check(path, name)
    shutil.rmtree(folder)
    return happened


def after_the_cut(images: dict[str, bytes], folder: Path) -> Path:
    folder.mkdir()
    for name, content in images.items():
        if Path(name).name in ("memory.db", "memory.db-wal"):
            (folder / Path(name).name).write_bytes(content)
    return folder / "memory.db"


def check(path: Path, name: str) -> None:
    with opened(path) as memory:
        assert unsound(memory) == []
        texts = [node.text for node in memory.list(state="all", limit=100).items]
        stored = {"observe": "A new turn", "remember": "Otto drinks", "import": "Imported words"}.get(name)
        assert stored is None or sum(text.startswith(stored) for text in texts) == 1
        assert sum(text == BASE[2] for text in texts) == 1
        assert sum(SECRET in text for text in texts) == (0 if name == "forget" else 1) or name == "maintain"
        if name == "correct":
            assert [node.text for node in memory.list(["fact"]).items] == ["Otto lives in Bergen"]
    if name == "forget":
        for file in path.parent.glob("memory.db*"):
            assert SECRET.encode() not in file.read_bytes().lower(), file.name


@pytest.mark.parametrize(("kind", "mode"), [("write", "short"), ("sync", "late"), ("sync", "cut"), ("write", "cut")])
@pytest.mark.parametrize("name", ["observe", "forget"])
def test_an_operation_survives_a_fault(base: Path, tmp_path: Path, name: str, kind: str, mode: str) -> None:
    assert trial(base, tmp_path / "trial", name, kind, mode, 2)


@pytest.mark.torture
@pytest.mark.parametrize("name", OPERATIONS)
def test_an_operation_survives_every_fault(base: Path, tmp_path: Path, name: str) -> None:
    """Every call of every kind in every mode, in random order, for as long as there is time."""
    luck, until, tried = random.Random(name), time.monotonic() + SECONDS, 0
    most = dict.fromkeys(KINDS, 8)
    while time.monotonic() < until:
        kind, mode = luck.choice(KINDS), luck.choice(MODES)
        at = luck.randint(1, most[kind])
        if trial(base, tmp_path / f"{tried}", name, kind, mode, at):
            most[kind] = max(most[kind], at + 8)
        tried += 1
    print(f"{name}: {tried} faults")


@pytest.mark.torture
def test_a_migration_survives_every_fault(tmp_path: Path) -> None:
    before = shipped_migrations()[:1]
    for at in range(1, 200):
        folder = tmp_path / str(at)
        folder.mkdir()
        path = folder / "memory.db"
        path.touch()
        db = connect(str(path), 1.0)
        upgrade(db, str(path), Gate(f"{path}-gate", 1.0), ticking(), before)
        close(db)
        with failing_disk() as disk:
            disk.fail("write", MODES[at % 4], at)
            with suppress(OmoideError):
                opened(path).close()
            happened = disk.happened()
        with opened(path) as memory:
            assert unsound(memory) == []
        if not happened:
            return
