"""Metrics: R@k and NDCG@k, CPU time, resident memory, bytes on disk."""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable, Collection, Iterable, Sequence
from pathlib import Path
from typing import Any


def recall_at(k: int, ranked: Sequence[Any], relevant: Collection[Any]) -> float:
    """Returns the share of relevant items among the first k."""
    return len(set(ranked[:k]) & set(relevant)) / len(set(relevant))


def ndcg_at(k: int, ranked: Sequence[Any], relevant: Collection[Any]) -> float:
    """Returns NDCG@k: 1 when all relevant items come first."""
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
    """Returns CPU seconds of this process, all threads. On a shared machine wall time says little."""
    start = time.process_time()
    work()
    return time.process_time() - start


def rss() -> int:
    """Returns the resident bytes of this process."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def disk(folder: Path) -> int:
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
