"""The tests of durability that other systems can be put through as well: kills, writers at once, a full disk.

    python bench/install_peers.py --peers .peers chroma mem0
    python bench/peer_durability.py [--peers .peers] [--kills 100] [omoide sqlite chroma mem0]

Every write is a text with a vector of its own. A process says what was acknowledged before it goes on. Power cuts and
failing calls of the disk are not tried: they need a disk of our own under the system.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

PROCESSES, TOGETHER_SECONDS = 4, 10.0
FULL = 1_500_000  # bytes of the largest file that the disk takes
DIMENSIONS = 32
NAMES = ("omoide", "sqlite", "chroma", "mem0")


def vector(number: int) -> list[float]:
    luck = random.Random(number)
    return [luck.uniform(-1, 1) for _ in range(DIMENSIONS)]


class Omoide:
    def __init__(self, folder: Path) -> None:
        from omoide import Memory

        self._memory = Memory(folder / "memory.db", embedder=None)

    def add(self, number: int) -> None:
        self._memory.observe(f"text {number} of a talk about tea", key=str(number), session="talk")

    def numbers(self) -> list[int]:
        return [int(node.text.split()[1]) for node in self._memory.list(limit=1_000_000).items]


class Sqlite:
    """SQLite as Python opens it, with a log (WAL)."""

    def __init__(self, folder: Path) -> None:
        import sqlite3

        self._db = sqlite3.connect(folder / "plain.db", isolation_level=None)
        self._db.execute("PRAGMA journal_mode = wal")
        self._db.execute("CREATE TABLE IF NOT EXISTS text (number INTEGER PRIMARY KEY, text TEXT)")

    def add(self, number: int) -> None:
        self._db.execute("INSERT INTO text VALUES (?, ?)", (number, f"text {number} of a talk about tea"))

    def numbers(self) -> list[int]:
        return [number for (number,) in self._db.execute("SELECT number FROM text")]


class Chroma:
    def __init__(self, folder: Path) -> None:
        import chromadb

        client = chromadb.PersistentClient(str(folder), settings=chromadb.Settings(anonymized_telemetry=False))
        self._texts = client.get_or_create_collection("texts", embedding_function=None)

    def add(self, number: int) -> None:
        text = f"text {number} of a talk about tea"
        self._texts.add(ids=[str(number)], embeddings=[vector(number)], documents=[text])

    def numbers(self) -> list[int]:
        return [int(id) for id in self._texts.get(include=[])["ids"]]


class Mem0:
    def __init__(self, folder: Path) -> None:
        os.environ["MEM0_DIR"] = str(folder / "home")
        os.environ["MEM0_TELEMETRY"] = "False"
        os.environ.setdefault("OPENAI_API_KEY", "none")  # it creates a client that is never used
        from mem0 import Memory

        store = {"path": str(folder / "qdrant"), "on_disk": True, "embedding_model_dims": DIMENSIONS}
        self._memory: Any = Memory.from_config(
            {"vector_store": {"provider": "qdrant", "config": store}, "history_db_path": str(folder / "history.db")}
        )
        self._memory.embedding_model = _Vectors()

    def add(self, number: int) -> None:
        self._memory.add(f"text {number} of a talk about tea", user_id="bench", infer=False)

    def numbers(self) -> list[int]:
        found = self._memory.get_all(filters={"user_id": "bench"}, top_k=1_000_000)
        return [int(each["memory"].split()[1]) for each in found["results"]]


class _Vectors:
    """Replaces mem0's embedder, which asks a server."""

    def embed(self, text: str, memory_action: str | None = None) -> list[float]:
        return vector(int(text.split()[1]))

    def embed_batch(self, texts: list[str], memory_action: str | None = None) -> list[list[float]]:
        return [self.embed(text) for text in texts]


OPEN: dict[str, Callable[[Path], Any]] = {"omoide": Omoide, "sqlite": Sqlite, "chroma": Chroma, "mem0": Mem0}


def child(work: Callable[[Callable[[object], None]], None]) -> tuple[int, int]:
    """Runs work in a fork and returns its id and where it can be heard."""
    heard, told = os.pipe()

    def say(what: object) -> None:
        os.write(told, (json.dumps(what) + "\n").encode())

    if id := os.fork():
        os.close(told)
        return id, heard
    try:
        os.close(heard)
        work(say)
    except BaseException as error:
        say({"error": f"{type(error).__name__}: {str(error)[:90]}"})
    os._exit(0)


def answers(heard: int) -> list[Any]:
    with open(heard, encoding="utf-8") as lines:
        return [json.loads(line) for line in lines if line.endswith("\n")]


def kept(name: str, folder: Path) -> tuple[set[int], int, str]:
    """What can be read afterwards, how often something is there twice, and the error if nothing can."""
    id, heard = child(lambda say: say(OPEN[name](folder).numbers()))
    (found,) = answers(heard) or [{"error": "the process ended"}]
    os.waitpid(id, 0)
    if isinstance(found, dict):
        return set(), 0, found["error"]
    return set(found), len(found) - len(set(found)), ""


