"""Sixteen processes write to one file at once: measures refusals and waiting times.

    python bench/concurrent_writers.py [--writers 16] [--each 50]

observe() is durable when it returns, so a waiting time includes the disk and the other writers.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import results
from metrics import quantile


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--writers", type=int, default=16)
    parser.add_argument("--each", type=int, default=50)
    parser.add_argument("--results", type=Path, default=results.FILE)
    parser.add_argument("--write", type=Path, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.write:
        print(json.dumps(write(args.write, args.each)))
        return
    figures = together(args.writers, args.each)
    results.save(args.results, writers=figures)
    print(
        f"{writers_summary(figures)}; wait p50 {figures['p50_ms']:.0f} ms, p95 {figures['p95_ms']:.0f} ms,"
        f" longest {figures['longest_ms']:.0f} ms"
    )


def writers_summary(figures: dict[str, float]) -> str:
    return (
        f"{figures['writers']} processes writing {figures['each']} turns each into one file: "
        f"{figures['errors']} errors, {figures['kept']} kept"
    )


def write(path: Path, count: int) -> dict[str, list[float] | list[str]]:
    """Waits until all writers are ready, then writes as fast as possible."""
    from omoide import Memory

    waits: list[float] = []
    errors: list[str] = []
    with Memory(path, embedder=None) as memory:
        print("ready", flush=True)
        sys.stdin.readline()
        for number in range(count):
            start = time.monotonic()
            try:
                memory.observe(f"Turn {number} of a live talk", session=f"s{os.getpid()}")
            except Exception as error:
                errors.append(f"{type(error).__name__}: {error}")
            waits.append(1000 * (time.monotonic() - start))
    return {"waits": waits, "errors": errors}


def together(writers: int, each: int) -> dict[str, float]:
    from omoide import Memory

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "shared.db"
        Memory(path, embedder=None).close()
        command = [sys.executable, __file__, "--write", str(path), "--each", str(each)]
        started = [
            subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) for _ in range(writers)
        ]
        for process in started:
            assert process.stdout is not None
            process.stdout.readline()
        for process in started:
            assert process.stdin is not None
            process.stdin.write("go\n")
            process.stdin.flush()
        told = [json.loads(process.communicate()[0]) for process in started]
        with Memory(path, embedder=None) as memory:
            kept = memory.stats().nodes
    waits = [wait for one in told for wait in one["waits"]]
    return {
        "writers": writers,
        "each": each,
        "kept": kept,
        "errors": sum(len(one["errors"]) for one in told),
        "p50_ms": quantile(waits, 0.5),
        "p95_ms": quantile(waits, 0.95),
        "longest_ms": max(waits),
    }


if __name__ == "__main__":
    main()
