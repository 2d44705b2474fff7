"""How important a memory is, how long it is retained, how evidence changes its confidence, and the credit of
outcomes."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Literal

from omoide.domain.node import Node

_IMPORTANT_WORDS = ("remember", "important", "never", "always")
_NOISE_PHRASES = ("ok", "thanks", "got it")
_EFFORT_CHARACTERS = 500


def classify_importance(
    text: str,
    *,
    type: str = "conversation",
    role: str | None = None,
    outcome: str | None = None,
    tags: Collection[str] = (),
    length: int | None = None,
) -> int:
    """Importance of an episode, 1 to 10.

    Corrections, important words, failures and long user turns raise it; system events and noise lower it.
    """
    lowered = text.lower()
    score = 5
    if type == "conversation" and "correction" in tags:
        score += 2
    if outcome == "failure":
        score += 1
    if any(word in lowered for word in _IMPORTANT_WORDS):
        score += 2
    if role == "user" and (len(text) if length is None else length) > _EFFORT_CHARACTERS:
        score += 1
    if type == "system":
        score -= 2
    if lowered.strip(" .!\n\t") in _NOISE_PHRASES:
        score -= 3
    return max(1, min(10, score))


RetentionPolicy = Literal["carried", "kira", "kira_delete"]
"""When turns are archived: once live memories state their content; after a number of days; or deleted after that."""


@dataclass(frozen=True, slots=True)
class Retention:
    """How many days an episode keeps its form before it is compressed further."""

    raw_days: int = 7
    raw_important_days: int = 30
    compressed_days: int = 90

    def days(self, compression: str, importance: int) -> int | None:
        """None: for ever."""
        match compression:
            case "raw":
                return self.raw_important_days if importance >= 8 else self.raw_days
            case "compressed":
                return None if importance >= 6 else self.compressed_days
            case _:
                return None


def confidence_after_outcome(confidence: float, outcome: str) -> float:
    """Success closes 15 % of the gap to 1, failure takes 30 %, partial changes nothing."""
    if outcome == "success":
        return confidence + (1.0 - confidence) * 0.15
    if outcome == "failure":
        return confidence * 0.7
    return confidence


def strengthen(strength: float) -> float:
    """The strength of a preference after one more piece of evidence, which closes a fifth of the gap to 1."""
    return strength + (1.0 - strength) * 0.2


def entity_importance(mentions: int, context: float = 5.0) -> int:
    """Importance of an entity, 1 to 10.

    One mention in an ordinary turn gives 5; every four times as many mentions add one. `context` is the mean
    importance of the turns that mention it: half of its difference from 5 is added.
    """
    found = 5 + math.log2(max(1, mentions)) / 2 + (context - 5) / 2
    return max(1, min(10, math.floor(found + 0.5)))


# Outcome credit: how much a memory helps, judged by the outcomes of tasks that were given it.


CreditVerdict = Literal["helps", "harms", "unclear"]

_PRIOR_TASKS = 4.0  # weight of the prior: a few real tasks change little
_STANDARD_ERRORS = 1.28  # 80 % of such intervals contain the true rate
_MIN_RATE, _MAX_RATE = 0.05, 0.95  # of the usual rate: one failure after many successes must not count too much
MAX_CREDIT_SHIFT = 0.2  # the most that credit changes a score, up or down


@dataclass(frozen=True, slots=True)
class Credit:
    """Tasks that succeeded and failed with a memory in context, weighted by its position there."""

    succeeded: float = 0.0
    failed: float = 0.0
    tasks: int = 0


def position_weight(position: int) -> float:
    """Weight of a position, since the first entries are read most: 1, 0.63, 0.5, 0.43, …"""
    return 1 / math.log2(1 + position)


def usual_success_rate(succeeded: int, failed: int) -> float:
    """The success rate of all tasks, the baseline for a memory; 0.5 while there are none."""
    return min(_MAX_RATE, max(_MIN_RATE, (succeeded + 1) / (succeeded + failed + 2)))


def success_rate(credit: Credit, usual: float) -> float:
    """The success rate with this memory: the mean of a Beta posterior whose prior is the usual rate."""
    return (credit.succeeded + _PRIOR_TASKS * usual) / (credit.succeeded + credit.failed + _PRIOR_TASKS)


def success_interval(credit: Credit, usual: float) -> tuple[float, float]:
    """A Wilson interval for the success rate over the posterior counts."""
    count = credit.succeeded + credit.failed + _PRIOR_TASKS
    mean = success_rate(credit, usual)
    spread = _STANDARD_ERRORS**2 / count
    centre = (mean + spread / 2) / (1 + spread)
    half = _STANDARD_ERRORS * math.sqrt(mean * (1 - mean) / count + spread / (4 * count)) / (1 + spread)
    return max(0.0, centre - half), min(1.0, centre + half)


def credit_effect(credit: Credit, usual: float) -> float:
    """From −1 (harms) to 1 (helps); 0 while the usual rate is within the interval."""
    low, high = success_interval(credit, usual)
    if low > usual:
        return (low - usual) / (1 - usual)
    return (high - usual) / usual if high < usual else 0.0


@dataclass(frozen=True, slots=True)
class MemoryCredit:
    """A memory and the outcomes of the tasks that had it in context, weighted by its position there."""

    node: Node
    tasks: int
    succeeded: float
    failed: float
    rate: float  # success rate with it, shrunk towards `usual`
    low: float
    high: float
    usual: float  # success rate of all tasks with memories in context
    effect: float  # −1 (harms) to 1 (helps)
    verdict: CreditVerdict


def rank_credits(nodes: Mapping[int, Node], credits: Mapping[int, Credit], usual: float) -> list[MemoryCredit]:
    """The credit of each node, by strength of effect, then by number of tasks."""
    found = [_memory_credit(nodes[id], credit, usual) for id, credit in credits.items() if id in nodes]
    return sorted(found, key=lambda each: (-abs(each.effect), -each.tasks, each.node.id))


def _memory_credit(node: Node, credit: Credit, usual: float) -> MemoryCredit:
    low, high = success_interval(credit, usual)
    effect = credit_effect(credit, usual)
    verdict: CreditVerdict = "helps" if effect > 0 else "harms" if effect < 0 else "unclear"
    rate = success_rate(credit, usual)
    return MemoryCredit(node, credit.tasks, credit.succeeded, credit.failed, rate, low, high, usual, effect, verdict)
