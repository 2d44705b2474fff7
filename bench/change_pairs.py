"""Fits and measures the weights by which an announced change finds the statement that it replaces or ends.

`python bench/change_pairs.py` fits on four fifths of the conversations of change_pairs.jsonl and reports the rest. Each
line has a new statement whose words announce a change, earlier statements, and the place of the one that it replaces
(null if there is none). Statements are as the reader proposed them, with some of other conversations, or as a person
wrote them down. Take the weights over into omoide/learn/change.py.
"""

from __future__ import annotations

import json
import zlib
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np

from omoide.domain import Draft
from omoide.domain.entity import name_key
from omoide.learn.change import Comparison, StatedContent, content_of, features
from omoide.learn.quote_matching import word_rarity
from omoide.providers.protocols import Embedder
from omoide.providers.selection import choose_embedder

PAIRS = Path(__file__).with_name("change_pairs.jsonl")
_KINDS = {"preference": "preference", "instruction": "preference", "opinion": "opinion", "procedure": "procedure"}
_ROUNDS, _STEP, _SHRINK = 8_000, 3.0, 0.3


def draft(given: dict[str, Any]) -> Draft:
    """A labelled statement as the writer would see it."""
    kind = _KINDS.get(given["form"], "fact")
    own = {
        "fact": {"subject": given["subject"], "predicate": given["slot"], "matter": given["matter"]},
        "preference": {"subject": given["subject"], "name": given["matter"]},
        "opinion": {"holder": given["subject"], "about": given["matter"]},
        "procedure": {"name": given["matter"]},
    }[kind]
    if given["slot"]:
        own["object" if kind == "fact" else "value"] = given["value"]
    kept = {name: value for name, value in own.items() if value}
    return Draft(kind=kind, text=given["text"], event_at=1, origin="user", source_type="stated", attributes=kept)


Pair = tuple[bool, int | None, Comparison, list[StatedContent]]
"""Held out or not, the place of the replaced statement, the change, and the earlier statements."""


def read_pairs(embedder: Embedder | None) -> list[Pair]:
    lines = [json.loads(line) for line in PAIRS.read_text("utf-8").splitlines()]
    texts = sorted({each["text"] for line in lines for each in (line["new"], *line["earlier"])})
    vectors = dict(zip(texts, embedder.embed(texts), strict=True)) if embedder is not None else {}
    counts = Counter(stem for text in texts for stem in content_of(draft_of_text(text)).words)
    found = []
    for line in lines:
        names = (line["new"]["subject"],)
        new = content_of(draft(line["new"]), names)
        rarity = {word: word_rarity(counts[word], len(texts)) for word in new.words | {new.head}}
        near = {
            place: float(vectors[line["new"]["text"]] @ vectors[each["text"]])
            for place, each in enumerate(line["earlier"])
            if vectors
        }
        comparison = Comparison(new, line["change"], line["quote"], frozenset(map(name_key, names)), rarity, near)
        earlier = [content_of(draft(each), names) for each in line["earlier"]]
        found.append((zlib.crc32(line["id"].encode()) % 5 == 0, line["replaces"], comparison, earlier))
    return found


def draft_of_text(text: str) -> Draft:
    return Draft(kind="fact", text=text, event_at=1, origin="user", source_type="stated")


def fit(rows: list[dict[str, float]], labels: list[bool]) -> dict[str, float]:
    names = list(rows[0])
    x = np.c_[np.array([[each[name] for name in names] for each in rows]), np.ones(len(rows))]
    y = np.array(labels, float)
    weights = np.zeros(x.shape[1])
    for _ in range(_ROUNDS):
        p = 1 / (1 + np.exp(-x @ weights))
        weights -= _STEP * (x.T @ (p - y) + _SHRINK * np.r_[weights[:-1], 0]) / len(y)
    return dict(zip([*names, "bias"], map(float, weights.round(1)), strict=True))


def report(embedder: Embedder | None) -> None:
    pairs = read_pairs(embedder)
    known = [
        (features(change, old, change.closeness.get(k)), place == k)
        for held, place, change, earlier in pairs
        if not held
        for k, old in enumerate(earlier)
    ]
    print(fit([each for each, _ in known], [label for _, label in known]))
    for title, wanted in (("fitted", False), ("held out", True)):
        counts: Counter[str] = Counter()
        for held, place, change, earlier in pairs:
            if held == wanted:
                counts[verdict(change, earlier, place)] += 1
        print(f"{title}: " + ", ".join(f"{name} {count}" for name, count in sorted(counts.items())))


def verdict(change: Comparison, earlier: list[StatedContent], place: int | None) -> str:
    """What the current weights decide, compared with the label."""
    found = change.decide(earlier)
    replaced = {k for k, each in found.items() if each in ("replaces", "ends", "confirms")}
    against = {k for k, each in found.items() if each == "contradicts"}
    if replaced:
        return "replaced right" if replaced == {place} else "replaced wrong"
    if against:
        return "contradicts right" if against == {place} else "contradicts wrong"
    return "missed" if place is not None else "rightly none"


def main() -> None:
    for title, embedder in (("without vectors", None), ("with vectors", choose_embedder("default")[0])):
        print(title)
        report(embedder)


if __name__ == "__main__":
    main()
