"""The measures: was it found, and what did it cost. R@k and NDCG@k, CPU time, resident memory, bytes on disk."""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable, Collection, Iterable, Sequence
from pathlib import Path
from typing import Any


def recall_at(k: int, ranked: Sequence[Any], relevant: Collection[Any]) -> float:
    """The share of what is relevant among the first k."""
    return len(set(ranked[:k]) & set(relevant)) / len(set(relevant))


def ndcg_at(k: int, ranked: Sequence[Any], relevant: Collection[Any]) -> float:
    """The same, weighed by place: 1 when everything relevant stands first."""
    wanted = set(relevant)
    gain = sum(1 / math.log2(place + 2) for place, each in enumerate(ranked[:k]) if each in wanted)
    return gain / sum(1 / math.log2(place + 2) for place in range(min(k, len(wanted))))


def mean(values: Iterable[float]) -> float:
    all_values = list(values)
    return sum(all_values) / len(all_values) if all_values else math.nan


def quantile(values: Iterable[float], share: float) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))] if ordered else math.nan


def cpu(work: Callable[[], Any]) -> float:
    """CPU seconds of this process, all its threads: on a shared machine wall time says little."""
    start = time.process_time()
    work()
    return time.process_time() - start


def rss() -> int:
    """Bytes of this process that are in memory now."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def disk(folder: Path) -> int:
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
