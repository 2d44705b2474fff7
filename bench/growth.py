"""Measures what a memory costs as it grows: a recall, the file, and a night in which little is new.

    python bench/growth.py --nights 30000       nights are run up to this size, 20 new turns before the last one
    python bench/growth.py --sizes 1000 1000000

One memory grows from size to size. Up to `--nights` turns, maintenance learns, summarises and archives what came since
the last size; beyond, turns are only stored and embedded, since the first night over a million turns takes hours.
Vectors are seeded from the text. CPU time of this process, single-threaded BLAS.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import results
from metrics import cpu, quantile
from omoide import Memory
from speed import SeededEmbedder  # first: it sets the threads of BLAS
from synthetic_turns import questions, turns

BATCH = 1_000
NEW = 20  # turns of a day
SETTLED = 5  # nights until nothing of a bulk import is left to do


class DatedClock:
    """Stands where the turns are."""

    def __init__(self, now: datetime) -> None:
        self.now = now

    def __call__(self) -> int:
        return round(self.now.timestamp() * 1_000_000)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--sizes", type=int, nargs="+", default=[1_000, 3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000]
    )
    parser.add_argument("--nights", type=int, default=0)
    parser.add_argument("--results", type=Path, default=results.FILE)
    args = parser.parse_args()
    rows: list[dict[str, float]] = []
    with tempfile.TemporaryDirectory(prefix="growth-") as folder:
        for row in grow(Path(folder) / "growth.db", sorted(args.sizes), args.nights):
            rows.append(row)
            print("  ".join(f"{name} {value:,.1f}" for name, value in row.items()), flush=True)
            results.save(args.results, **{"growth_with_nights" if args.nights else "growth": rows})


def grow(path: Path, sizes: Sequence[int], nights: int) -> Iterator[dict[str, float]]:
    """Yield the figures of each size."""
    told = turns(sizes[-1] + NEW * len(sizes))
    clock = DatedClock(datetime(2024, 1, 1, tzinfo=UTC))
    asked = questions(60)
    with Memory(path, clock=clock, embedder=SeededEmbedder()) as memory:
        size = 0
        for target in sizes:
            while size < target:
                size += _tell(memory, clock, [next(told) for _ in range(min(BATCH, target - size))])
            row: dict[str, float] = {"turns": size}
            if size <= nights:
                row["first_nights_s"] = sum(_night(memory, clock) for _ in range(SETTLED))
                size += _tell(memory, clock, [next(told) for _ in range(NEW)])
                row["night_ms"] = 1e3 * _night(memory, clock)
                row["idle_night_ms"] = 1e3 * _night(memory, clock)
            memory.recall(asked[0])
            took = [cpu(lambda question=question: memory.recall(question)) for question in asked]  # type: ignore[misc]
            row |= {"recall_ms": 1e3 * quantile(took, 0.5), "mb": path.stat().st_size / 1e6}
            yield row


def _tell(memory: Memory, clock: DatedClock, batch: Sequence[dict[str, Any]]) -> int:
    clock.now = batch[-1]["at"]
    memory.observe_many(list(batch))
    memory.flush()
    return len(batch)


def _night(memory: Memory, clock: DatedClock) -> float:
    clock.now = (clock.now + timedelta(days=1)).replace(hour=3, minute=10)
    return cpu(lambda: memory.admin.maintain())


if __name__ == "__main__":
    main()
