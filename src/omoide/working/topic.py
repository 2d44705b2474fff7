"""Whether a message changes the topic: by how near it is to what was said just before, and by how it is said.

`seed` is Kira-R's rule. The other two are logistic: weights and thresholds were fitted on one set of 300 labelled
conversations and judged on another 100 (bench/topics.py; docs/benchmarks.md has the figures). People change the topic
with a question, stay with it when they answer one, and the turn just before tells more than the three before.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from omoide.recall.shorter import words

RECENT = 3  # turns (Kira-R)
_SEED = 0.3  # Kira-R: less alike is another topic
_ASKS = ("?", "？")
_STEM = 5  # letters: "train", "trains" and "training" are one word here
_LONGEST = 3.0  # tens of words: beyond, length says nothing more
_COMMON = frozenset(
    """
    the this that these those and but then than with about into over you your his him her its they them their are was
    were been does did have has had will would can could should what which who when where why how there here not any
    some all just please too very really for from our out get got like
    """.split()
)


@dataclass(frozen=True, slots=True)
class Nearness:
    """How alike a message is to each of the last turns, the latest last, from 0 to 1; and to all of them together."""

    each: tuple[float, ...]
    together: float | None = None

    @property
    def nearest(self) -> float:
        return max(self.each)

    @property
    def last(self) -> float:
        return self.each[-1]


def seed_changed(near: Nearness, turns: int) -> bool:
    """Kira-R: the last three turns as one text; with fewer than two there is no topic yet."""
    return turns >= 2 and near.together is not None and near.together < _SEED


def changed(message: str, recent: Sequence[str], near: Nearness | None) -> bool:
    """By meaning where both could be read, else by words. Nothing was said yet: no topic to change."""
    if not recent:
        return False
    return _by_meaning(message, recent, near) > -0.95 if near else _by_words(message, recent) > -1.1


def _by_meaning(message: str, recent: Sequence[str], near: Nearness) -> float:
    return (
        -0.85 - 1.53 * near.nearest - 4.13 * near.last + 0.54 * _length(message) + _manner(message, recent, 1.68, 0.88)
    )


def _by_words(message: str, recent: Sequence[str]) -> float:
    mine = _stems(message)
    before = frozenset().union(*map(_stems, recent))
    shared = len(mine & before) / max(1, len(mine))
    last = len(mine & _stems(recent[-1])) / max(1, len(mine))
    score = -1.85 - 0.87 * shared - 2.47 * last + 0.33 * _length(message) - 1.63 * (not mine)
    return score + _manner(message, recent, 1.6, 1.25)


def _manner(message: str, recent: Sequence[str], asks: float, answers: float) -> float:
    return asks * any(mark in message for mark in _ASKS) - answers * recent[-1].rstrip().endswith(_ASKS)


def _length(message: str) -> float:
    return min(_LONGEST, len(message.split()) / 10)


def _stems(text: str) -> frozenset[str]:
    return frozenset(word[:_STEM] for word in words(text) if word not in _COMMON)
