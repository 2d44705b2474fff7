"""What a memory is worth beside its relevance, as named multipliers: ours, and the seeds' own."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Protocol

from omoide.layers import Node
from omoide.layers.credit import SHARE

if TYPE_CHECKING:
    from omoide.recall.window import Window

_DAY = 86_400
_HOUR = 3_600


@dataclass(frozen=True, slots=True)
class Factor:
    """One multiplier of a hit's relevance, by name."""

    name: str
    value: float


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """What a question says of its answer besides the words: when it was, who said it, whom it is about."""

    now: datetime
    meant: Window | None = None
    speaker: str | None = None  # the one who spoke and whom the question names
    said: str | None = None  # whose words it asks for: user, agent, or a name
    oneself: bool = False
    outcomes: Mapping[int, float] = field(default_factory=dict)  # −1…1 by node: how tasks ended that were told it


class Weigher(Protocol):
    """Pure: a node and the view of a question in, the multipliers of its relevance out."""

    def __call__(self, node: Node, view: View) -> tuple[Factor, ...]: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Multipliers:
    """Each moves a score by at most its share up or down: nothing buries relevance."""

    recency: float = 0.01
    recency_half_life: float = 30.0  # days
    importance: float = 0.03
    confidence: float = 0.3
    reinforcement: float = 0.3
    time: float = 0.5
    speaker: float = 0.15  # the question names who said it
    myself: float = 0.25  # the user asks about themselves, and said this
    outcome: float = SHARE  # tasks that were told it succeeded, or failed, more often than usual
    agent: float = 0.17  # less for what the agent said, unless its words are asked for: it mostly answers

    def __call__(self, node: Node, view: View) -> tuple[Factor, ...]:
        age = _since(node.event_at, view.now) / _DAY
        moves = [
            Factor("recency", 1 + self.recency * 0.5 ** (age / self.recency_half_life)),
            Factor("importance", 1 + self.importance * (node.importance - 5) / 5),
            Factor("confidence", 1 - self.confidence * (1 - node.effective_confidence(view.now))),
            Factor("reinforcement", 1 + self.reinforcement * math.tanh(node.score * 0.2)),
        ]
        if view.meant is not None and view.meant.holds(node):
            moves.append(Factor("time", 1 + self.time))
        if (view.speaker is not None and node.speaker == view.speaker) or view.said == node.role == "agent":
            moves.append(Factor("speaker", 1 + self.speaker))
        if (view.oneself or view.said == "user") and node.role == "user":
            moves.append(Factor("myself", 1 + self.myself))
        if moved := view.outcomes.get(node.id):
            moves.append(Factor("outcome", 1 + self.outcome * moved))
        if node.role == "agent" and view.said != "agent":
            moves.append(Factor("agent", 1 - self.agent))
        return tuple(moves)


@dataclass(frozen=True, slots=True, kw_only=True)
class KiraBoosts:
    """Kira-R: up to twice as much for what is new, 0.84 to 1.2 by importance, times the confidence."""

    hours: float = 168.0  # a week

    def __call__(self, node: Node, view: View) -> tuple[Factor, ...]:
        age = _since(node.event_at, view.now) / _HOUR
        return (
            Factor("recency", 1 + max(0.0, 1 - age / self.hours)),
            Factor("importance", 0.8 + node.importance / 10 * 0.4),
            Factor("confidence", node.confidence),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Hebbian:
    """Koshi: what was found useful grows exponentially, what was not touched for long fades slowly."""

    gain: float = 0.2  # a step of score
    fading: float = 0.01  # a day

    def __call__(self, node: Node, view: View) -> tuple[Factor, ...]:
        days = _since(node.last_hit_at or node.recorded_at, view.now) / _DAY
        return (
            Factor("reinforcement", math.exp(min(700.0, node.score * self.gain))),  # beyond, a float ends
            Factor("recency", 1 / (1 + days * self.fading)),
        )


@dataclass(frozen=True, slots=True)
class Unmoved:
    """Relevance alone."""

    def __call__(self, node: Node, view: View) -> tuple[Factor, ...]:
        return ()


def weighted(relevance: float, by: Iterable[Factor]) -> float:
    for factor in by:
        relevance *= factor.value
    return relevance


def _since(then: datetime, now: datetime) -> float:
    """Seconds; what lies ahead is new."""
    return max(0.0, (now - then).total_seconds())
