"""Fits and measures the weights by which an announced change finds the statement that it replaces or ends.

`python bench/change_pairs.py` fits on four fifths of the conversations of change_pairs.jsonl and reports the rest. Each
line has a new statement whose words announce a change, the earlier statements of its conversation, and the place of the
one that it replaces (null if that was never said). Take the weights over into omoide/learn/change.py.
"""

from __future__ import annotations

import json
import zlib
from pathlib import Path
from typing import Any

import numpy as np

from omoide.domain import Draft
from omoide.domain.entity import name_key
from omoide.learn.change import Comparison, StatedContent, content_of, features

PAIRS = Path(__file__).with_name("change_pairs.jsonl")
_KINDS = {"preference": "preference", "instruction": "preference", "opinion": "opinion", "procedure": "procedure"}
_ROUNDS, _SHRINK = 6_000, 0.3


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


def read_pairs() -> list[Pair]:
    found = []
    for line in PAIRS.read_text("utf-8").splitlines():
        given = json.loads(line)
        names = (given["new"]["subject"],)
        new = content_of(draft(given["new"]), names)
        comparison = Comparison(new, given["change"], given["quote"], frozenset(map(name_key, names)))
        earlier = [content_of(draft(each), names) for each in given["earlier"]]
        found.append((zlib.crc32(given["id"].encode()) % 5 == 0, given["replaces"], comparison, earlier))
    return found


def fit(rows: list[dict[str, float]], labels: list[bool]) -> tuple[list[str], np.ndarray]:
    names = list(rows[0])
    x = np.c_[np.array([[each[name] for name in names] for each in rows]), np.ones(len(rows))]
    y = np.array(labels, float)
    weights = np.zeros(x.shape[1])
    for _ in range(_ROUNDS):
        p = 1 / (1 + np.exp(-x @ weights))
        weights -= (x.T @ (p - y) + _SHRINK * np.r_[weights[:-1], 0]) / len(y)
    return names, weights


def main() -> None:
    pairs = read_pairs()
    known = [
        (features(change, old), place == k)
        for held, place, change, earlier in pairs
        if not held
        for k, old in enumerate(earlier)
    ]
    names, weights = fit([each for each, _ in known], [label for _, label in known])
    print({name: round(float(weight), 2) for name, weight in zip([*names, "bias"], weights, strict=True)})
    for title, wanted in (("fitted", False), ("held out", True)):
        counts = dict.fromkeys(("right", "wrong", "unsure", "missed", "rightly none"), 0)
        for held, place, change, earlier in pairs:
            if held == wanted:
                counts[verdict(change, earlier, place)] += 1
        print(f"{title}: " + ", ".join(f"{name} {count}" for name, count in counts.items()))


def verdict(change: Comparison, earlier: list[StatedContent], place: int | None) -> str:
    """What the current weights decide, compared with the label."""
    found = change.decide(earlier)
    replaced = {k for k, each in found.items() if each in ("replaces", "ends", "confirms")}
    if replaced:
        return "right" if replaced == {place} else "wrong"
    if found:
        return "unsure"
    return "missed" if place is not None else "rightly none"


if __name__ == "__main__":
    main()
