"""Measures the cost of preparing a prompt in a live session against a plain recall, at growing sizes.

    python bench/live_session_cost.py                     100k memories
    python bench/live_session_cost.py --sizes 1000 10000

CPU time of one process with single-threaded BLAS, as in speed.py, on the same synthetic conversations and vectors.
`recall` is memory.recall() with as many hits, after each stored turn; the difference is what the live session adds:
storing the message, the other sources, packing, and the snapshot.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from functools import partial
from pathlib import Path

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(name, "1")

import results  # noqa: E402
from metrics import cpu, quantile  # noqa: E402
from omoide import Memory  # noqa: E402
from omoide.working.live_session import LiveSession  # noqa: E402
from omoide.working.prompt import Prompt  # noqa: E402
from speed import BATCH, SeededEmbedder  # noqa: E402
from synthetic_turns import questions, turns  # noqa: E402

MESSAGES = 60
ASIDE = 10  # warm-up calls, which fill the caches


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=int, nargs="+", default=[100_000])
    parser.add_argument("--results", type=Path, default=results.FILE)
    args = parser.parse_args()
    rows = []
    for size in args.sizes:
        print(f"measuring {size:,} memories …", file=sys.stderr, flush=True)
        rows.append(measure(size))
    results.save(args.results, working=rows)
    for row in rows:
        print(
            f"{row['size']:>9,} memories   recall {row['recall_ms']:.2f} ms   before() {row['before_ms']:.2f} ms   "
            f"after() {row['after_ms']:.2f} ms   {row['prompt_tokens']:.0f} tokens"
        )


def measure(size: int) -> dict[str, float]:
    """Returns the median CPU milliseconds."""
    with (
        tempfile.TemporaryDirectory() as folder,
        Memory(Path(folder) / "bench.db", embedder=SeededEmbedder()) as memory,
    ):
        told = list(turns(size))
        for first in range(0, size, BATCH):
            memory.observe_many(told[first : first + BATCH])
        memory.flush()
        asked = questions(2 * MESSAGES)
        recalls = []
        for text in asked[:MESSAGES]:
            memory.observe(
                f"An answer to that: {text}", session="other"
            )  # a turn was just stored, as in a conversation
            recalls.append(1000 * cpu(partial(memory.recall, text, limit=40)))
        live = memory.live("bench", window=128_000, system="You are somebody's agent.")
        before, after, tokens = [], [], []
        for text in asked[MESSAGES:]:
            prompts: list[Prompt] = []
            before.append(1000 * cpu(partial(_before, live, text, prompts)))
            tokens.append(prompts[0].tokens)
            after.append(1000 * cpu(partial(live.after, f"An answer to that: {text}")))
        return {
            "size": size,
            "recall_ms": quantile(recalls[ASIDE:], 0.5),
            "before_ms": quantile(before[ASIDE:], 0.5),
            "after_ms": quantile(after[ASIDE:], 0.5),
            "prompt_tokens": quantile(tokens, 0.5),
        }


def _before(live: LiveSession, text: str, prompts: list[Prompt]) -> None:
    prompts.append(live.before(text))


if __name__ == "__main__":
    main()
