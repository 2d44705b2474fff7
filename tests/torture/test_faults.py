"""Any call of the disk may fail or be the last before the power goes: an operation happened once or not at all."""

from __future__ import annotations

import os
import time
from pathlib import Path

import apsw
import pytest

from omoide import Memory
from omoide.errors import CannotWrite
from omoide.store.engine.connection import Connection
from omoide.store.learning.learning_transaction import LearningTransaction
from tests.torture.faults import (
    OPERATIONS,
    PYTHON,
    FailingPython,
    campaign,
    full_trial,
    make_base,
    python_trial,
    trial,
)

SECONDS = float(os.environ.get("TORTURE_SECONDS", "60"))
FAULTS = int(os.environ.get("TORTURE_FAULTS", "20000"))
WRITES_FILES = [name for name, each in OPERATIONS.items() if each.copies]


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_base(tmp_path_factory.mktemp("faults"))


@pytest.fixture(scope="module")
def python() -> FailingPython:
    return FailingPython()


@pytest.mark.parametrize(("kind", "mode"), [("write", "short"), ("sync", "late"), ("sync", "cut"), ("write", "cut")])
@pytest.mark.parametrize("name", ["observe", "forget"])
def test_an_operation_survives_a_fault(base: Path, tmp_path: Path, name: str, kind: str, mode: str) -> None:
    assert trial(base, tmp_path / "trial", name, kind, mode, 2).happened()


def test_a_read_that_fails_while_a_file_is_opened_is_an_error_of_the_disk(base: Path, tmp_path: Path) -> None:
    at = 2
    while trial(base, tmp_path / f"{at}", "migrate", "read", "error", at).happened():
        at += 9
    assert at > 20


def test_a_copy_that_cannot_be_read_keeps_nothing_from_being_forgotten(base: Path, tmp_path: Path) -> None:
    reads = trial(base, tmp_path / "counted", "forget", "none", "", 0).calls["read"]
    for at in range(reads - 30, reads + 1):  # the last ones look for the erased words, also in copies
        trial(base, tmp_path / f"{at}", "forget", "read", "error", at)


def test_a_disk_that_fails_while_an_item_is_learned_is_the_error(memory: Memory) -> None:
    def work(db: Connection) -> None:
        with LearningTransaction(db).isolated():
            db.execute("ROLLBACK")  # as SQLite does then
            raise apsw.IOError("the disk says no")

    with pytest.raises(CannotWrite, match="the disk says no"):
        memory._store._file.write(work)


@pytest.mark.parametrize("name", WRITES_FILES)
def test_files_that_python_writes_are_whole_or_not_there(
    base: Path, tmp_path: Path, python: FailingPython, name: str
) -> None:
    for kind in PYTHON:
        at = 1
        while python_trial(base, tmp_path / f"{kind}{at}", name, python, kind, at)[kind] >= at:
            at += 1


@pytest.mark.parametrize("name", WRITES_FILES)
def test_a_disk_that_takes_no_larger_file(base: Path, tmp_path: Path, name: str) -> None:
    for eighths in (9, 12, 16):
        full_trial(base, tmp_path / f"{eighths}", name, eighths)


@pytest.mark.torture
def test_every_operation_survives_every_fault(tmp_path: Path) -> None:
    until = time.monotonic() + SECONDS * len(OPERATIONS)
    found = campaign(tmp_path, FAULTS, lambda: time.monotonic() > until, 1, list(OPERATIONS))
    print(f"{found.total()} faults: {dict(found)}")
