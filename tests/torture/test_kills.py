"""Processes that mix verbs on one file are killed at any moment: nothing that was acknowledged is undone."""

from __future__ import annotations

import json
import os
import random
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from omoide import Memory
from tests.conftest import start, unsound

SECONDS = float(os.environ.get("TORTURE_SECONDS", "60"))

# Says what it is about to erase before it does, and everything else after it was acknowledged.
WORKER = """
    import json, random, sys
    from omoide import Memory, OmoideError

    path, who, seed = sys.argv[1], sys.argv[2], int(sys.argv[3])
    luck, number, own = random.Random(seed), 0, []

    def say(*what):
        print(json.dumps(what), flush=True)

    memory = Memory(path, embedder=None)
    while True:
        number += 1
        verb = luck.choice(["observe"] * 6 + ["remember", "forget", "archive", "learn", "summaries", "recall"])
        text = f"turn {who} {seed} {number} about tea and pier {number}"
        try:
            if verb == "observe":
                own.append(memory.observe(text, key=text, session=who).id)
                say("stored", own[-1], text)
            elif verb == "remember":
                say("stored", memory.remember(text, kind="note", key=text).id, text)
            elif verb == "forget" and own:
                id = own.pop(luck.randrange(len(own)))
                say("erasing", id)
                memory.forget(id)
                say("erased", id)
            elif verb == "archive" and own:
                memory.admin.archive(luck.choice(own))
            elif verb == "learn":
                memory.end(who)
                memory.learn()
            elif verb == "summaries":
                memory.maintain(["summaries"])
            elif verb == "recall":
                memory.recall("tea")
        except OmoideError:
            pass
"""


class Ledger:
    """What the killed processes had been told."""

    def __init__(self) -> None:
        self.stored: dict[int, str] = {}
        self.erasing: set[int] = set()
        self.erased: set[int] = set()
        self.kills = 0

    def read(self, lines: Iterator[str]) -> None:
        for line in lines:
            if not line.endswith("\n"):
                continue  # it was killed while it spoke
            what, id, *text = json.loads(line)
            if what == "stored":
                self.stored[id] = text[0]
            else:
                getattr(self, what).add(id)

    def check(self, path: str) -> None:
        with Memory(path, embedder=None) as memory:
            assert unsound(memory) == []
            for id, text in self.stored.items():
                if id not in self.erasing:
                    assert memory.get(id).text == text
            assert not self.erased & {node.id for node in memory.list(state="all", limit=100_000).items}
            keys = [node.text for node in memory.list(["episode", "note"], state="all", limit=100_000).items]
            own = [text for text in keys if text.startswith("turn ") and "\n" not in text]
            assert len(own) == len(set(own))


def killed_together(path: str, processes: int, round: int, ledger: Ledger, pause: float) -> None:
    """Starts processes, kills them one after another at random moments, and reads what each was told."""
    luck = random.Random(round)
    running: list[subprocess.Popen[str]] = [
        start(WORKER, path, f"p{number}", round * 100 + number) for number in range(processes)
    ]
    for process in running:  # until everybody is at work
        assert process.stdout is not None
        ledger.read(iter([process.stdout.readline()]))
    time.sleep(pause)
    luck.shuffle(running)
    for process in running:
        time.sleep(luck.uniform(0.0, 0.05))
        process.kill()
        ledger.kills += 1
    for process in running:
        assert process.stdout is not None
        ledger.read(iter(process.stdout.readlines()))
        process.communicate()


def test_two_processes_are_killed(path: str) -> None:
    ledger = Ledger()
    Memory(path, embedder=None).close()
    killed_together(path, 2, 1, ledger, 0.2)
    ledger.check(path)


@pytest.mark.torture
def test_many_processes_are_killed(tmp_path: Path) -> None:
    ledger, until, round, stored = Ledger(), time.monotonic() + SECONDS, 0, 0
    path = str(tmp_path / "0.db")
    while time.monotonic() < until:
        round += 1
        killed_together(path, random.Random(round).randint(2, 16), round, ledger, 1.0)
        ledger.check(path)
        if round % 20 == 0:  # a fresh file, so that checking stays quick
            stored += len(ledger.stored)
            path, ledger.stored, ledger.erasing, ledger.erased = str(tmp_path / f"{round}.db"), {}, set(), set()
    print(f"{ledger.kills} kills, {stored + len(ledger.stored)} acknowledged writes")
