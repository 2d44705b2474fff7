"""Ctrl-C at any moment of a call: the next call works, nobody else waits for ever, and closing closes."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from omoide import Memory
from omoide.errors import Busy
from omoide.store.engine.gate import Gate
from tests.conftest import unsound
from tests.torture.operations import interrupt

Verb = Callable[[Memory], object]
VERBS: dict[str, Verb] = {
    "observe": lambda memory: memory.observe("And tea", key="tea", session="talk"),
    "recall": lambda memory: memory.recall("pier"),
    "close": lambda memory: memory.close(),
}


def filled(path: Path) -> Memory:
    memory = Memory(path, embedder=None)
    memory.observe("The pier is green", session="talk")
    memory.recall("pier")  # whose hit is counted when the memory is closed
    return memory


def interrupted(folder: Path, verb: Verb, at: int) -> bool:
    folder.mkdir()
    path = folder / "memory.db"
    memory = filled(path)
    happened, where = interrupt(at, lambda: verb(memory))
    try:
        with Gate(f"{path}-gate", 0.5).held():
            pass  # nobody waits for the one that was interrupted
    except Busy as error:
        raise AssertionError(f"interrupted in {where}") from error
    if not memory._store._file._closed:
        memory.observe("And tea", key="tea", session="talk")
        assert memory.recall("tea", limit=1).texts == ["And tea"]
    memory.close()
    assert sorted(os.listdir(folder)) == ["memory.db", "memory.db-gate"], where  # it was the last
    with Memory(path, embedder=None) as after:
        assert unsound(after) == []
        assert len([node for node in after.list(limit=9).items if node.text == "And tea"]) <= 1
    return happened


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # it may meet the end of a generator
@pytest.mark.parametrize(("name", "step"), [("observe", 7), ("recall", 41), ("close", 3)])
def test_an_interrupt_at_any_moment(tmp_path: Path, name: str, step: int) -> None:
    at = 1
    while interrupted(tmp_path / str(at), VERBS[name], at):
        at += step
    assert at > 20


@pytest.mark.torture
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("name", VERBS)
def test_an_interrupt_at_every_moment(tmp_path: Path, name: str) -> None:
    at = 1
    while interrupted(tmp_path / str(at), VERBS[name], at):
        at += 1
    print(f"{at - 1} interrupts inside {name}")


def test_a_second_background_thread_ends_with_the_first(memory: Memory) -> None:
    """Ctrl-C while a thread is started may hide it, so that another one is started beside it."""
    memory.observe("turn")
    worker = memory._core.background
    threads = [threading.Thread(target=worker._run, daemon=True) for _ in range(3)]
    for thread in threads:
        thread.start()
    memory.close()
    for thread in threads:
        thread.join(30)
    assert [thread.is_alive() for thread in threads] == [False, False, False]
