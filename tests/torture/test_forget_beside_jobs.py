"""Somebody forgets right before any write of any job: the erased words do not come back, and no job stays stuck."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from omoide import Memory
from omoide.clock import to_datetime
from omoide.errors import Busy, NotFound
from tests.conftest import START, Ticking, inserted, unsound
from tests.torture.interposed import InterposedGate

SECRET = "zanzibarqux"
TALK = (
    ("user", "My name is Otto. I live in Oslo and I work at Siemens."),
    ("user", f"My sister Anna moved to {SECRET} last month because the rent was too high."),
    ("agent", f"Noted: Anna lives in {SECRET} now. Shall I book a train?"),
    ("user", f"No. I prefer {SECRET} tea, and I hate Docker. That's why we had to leave."),
    ("user", f"To deploy {SECRET}: 1. run the tests 2. npm run build 3. vercel --prod"),
    ("agent", "It works, thanks!"),
)
DEPLOY = (f"git pull {SECRET}", "npm test", "vercel --prod")


DAY = 86_400_000_000


def opened(path: str | Path, days: float = 0, **given: object) -> Memory:
    parts = {"embedder": None, "clock": Ticking(START + int(days * DAY))} | given
    return Memory(str(path), **parts)  # type: ignore[arg-type]


def tell(memory: Memory) -> None:
    for number, (role, text) in enumerate(TALK):
        memory.observe(text, role=role, session="talk", at=to_datetime(START) + timedelta(minutes=number))
    memory.observe(f"The crane of {SECRET} was moved because the tide was late.", at=to_datetime(START))
    inserted(memory, f"Anna lives in {SECRET}", kind="fact")
    for text in (f"{SECRET} has a crane", f"{SECRET} has a crane", "Otto lives in Oslo", "Otto lives in Oslo"):
        inserted(memory, text, kind="note")
    for day in range(3):
        for number, text in enumerate(DEPLOY):
            at = to_datetime(START) + timedelta(days=day, minutes=number)
            memory.observe(text, role="agent", type="action", session=f"work {day}", at=at)
        with memory.task(f"Move {SECRET} to pier {day}", type="move") as task:
            task.action("run_test", target="pier.py")
            task.error("TypeError", f"pier {SECRET} is None", resolution=f"check {SECRET} first")


def end(memory: Memory) -> None:
    for session in ("talk", "work 0", "work 1", "work 2"):
        memory.end(session)


def night(memory: Memory, *jobs: str) -> None:
    report = memory.maintain(list(jobs) or None)
    assert report.failed == {}


def live_window(memory: Memory) -> None:
    with memory.live("talk", window=1_200) as live:
        for number in range(4):
            live.before(f"Tell me of pier {number}. " + "The crane is green. " * 40)
            live.after("It is. " * 40)


def forget_all(path: str) -> None:
    """As another process: everything that contains the secret."""
    with opened(path, 40) as memory:
        found = [node.id for node in memory.list(state="all", limit=1000).items if SECRET in repr(node)]
        if found:
            memory.forget(found)


# What is there before, how many days later, and the job.
JOBS: dict[str, tuple[str, float, Callable[[Memory], object]]] = {
    "end": ("told", 1, end),
    "learn": ("ended", 1, Memory.learn),
    "narrative": ("ended", 1, lambda memory: memory.narrative.write(session="talk")),
    "own narrative": ("ended", 1, lambda memory: memory.narrative.write("They moved.", session="talk")),
    "live": ("told", 1, live_window),
    "nightly learning": ("ended", 1, lambda memory: night(memory, "learn", "enrich", "causes", "narratives")),
    "summaries": ("learned", 9, lambda memory: night(memory, "summaries")),
    "compress": ("ended", 2, lambda memory: night(memory, "compress")),
    "deduplicate": ("learned", 2, lambda memory: night(memory, "deduplicate")),
    "shorten": ("compressed", 30, lambda memory: night(memory, "shorten")),
    "retention": ("compressed", 400, lambda memory: night(memory, "low_confidence", "expire", "traces", "orphans")),
    "undo": ("compressed", 3, lambda memory: memory.admin.undo()),
}


@pytest.fixture(scope="module")
def stages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same file before each job."""
    folder = tmp_path_factory.mktemp("stages")
    steps: list[tuple[str, float, Callable[[Memory], object]]] = [
        ("told", 0, tell),
        ("ended", 1, end),
        ("learned", 1, Memory.learn),
        ("compressed", 2, night),
    ]
    before = None
    for name, days, work in steps:
        if before is not None:
            shutil.copy(folder / before, folder / name)
        with opened(folder / name, days) as memory:
            work(memory)
        before = name
    return folder


def beside(stages: Path, folder: Path, name: str, at: int) -> bool:
    """Runs a job with a forget before its n-th write; whether it had so many."""
    stage, days, job = JOBS[name]
    path = folder / f"{name}-{at}.db"
    shutil.copy(stages / stage, path)
    memory = opened(path, days)
    gate = InterposedGate(memory, at, lambda: forget_all(str(path)))
    try:
        job(memory)
    except (NotFound, Busy):  # what it was about is gone
        assert gate.happened
    memory.close()
    if gate.happened:
        assert_forgotten(path, days)
    return gate.happened


def assert_forgotten(path: Path, days: float) -> None:
    with opened(path, days + 1) as memory:
        assert memory.learn().failed == {}
        night(memory, "learn", "enrich", "causes", "narratives", "summaries", "compress", "deduplicate")
        assert unsound(memory) == []
        assert memory._store.maintenance.list_set_aside() == []
    kept = b"".join(each.read_bytes() for each in path.parent.glob(f"{path.name}*"))
    assert SECRET.encode() not in kept.lower()


@pytest.mark.parametrize("name", ["learn", "summaries", "live"])
def test_a_forget_before_a_write_of_a_job_stays_forgotten(stages: Path, tmp_path: Path, name: str) -> None:
    assert beside(stages, tmp_path, name, 2)


@pytest.mark.torture
@pytest.mark.parametrize("name", JOBS)
def test_a_forget_before_every_write_of_every_job_stays_forgotten(stages: Path, tmp_path: Path, name: str) -> None:
    at = 1
    while beside(stages, tmp_path, name, at):
        at += 1
    assert at > 1
