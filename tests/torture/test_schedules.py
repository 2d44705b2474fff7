"""Two jobs at once: the whole of one happens before any transaction of the other, for all pairs.

Within a transaction that reads, what others write is not seen; while one writes, nobody else does. So these are all the
ways in which the statements of two jobs can be mixed.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from omoide import Memory
from omoide.errors import Busy, InvalidInput, NotFound
from omoide.providers.hashing import HashingEmbedder
from tests.conftest import START, Ticking, inserted, unsound
from tests.torture.interposed import InterposedGate

TALK = (
    ("user", "My name is Otto. I live in Oslo and I hate Docker."),
    ("agent", "Nice to meet you, Otto! How was the harbour?"),
    ("user", "I moved to Bergen last month because the rent was too high."),
    ("user", "My sister Anna works at Siemens."),
)
JOBS: dict[str, Callable[[Memory], object]] = {
    "learn": lambda memory: memory.learn(),
    "forget": lambda memory: memory.forget(4) if 4 in ids(memory) else None,
    "summaries": lambda memory: memory.maintain(["summaries"]),
    "compress": lambda memory: memory.maintain(["compress"]),
    "deduplicate": lambda memory: memory.maintain(["deduplicate"]),
    "import": lambda memory: memory.admin.import_(Path(memory.path).with_name("other.jsonl")),
    "embed": lambda memory: memory.flush(),
    "merge": lambda memory: merge(memory),
    "retention": lambda memory: memory.maintain(["low_confidence", "expire", "orphans"]),
}


def ids(memory: Memory) -> set[int]:
    return {node.id for node in memory.list(state="all", limit=100).items}


def merge(memory: Memory) -> None:
    with suppress(InvalidInput):  # they are one already
        memory.graph.merge("Annie", into="Anna")


def opened(path: Path, **given: object) -> Memory:
    return Memory(path, **({"embedder": None, "clock": Ticking(START + 2 * 86_400_000_000)} | given))  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("schedules")
    with opened(folder / "other.db") as memory:
        memory.observe("Imported words about Anna", key="imported", session="talk")
        memory.admin.export(folder / "other.jsonl")
    with Memory(folder / "base.db", embedder=None, clock=Ticking(START)) as memory:
        for role, text in TALK:
            memory.observe(text, role=role, session="talk")
        for name in ("Anna", "Annie"):
            memory.graph.entity(name, type="person")
        for text in ("Anna likes tea", "Anna likes tea", "Annie likes tea"):
            inserted(memory, text, kind="note")
        memory.end("talk")
    return folder


def scheduled(base: Path, folder: Path, first: str, second: str, at: int) -> bool:
    """Runs one job with the other before its n-th write; whether it had so many. Then both again, to the end."""
    folder.mkdir()
    shutil.copy(base / "other.jsonl", folder)
    path = Path(shutil.copy(base / "base.db", folder / "memory.db"))
    embedder = HashingEmbedder() if "embed" in (first, second) else None

    def other() -> None:
        with opened(path, embedder=embedder) as beside:
            JOBS[second](beside)

    with opened(path, embedder=embedder) as memory:
        gate = InterposedGate(memory, at, lambda: attempt(other), reads=True)
        attempt(lambda: JOBS[first](memory))
    with opened(path, embedder=embedder) as memory:
        for job in (first, second):
            JOBS[job](memory)
        assert memory.learn().failed == {}
        assert unsound(memory) == []
        people = {memory.graph.entity(name).name for name in ("Anna", "Annie")}
        assert len(people) == 2 - ("merge" in (first, second))
        texts = [node.text for node in memory.list(state="all", limit=100).items]
        assert sum(text.startswith("Imported") for text in texts) == ("import" in (first, second))
        assert not any("Siemens" in text for text in texts) or "forget" not in (first, second)
    shutil.rmtree(folder)
    return gate.happened


def attempt(job: Callable[[], object]) -> None:
    """A job may be told to come back later, as when both maintain."""
    with suppress(Busy, NotFound):
        job()


@pytest.mark.parametrize(("first", "second"), [("learn", "compress"), ("summaries", "forget"), ("learn", "merge")])
def test_a_job_inside_another_job(base: Path, tmp_path: Path, first: str, second: str) -> None:
    assert scheduled(base, tmp_path / "at", first, second, 2)


@pytest.mark.torture
@pytest.mark.parametrize("second", JOBS)
@pytest.mark.parametrize("first", JOBS)
def test_a_job_before_every_transaction_of_another_job(base: Path, tmp_path: Path, first: str, second: str) -> None:
    at = 1
    while scheduled(base, tmp_path / f"{at}", first, second, at):
        at += 1
    print(f"{first}, {second}: {at - 1} schedules")
