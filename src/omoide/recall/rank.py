"""Fused scores → ranked hits: what a memory is worth moves it a little, relevance decides."""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import datetime

from omoide.layers import Node
from omoide.recall.recipes import Multipliers


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


def weighted(relevance: float, by: tuple[Factor, ...]) -> float:
    for factor in by:
        relevance *= factor.value
    return relevance
