"""Outcome credit: how much a memory helps, judged by the outcomes of tasks that were given it."""

from __future__ import annotations

import math
from dataclasses import dataclass

_PRIOR_TASKS = 4.0  # weight of the prior: a few real tasks change little
_STANDARD_ERRORS = 1.28  # 80 % of such intervals contain the true rate
_MIN_RATE, _MAX_RATE = (
    0.05,
    0.95,
)  # bounds of the usual rate, so that one failure after many successes does not count too much
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
