"""What encryption costs: CPU time of an encrypted memory divided by that of a plain one, in one run.

python bench/encryption.py --memories 10000
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from time import process_time

from omoide import Memory, Settings

_WORDS = "boat river market lamp winter train garden coffee letter window violin stone bread harbour paper".split()
_KEYS: dict[str, Callable[[], str] | None] = {"plain": None, "encrypted": lambda: "ab" * 32}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--memories", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=7)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for name in _KEYS:
            _fill(Path(folder, name), name, given.memories)
        times: dict[tuple[str, str], list[float]] = {}
        for number in range(given.rounds):
            for name in _KEYS if number % 2 else reversed(_KEYS):
                for what, seconds in _measured(Path(folder, name), name, number).items():
                    times.setdefault((what, name), []).append(seconds)
        sizes = {name: Path(folder, name).stat().st_size for name in _KEYS}
    print(f"| {given.memories:,} memories, CPU ms | plain | encrypted | ratio |\n|---|---|---|---|")
    for what in dict.fromkeys(what for what, _ in times):
        plain, encrypted = (statistics.median(times[what, name]) * 1000 for name in _KEYS)
        print(f"| {what} | {plain:.2f} | {encrypted:.2f} | {encrypted / plain:.2f} |")
    print(f"| size of the file (MB) | {sizes['plain'] / 1e6:.1f} | {sizes['encrypted'] / 1e6:.1f} | ", end="")
    print(f"{sizes['encrypted'] / sizes['plain']:.2f} |", file=sys.stdout)


def _opened(path: Path, name: str) -> Memory:
    return Memory(path, embedder=None, key=_KEYS[name], settings=Settings(learn_automatically=0))


def _text(number: int) -> str:
    chosen = [_WORDS[(number * step) % len(_WORDS)] for step in (1, 3, 7, 11)]
    return f"Otto noted the {' and the '.join(chosen)} on page {number}"


def _fill(path: Path, name: str, count: int) -> None:
    with _opened(path, name) as memory:
        for start in range(0, count, 1_000):
            turns = ({"text": _text(number), "role": "user"} for number in range(start, start + 1_000))
            memory.observe_many({**turn, "session": f"s{start}"} for turn in turns)


def _measured(path: Path, name: str, round: int) -> dict[str, float]:
    """CPU seconds of opening and of one call of each verb."""
    found: dict[str, float] = {}
    start = process_time()
    memory = _opened(path, name)
    found["open"] = process_time() - start
    start = process_time()
    memory.recall("the violin and the harbour", limit=10)
    found["first recall"] = process_time() - start
    start = process_time()
    for number in range(20):
        memory.recall(f"the {_WORDS[(number + round) % len(_WORDS)]} on page {number * 311 + round}", limit=10)
    found["recall"] = (process_time() - start) / 20
    start = process_time()
    for number in range(50):
        memory.observe(_text(number), role="user", session=f"round {round} {name} {number}")
    found["observe"] = (process_time() - start) / 50
    memory.close()
    return found


if __name__ == "__main__":
    main()
