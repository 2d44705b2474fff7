"""Simulates a life: conversations by day, maintenance by night, restarts, wrong clocks, forget requests."""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from life.days import START, Day, Life
from life.moving_clock import MovingClock
from life.questions import KNOWN, about, named
from omoide import Memory, Settings
from omoide.errors import NotFound
from omoide.ids import encode_ulid
from omoide.maintain.job import JobContext
from omoide.maintain.nightly import JOBS
from omoide.maintain.runner import MaintenanceRunner
from omoide.providers.hashing import HashingEmbedder
from omoide.store import ErasurePreview

ZONE = "Europe/Berlin"
SETTINGS = Settings(time_zone=ZONE)
SCRUB = 30  # days; it reads the whole file, which takes most of a maintenance run
RESTART = 30  # days
AWAKE = 10  # days; the machine sleeps on days without conversations, but not for longer
JUMPS = {  # day of the year → error of the clock in that night
    40: timedelta(hours=-3),
    130: timedelta(days=365),
    220: timedelta(days=-40),
    300: timedelta(days=9),
}
FORGET = {100: "session", 200: "id", 290: "query"}  # day of the year → kind of request


@dataclass(frozen=True, slots=True)
class StoredTurn:
    """A turn that was observed."""

    id: int
    text: str
    session: str


@dataclass
class LifeSimulation:
    """One memory and one life; `told` is every turn that was not forgotten."""

    path: Path
    seed: int = 1
    jumps: Mapping[int, timedelta] = field(default_factory=lambda: JUMPS)
    forgets: bool = True
    told: dict[int, StoredTurn] = field(default_factory=dict)
    nights: Counter[str] = field(default_factory=Counter)  # "job verb" → count of all maintenance runs
    troubles: list[str] = field(default_factory=list)
    night_cpu: float = 0.0
    nights_run: int = 0
    heard: Callable[[Day, str, object], None] | None = None  # called with each maintenance step

    def __post_init__(self) -> None:
        self.life = Life(self.seed)
        self.clock = MovingClock(START)
        self._numbers = count(1)
        self._chance = random.Random(f"what is forgotten {self.seed}")
        self._runner = MaintenanceRunner(JOBS, pause=lambda seconds: None)  # no other process uses this file
        self.memory = self._open()

    def _open(self) -> Memory:
        return Memory(
            self.path,
            embedder=HashingEmbedder(),
            settings=SETTINGS,
            clock=self.clock,
            ids=lambda at: encode_ulid(next(self._numbers)),
        )

    def close(self) -> None:
        self.memory.close()

    def days(self, many: int) -> Iterator[Day]:
        """Yields each morning after maintenance."""
        for day in self.life.days(many):
            self._talk(day)
            if self.forgets and day.number > 365 and day.number % 365 in FORGET:
                self._forget(FORGET[day.number % 365])
            if day.talks or day.number % AWAKE == 0 or day.number % 365 in self.jumps:
                self._night(day)
            if day.number % RESTART == RESTART - 1:
                self.memory.close()
                self.memory = self._open()
            yield day

    def _talk(self, day: Day) -> None:
        for talk in day.talks:
            self.clock.put(talk.turns[-1]["at"] + timedelta(seconds=1))
            nodes = self.memory.observe_many([{**turn, "session": talk.name} for turn in talk.turns])
            for node, turn in zip(nodes, talk.turns, strict=True):
                self.told[node.id] = StoredTurn(node.id, turn["text"], talk.name)
            self.memory.end(talk.name)

    def _night(self, day: Day) -> None:
        """Runs maintenance at three in the morning of the next day, local time."""
        morning = (day.at + timedelta(days=1)).date()
        self.clock.put(datetime(morning.year, morning.month, morning.day, 3, tzinfo=ZoneInfo(ZONE)).astimezone(UTC))
        self.clock.off = self.jumps.get(day.number % 365, timedelta(0))
        self.memory.flush()
        begun = time.process_time()
        report = self._runner.run(
            JobContext(store=self.memory._store, settings=SETTINGS, now=self.clock()),
            None if day.number % SCRUB == 0 else [job.name for job in JOBS if job.name != "scrub"],
        )
        self.night_cpu += time.process_time() - begun
        self.nights_run += 1
        self.memory.flush()
        self.clock.off = timedelta(0)
        for ran in report.jobs:
            self.nights.update({f"{ran.job}: {verb}": times for verb, times in ran.counts.items()})
            if ran.outcome == "skipped":
                self.nights[f"{ran.job}: skipped"] += 1
            elif ran.outcome != "done":
                self.troubles.append(f"{morning} {ran.job} {ran.outcome}: {ran.why}")
            for step in ran.steps if self.heard else ():
                self.heard(day, ran.job, step)  # type: ignore[misc]

    def _forget(self, way: str) -> None:
        chosen = self._chance.choice(list(self.told.values()))
        try:
            seen = self.memory.forget(**self._meant(way, chosen), preview=True)
            receipt = self.memory.forget(**self._meant(way, chosen))
        except NotFound:  # the query matches nothing clearly
            self.nights[f"forget: {way} found nothing"] += 1
            return
        self.nights[f"forget: {way}"] += 1
        for id in receipt.ids:
            self.told.pop(id, None)
        self._clouded(seen)
        if not receipt.clean:
            where = ", ".join(receipt.scan.tables or receipt.scan.found_in)
            self.troubles.append(f"forget by {way} not clean: {'; '.join(receipt.pending) or f'seen in {where}'}")

    def _clouded(self, seen: ErasurePreview) -> None:
        """Marks forgotten facts, and facts that hold again because of it, as unknowable."""
        truth = self.life.truth
        for trait in self.life.traits:
            for node in (each for each in seen.nodes if each.kind in KNOWN and about(trait.who, each.text)):
                for value in named(truth.ever(trait), node.text):
                    truth.forgotten(trait, value)
            for node in (each for each in seen.reinstated if about(trait.who, each.text)):
                for value in named(truth.ever(trait), node.text):
                    truth.forgotten(trait, value, ending=True)

    def _meant(self, way: str, chosen: StoredTurn) -> dict[str, Any]:
        if way == "session":
            return {"session": chosen.session}
        if way == "id":
            return {"id": chosen.id}
        return {"query": chosen.text, "limit": 3}
