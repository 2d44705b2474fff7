"""Processes that mix verbs on one file and are killed: nothing acknowledged is lost, nothing erased comes back.

    python -m tests.torture.crowd --kills 10000 --seconds 900

Each process is a fork of one that has imported everything, so that a kill costs a hundredth of a second. Half of them
are killed from outside at a random moment, half end themselves at a random call of the disk.
"""

from __future__ import annotations

import argparse
import gc
import os
import random
import shutil
import signal
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from omoide import Memory, OmoideError
from tests.conftest import START, Ticking, unsound
from tests.torture.disk import DyingDisk

DAY = 86_400_000_000
ROUND = 40  # kills of one file: it stays small, so that checking it stays quick
VERBS = (
    ["observe"] * 8
    + ["remember", "correct", "forget", "archive", "unarchive", "link", "recall", "context"] * 2
    + ["observe_many", "learn", "summaries", "compress", "deduplicate", "merge", "import", "export", "backup"]
)


class Worker:
    """Says what it is about to erase before it does, and everything else after it was acknowledged."""

    def __init__(self, folder: Path, who: str, seed: int) -> None:
        self.folder, self.who, self.luck = folder, who, random.Random(seed)
        self.memory = Memory(folder / "memory.db", embedder=None, clock=Ticking(START + 3 * DAY + seed))
        self.told = os.open(folder / f"{who}.told", os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        self.turns: list[int] = []
        self.notes: list[int] = []
        self.number = 0

    def say(self, *what: object) -> None:
        os.write(self.told, (" ".join(map(str, what)) + "\n").encode())

    def text(self) -> str:
        """A text with a word of its own."""
        self.number += 1
        return f"word{self.who}x{self.number}z I live near the pier and drink tea {self.number}"

    def work(self) -> None:
        while True:
            verb = self.luck.choice(VERBS)
            with suppress(OmoideError):
                getattr(self, verb)()
                self.say("did", verb)

    def observe(self) -> None:
        text = self.text()
        self.turns.append(self.memory.observe(text, key=text, session=self.who).id)
        self.say("stored", self.turns[-1], text)

    def observe_many(self) -> None:
        texts = [self.text() for _ in range(5)]
        nodes = self.memory.observe_many({"text": text, "key": text, "session": self.who} for text in texts)
        for node, text in zip(nodes, texts, strict=True):
            self.say("stored", node.id, text)

    def remember(self) -> None:
        text = self.text()
        self.notes.append(self.memory.remember(text, kind="note", key=text).id)
        self.say("stored", self.notes[-1], text)

    def correct(self) -> None:
        if self.notes:
            text = self.text()
            self.notes.append(self.memory.correct(self.notes.pop(), text).id)
            self.say("stored", self.notes[-1], text)

    def forget(self) -> None:
        if self.turns:
            id = self.turns.pop(self.luck.randrange(len(self.turns)))
            self.say("erasing", id)
            self.say("erased" if self.memory.forget(id).clean else "unclean", id)

    def archive(self) -> None:
        if self.turns:
            self.memory.admin.archive(self.luck.choice(self.turns))

    def unarchive(self) -> None:
        if self.turns:
            self.memory.admin.unarchive(self.luck.choice(self.turns))

    def link(self) -> None:
        if len(self.turns) > 1:
            one, two = self.luck.sample(self.turns, 2)
            self.memory.graph.link(one, two, "related_to")

    def recall(self) -> None:
        self.memory.recall("tea at the pier", limit=5)

    def context(self) -> None:
        self.memory.context("Where does Otto live?", budget=200)

    def learn(self) -> None:
        self.memory.end(self.luck.choice(["talk", self.who]))
        self.memory.learn()

    def summaries(self) -> None:
        self.memory.maintain(["summaries"])

    def compress(self) -> None:
        self.memory.maintain(["compress"])

    def deduplicate(self) -> None:
        self.memory.maintain(["deduplicate"])

    def merge(self) -> None:
        self.memory.graph.merge("Annie", into="Anna")

    def import_other(self) -> None:
        self.memory.admin.import_(self.folder / "other.jsonl")

    def export(self) -> None:
        self.memory.admin.export(self.folder / f"{self.who}.jsonl")

    def backup(self) -> None:
        self.memory.admin.backup(self.folder / f"{self.who}.backup.db")


setattr(Worker, "import", Worker.import_other)


def base(folder: Path) -> None:
    """The file that every round begins with, and something to import. Also imports what the verbs need."""
    with Memory(folder / "other.db", embedder=None) as memory:
        memory.observe("Imported words about Anna", key="imported", session="other")
        memory.admin.export(folder / "other.jsonl")
    with Memory(folder / "base.db", embedder=None, clock=Ticking(START)) as memory:
        for number in range(12):
            memory.observe(f"My sister Anna{number} moved to Oslo because of tea {number}.", session="talk")
        for name in ("Anna", "Annie"):
            memory.graph.entity(name, type="person")
    fresh(folder, folder / "warm")
    worker = Worker(folder / "warm", "w", 1)
    for verb in dict.fromkeys(VERBS):
        with suppress(OmoideError):
            getattr(worker, verb)()
    worker.memory.close()


def fresh(folder: Path, place: Path) -> None:
    place.mkdir()
    shutil.copy(folder / "base.db", place / "memory.db")
    shutil.copy(folder / "other.jsonl", place)


@dataclass
class Totals:
    kills: int = 0
    verbs: Counter[str] = field(default_factory=Counter)
    rounds: int = 0

    def __str__(self) -> str:
        told = ", ".join(f"{count} {name}" for name, count in sorted(self.verbs.items()))
        return f"{self.kills} kills in {self.rounds} files, {told}"


class Crowd:
    """A file, and the processes at work on it."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.folder, self.luck, self.seed = folder, random.Random(seed), seed
        self.size = self.luck.randint(2, 16)
        self.begun = 0
        self.running: dict[int, str] = {}

    def start(self) -> None:
        self.begun += 1
        who = f"p{self.begun}"
        seed = self.seed * 1000 + self.begun
        child = os.fork()
        if child:
            self.running[child] = who
            return
        try:
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            if seed % 2:
                DyingDisk(random.Random(seed).randint(1, 400))
            Worker(self.folder, who, seed).work()
        except BaseException:
            (self.folder / f"{who}.error").write_text(traceback.format_exc())
        os._exit(1)

    def kill(self) -> None:
        """Takes one that has ended itself, or kills any."""
        child, _ = os.waitpid(-1, os.WNOHANG)
        if not child:
            child = self.luck.choice(list(self.running))
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
        del self.running[child]

    def round(self, kills: int, pause: float) -> int:
        for _ in range(self.size):
            self.start()
        for _ in range(kills):
            time.sleep(self.luck.uniform(0, 2 * pause))
            self.kill()
            self.start()
        while self.running:
            self.kill()
        return self.begun

    def check(self, verbs: Counter[str]) -> None:
        errors = [each.read_text() for each in self.folder.glob("*.error")]
        assert not errors, errors[0]
        stored: dict[int, str] = {}
        said: dict[str, set[int]] = {"erasing": set(), "erased": set(), "unclean": set()}
        for line in "".join(each.read_text() for each in self.folder.glob("*.told")).splitlines():
            what, which, text = f"{line} ".split(" ", 2)
            verbs[f"did {which}" if what == "did" else what] += 1
            if what == "stored":
                stored[int(which)] = text.strip()
            elif what != "did":
                said[what].add(int(which))
        with Memory(self.folder / "memory.db", embedder=None, clock=Ticking(START + 3 * DAY)) as memory:
            assert not (found := unsound(memory)), found
            nodes = {node.id: node for node in memory.list(state="all", limit=100_000).items}
            for id, text in stored.items():
                assert id in said["erasing"] or nodes[id].text == text, (id, text)
            assert not said["erased"] & nodes.keys()
            own = [node.text for node in nodes.values() if node.kind in ("episode", "note") and "word" in node.text[:4]]
            assert len(own) == len(set(own))
        left = b"".join(each.read_bytes() for each in self.folder.glob("memory.db*"))
        for id in said["erased"] & stored.keys():
            assert stored[id].split()[0].encode() not in left, stored[id]
        for path in self.folder.glob("*.backup.db"):  # whole, or not there
            with Memory(path, embedder=None) as backup:
                assert not (found := unsound(backup)), found


def run(folder: Path, kills: int, until: Callable[[], bool], seed: int, pause: float) -> Totals:
    """Kills so many processes, round after round on fresh files, unless it is over before. Keeps a file that fails."""
    totals = Totals()
    base(folder)
    gc.collect()
    gc.freeze()  # what is shared stays shared: a child that collects garbage would copy it
    while totals.kills < kills and not until():
        crowd = Crowd(folder / str(totals.rounds), seed + totals.rounds)
        fresh(folder, crowd.folder)
        totals.kills += crowd.round(min(ROUND, kills - totals.kills), pause)
        totals.rounds += 1
        crowd.check(totals.verbs)
        shutil.rmtree(crowd.folder)
    return totals


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=10_000)
    parser.add_argument("--seconds", type=float, default=3_600)
    parser.add_argument("--pause", type=float, default=0.05, help="seconds between two kills, on average")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", type=Path, help="where the files are; those that fail stay there")
    given = parser.parse_args()
    folder = Path(tempfile.mkdtemp(dir=given.folder))
    over = time.monotonic() + given.seconds
    print(run(folder, given.kills, lambda: time.monotonic() > over, given.seed, given.pause))
    shutil.rmtree(folder)


if __name__ == "__main__":
    main()
