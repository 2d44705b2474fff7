"""Measures how much evidence a context pack contains per token: selection by value per token against by rank.

    python bench/packing.py --data FOLDER [task ...] --corpora 2 --queries 50

The hits of each question are packed in three ways within the same budgets: `rank` takes whole memories from the best
down and skips what does not fit; `forms` uses shorter forms of what does not fit; `value` is
recall/budget_selection.py. Evidence is counted as turns in the pack in any form, and as the share of their words, since
a shortened turn may have lost the answer.
"""

from __future__ import annotations

import argparse
import os
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(name, "1")

from evaluation_data import CachedEmbedder, Corpus, corpora, moment, tasks, turn  # noqa: E402
from metrics import mean  # noqa: E402
from omoide import Memory  # noqa: E402
from omoide.language import tokens  # noqa: E402
from omoide.recall.budget_selection import (  # noqa: E402
    PackItem,
    TextForm,
    TokenRoom,
    choose_forms,
    comparison_words,
    distinct_forms,
    pack_values,
)
from omoide.recall.results import Hit  # noqa: E402

BUDGETS = (500, 1000, 2000)
Packed = dict[int, str]  # text in the pack by node
Asked = Sequence[str]


def by_rank(hits: Sequence[Hit], asked: Asked, budget: int) -> Packed:
    packed: Packed = {}
    for hit in hits:
        cost = tokens.estimate(hit.text)
        if cost <= budget:
            packed[hit.id], budget = hit.text, budget - cost
    return packed


def by_forms(hits: Sequence[Hit], asked: Asked, budget: int) -> Packed:
    packed: Packed = {}
    for hit in hits:
        for text, cost, _ in distinct_forms(tokens.estimate, hit.node, asked):
            if cost <= budget:
                packed[hit.id], budget = text, budget - cost
                break
    return packed


def by_value(hits: Sequence[Hit], asked: Asked, budget: int) -> Packed:
    items = [
        PackItem(
            key=hit.id,
            part="all",
            value=value,
            forms=tuple(
                TextForm(text, cost, keeps) for text, cost, keeps in distinct_forms(tokens.estimate, hit.node, asked)
            ),
            words=comparison_words(hit.text),
        )
        for hit, value in zip(hits, pack_values(hits), strict=True)
    ]
    chosen = choose_forms(items, TokenRoom(budget))
    return {hit.id: chosen[hit.id].text for hit in hits if hit.id in chosen}


PACKERS: dict[str, Callable[[Sequence[Hit], Asked, int], Packed]] = {
    "rank": by_rank,
    "forms": by_forms,
    "value": by_value,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tasks", nargs="*")
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--corpora", type=int, help="at most this many conversations of each task")
    parser.add_argument("--queries", type=int, help="at most this many questions of each conversation")
    parser.add_argument("--cache", type=Path, help="a file (.npz) that keeps the vectors between runs")
    parser.add_argument("--budgets", type=int, nargs="+", default=list(BUDGETS))
    args = parser.parse_args()
    embedder = CachedEmbedder(args.cache)
    print("| task | tokens | packed by | evidence turns | evidence words | per 1,000 tokens used |")
    print("|---|---|---|---|---|---|")
    for task in tasks(args.data, args.tasks):
        rows = scored(corpora(args.data / task, args.queries)[: args.corpora], embedder, args.budgets)
        embedder.save()
        for (budget, packer), found in rows.items():
            held, kept, used = (mean(each[place] for each in found) for place in range(3))
            each_thousand = sum(each[0] for each in found) / sum(each[2] for each in found) * 1000 if used else 0.0
            figures = f"{held:.3f} | {kept:.3f} | {each_thousand:.3f}"
            print(f"| {task} ({len(found)}) | {budget:,} | {packer} | {figures} |", flush=True)


Score = tuple[float, float, float]  # share of evidence turns, share of their words, tokens used


def scored(
    conversations: Sequence[Corpus], embedder: CachedEmbedder, budgets: Sequence[int]
) -> dict[tuple[int, str], list[Score]]:
    found: dict[tuple[int, str], list[Score]] = defaultdict(list)
    for corpus in conversations:
        with tempfile.TemporaryDirectory() as folder, Memory(Path(folder) / "a.db", embedder=embedder) as memory:
            for hits, asked, wanted in _recalled(memory, corpus):
                for budget in budgets:
                    for name, packer in PACKERS.items():
                        found[budget, name].append(_score(packer(hits, asked, budget), wanted))
    return found


def _recalled(memory: Memory, corpus: Corpus) -> Iterator[tuple[Sequence[Hit], Asked, dict[int, str]]]:
    """Yields the hits of each question, its words, and the evidence with its text."""
    ids: dict[str, int] = {}
    texts: dict[int, str] = {}
    told = 0
    for upto, queries in corpus.steps():
        if upto > told:
            nodes = memory.observe_many([turn(doc) for doc in corpus.docs[told:upto]])
            memory.flush()
            ids.update({doc["id"]: node.id for node, doc in zip(nodes, corpus.docs[told:upto], strict=True)})
            texts.update({node.id: node.text for node in nodes})
            told = upto
        for query in queries:
            wanted = {ids[each]: texts[ids[each]] for each in query["relevant"] if each in ids}
            if wanted:
                answer = memory.recall(query["text"], at=moment(query.get("asked_at")), limit=50, kinds=["episode"])
                yield answer.hits, answer.query.terms, wanted


def _score(packed: Packed, wanted: dict[int, str]) -> Score:
    kept = [
        len(comparison_words(packed.get(id, "")) & comparison_words(text)) / max(1, len(comparison_words(text)))
        for id, text in wanted.items()
    ]
    held = sum(id in packed for id in wanted) / len(wanted)
    return held, sum(kept) / len(kept), float(sum(tokens.estimate(text) for text in packed.values()))


if __name__ == "__main__":
    main()
