"""Ingest and recall at growing sizes: throughput, latency, memory and disk, beside a plain FTS5 + numpy anchor.

    python bench/speed.py                      1k, 10k and 100k memories
    python bench/speed.py --sizes 1000 1000000

Times are CPU time of one process with single-threaded BLAS, since wall time on a shared machine says little; compare
the ratio to the anchor, which answers the same questions over the same texts and vectors in the same run. Embedding is
not part of it: vectors and states of words are drawn from the text by a seeded hash, and the real embedder's pace is
measured at the end.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
import zlib
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(name, "1")

import numpy as np  # noqa: E402 — after the threads are set
from corpus import questions, turns  # noqa: E402
from numpy.typing import NDArray  # noqa: E402

from omoide import Memory  # noqa: E402
from omoide.providers.embedder import Pieces  # noqa: E402

QUESTIONS = 200
WRITES = 200
BATCH = 1_000


class Seeded:
    """Vectors that cost next to nothing: a unit vector drawn from the text's checksum, a state from each word's."""

    name = "seeded-384"
    dimensions = 384

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        rows = [np.random.default_rng(zlib.crc32(text.encode())).standard_normal(384, np.float32) for text in texts]
        found = np.stack(rows)
        return found / np.linalg.norm(found, axis=1, keepdims=True)

    def embed_tokens(self, texts: Sequence[str]) -> tuple[NDArray[np.float32], list[Pieces]]:
        words = [tuple(text.rstrip(".?").split()) for text in texts]
        return self.embed(texts), [Pieces(each, np.stack([_state(word) for word in each])) for each in words]


@cache
def _state(word: str) -> NDArray[np.float32]:
    return np.random.default_rng(zlib.crc32(word.encode())).standard_normal(384, np.float32)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=int, nargs="+", default=[1_000, 10_000, 100_000])
    parser.add_argument("--json", type=Path, help="also write the figures there")
    parser.add_argument("--one", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--cold", type=Path, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.cold:
        cold(args.cold)
    elif args.one:
        print(json.dumps(measure(args.one)))
    else:
        report(args.sizes, args.json)


def report(sizes: list[int], file: Path | None) -> None:
    """Each size in a process of its own, so that memory is its own too."""
    results = []
    for size in sizes:
        print(f"measuring {size:,} memories …", file=sys.stderr, flush=True)
        done = subprocess.run(
            [sys.executable, __file__, "--one", str(size)], capture_output=True, text=True, check=True
        )
        results.append(json.loads(done.stdout))
    labels = {
        "bulk_per_s": ("observe_many, nodes per CPU second", "{:,.0f}"),
        "observe_ms": ("observe, CPU ms, p50", "{:.2f}"),
        "observe_p95_ms": ("observe, CPU ms, p95", "{:.2f}"),
        "keyword_p50_ms": ("recall by words, CPU ms, p50", "{:.2f}"),
        "keyword_p95_ms": ("recall by words, CPU ms, p95", "{:.2f}"),
        "hybrid_p50_ms": ("recall, all arms, CPU ms, p50", "{:.2f}"),
        "hybrid_p95_ms": ("recall, all arms, CPU ms, p95", "{:.2f}"),
        "anchor_p50_ms": ("anchor FTS5 + numpy + RRF, CPU ms, p50", "{:.2f}"),
        "ratio": ("recall ÷ anchor", "{:.2f}"),
        "context_p50_ms": ("context within 2,000 tokens, CPU ms, p50", "{:.2f}"),
        "cold_ms": ("import, open, first answer by words, CPU ms", "{:.0f}"),
        "rss_per_node": ("memory, bytes per node", "{:,.0f}"),
        "disk_per_node": ("file, bytes per node beyond its text", "{:,.0f}"),
    }
    width = max(len(label) for label, _ in labels.values())
    print(" " * width + "".join(f"{size:>12,}" for size in sizes))
    for key, (label, form) in labels.items():
        print(f"{label:{width}}" + "".join(f"{form.format(result[key]):>12}" for result in results))
    print(f"\n{embedder_pace()}")
    if file:
        file.write_text(json.dumps(results, indent=1))


def measure(size: int) -> dict[str, float]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "bench.db"
        told = list(turns(size))
        asked = questions(QUESTIONS)
        at = told[-1]["at"]
        before = _rss()
        with Memory(path, embedder=None) as memory:
            bulk = _cpu(lambda: [memory.observe_many(told[i : i + BATCH]) for i in range(0, size, BATCH)])
            writes = _each(
                [lambda n=n: memory.observe(f"Turn {n} of a live talk", session="live") for n in range(WRITES)]
            )
            memory.recall(asked[0])
            words = _each([lambda q=q: memory.recall(q, at=at) for q in asked])
        with Memory(path, embedder=Seeded()) as memory:
            memory.flush()
            memory.recall(asked[0])
            rss = _rss() - before
            ask = _anchor(told)
            pairs = [(_cpu(lambda q=q: memory.recall(q, at=at)), _cpu(lambda q=q: ask(q))) for q in asked]
            hybrid, anchor = (sorted(1000 * each for each in column) for column in zip(*pairs, strict=True))
            packs = _each([lambda q=q: memory.context(q, at=at, budget=2000) for q in asked[:50]])
        text = sum(len(turn["text"].encode()) for turn in told)
        cold = subprocess.run(
            [sys.executable, __file__, "--cold", str(path)], capture_output=True, text=True, check=True
        )
        return {
            "size": size,
            "bulk_per_s": size / bulk,
            "observe_ms": _quantile(writes, 0.5),
            "observe_p95_ms": _quantile(writes, 0.95),
            "keyword_p50_ms": _quantile(words, 0.5),
            "keyword_p95_ms": _quantile(words, 0.95),
            "hybrid_p50_ms": _quantile(hybrid, 0.5),
            "hybrid_p95_ms": _quantile(hybrid, 0.95),
            "anchor_p50_ms": _quantile(anchor, 0.5),
            "ratio": _quantile(hybrid, 0.5) / _quantile(anchor, 0.5),
            "context_p50_ms": _quantile(packs, 0.5),
            "cold_ms": float(cold.stdout),
            "rss_per_node": rss / size,
            "disk_per_node": (path.stat().st_size - text) / size,
        }


def cold(path: Path) -> None:
    """In a new process: from the import of omoide to the first answer by words, with no embedder."""
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


def _anchor(told: list[dict[str, Any]]) -> Callable[[str], list[int]]:
    """What one would write in an afternoon: an FTS5 table, a numpy matrix, reciprocal ranks."""
    import apsw

    db = apsw.Connection(":memory:")
    db.execute("CREATE VIRTUAL TABLE docs USING fts5 (text, tokenize = 'porter')")
    db.executemany("INSERT INTO docs (rowid, text) VALUES (?, ?)", [(n, turn["text"]) for n, turn in enumerate(told)])
    embedder = Seeded()
    matrix = np.concatenate(
        [embedder.embed([t["text"] for t in told[i : i + BATCH]]) for i in range(0, len(told), BATCH)]
    )

    def ask(question: str) -> list[int]:
        expression = " OR ".join(f'"{word}"' for word in question.rstrip("?").split())
        words = [
            row[0]
            for row in db.execute("SELECT rowid FROM docs WHERE docs MATCH ? ORDER BY rank LIMIT 100", (expression,))
        ]
        scores = matrix @ embedder.embed([question])[0]
        size = min(100, len(scores))
        near = np.argpartition(-scores, size - 1)[:size]
        near = near[np.argsort(-scores[near])]
        fused: dict[int, float] = {}
        for ranked in (words, near.tolist()):
            for rank, id in enumerate(ranked, start=1):
                fused[id] = fused.get(id, 0.0) + 1 / (60 + rank)
        return sorted(fused, key=lambda id: -fused[id])[:10]

    return ask


def embedder_pace() -> str:
    """How fast the default embedder is here."""
    from omoide.providers import minilm

    if not minilm.available():
        return "The default embedder is not installed."
    embedder = minilm.MiniLM()
    texts = [turn["text"] for turn in turns(256)]
    embedder.embed(texts[:8])
    bulk = _cpu(lambda: embedder.embed(texts))
    single = _each([lambda q=q: embedder.embed([q]) for q in questions(50)])
    return f"{embedder.name}: {256 / bulk:.0f} texts per CPU second, {_quantile(single, 0.5):.1f} CPU ms a question"


def _cpu(work: Callable[[], Any]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def _each(works: Sequence[Callable[[], Any]]) -> list[float]:
    return sorted(1000 * _cpu(work) for work in works)


def _quantile(values: list[float], share: float) -> float:
    return values[min(len(values) - 1, int(len(values) * share))]


def _rss() -> int:
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


if __name__ == "__main__":
    main()
