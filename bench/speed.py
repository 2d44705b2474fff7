"""Measures Omoide at growing sizes: writing, recall by words and by all arms, packing, cold start, memory, disk.

    python bench/speed.py                      1k, 10k and 100k memories
    python bench/speed.py --sizes 1000 1000000

CPU time of one process, since wall time on a shared machine says little, with as many BLAS threads as are the default.
Embedding is not
included: vectors and token states come from a seeded hash of the text, and the speed of the real embedder is measured
at the end. compare.py measures other systems on the same texts.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import zlib
from collections.abc import Callable, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import results
from metrics import cpu, quantile, rss
from omoide import Memory
from omoide.providers.protocols import TokenStates
from synthetic_turns import questions, turns

QUESTIONS = 200
WRITES = 200
BATCH = 1_000
LABELS = {
    "bulk_per_s": ("observe_many, nodes per CPU second", "{:,.0f}"),
    "observe_ms": ("observe, CPU ms, p50", "{:.2f}"),
    "observe_p95_ms": ("observe, CPU ms, p95", "{:.2f}"),
    "keyword_p50_ms": ("recall by words, CPU ms, p50", "{:.2f}"),
    "keyword_p95_ms": ("recall by words, CPU ms, p95", "{:.2f}"),
    "hybrid_p50_ms": ("recall, all arms, CPU ms, p50", "{:.2f}"),
    "hybrid_p95_ms": ("recall, all arms, CPU ms, p95", "{:.2f}"),
    "hybrid_worst_ms": ("recall, all arms, CPU ms, slowest", "{:.0f}"),
    "context_p50_ms": ("context within 2,000 tokens, CPU ms, p50", "{:.2f}"),
    "cold_ms": ("import, open, first answer by words, CPU ms", "{:.0f}"),
    "rss_per_node": ("memory, bytes per node", "{:,.0f}"),
    "disk_per_node": ("file, bytes per node beyond its text", "{:,.0f}"),
}


class SeededEmbedder:
    """A nearly free embedder: a unit vector from the checksum of the text, and a state from that of each word."""

    name = "seeded-384"
    dimensions = 384

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        rows = [np.random.default_rng(zlib.crc32(text.encode())).standard_normal(384, np.float32) for text in texts]
        found = np.stack(rows)
        return np.asarray(found / np.linalg.norm(found, axis=1, keepdims=True), np.float32)

    def embed_tokens(self, texts: Sequence[str]) -> tuple[NDArray[np.float32], list[TokenStates]]:
        words = [tuple(text.rstrip(".?").split()) for text in texts]
        return self.embed(texts), [TokenStates(each, np.stack([_state(word) for word in each])) for each in words]


@cache
def _state(word: str) -> NDArray[np.float32]:
    return np.random.default_rng(zlib.crc32(word.encode())).standard_normal(384, np.float32)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=int, nargs="+", default=[1_000, 10_000, 100_000])
    parser.add_argument("--results", type=Path, default=results.FILE)
    parser.add_argument("--one", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--cold", type=Path, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.cold:
        cold(args.cold)
    elif args.one:
        print(json.dumps(measure(args.one)))
    else:
        report(args.sizes, args.results)


def report(sizes: list[int], file: Path) -> None:
    """Measures each size in its own process, so that memory figures are separate."""
    rows = []
    for size in sizes:
        print(f"measuring {size:,} memories …", file=sys.stderr, flush=True)
        done = subprocess.run(
            [sys.executable, __file__, "--one", str(size)], stdout=subprocess.PIPE, text=True, check=True
        )
        rows.append(json.loads(done.stdout))
    pace = embedder_pace()
    results.save(file, omoide=rows, embedder=pace)
    print("\n".join([*table(rows), "", pace]))


def table(rows: Sequence[dict[str, float]]) -> list[str]:
    width = max(len(label) for label, _ in LABELS.values())
    head = " " * width + "".join(f"{int(row['size']):>12,}" for row in rows)
    return [
        head,
        *(
            f"{label:{width}}" + "".join(f"{form.format(row[key]):>12}" for row in rows)
            for key, (label, form) in LABELS.items()
        ),
    ]


def measure(size: int) -> dict[str, float]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "bench.db"
        told = list(turns(size))
        asked = questions(QUESTIONS)
        at = told[-1]["at"]
        before = rss()
        with Memory(path, embedder=None) as memory:
            bulk = cpu(lambda: [memory.observe_many(told[i : i + BATCH]) for i in range(0, size, BATCH)])
            writes = _each([partial(memory.observe, f"Turn {n} of a live talk", session="live") for n in range(WRITES)])
            memory.recall(asked[0])
            words = _each([partial(memory.recall, q, at=at) for q in asked])
        with Memory(path, embedder=SeededEmbedder()) as memory:
            memory.flush()
            memory.recall(asked[0])
            held = rss() - before
            hybrid = _each([partial(memory.recall, q, at=at) for q in asked])
            packs = _each([partial(memory.context, q, at=at, budget=2000) for q in asked[:50]])
        text = sum(len(turn["text"].encode()) for turn in told)
        cold = subprocess.run(
            [sys.executable, __file__, "--cold", str(path)], capture_output=True, text=True, check=True
        )
        return {
            "size": size,
            "bulk_per_s": size / bulk,
            "observe_ms": quantile(writes, 0.5),
            "observe_p95_ms": quantile(writes, 0.95),
            "keyword_p50_ms": quantile(words, 0.5),
            "keyword_p95_ms": quantile(words, 0.95),
            "hybrid_p50_ms": quantile(hybrid, 0.5),
            "hybrid_p95_ms": quantile(hybrid, 0.95),
            "hybrid_worst_ms": hybrid[-1],
            "context_p50_ms": quantile(packs, 0.5),
            "cold_ms": float(cold.stdout),
            "rss_per_node": held / size,
            "disk_per_node": (path.stat().st_size - text) / size,
        }


def cold(path: Path) -> None:
    """Measures a new process from the import of omoide to the first answer by words, without an embedder."""
    code = f"""
import time
start = time.process_time()
from omoide import Memory
memory = Memory({str(path)!r}, embedder=None)
memory.recall("live talk")
print(1000 * (time.process_time() - start))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    print(done.stdout.strip())


def embedder_pace() -> str:
    """Returns how fast the default embedder is here."""
    from omoide.providers import minilm

    if not minilm.is_available():
        return "The default embedder is not installed."
    embedder = minilm.MiniLM()
    texts = [turn["text"] for turn in turns(256)]
    embedder.embed(texts[:8])
    bulk = cpu(lambda: embedder.embed(texts))
    single = _each([partial(embedder.embed, [q]) for q in questions(50)])
    return f"{embedder.name}: {256 / bulk:.0f} texts per CPU second, {quantile(single, 0.5):.1f} CPU ms a question"


def _each(works: Sequence[Callable[[], Any]]) -> list[float]:
    return sorted(1000 * cpu(work) for work in works)


if __name__ == "__main__":
    main()
