"""Measures topic shift detection: F1 of each detector on labelled conversations, fitted on one part, tested on another.

    python bench/topic_shift.py --data FOLDER        with train.json and dev.json: {conversation: [[text, label], …]}

A label is "1" where the turn changes the topic, "0" where it does not, "-1" for the first. `always` says yes to
everything. The weights of the detector were fitted on train.json only.
"""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(name, "1")

from omoide.providers.minilm import MiniLM  # noqa: E402
from omoide.working.session_view import RECENT_TURNS, topic_changed  # noqa: E402

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn, the turn before it, their similarity, and whether the topic changed."""

    text: str
    recent: tuple[str, ...]
    near: tuple[float, ...]
    together: float  # similarity to the last turns as one text
    label: bool


DETECTORS: dict[str, Callable[[Turn], bool]] = {
    "always": lambda turn: True,
    "seed: likeness to the last three below 0.3": lambda turn: len(turn.recent) >= 2 and turn.together < 0.3,
    "words": lambda turn: topic_changed(turn.text, turn.recent, None),
    "meaning": lambda turn: topic_changed(turn.text, turn.recent, turn.near),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    args = parser.parse_args()
    embedder = MiniLM()
    print("| detector | " + " | ".join(f"{part}: F1 (precision, recall)" for part in ("train", "dev")) + " |")
    print("|---|---|---|")
    told = {part: list(turns(args.data / f"{part}.json", embedder)) for part in ("train", "dev")}
    for name, detector in DETECTORS.items():
        found = [f1([detector(turn) for turn in part], [turn.label for turn in part]) for part in told.values()]
        print(f"| {name} | " + " | ".join(f"{f:.3f} ({p:.2f}, {r:.2f})" for f, p, r in found) + " |")


def turns(file: Path, embedder: MiniLM) -> Iterator[Turn]:
    conversations = list(json.loads(file.read_text("utf-8")).values())
    meanings = embedded(embedder, [each for told in conversations for each in _texts(told)])
    for told in conversations:
        texts = [text for text, _ in told]
        for place, (text, label) in enumerate(told):
            recent = texts[max(0, place - RECENT_TURNS) : place]
            if label in ("0", "1"):
                each = tuple(float(meanings[other] @ meanings[text]) for other in recent)
                together = float(meanings[" ".join(recent)] @ meanings[text])
                yield Turn(text, tuple(recent), each, together, label == "1")


def embedded(embedder: MiniLM, texts: Sequence[str]) -> dict[str, NDArray[np.float32]]:
    """Embeds all turns at once, which is about ten times as fast as by conversation."""
    distinct = sorted(set(texts), key=len)
    return dict(zip(distinct, embedder.embed(distinct), strict=True))


def _texts(told: Sequence[tuple[str, str]]) -> Iterator[str]:
    texts = [text for text, _ in told]
    yield from texts
    yield from (" ".join(texts[max(0, place - RECENT_TURNS) : place]) for place in range(1, len(texts)))


def f1(found: Sequence[bool], wanted: Sequence[bool]) -> tuple[float, float, float]:
    """Returns F1, precision and recall."""
    both = sum(one and other for one, other in zip(found, wanted, strict=True))
    precision, recall = both / max(1, sum(found)), both / max(1, sum(wanted))
    return 2 * precision * recall / max(1e-9, precision + recall), precision, recall


if __name__ == "__main__":
    main()
