"""One item of every job fails: it is set aside, named, and tried again; the job does the others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from omoide import Memory
from omoide.clock import to_datetime
from omoide.maintain.nightly import JOBS
from omoide.providers.protocols import Embedder
from omoide.settings import make_settings
from omoide.store import Finding, LearningTransaction
from omoide.store.entities.entities import EntityProfile
from tests.conftest import START, Ticking, inserted
from tests.maintain.test_deduplicate import Alike

NAMES = ("Alba", "Poison", "Orla")
ABOUT = "(SELECT text FROM node WHERE id = {}) LIKE '%Poison%'"


def in_sessions(text: str, days: int = 0, *, ends: bool = True) -> Callable[[Memory], None]:
    """A session for each name, so many days apart."""

    def fill(memory: Memory) -> None:
        for number, name in enumerate(NAMES):
            at = to_datetime(START + number * days * 86_400_000_000)
            for each in text.format(name=name).split("|"):
                memory.observe(each, session=name, at=at)
            if ends:
                memory.end(name)

    return fill


def wait(memory: Memory, days: float) -> None:
    """Night by night: after a longer gap, nothing is archived on the word of the clock alone."""
    clock = memory._core.clock
    assert isinstance(clock, Ticking)
    while days > 0:
        memory.maintain(["erasures"])
        clock.advance(days=min(days, 6))
        days -= 6


def learned(fill: Callable[[Memory], None]) -> Callable[[Memory], None]:
    def both(memory: Memory) -> None:
        fill(memory)
        memory.learn()

    return both


def maintained(fill: Callable[[Memory], None], *jobs: str, days: float) -> Callable[[Memory], None]:
    def all_of(memory: Memory) -> None:
        fill(memory)
        wait(memory, days)
        assert memory.maintain(list(jobs)).failed == {}

    return all_of


def tasks(memory: Memory) -> None:
    for name in NAMES:
        memory.task(f"Move {name}", detached=True)


def notes(*texts: str, **given: Any) -> Callable[[Memory], None]:
    def fill(memory: Memory) -> None:
        for name in NAMES:
            for text in texts:
                inserted(memory, text.format(name=name), kind="note", **given)

    return fill


def unsummarised(memory: Memory) -> None:
    learned(in_sessions("My sister {name} is a nurse.|{name} lives in Denver.|{name} likes chess."))(memory)
    memory._store._file.write(lambda db: db.execute("UPDATE entity SET summary = NULL, attributes = '{}'").fetchall())


def traces(memory: Memory) -> None:
    for name in NAMES:
        with memory.task(f"Move {name}") as task:
            task.action("move", target=name)


def damaged_vectors(memory: Memory) -> None:
    notes("{name} likes tea")(memory)
    memory.flush()
    memory._store._file.write(lambda db: db.execute("UPDATE vector SET data = zeroblob(length(data))"))


def entities(memory: Memory) -> None:
    def save(transaction: LearningTransaction) -> None:
        for name in NAMES:
            transaction.save_entity(EntityProfile(name=name))

    memory._store.learning.transact(save)


def links(memory: Memory) -> None:
    for name in NAMES:
        one, other = (inserted(memory, f"{name} {number}", kind="note") for number in range(2))
        memory.graph.link(one.id, other.id, "related_to")
    memory._store._file.write(lambda db: db.execute("UPDATE edge SET valid_until = ?", (START,)))


@dataclass(frozen=True)
class Case:
    fill: Callable[[Memory], None]
    refused: str  # what the file refuses to write: BEFORE … ON … WHEN …
    days: float = 2
    settings: dict[str, Any] = field(default_factory=dict)
    embedder: Embedder | None = None


TALK = in_sessions("My sister {name} lives in Oslo. She works at Siemens as a nurse and likes green tea a lot.")
LONG = in_sessions(
    "We moved the crane of {name} to the pier last week, and the harbour master was not happy with it at all.|"
    "The tide was late at {name}, so the ships waited outside of the harbour until the next morning and left.|"
    "I will paint the boat of {name} on Friday. Which colour did the harbour master ask for, blue or green?",
    days=8,
)
CASES = {
    "crashed_tasks": Case(tasks, "UPDATE ON task WHEN " + ABOUT.format("NEW.node_id")),
    "learn": Case(TALK, "INSERT ON node WHEN NEW.text LIKE '%Poison%'"),
    "enrich": Case(
        unsummarised,
        "UPDATE ON entity WHEN NEW.name = 'Poison'",
        settings={"entity_enrichment_min_mentions": 1},
    ),
    "causes": Case(
        in_sessions("The deploy of {name} failed.|That's why we rolled {name} back."),
        "INSERT ON edge WHEN NEW.type = 'causal' AND " + ABOUT.format("NEW.source_id"),
    ),
    "narratives": Case(TALK, "INSERT ON node WHEN NEW.kind = 'narrative' AND NEW.text LIKE '%Poison%'"),
    "summaries": Case(
        in_sessions("The crane of {name} is green and tall.", ends=False), "UPDATE ON session WHEN NEW.name = 'Poison'"
    ),
    "summaries, days": Case(LONG, "INSERT ON node WHEN NEW.tags LIKE '%daily%' AND NEW.text LIKE '%Poison%'", days=60),
    "summaries, weeks": Case(
        LONG, "INSERT ON node WHEN NEW.tags LIKE '%weekly%' AND NEW.text LIKE '%Poison%'", days=60
    ),
    "compress": Case(
        learned(LONG), "INSERT ON node WHEN NEW.source_type = 'consolidation' AND NEW.text LIKE '%Poison%'", days=60
    ),
    "shorten": Case(
        maintained(LONG, "learn", "compress", days=20), "UPDATE ON node WHEN NEW.text LIKE '%Poison%'", days=60
    ),
    "deduplicate": Case(notes("{name} likes tea", "{name} likes tea"), "UPDATE ON node WHEN NEW.text LIKE '%Poison%'"),
    "deduplicate, vectors": Case(
        notes("{name} likes green tea", "{name} likes the green tea"),
        "UPDATE ON node WHEN NEW.text LIKE '%Poison%'",
        embedder=Alike(),
    ),
    "low_confidence": Case(
        notes("{name} likes tea", source_type="inferred", confidence=0.05),
        "UPDATE ON node WHEN OLD.text LIKE '%Poison%'",
    ),
    "expire": Case(
        maintained(learned(LONG), "learn", "compress", days=20),
        "UPDATE ON node WHEN OLD.text LIKE '%Poison%'",
        days=400,
    ),
    "traces": Case(traces, "UPDATE ON node WHEN OLD.text LIKE '%Poison%'", days=800),
    "scrub": Case(damaged_vectors, "INSERT ON embedding_queue WHEN " + ABOUT.format("NEW.node_id"), embedder=Alike()),
    "orphans": Case(entities, "DELETE ON entity WHEN OLD.name = 'Poison'", days=100),
    "orphans, links": Case(links, "DELETE ON edge WHEN " + ABOUT.format("OLD.source_id"), days=400),
}


ELSEWHERE = {
    "erasures": "has no items: it cleans the file once",
    "prune": "test_prune.py",
    "backup": "below",
}


def test_every_job_is_here() -> None:
    assert {name.partition(",")[0] for name in CASES} | ELSEWHERE.keys() == {job.name for job in JOBS}


def opened(path: Path, case: Case) -> Memory:
    memory = Memory(
        path,
        embedder=case.embedder,
        clock=Ticking(START),
        settings=make_settings(**case.settings),
    )
    case.fill(memory)
    memory.flush()
    wait(memory, case.days)
    return memory


def night(memory: Memory, job: str) -> tuple[Counter[tuple[str, str]], str]:
    """What a job did, and how it ended."""
    [ran] = memory.maintain([job]).jobs
    return Counter((step.verb, step.kind) for step in ran.steps if step.verb != "checked"), ran.why


def execute(memory: Memory, sql: str) -> None:
    memory._store._file.write(lambda db: db.execute(sql))


def maintenance(memory: Memory) -> Finding:
    return next(each for each in memory.admin.doctor() if each.check == "maintenance")


@pytest.mark.parametrize("name", CASES)
def test_an_item_that_fails_is_set_aside_and_done_later_and_the_others_at_once(tmp_path: Path, name: str) -> None:
    case, job = CASES[name], name.partition(",")[0]
    with opened(tmp_path / "whole.db", case) as memory:
        whole, why = night(memory, job)
        assert not why
    with opened(tmp_path / "poisoned.db", case) as memory:
        execute(memory, f"CREATE TRIGGER poison BEFORE {case.refused} BEGIN SELECT RAISE(ABORT, 'poison'); END")
        first, why = night(memory, job)
        aside = {step: count for step, count in first.items() if step[0] == "set aside"}
        assert aside
        assert "poison" in why
        assert memory.stats().set_aside == sum(aside.values())
        assert f"first {job}, " in maintenance(memory).detail
        done = first - Counter(aside)
        assert done.total() * 3 >= whole.total()
        execute(memory, "DROP TRIGGER poison")
        wait(memory, 1)
        again, why = night(memory, job)
        assert not why
        assert done + again == whole
        assert memory.stats().set_aside == 0
        assert maintenance(memory).ok


def test_an_old_backup_that_cannot_be_removed_is_set_aside(tmp_path: Path) -> None:
    settings = make_settings(backup_folder=str(tmp_path / "backups"), backup_keep=1)
    with Memory(tmp_path / "memory.db", embedder=None, clock=Ticking(START), settings=settings) as memory:
        [copy] = [step.text for step in memory.maintain(["backup"]).jobs[0].steps]
        stem = Path(copy).stem.removesuffix("2026-05-03")
        for day in ("2026-01-01", "2026-01-02", "2026-01-03"):
            (tmp_path / "backups" / f"{stem}{day}.db").touch()
        stuck = tmp_path / "backups" / f"{stem}2026-01-02.db"
        stuck.unlink()
        stuck.mkdir()
        done, _ = night(memory, "backup")
        assert done == {("backed up", "file"): 1, ("removed", "file"): 2, ("set aside", "file"): 1}
        assert maintenance(memory).detail.startswith("1 item set aside")
