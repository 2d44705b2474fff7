"""Measures a tool call over MCP on standard input against the library call, and the start of the server.

python bench/interface_latency.py
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from omoide import Memory
from omoide.interfaces.tools import chosen

CALLS = 200
STARTS = 5
PAUSE = 3.0  # seconds
_HELLO = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "bench", "version": "1"},
}


class Server:
    """A running `omoide mcp`."""

    def __init__(self, db: Path, *more: str) -> None:
        command = [sys.executable, "-m", "omoide", "mcp", "--db", str(db), *more]
        self.began = time.perf_counter()
        self._running = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self._id = 0
        self.ask("initialize", _HELLO)
        self.ready = time.perf_counter() - self.began

    def ask(self, method: str, params: dict[str, Any]) -> Any:
        assert self._running.stdin
        assert self._running.stdout
        self._id += 1
        self._running.stdin.write(
            json.dumps({"jsonrpc": "2.0", "id": self._id, "method": method, "params": params}).encode() + b"\n"
        )
        self._running.stdin.flush()
        return json.loads(self._running.stdout.readline())

    def call(self, name: str, arguments: dict[str, Any]) -> Any:
        return self.ask("tools/call", {"name": name, "arguments": arguments})

    def close(self) -> None:
        assert self._running.stdin
        self._running.stdin.close()
        self._running.wait()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.parse_args()
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    with tempfile.TemporaryDirectory() as folder:
        db, read = Path(folder) / "memory.db", Path(folder) / "read.db"
        with Memory(db, embedder=None) as memory:
            memory.observe_many(turns(5_000))
            library, door = calls(memory, db)
        print(f"MCP tool call  {door} beside {library} in the library ({CALLS} calls in turns)")
        with Memory(read) as memory:  # with all vectors, as in a file in use
            memory.observe_many(turns(500))
            memory.flush()
        told(starts(db, "--no-embedder"), "without the embedder")
        told(starts(read), "with the embedder, asked at once")
        told(starts(read, pause=PAUSE), f"with the embedder, asked after {PAUSE:.0f} s")
    print(f"load {os.getloadavg()[0]:.1f}")


def turns(count: int) -> Iterator[dict[str, str]]:
    return ({"text": f"turn {n} about topic {n % 97}", "session": f"s{n % 50}"} for n in range(count))


def told(start: Start, how: str) -> None:
    print(
        f"MCP start      {start.ready:.2f} s to the handshake, {start.first:.2f} s for the first call, "
        f"{start.cpu:.2f} s CPU in all ({how})"
    )


@dataclass(frozen=True, slots=True)
class Cost:
    """Milliseconds of one call. Wall time includes other processes, CPU time does not."""

    wall: float
    cpu: float

    def __str__(self) -> str:
        return f"{self.wall:.2f} ms ({self.cpu:.2f} CPU)"


@dataclass(frozen=True, slots=True)
class Start:
    """Seconds until the server is ready."""

    ready: float
    first: float
    cpu: float


def children() -> float:
    """Returns the CPU seconds of ended child processes."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def calls(memory: Memory, db: Path) -> tuple[Cost, Cost]:
    """Alternates one search in the library and through MCP, so that a busy machine slows both."""
    (search,) = chosen("search_memory")
    idle = starts(db, "--no-embedder", times=2).cpu
    before = children()
    server = Server(db, "--no-embedder")
    library: list[float] = []
    door: list[float] = []
    cpu = 0.0
    for number in range(CALLS):
        asked = {"query": f"what about topic {number % 97}?", "limit": 5}
        start, used = time.perf_counter(), time.process_time()
        search(memory, asked)
        between = time.perf_counter()
        cpu += time.process_time() - used
        server.call(search.name, asked)
        library.append(1000 * (between - start))
        door.append(1000 * (time.perf_counter() - between))
    server.close()
    spent = 1000 * (children() - before - idle) / CALLS
    return Cost(statistics.median(library), 1000 * cpu / CALLS), Cost(statistics.median(door), spent)


def starts(db: Path, *more: str, pause: float = 0.0, times: int = STARTS) -> Start:
    """Starts on an existing file; the best of several, which other processes disturbed least."""
    ready, first, cpu = [], [], []
    for _ in range(times):
        before = children()
        server = Server(db, *more)
        ready.append(server.ready)
        if pause:
            server.ask("tools/list", {})
            time.sleep(pause)
        asked = time.perf_counter()
        server.call("search_memory", {"query": "topic 7"})
        first.append(time.perf_counter() - asked)
        server.close()
        cpu.append(children() - before)
    return Start(min(ready), min(first), min(cpu))


if __name__ == "__main__":
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    main()
