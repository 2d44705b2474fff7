"""How alike two traces are: what they wanted, what went wrong, where, what was done, and their meaning where known."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from omoide.layers.trace import CRASHED
from omoide.recall.query import STOP
from omoide.store import Trace
from omoide.text import terms

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_ENDINGS = re.compile(r"(?<=\w{3})(?:ings?|ations?|ions?|ments?|ed|es|ers?|s|e|y|ies)$")
# What each part counts, where both traces have it. The goal and the error say what a task was about; files and actions
# are shared by many tasks of one house.
GOAL, MEANING, ERROR, FILES, ACTIONS = 0.4, 0.4, 0.35, 0.15, 0.1
_FEW = 10  # vectors: of fewer, what they have in common cannot be told


@dataclass(frozen=True, slots=True)
class Features:
    """What is compared of a trace: stems, without the words that every sentence has."""

    goal: frozenset[str]
    error: frozenset[str]
    files: frozenset[str]
    actions: frozenset[str]
    vector: NDArray[np.float32] | None = None

    @property
    def words(self) -> frozenset[str]:
        return self.goal | self.error | self.files


def features(trace: Trace) -> Features:
    met = [each for each in trace.errors if each.get("type") != CRASHED]
    return Features(
        goal=stems(trace.goal),
        error=stems(*(str(each.get(part) or "") for each in met for part in ("type", "message", "resolution"))),
        files=stems(*trace.files),
        actions=frozenset(str(each.get("action")) for each in trace.actions),
        vector=_vector(trace.vector),
    )


def stems(*texts: str) -> frozenset[str]:
    """The words that tell something, without their endings."""
    found = (word.lower() for text in texts for word in terms(text))
    return frozenset(_ENDINGS.sub("", word) for word in found if word not in STOP)


class Rarity:
    """How much a word tells apart among the traces seen so far."""

    def __init__(self) -> None:
        self._seen: Counter[str] = Counter()
        self._traces = 0

    def see(self, words: Iterable[str]) -> None:
        self._traces += 1
        self._seen.update(words)

    def of(self, word: str) -> float:
        return math.log(1 + (self._traces + 1) / (self._seen[word] + 1))


class Centre:
    """What all vectors have in common, which says nothing of one of them: traces of one house are all alike."""

    def __init__(self) -> None:
        self._sum: NDArray[np.float32] | None = None
        self._count = 0

    def see(self, vector: NDArray[np.float32] | None) -> None:
        if vector is None or (self._sum is not None and len(self._sum) != len(vector)):
            return
        self._sum = vector.copy() if self._sum is None else self._sum + vector
        self._count += 1

    def likeness(self, one: NDArray[np.float32] | None, other: NDArray[np.float32] | None) -> float | None:
        """The cosine of what is left of them; None where one is missing."""
        if one is None or other is None or self._sum is None or self._count < _FEW:
            return None
        if not len(one) == len(other) == len(self._sum):
            return None
        mean = self._sum / self._count
        a, b = one - mean, other - mean
        length = math.sqrt(float(a @ a) * float(b @ b))
        return max(0.0, float(a @ b) / length) if length else 0.0


def likeness(one: Features, other: Features, rarity: Rarity, centre: Centre) -> float:
    """0 to 1. A part that one of them lacks says nothing, unless it is the goal."""
    parts = [(GOAL, shared(one.goal, other.goal, rarity))]
    meaning = centre.likeness(one.vector, other.vector)
    if meaning is not None:
        parts.append((MEANING, meaning))
    if one.error and other.error:
        parts.append((ERROR, shared(one.error, other.error, rarity)))
    if one.files and other.files:
        parts.append((FILES, shared(one.files, other.files, rarity)))
    if one.actions and other.actions:
        parts.append((ACTIONS, len(one.actions & other.actions) / len(one.actions | other.actions)))
    return sum(weight * value for weight, value in parts) / sum(weight for weight, _ in parts)


def shared(one: frozenset[str], other: frozenset[str], rarity: Rarity) -> float:
    """The cosine of two sets of words, each weighed by its rarity."""
    common = sum(rarity.of(word) ** 2 for word in sorted(one & other))
    if not common:
        return 0.0
    return common / math.sqrt(_square(one, rarity) * _square(other, rarity))


def overlap(one: frozenset[str], other: frozenset[str]) -> float:
    """The same with every word alike."""
    return len(one & other) / math.sqrt(len(one) * len(other)) if one and other else 0.0


def _square(words: frozenset[str], rarity: Rarity) -> float:
    return sum(rarity.of(word) ** 2 for word in sorted(words))


def _vector(data: bytes | None) -> NDArray[np.float32] | None:
    if data is None:
        return None
    import numpy as np

    found = np.frombuffer(data, "<f2").astype(np.float32)
    length = float(np.linalg.norm(found))
    return found / length if length else None


def most_alike(likenesses: Sequence[float], count: int) -> float:
    """The mean of the best few: one chance likeness does not make a family."""
    best = sorted(likenesses, reverse=True)[:count]
    return sum(best) / len(best)
