"""Ablation of the everyday recipe: switches off one arm or signal at a time and scores every task.

    python bench/ablation.py --data FOLDER --cache vectors.npz [task ...]     then: python bench/benchmarks_page.py
    python bench/ablation.py --data FOLDER --queries 30 --only vector neighbours

The variants are read from the recipe, so a new signal is included automatically. Each conversation is observed once and
every variant is asked at the same points; access counting and learning when idle are off, so that variants do not
affect each other. `--learned` learns before it asks: entities, links and facts then have something to act on.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from typing import Any

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(name, "1")

import results  # noqa: E402
from evaluation_data import CachedEmbedder, Corpus, corpora, moment, tasks, turn  # noqa: E402
from metrics import mean, ndcg_at, recall_at  # noqa: E402
from omoide import Memory  # noqa: E402
from omoide.recall.recipes import RECIPES, Recipe  # noqa: E402
from omoide.settings import make_settings  # noqa: E402

K = 10
BASE = "everyday"
# Numbers that configure a signal instead of weighting it; setting them to 0 would make another signal.
_CONFIGURATION = (
    "name", "purpose", "reach", "limit", "k", "half_life", "length", "best", "seeds", "slack", "candidates", "depth",
    "size", "scale",
)  # fmt: skip


def variants(recipe: Recipe) -> dict[str, Recipe]:
    """Returns the recipe, and one variant without each part that it can do without."""
    found = {BASE: recipe}
    for label, other in _without(recipe):
        found[label] = replace(other, name=f"{BASE} without {label}")
    return found


def _without(plan: Any, prefix: str = "") -> Iterator[tuple[str, Any]]:
    for field in fields(plan):
        value, label = getattr(plan, field.name), f"{prefix}{field.name}"
        if isinstance(value, Mapping):
            for key in value:
                rest = {each: kept for each, kept in value.items() if each != key}
                yield f"{label}: {key}", replace(plan, **{field.name: rest})
        elif isinstance(value, tuple) and value and all(is_dataclass(each) for each in value):
            for each in value:
                others = tuple(kept for kept in value if kept is not each)
                yield f"{label}: {getattr(each, 'arm', each)}", replace(plan, **{field.name: others})
        elif "None" in str(field.type):  # optional part
            if value is not None:
                yield label, replace(plan, **{field.name: None})
        elif is_dataclass(value):
            for inner, other in _without(value, f"{label}: "):
                yield inner, replace(plan, **{field.name: other})
        elif isinstance(value, (bool, int, float)) and value and not _is_configuration(field.name):
            yield label, replace(plan, **{field.name: type(value)(0)})


def _is_configuration(name: str) -> bool:
    return any(name == each or name.endswith(f"_{each}") for each in _CONFIGURATION)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tasks", nargs="*")
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--queries", type=int, help="at most this many of each conversation")
    parser.add_argument("--only", nargs="+", help="only what has one of these words in its name")
    parser.add_argument("--cache", type=Path, help="a file (.npz) that keeps the vectors between runs")
    parser.add_argument("--learned", action="store_true", help="learn from the sessions before asking")
    parser.add_argument("--results", type=Path, default=results.FILE)
    args = parser.parse_args()
    plans = {
        label: plan
        for label, plan in variants(RECIPES[BASE]).items()
        if label == BASE or not args.only or any(word in label for word in args.only)
    }
    RECIPES.update({plan.name: plan for plan in plans.values()})
    embedder, table = CachedEmbedder(args.cache), {}
    for task in tasks(args.data, args.tasks):
        table[task] = _scored(corpora(args.data / task, args.queries), plans, embedder, args.learned)
        embedder.save()
        _show(task, table[task])
        results.save(args.results, ablation={"base": BASE, "tasks": table, "questions": args.queries})


def _scored(
    conversations: list[Corpus], plans: dict[str, Recipe], embedder: CachedEmbedder, learned: bool
) -> dict[str, dict[str, float]]:
    scores: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for corpus in conversations:
        settings = make_settings(learn_automatically=0)
        with (
            tempfile.TemporaryDirectory() as folder,
            Memory(Path(folder) / "a.db", embedder=embedder, settings=settings) as memory,
        ):
            memory._core.background.record_hits = lambda ids, at: None  # type: ignore[method-assign]
            for label, score in _asked(memory, corpus, plans, learned):
                scores[label].append(score)
    return {
        label: {"recall": mean(r for r, _ in rows), "ndcg": mean(n for _, n in rows), "asked": len(rows)}
        for label, rows in scores.items()
    }


def _asked(
    memory: Memory, corpus: Corpus, plans: dict[str, Recipe], learned: bool
) -> Iterator[tuple[str, tuple[float, float]]]:
    ids: dict[int, str] = {}
    told = 0
    for upto, queries in corpus.steps():
        if upto > told:
            nodes = memory.observe_many([turn(doc) for doc in corpus.docs[told:upto]])
            if learned:
                for session in {doc["session"] for doc in corpus.docs[told:upto]}:
                    memory.end(session)
                memory.learn()
            memory.flush()
            ids.update({node.id: doc["id"] for node, doc in zip(nodes, corpus.docs[told:upto], strict=True)})
            told = upto
        for query in queries:
            at, wanted = moment(query.get("asked_at")), query["relevant"]
            for label, plan in plans.items():
                # 50, as in the quality table, since the limit affects the ranking
                hits = memory.recall(query["text"], at=at, limit=50, kinds=["episode"], recipe=plan.name).hits
                ranked = list(dict.fromkeys(ids[hit.id] for hit in hits if hit.id in ids))
                yield label, (recall_at(K, ranked, wanted), ndcg_at(K, ranked, wanted))


def _show(task: str, rows: dict[str, dict[str, float]]) -> None:
    base = rows[BASE]
    for label, row in rows.items():
        moved = f"{row['recall'] - base['recall']:+.3f} {row['ndcg'] - base['ndcg']:+.3f}" if label != BASE else ""
        print(f"{task:20}{label:32} R@10 {row['recall']:.3f}  NDCG@10 {row['ndcg']:.3f}  {moved}")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
