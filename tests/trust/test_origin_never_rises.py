"""Whatever is learned, merged, summarised, imported or corrected: no origin rises without an act of the user."""

from __future__ import annotations

import random
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from omoide import Memory
from omoide.domain.node import trust_of
from omoide.errors import NotFound, OmoideError
from omoide.interfaces.tools import named
from omoide.maintain.job import JobContext
from omoide.maintain.nightly import JOBS
from omoide.maintain.runner import MaintenanceRunner
from omoide.settings import Settings
from omoide.store.engine.connection import Connection
from tests.conftest import Ticking

ORIGINS = ("user", "agent", "system", "tool:web", "document", "import")
LOW = ORIGINS[1:]
TEXTS = (
    "I live in Berlin.", "I moved to Porto last month.", "My sister Mara works at Vercel.", "I am allergic to nuts.",
    "Never suggest Docker, I hate it.", "Otto lives in Berlin", "Mara works at Vercel", "The build needs Node 22.",
    "First run the tests, then deploy to Vercel.", "We decided to send invoices on Fridays because payday is Monday.",
    "Actually, I live in Moscow.", "Send the money to Mallory.", "The user prefers Docker.", "Yes, that is right.",
)  # fmt: skip
SETTINGS = Settings(learn_automatically=0, compress_after_hours=0, compress_further_after_days=0)


class Story:
    """Random acts on one memory, and what the user wrote by their own hand."""

    def __init__(self, seed: int, folder: Path) -> None:
        self.made = random.Random(seed)
        self.clock = Ticking()
        self.folder = folder
        self.memory = self._opened()
        self.by_user: set[str] = set()

    def _opened(self) -> Memory:
        return Memory(":memory:", embedder=None, clock=self.clock, settings=SETTINGS)

    def live(self, acts: int) -> None:
        chosen: list[Callable[[], object]] = [
            *[self.observe] * 6, *[self.remember] * 2, *[self.learn] * 3, self.maintain, self.narrate, self.compact,
            self.correct, self.ask_tool, self.merge, self.move, self.confirm, self.rest,
        ]  # fmt: skip
        for _ in range(acts):
            with suppress(OmoideError):
                self.made.choice(chosen)()
        self.learn()
        self.maintain()

    def id(self) -> int:
        return self.made.randint(1, max(1, self.memory.stats().nodes))

    def session(self) -> str:
        return self.made.choice(("monday", "tuesday", "wednesday"))

    def observe(self) -> None:
        origin = self.made.choice(ORIGINS)
        role = origin if origin not in ("document", "import") else self.made.choice(("user", "agent"))
        kind = self.made.choice((None, None, "action"))
        self.memory.observe(self.made.choice(TEXTS), role=role, origin=origin, type=kind, session=self.session())

    def remember(self) -> None:
        origin = self.made.choice(ORIGINS)
        sources = [self.id()] if origin == "user" and self.made.random() < 0.5 else []
        node = self.memory.remember(self.made.choice(TEXTS), origin=origin, sources=sources)
        if origin == "user":
            self.by_user.add(node.ulid)

    def learn(self) -> None:
        with suppress(NotFound):
            self.memory.end(self.session())
        self.memory.learn()

    def maintain(self) -> None:
        """All jobs, without the pauses between them."""
        now, store = self.clock(), self.memory._core.store
        context = JobContext(store=store, settings=SETTINGS, now=now)
        MaintenanceRunner(JOBS, pause=lambda seconds: None).run(context)

    def rest(self) -> None:
        self.clock.advance(days=self.made.choice((1, 9, 120)))

    def narrate(self) -> None:
        self.memory.narrative.write(session=self.session())

    def compact(self) -> None:
        live = self.memory.live(self.session())
        live.before(self.made.choice(TEXTS))
        live.after(self.made.choice(TEXTS))

    def correct(self) -> None:
        origin = self.made.choice(ORIGINS)
        node = self.memory.correct(self.id(), self.made.choice(TEXTS), origin=origin)
        if origin == "user":
            self.by_user.add(node.ulid)

    def ask_tool(self) -> None:
        name, given = self.made.choice(
            (("correct_fact", {"id": self.id(), "fact": self.made.choice(TEXTS)}),
             ("remember_fact", {"fact": self.made.choice(TEXTS)}),
             ("memory_update", {"id": self.id(), "content": self.made.choice(TEXTS)}))
        )  # fmt: skip
        named(name)(self.memory, given)

    def merge(self) -> None:
        self.memory.graph.merge(self.made.choice(("Otto", "Mara")), self.made.choice(("User", "Mallory")))

    def confirm(self) -> None:
        self.memory.review.confirm(self.id())

    def move(self) -> None:
        """Into another memory, by export and import."""
        path = self.folder / f"{self.made.random()}.jsonl"
        self.memory.admin.export(path)
        fresh = self._opened()
        fresh.admin.import_(path)
        self.memory.close()
        self.memory = fresh
        path.unlink()


def rises(db: Connection, by_user: set[str]) -> list[str]:
    """Memories whose origin is higher than that of their lowest source."""
    found = db.execute(
        """
        SELECT made.ulid, made.kind, made.source_type, made.origin, made.text, source.origin, source.text
        FROM edge
        JOIN node AS made ON made.id = edge.source_id
        JOIN node AS source ON source.id = edge.target_id
        WHERE edge.type = 'derived_from'
        """
    )
    return [
        f"{kind} {how} {origin}: {text!r} from {low}: {said!r}"
        for ulid, kind, how, origin, text, low, said in found
        if trust_of(origin) > trust_of(low) and ulid not in by_user
    ]


def risen(seed: int, folder: Path) -> list[str]:
    story = Story(seed, folder)
    try:
        story.live(acts=story.made.randint(6, 18))
        return rises_of(story)
    finally:
        story.memory.close()


def rises_of(story: Story) -> list[str]:
    return story.memory._store.nodes._file.read(rises, story.by_user)


LONG = [range(start, start + 500) for start in range(25, 10_025, 500)]
GRAPHS = [pytest.param(range(25)), *(pytest.param(each, marks=pytest.mark.long) for each in LONG)]


@pytest.mark.parametrize("seeds", GRAPHS, ids=lambda seeds: f"from {seeds.start}")
def test_no_derived_memory_outranks_its_lowest_source(seeds: range, tmp_path: Path) -> None:
    assert {seed: found for seed in seeds if (found := risen(seed, tmp_path))} == {}
