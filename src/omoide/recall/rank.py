"""Fused scores → ranked hits: what a memory is worth moves it a little, relevance decides."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from omoide.layers import Node
from omoide.layers.entity import name_key
from omoide.recall.question import Query
from omoide.recall.recipes import Multipliers
from omoide.recall.when import End

_CLOSE = 0.5  # of the best score: what is less relevant belongs to another row


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


def voices(node: Node, query: Query, speaker: str | None, by: Multipliers) -> tuple[Factor, ...]:
    """Who said it: the one whom the question names, the agent or the user whose words it asks for."""
    said = query.speaker.by if query.speaker else None
    found = []
    if (speaker is not None and node.speaker == speaker) or (said == "agent" and node.role == "agent"):
        found.append(Factor("speaker", 1 + by.speaker))
    if (query.oneself or said == "user") and node.role == "user":
        found.append(Factor("myself", 1 + by.myself))
    return tuple(found)


def row(found: Sequence[tuple[float, datetime]], end: End, share: float) -> list[Factor]:
    """For each (score, time): the more, the nearer to the end that is asked for, among those close to the best."""
    close = _CLOSE * max((score for score, _ in found), default=0.0)
    times = sorted({at for score, at in found if score >= close}, reverse=end == "first")
    steps = {at: step / (len(times) - 1) for step, at in enumerate(times)} if len(times) > 1 else {}
    return [Factor(end, 1 + share * (steps.get(at, 0.0) if score >= close else 0.0)) for score, at in found]


def weighted(relevance: float, by: Iterable[Factor]) -> float:
    for factor in by:
        relevance *= factor.value
    return relevance
