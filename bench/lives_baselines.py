"""Scores plain retrieval on whole lives, in the columns of the lives benchmark: what a pack must beat.

    python bench/lives_baselines.py --data FOLDER [life ...] --budget 800

A life is a JSON file of sessions and questions; `good` and `bad` are patterns of the right and of a stale line. The
turns are ranked by BM25 (stemmed), by the cosine of MiniLM, and by the sum of both reciprocal ranks, and fill the
budget from the best down, each as one line with its day.
"""

from __future__ import annotations

import argparse
import json
import math
import re
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from evaluation_data import CachedEmbedder
from omoide.language import tokens
from omoide.language.text import search_terms, stem

MARKED = re.compile(
    r"\b(until|was|were|no longer|replaced|earlier|former(ly)?|used to|before|previously|cancell?ed|outdated"
    r"|superseded|then)\b",
    re.I,
)
Ranking = Callable[[str], list[int]]  # the places of the turns, best first


def words(text: str) -> list[str]:
    return [stem(word.lower()) for word in search_terms(text)]


def bm25(texts: Sequence[str], k1: float = 1.2, b: float = 0.75) -> Ranking:
    """Okapi BM25 with the usual constants."""
    counts = [Counter(words(text)) for text in texts]
    lengths = [sum(each.values()) for each in counts]
    mean = sum(lengths) / max(1, len(lengths))
    found = Counter(word for each in counts for word in each)

    def score(place: int, asked: Sequence[str]) -> float:
        total = 0.0
        for word in asked:
            if often := counts[place][word]:
                rarity = math.log(1 + (len(texts) - found[word] + 0.5) / (found[word] + 0.5))
                total += rarity * often * (k1 + 1) / (often + k1 * (1 - b + b * lengths[place] / mean))
        return total

    return lambda question: _descending([score(place, words(question)) for place in range(len(texts))])


def vectors(texts: Sequence[str], embedder: CachedEmbedder) -> Ranking:
    rows = embedder.embed(list(texts))
    return lambda question: _descending((rows @ embedder.embed([question])[0]).tolist())


def reciprocal(rankings: Sequence[Ranking], k: int = 60) -> Ranking:
    def ranked(question: str) -> list[int]:
        scores: Counter[int] = Counter()
        for ranking in rankings:
            for rank, place in enumerate(ranking(question), start=1):
                scores[place] += 1 / (k + rank)  # type: ignore[assignment]
        return _descending([scores[place] for place in range(len(scores))])

    return ranked


def _descending(scores: Sequence[float]) -> list[int]:
    return [int(place) for place in np.argsort(-np.asarray(scores), kind="stable")]


def filled(ranked: Sequence[int], lines: Sequence[str], budget: int) -> tuple[list[str], int]:
    """The lines that fit, best first, and what they cost."""
    chosen, used = [], 0
    for place in ranked:
        cost = tokens.estimate(lines[place] + "\n")
        if used + cost <= budget:
            chosen.append(lines[place])
            used += cost
    return chosen, used


def first_match(pattern: str | None, lines: Sequence[str]) -> int:
    """The number of the first line that matches, from 1; 0 if none does."""
    found = (number for number, line in enumerate(lines, 1) if pattern and re.search(pattern, line, re.I))
    return next(found, 0)


def asked(question: dict[str, Any], ranking: Ranking, lines: Sequence[str], budget: int) -> dict[str, Any]:
    ranked = ranking(question["q"])
    packed, used = filled(ranked, lines, budget)
    return {
        "good": first_match(question["good"], packed),
        "bad": first_match(question["bad"], ["" if MARKED.search(line) else line for line in packed]),
        "hit": first_match(question["good"], [lines[place] for place in ranked[:3]]),
        "tokens": used,
        "answerable": question["good"] is not None,
        "changes": bool(question["bad"]),
    }


def summary(rows: Sequence[dict[str, Any]]) -> dict[str, float]:
    """The columns: pack, first, top3, silent and tokens."""
    can = [row for row in rows if row["answerable"]]
    changed = [row for row in can if row["changes"]]
    cannot = [row for row in rows if not row["answerable"]]
    return {
        "pack": _share([row["good"] for row in can]),
        "first": _share([row["good"] and not 0 < row["bad"] < row["good"] for row in changed]),
        "top3": _share([row["hit"] for row in can]),
        "silent": _share([row["tokens"] <= 150 for row in cannot]),
        "tokens": sum(row["tokens"] for row in rows) / len(rows),
    }


def _share(found: Sequence[Any]) -> float:
    return sum(map(bool, found)) / len(found) if found else math.nan


def turns(life: dict[str, Any]) -> tuple[list[str], list[str]]:
    """The texts of all turns, and the line that shows each."""
    found = [
        (text, f"- [{session['at'][:10]}] {role}: {text}")
        for session in life["sessions"]
        for turn in session["turns"]
        for role, text in zip(("user", "agent"), turn, strict=True)
    ]
    return [text for text, _ in found], [line for _, line in found]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("lives", nargs="*")
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--budget", type=int, default=800)
    parser.add_argument("--cache", type=Path)
    args = parser.parse_args()
    embedder = CachedEmbedder(args.cache)
    totals: dict[str, list[dict[str, float]]] = {}
    print(f"{'life':10} {'ranking':11} {'pack':>5} {'first':>5} {'top3':>5} {'silent':>6} {'tokens':>6}")
    for file in [args.data / f"{name}.json" for name in args.lives] or sorted(args.data.glob("*.json")):
        life = json.loads(file.read_text("utf-8"))
        texts, lines = turns(life)
        rankings = {"BM25": bm25(texts), "MiniLM": vectors(texts, embedder)}
        rankings["reciprocal"] = reciprocal(list(rankings.values()))
        for name, ranking in rankings.items():
            found = summary([asked(question, ranking, lines, args.budget) for question in life["ask"]])
            totals.setdefault(name, []).append(found)
            _show(life["name"], name, found)
    embedder.save()
    for name, rows in totals.items():
        _show("mean", name, {column: sum(row[column] for row in rows) / len(rows) for column in rows[0]})


def _show(life: str, ranking: str, found: dict[str, float]) -> None:
    pack, first, top3, silent, used = found.values()
    print(f"{life:10} {ranking:11} {pack:5.2f} {first:5.2f} {top3:5.2f} {silent:6.2f} {used:6.0f}", flush=True)


if __name__ == "__main__":
    main()
