"""Measures what archiving costs: how well and how fast memories are found before and after they are archived.

python bench/archived.py --data FOLDER [task ...]     tasks as described in bench/evaluation_data.py
python bench/archived.py --data FOLDER --cost [task ...]   the cost of a recall over all turns of the tasks

Each question is asked twice of one store: while everything is live, and while everything is archived. Then everything
is restored. The cost of a recall is CPU time without embedding, in one run: the same question alternately of a live
store and of a copy of which 90 % is archived.
"""

from __future__ import annotations

import argparse
import shutil
import tempfile
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

import results
from evaluation_data import Corpus, corpora, documents, moment, tasks, turn
from metrics import cpu, mean, recall_at
from omoide import Memory
from omoide.store import ArchiveRequest
from omoide.store.ageing import archive
from speed import SeededEmbedder

K = 10
ARCHIVED_SHARE = 0.9
BATCH = 1_000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tasks", nargs="*")
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--queries", type=int, help="at most this many of each conversation")
    parser.add_argument("--cost", action="store_true")
    parser.add_argument("--results", type=Path, default=results.FILE)
    args = parser.parse_args()
    known: dict[str, Any] = {"found": {}} | results.load(args.results).get("archived", {})
    names = tasks(args.data, args.tasks)
    if args.cost:
        known["cost"] = cost = _cost([args.data / name for name in names], args.queries)
        print(f"{cost['turns']:,} turns: live {cost['live_ms']:.2f} ms, 90 % archived {cost['archived_ms']:.2f} ms")
        results.save(args.results, archived=known)
        return
    for name in names:
        known["found"][name] = found = _found(corpora(args.data / name, args.queries))
        print(f"{name:20} n={found['n']:5}  live {found['live']:.4f}  archived {found['archived']:.4f}", flush=True)
        results.save(args.results, archived=known)


def _found(conversations: Sequence[Corpus]) -> dict[str, float]:
    live: list[float] = []
    archived: list[float] = []
    for corpus in conversations:
        with tempfile.TemporaryDirectory() as folder, Memory(Path(folder) / "memory.db") as memory:
            ids: dict[int, str] = {}
            for count, asked in corpus.steps():
                new = corpus.docs[len(ids) : count]
                ids |= {node.id: doc["id"] for node, doc in zip(memory.observe_many(map(turn, new)), new, strict=True)}
                memory.flush()
                live += [_recall(memory, query, ids) for query in asked]
                _archive(memory, list(ids))
                archived += [_recall(memory, query, ids) for query in asked]
                _restore(memory, list(ids))
    return {"n": len(live), "live": mean(live), "archived": mean(archived)}


def _recall(memory: Memory, query: dict[str, Any], ids: dict[int, str]) -> float:
    hits = memory.recall(query["text"], at=moment(query.get("asked_at")), limit=50, kinds=["episode"]).hits
    return recall_at(K, [ids[hit.id] for hit in hits if hit.id in ids], query["relevant"])


def _archive(memory: Memory, ids: Sequence[int]) -> None:
    requests = [ArchiveRequest(id, "benchmark") for id in ids]
    memory._store._file.write(lambda db: archive.archive_nodes(db, requests, db.now))


def _restore(memory: Memory, ids: Sequence[int]) -> None:
    memory._store._file.write(lambda db: [archive.restore_node(db, id) for id in ids])


def _cost(folders: Sequence[Path], most: int | None) -> dict[str, float]:
    """CPU milliseconds of a recall, the median over the questions."""
    said = [turn(doc) for folder in folders for doc in documents(folder)]
    asked = [query["text"] for folder in folders for corpus in corpora(folder, most) for query in corpus.queries]
    with tempfile.TemporaryDirectory() as name:
        path, copy = Path(name) / "live.db", Path(name) / "archived.db"
        with Memory(path, embedder=SeededEmbedder()) as memory:
            batches = (said[start : start + BATCH] for start in range(0, len(said), BATCH))
            ids = [node.id for batch in batches for node in memory.observe_many(batch)]
            memory.flush()
        shutil.copy(path, copy)
        spent: tuple[list[float], list[float]] = ([], [])
        with Memory(path, embedder=SeededEmbedder()) as live, Memory(copy, embedder=SeededEmbedder()) as packed:
            _archive(packed, ids[: int(len(ids) * ARCHIVED_SHARE)])
            for memory in (live, packed):
                memory.recall("anything")  # loads the indexes
            for question in asked:
                for memory, times in zip((live, packed), spent, strict=True):
                    times.append(1000 * cpu(partial(memory.recall, question)))
    return {"turns": len(said), "live_ms": median(spent[0]), "archived_ms": median(spent[1])}


if __name__ == "__main__":
    main()
