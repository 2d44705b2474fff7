"""Fused scores → ranked hits: what a memory is worth moves it a little, relevance decides."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from omoide.layers import Node
from omoide.layers.entity import name_key
from omoide.recall.question import Query
from omoide.recall.recipes import Multipliers

_MYSELF = frozenset(("i", "me", "my", "mine"))
_YOURSELF = frozenset(("you", "your", "yours"))


@dataclass(frozen=True, slots=True)
class Factor:
    """One multiplier of a hit's relevance, by name."""

    name: str
    value: float


def factors(node: Node, now: datetime, by: Multipliers) -> tuple[Factor, ...]:
    """The multipliers of a node, each within its bound of 1."""
    age = max(0.0, (now - node.event_at).total_seconds() / 86_400)
    return (
        Factor("recency", 1 + by.recency * 0.5 ** (age / by.recency_half_life)),
        Factor("importance", 1 + by.importance * (node.importance - 5) / 5),
        Factor("confidence", 1 - by.confidence * (1 - node.effective_confidence(now))),
        Factor("reinforcement", 1 + by.reinforcement * math.tanh(node.score * 0.2)),
    )


def spoken_of(query: Query, nodes: Iterable[Node]) -> str | None:
    """The one speaker that the question names; None when it names nobody who spoke, or several."""
    words = set(name_key(query.question.text).split())
    named = {node.speaker for node in nodes if node.speaker and words & set(name_key(node.speaker).split())}
    return named.pop() if len(named) == 1 else None


def about_oneself(query: Query) -> bool:
    """Whether the user asks about themselves and not about what the agent said."""
    words = set(name_key(query.question.text).split())
    return bool(words & _MYSELF) and not words & _YOURSELF


def weighted(relevance: float, by: Iterable[Factor]) -> float:
    for factor in by:
        relevance *= factor.value
    return relevance
