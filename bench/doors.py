"""What an agent pays for the door: a tool call over MCP's standard input beside the library call, and the start.

python bench/doors.py
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
from pathlib import Path
from typing import Any

from omoide import Memory
from omoide.interfaces.tools import chosen

CALLS = 200
STARTS = 5
_HELLO = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "bench", "version": "1"},
}


class Server:
    """`omoide mcp` on a file, spoken to by lines."""

    def __init__(self, db: Path) -> None:
        command = [sys.executable, "-m", "omoide", "mcp", "--db", str(db), "--no-embedder"]
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
    with tempfile.TemporaryDirectory() as folder:
        db = Path(folder) / "memory.db"
        with Memory(db, embedder=None) as memory:
            memory.observe_many(
                {"text": f"turn {n} about topic {n % 97}", "session": f"s{n % 50}"} for n in range(5_000)
            )
            library, door = calls(memory, db)
        print(f"MCP tool call  {door:.2f} ms beside {library:.2f} ms in the library (median of {CALLS}, interleaved)")
        wall, first, cpu = starts(db)
        print(
            f"MCP start      {wall:.2f} s to the handshake, {first:.2f} s to an answered call, {cpu:.2f} s CPU in all"
        )


def calls(memory: Memory, db: Path) -> tuple[float, float]:
    """Milliseconds of one search, in the library and through the door, in turns: a busy machine slows both."""
    (search,) = chosen("search_memory")
    server = Server(db)
    took: dict[str, list[float]] = {"library": [], "door": []}
    for number in range(CALLS):
        asked = {"query": f"what about topic {number % 97}?", "limit": 5}
        start = time.perf_counter()
        search(memory, asked)
        between = time.perf_counter()
        server.call(search.name, asked)
        took["library"].append(1000 * (between - start))
        took["door"].append(1000 * (time.perf_counter() - between))
    server.close()
    return statistics.median(took["library"]), statistics.median(took["door"])


def starts(db: Path) -> tuple[float, float, float]:
    """Seconds on an existing file; the best of a few, which is what the machine allows when others leave it alone."""
    ready, answered, cpu = [], [], []
    for _ in range(STARTS):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        server = Server(db)
        server.call("search_memory", {"query": "topic 7"})
        answered.append(time.perf_counter() - server.began)
        ready.append(server.ready)
        server.close()
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        cpu.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return min(ready), min(answered), min(cpu)


if __name__ == "__main__":
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    main()
