"""Measures R@10 and NDCG@10 of every system on conversations with known evidence: same turns, same vectors.

python bench/quality.py --data FOLDER [task ...]     tasks as described in bench/evaluation_data.py
python bench/quality.py --data FOLDER --queries 50   the first questions of each conversation, for a quick look
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(name, "1")

import numpy as np  # noqa: E402 — after the threads are set

import results  # noqa: E402
from evaluation_data import CachedEmbedder, Corpus, corpora, moment, tasks, turn  # noqa: E402
from metrics import mean, ndcg_at, recall_at  # noqa: E402
from peer_process import PeerNotRun, PeerProcess, interpreter_of  # noqa: E402
from peers import NAMES, about, turn_text  # noqa: E402

K = 10


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tasks", nargs="*")
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--queries", type=int, help="at most this many of each conversation")
    parser.add_argument("--systems", nargs="+", default=list(NAMES), choices=NAMES)
    parser.add_argument("--peers", type=Path, default=Path(".peers"))
    parser.add_argument("--cache", type=Path, help="a file (.npz) that keeps the vectors between runs")
    parser.add_argument("--results", type=Path, default=results.FILE)
    args = parser.parse_args()
    embedder = CachedEmbedder(args.cache)
    for task in tasks(args.data, args.tasks):
        conversations = corpora(args.data / task, args.queries)
        found = {}
        with tempfile.TemporaryDirectory() as folder:
            for number, corpus in enumerate(conversations):
                _write(corpus, Path(folder) / str(number), embedder)
            embedder.save()
            for name in args.systems:
                found[name] = _scored(name, conversations, Path(folder), args.peers)
                print(f"{task:20}{name:12}{_line(found[name])}", flush=True)
        known = results.load(args.results).get("quality", {})
        known[task] = known.get(task, {}) | found
        results.save(args.results, quality=known)


def _write(corpus: Corpus, folder: Path, embedder: CachedEmbedder) -> None:
    folder.mkdir()
    turns = [turn(doc) for doc in corpus.docs]
    questions = [{"text": query["text"], "at": moment(query.get("asked_at"))} for query in corpus.queries]
    for file, rows in (("turns.jsonl", turns), ("questions.jsonl", questions)):
        (folder / file).write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    np.save(folder / "vectors.npy", embedder.embed([turn_text(each) for each in turns]))
    np.save(folder / "asked.npy", embedder.embed([question["text"] for question in questions]))


def _scored(name: str, conversations: Sequence[Corpus], folder: Path, peers: Path) -> dict[str, Any]:
    """Uses one process for all conversations of a task, and one store for each."""
    scores: list[tuple[float, float]] = []
    try:
        with open(folder / f"{name}.log", "ab") as log:
            process = PeerProcess(name, interpreter_of(name, about(name).REQUIRES, peers), log)
        try:
            for number, corpus in enumerate(conversations):
                scores += _one(process, corpus, folder / str(number), folder / f"{name}-{number}")
        finally:
            process.end()
    except PeerNotRun as reason:
        return {"not_run": str(reason)}
    return {"recall": mean(r for r, _ in scores), "ndcg": mean(n for _, n in scores), "asked": len(scores)}


def _one(process: PeerProcess, corpus: Corpus, inputs: Path, store: Path) -> list[tuple[float, float]]:
    process.order("open", folder=str(store), inputs=str(inputs))
    scores, told, asked = [], 0, 0
    for upto, queries in corpus.steps():
        if upto > told:
            process.order("build", first=told, last=upto)
            told = upto
        if not told:  # no turns yet
            found: list[list[int]] = [[] for _ in queries]
        else:
            found = process.order("ask", first=asked, last=asked + len(queries), k=K)["found"]
        asked += len(queries)
        for query, places in zip(queries, found, strict=True):
            ranked = [corpus.docs[place]["id"] for place in places]
            scores.append((recall_at(K, ranked, query["relevant"]), ndcg_at(K, ranked, query["relevant"])))
    process.order("close")
    return scores


def _line(found: dict[str, Any]) -> str:
    if "not_run" in found:
        return f"not run: {found['not_run']}"
    return f"R@10 {found['recall']:.3f}  NDCG@10 {found['ndcg']:.3f}  ({found['asked']} questions)"


if __name__ == "__main__":
    main()
