"""Load: processes that mix verbs on one file for a while; waits, throughput, fairness and growth of memory.

python -m tests.torture.load --processes 16 --seconds 600
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from omoide import Memory

_WORKER = """
import json, random, resource, sys, time
from omoide import Memory
path, who, seconds = sys.argv[1], sys.argv[2], float(sys.argv[3])
luck, number, waits = random.Random(who), 0, []
def rss():
    return int(open("/proc/self/statm").read().split()[1]) * 4096
with Memory(path, embedder=None) as memory:
    memory.recall("tea"); memory.observe("warm", session=who)
    sys.stdin.readline()
    begun = time.monotonic(); sizes = []
    while time.monotonic() - begun < seconds:
        if time.monotonic() - begun > seconds / 5 * (len(sizes) + 1):
            sizes.append(rss())
        number += 1
        at = time.monotonic()
        verb = luck.random()
        if verb < 0.8:
            memory.observe(f"{who} says {number} about tea", session=who)
        elif verb < 0.9:
            memory.recall("tea", limit=5)
        else:
            memory.remember(f"{who} likes tea {number}", kind="note")
        if verb < 0.8:
            waits.append(time.monotonic() - at)
    print(json.dumps({"writes": len(waits), "waits": sorted(waits)[-200:], "sizes": [*sizes, rss()]}))
"""


def run_load(path: str, processes: int, seconds: float) -> list[dict[str, Any]]:
    Memory(path, embedder=None).close()
    command = [sys.executable, "-c", _WORKER, path]
    running = [
        subprocess.Popen(
            [*command, f"w{number}", str(seconds)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        for number in range(processes)
    ]
    for process in running:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    return [json.loads(process.communicate()[0]) for process in running]


def report(found: list[dict[str, Any]], seconds: float) -> str:
    writes = [each["writes"] for each in found]
    sizes = [statistics.mean(each["sizes"][fifth] for each in found) / 1e6 for fifth in range(-5, 0)]
    growth = [each["sizes"][-1] / each["sizes"][-5] - 1 for each in found]
    longest = max(wait for each in found for wait in each["waits"])
    share = min(writes) / statistics.mean(writes)
    return (
        f"{len(found)} processes, {seconds:g} s: {sum(writes)} writes ({sum(writes) / seconds:.0f}/s), longest wait "
        f"{longest:.2f} s, slowest process {share:.0%} of the mean, memory {max(growth):+.1%} at most, "
        f"on average {', '.join(f'{size:.1f}' for size in sizes)} MB after each fifth"
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--processes", type=int, default=16)
    parser.add_argument("--seconds", type=float, default=600)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        print(report(run_load(str(Path(folder) / "load.db"), given.processes, given.seconds), given.seconds))