def writer(name: str, folder: Path, first: int, seconds: float) -> tuple[int, int]:
    def work(say: Callable[[object], None]) -> None:
        memory = OPEN[name](folder)
        until, number = time.monotonic() + seconds, first
        while time.monotonic() < until:
            try:
                memory.add(number)
                say(number)
            except Exception as error:
                say({"error": f"{type(error).__name__}: {str(error)[:90]}"})
            number += 1

    return child(work)


def killed(name: str, folder: Path, kills: int) -> dict[str, Any]:
    luck, told, errors, unreadable = random.Random(1), set[int](), [], 0
    for round in range(kills):
        id, heard = writer(name, folder, round * 1_000_000, 600)
        first = os.read(heard, 1)  # until it is at work
        time.sleep(luck.uniform(0, 0.2))
        os.kill(id, signal.SIGKILL)
        os.waitpid(id, 0)
        with open(heard, encoding="utf-8") as rest:
            lines = (first.decode() + rest.read()).splitlines(keepends=True)
        said = [json.loads(line) for line in lines if line.endswith("\n")]
        told |= {each for each in said if isinstance(each, int)}
        errors += [each["error"] for each in said if isinstance(each, dict)]
    found, twice, error = kept(name, folder)
    unreadable += bool(error)
    return {
        "kills": kills,
        "acknowledged": len(told),
        "lost": len(told - found),
        "twice": twice,
        "errors": sorted(set(errors))[:3],
        "afterwards": error or "can be read",
    }


def together(name: str, folder: Path) -> dict[str, Any]:
    """Processes that write at once."""
    kept(name, folder)  # creates it
    running = [writer(name, folder, (number + 1) * 100_000_000, TOGETHER_SECONDS) for number in range(PROCESSES)]
    said = [each for _, heard in running for each in answers(heard)]
    for id, _ in running:
        os.waitpid(id, 0)
    told = {each for each in said if isinstance(each, int)}
    errors = [each["error"] for each in said if isinstance(each, dict)]
    found, _, error = kept(name, folder)
    return {
        "processes": PROCESSES,
        "acknowledged": len(told),
        "lost": len(told - found),
        "refused": len(errors),
        "why": sorted(set(errors))[:2],
        "afterwards": error or "can be read",
    }


def full(name: str, folder: Path) -> dict[str, Any]:
    """A process whose files may not grow beyond a size, and another that goes on with more space."""

    def work(say: Callable[[object], None]) -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        memory = OPEN[name](folder)
        _, most = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (FULL, most))
        refused, number, until = 0, 0, time.monotonic() + 60
        while refused < 20 and time.monotonic() < until:
            number += 1
            try:
                memory.add(number)
                say(number)
            except Exception as error:
                refused += 1
                say({"error": f"{type(error).__name__}: {str(error)[:90]}"})

    id, heard = child(work)
    said = answers(heard)
    os.waitpid(id, 0)
    told = {each for each in said if isinstance(each, int)}
    errors = [each["error"] for each in said if isinstance(each, dict)]
    found, _, error = kept(name, folder)
    again, heard = writer(name, folder, 900_000_000, 2)
    after = answers(heard)
    os.waitpid(again, 0)
    return {
        "acknowledged": len(told),
        "lost": len(told - found),
        "kept though refused": len(found - told),
        "refused": len(errors),
        "why": sorted(set(errors))[:2],
        "afterwards": error or "can be read",
        "writes with more space": sum(isinstance(each, int) for each in after),
    }


def measure(name: str, kills: int, parts: list[str]) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as place:
        warm = Path(place) / "warm"
        warm.mkdir()
        __import__({"omoide": "omoide", "sqlite": "sqlite3", "chroma": "chromadb", "mem0": "mem0"}[name])
        found: dict[str, Any] = {"system": name}
        tests = {"killed": lambda folder: killed(name, folder, kills)}
        tests |= {"together": lambda folder: together(name, folder), "full": lambda folder: full(name, folder)}
        for part in parts:
            folder = Path(place) / part
            folder.mkdir()
            found[part] = tests[part](folder)
        return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", default=list(NAMES))
    parser.add_argument("--peers", type=Path, default=Path(".peers"))
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--parts", nargs="*", default=["killed", "together", "full"])
    parser.add_argument("--here", action="store_true", help=argparse.SUPPRESS)
    args = parser.parse_args()
    for name in args.names:
        if args.here:
            print(json.dumps(measure(name, args.kills, args.parts)), flush=True)
            continue
        python = args.peers / name / "bin" / "python"
        command = [str(python if name in ("chroma", "mem0") else sys.executable), __file__, "--here", name]
        subprocess.run([*command, "--kills", str(args.kills), "--parts", *args.parts], check=False)


if __name__ == "__main__":
    main()
